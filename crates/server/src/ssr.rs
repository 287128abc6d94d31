//! Server-side rendering (SSR): a pool of threads that run the storefront's React bundle in QuickJS. A render
//! that throws, never ends or uses too much memory affects only its own page, which the browser then renders
//! (decision 002).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use rquickjs::{CatchResultExt, Context, Function, Runtime};
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::oneshot;

#[derive(Clone, Copy, Debug)]
pub struct RenderLimits {
    pub threads: usize,
    /// Pages that may wait for a thread; further ones are rendered by the browser.
    pub queue: usize,
    /// The CPU time of one render: wall time would fail healthy renders on a busy machine.
    pub cpu: Duration,
    /// The wall time after which the request stops waiting.
    pub wall: Duration,
    pub memory: usize,
    /// Failures in a row of one page that open its circuit breaker.
    pub failures: u32,
    /// How long the circuit breaker stays open.
    pub cooldown: Duration,
}

impl Default for RenderLimits {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(2, usize::from),
            queue: 64,
            cpu: Duration::from_millis(750),
            wall: Duration::from_millis(1500),
            memory: 96 << 20,
            failures: 3,
            cooldown: Duration::from_secs(5),
        }
    }
}

/// A rendered page: the tags for `<head>` and the markup of the root element.
#[derive(Debug)]
pub struct Markup {
    pub head: String,
    pub body: String,
}

#[derive(Debug, PartialEq, Eq)]
pub enum RenderError {
    /// The queue is full, or the render timed out.
    Busy,
    /// The page's circuit breaker is open.
    BreakerOpen,
    OverBudget,
    Threw(String),
}

#[derive(Clone)]
pub struct Renderer(Arc<RenderPool>);

struct RenderPool {
    bundle: Arc<str>,
    limits: RenderLimits,
    queue: Sender<RenderRequest>,
    requests: Receiver<RenderRequest>,
    workers: Mutex<Vec<Arc<WorkerState>>>,
    /// Workers that were replaced and have not returned.
    stuck: AtomicUsize,
    breakers: Mutex<HashMap<&'static str, CircuitBreaker>>,
    counts: RenderCounters,
    started: Instant,
}

struct RenderRequest {
    json: Arc<str>,
    reply: oneshot::Sender<Result<Markup, RenderError>>,
}

/// The state of one worker, shared with the pool.
#[derive(Default)]
struct WorkerState {
    /// When its render began, in milliseconds since the pool started, plus one; 0 when idle.
    busy_since: AtomicU64,
    /// Whether it was replaced; it then ends when its render returns.
    replaced: AtomicBool,
}

#[derive(Default)]
struct CircuitBreaker {
    failures_in_a_row: u32,
    open_until: Option<Instant>,
}

#[derive(Default)]
pub struct RenderCounters {
    pub rendered: AtomicU64,
    pub micros: AtomicU64,
    pub failed: AtomicU64,
    pub refused: AtomicU64,
    pub replaced: AtomicU64,
}

/// A worker that is stuck in a native call cannot be stopped, only replaced. With more than this many at a time,
/// new threads would not help.
const MAX_STUCK: usize = 16;

impl Renderer {
    pub fn start(bundle: impl Into<Arc<str>>, limits: RenderLimits) -> Self {
        let (queue, requests) = crossbeam_channel::bounded(limits.queue);
        let pool = Arc::new(RenderPool {
            bundle: bundle.into(),
            limits,
            queue,
            requests,
            workers: Mutex::default(),
            stuck: AtomicUsize::new(0),
            breakers: Mutex::default(),
            counts: RenderCounters::default(),
            started: Instant::now(),
        });
        for _ in 0..limits.threads {
            pool.spawn_worker();
        }
        Self(pool)
    }

    /// Renders a page from its data. Each page has its own circuit breaker.
    pub async fn render(&self, page: &'static str, json: Arc<str>) -> Result<Markup, RenderError> {
        let pool = &self.0;
        if pool.breaker(page, |breaker| breaker.is_open(Instant::now())) {
            pool.counts.refused.fetch_add(1, Ordering::Relaxed);
            return Err(RenderError::BreakerOpen);
        }
        let (reply, result) = oneshot::channel();
        if pool.queue.try_send(RenderRequest { json, reply }).is_err() {
            pool.counts.refused.fetch_add(1, Ordering::Relaxed);
            return Err(RenderError::Busy);
        }
        let result = match tokio::time::timeout(pool.limits.wall, result).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) | Err(_) => {
                pool.replace_stuck();
                Err(RenderError::Busy)
            }
        };
        match &result {
            Ok(_) => pool.breaker(page, |breaker| *breaker = CircuitBreaker::default()),
            Err(why) => {
                tracing::error!(page, ?why, "a render failed; the browser renders the page");
                pool.counts.failed.fetch_add(1, Ordering::Relaxed);
                let limits = pool.limits;
                pool.breaker(page, |breaker| breaker.record_failure(Instant::now(), &limits));
            }
        }
        result
    }

    pub fn counts(&self) -> &RenderCounters {
        &self.0.counts
    }

    pub fn load(&self) -> (usize, usize) {
        let workers = self.0.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let busy = |worker: &&Arc<WorkerState>| worker.busy_since.load(Ordering::Relaxed) > 0;
        (self.0.requests.len(), workers.iter().filter(busy).count())
    }
}

impl CircuitBreaker {
    fn is_open(&mut self, now: Instant) -> bool {
        match self.open_until {
            Some(until) if now < until => true,
            Some(_) => {
                // Half open: one more failure opens it again.
                self.open_until = None;
                self.failures_in_a_row = self.failures_in_a_row.saturating_sub(1);
                false
            }
            None => false,
        }
    }

    fn record_failure(&mut self, now: Instant, limits: &RenderLimits) {
        self.failures_in_a_row += 1;
        if self.failures_in_a_row >= limits.failures {
            self.open_until = Some(now + limits.cooldown);
        }
    }
}

impl RenderPool {
    fn breaker<T>(&self, page: &'static str, with: impl FnOnce(&mut CircuitBreaker) -> T) -> T {
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        with(breakers.entry(page).or_default())
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_add(1)
    }

    fn spawn_worker(self: &Arc<Self>) {
        let worker = Arc::<WorkerState>::default();
        self.workers.lock().unwrap_or_else(PoisonError::into_inner).push(worker.clone());
        // A weak reference: the threads end when the last `Renderer` is dropped.
        let (pool, requests) = (Arc::downgrade(self), self.requests.clone());
        let (bundle, limits) = (self.bundle.clone(), self.limits);
        let work = move || {
            let mut engine = JsEngine::start(&bundle, &limits);
            for RenderRequest { json, reply } in &requests {
                let Some(pool) = pool.upgrade() else { return };
                if reply.is_closed() {
                    continue; // the request has timed out
                }
                worker.busy_since.store(pool.now(), Ordering::Relaxed);
                let began = cpu_time();
                let result = match &engine {
                    Ok(engine) => engine.render(&json, limits.cpu),
                    Err(why) => Err(RenderError::Threw(why.clone())),
                };
                worker.busy_since.store(0, Ordering::Relaxed);
                if result.is_ok() {
                    let took = cpu_time().saturating_sub(began).as_micros();
                    pool.counts.rendered.fetch_add(1, Ordering::Relaxed);
                    pool.counts.micros.fetch_add(took as u64, Ordering::Relaxed);
                }
                let failed = result.is_err();
                let _ = reply.send(result);
                if worker.replaced.load(Ordering::Relaxed) {
                    pool.stuck.fetch_sub(1, Ordering::Relaxed);
                    return;
                }
                if failed {
                    // A failed render may leave the engine in any state.
                    engine = JsEngine::start(&bundle, &limits);
                }
            }
        };
        let spawned =
            std::thread::Builder::new().name("render".into()).stack_size(8 << 20).spawn(work);
        if let Err(why) = spawned {
            tracing::error!(%why, "could not start a render thread");
        }
    }

    /// Replaces the workers whose render exceeds the wall time. Beyond `MAX_STUCK` a stuck worker is not replaced,
    /// and continues if its render returns.
    fn replace_stuck(self: &Arc<Self>) {
        let oldest = self.now().saturating_sub(self.limits.wall.as_millis() as u64);
        let stuck: Vec<Arc<WorkerState>> = {
            let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
            let mut room = MAX_STUCK.saturating_sub(self.stuck.load(Ordering::Relaxed));
            let stuck: Vec<_> = workers
                .extract_if(.., |worker| {
                    let since = worker.busy_since.load(Ordering::Relaxed);
                    let replaced = room > 0 && since > 0 && since <= oldest;
                    room -= usize::from(replaced);
                    replaced
                })
                .collect();
            self.stuck.fetch_add(stuck.len(), Ordering::Relaxed);
            stuck
        };
        for worker in stuck {
            worker.replaced.store(true, Ordering::Relaxed);
            self.counts.replaced.fetch_add(1, Ordering::Relaxed);
            tracing::error!("replaced a stuck render thread");
            self.spawn_worker();
        }
    }
}

struct JsEngine {
    context: Context,
    deadline: Arc<AtomicU64>,
}

impl JsEngine {
    fn start(bundle: &str, limits: &RenderLimits) -> Result<Self, String> {
        let start = || -> rquickjs::Result<Self> {
            let runtime = Runtime::new()?;
            runtime.set_memory_limit(limits.memory);
            runtime.set_max_stack_size(4 << 20);
            let deadline = Arc::new(AtomicU64::new(u64::MAX));
            let watched = deadline.clone();
            runtime.set_interrupt_handler(Some(Box::new(move || {
                cpu_time().as_micros() as u64 > watched.load(Ordering::Relaxed)
            })));
            let context = Context::full(&runtime)?;
            Ok(Self { context, deadline })
        };
        let engine = start().map_err(|why| why.to_string())?;
        // Loading takes about 20 ms; the deadline also stops a bundle that loops while loading.
        engine.with_deadline(limits.cpu * 4, || {
            engine.context.with(|ctx| {
                let warn = Function::new(ctx.clone(), |message: String| tracing::warn!(message, "console output of a page"));
                ctx.globals().set("warn", warn).catch(&ctx).map_err(|why| why.to_string())?;
                ctx.eval::<(), _>(
                    "{ const log = (...args) => warn(args.map(String).join(' '));
                       globalThis.console = { log() {}, info() {}, debug() {}, warn: log, error: log }; }",
                )
                .catch(&ctx)
                .map_err(|why| why.to_string())?;
                ctx.eval::<(), _>(bundle).catch(&ctx).map_err(|why| why.to_string())
            })
        })?;
        Ok(engine)
    }

    fn with_deadline<T>(&self, budget: Duration, run: impl FnOnce() -> T) -> T {
        let deadline = (cpu_time() + budget).as_micros() as u64;
        self.deadline.store(deadline, Ordering::Relaxed);
        let result = run();
        self.deadline.store(u64::MAX, Ordering::Relaxed);
        result
    }

    fn render(&self, json: &str, budget: Duration) -> Result<Markup, RenderError> {
        let deadline = cpu_time() + budget;
        let result = self.with_deadline(budget, || {
            self.context.with(|ctx| -> Result<Markup, String> {
                let call = || -> rquickjs::Result<Vec<String>> {
                    ctx.globals().get::<_, Function>("render")?.call((json,))
                };
                let parts = call().catch(&ctx).map_err(|why| why.to_string())?;
                let [head, body]: [String; 2] =
                    parts.try_into().map_err(|_| "render must return [head, body]".to_owned())?;
                Ok(Markup { head, body })
            })
        });
        result.map_err(|why| {
            if cpu_time() >= deadline { RenderError::OverBudget } else { RenderError::Threw(why) }
        })
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use test_support::eventually;

    use super::*;

    /// A bundle that fails in the way that its data names.
    const BUNDLE: &str = r#"
        globalThis.render = (json) => {
            const { how, to } = JSON.parse(json);
            if (how === "throw") throw new Error("no such component");
            if (how === "loop") for (;;);
            if (how === "late") { const end = Date.now() + 100; while (Date.now() < end); }
            if (how === "eat") { const all = []; for (;;) all.push(new Array(10000).fill({})); }
            if (how === "recurse") { const f = () => f() + 1; f(); }
            if (how === "misshape") return "text";
            return ["<title>" + to + "</title>", "<p>" + to + "</p>"];
        };
    "#;

    /// A wall time that no healthy render exceeds, however busy the machine is.
    const PATIENT: Duration = Duration::from_secs(60);

    fn renderer(limits: RenderLimits) -> Renderer {
        Renderer::start(BUNDLE, limits)
    }

    async fn render(
        renderer: &Renderer,
        kind: &'static str,
        how: &str,
    ) -> Result<Markup, RenderError> {
        renderer.render(kind, format!(r#"{{"how": "{how}", "to": "{kind}"}}"#).into()).await
    }

    #[tokio::test]
    async fn a_failing_page_does_not_affect_others() {
        let limits =
            RenderLimits { threads: 1, failures: 100, wall: PATIENT, ..RenderLimits::default() };
        let renderer = renderer(limits);
        for how in ["throw", "loop", "eat", "recurse", "misshape"] {
            assert!(render(&renderer, "bad", how).await.is_err(), "{how}");
            assert_eq!(render(&renderer, "good", "").await.unwrap().body, "<p>good</p>", "{how}");
        }
        assert_eq!(render(&renderer, "bad", "loop").await.unwrap_err(), RenderError::OverBudget);
    }

    #[tokio::test]
    async fn repeated_failures_open_the_circuit_breaker_of_the_page() {
        let failed_twice = async |cooldown| {
            let limits = RenderLimits {
                threads: 1,
                failures: 2,
                cooldown,
                wall: PATIENT,
                ..RenderLimits::default()
            };
            let renderer = renderer(limits);
            for _ in 0..2 {
                let failed = render(&renderer, "bad", "throw").await;
                assert!(matches!(failed, Err(RenderError::Threw(_))), "{failed:?}");
            }
            renderer
        };
        let renderer = failed_twice(Duration::from_secs(3600)).await;
        assert_eq!(render(&renderer, "bad", "").await.unwrap_err(), RenderError::BreakerOpen);
        assert!(render(&renderer, "good", "").await.is_ok());
        let renderer = failed_twice(Duration::from_millis(50)).await;
        eventually("it is closed again", async || render(&renderer, "bad", "").await.is_ok()).await;
    }

    #[tokio::test]
    async fn a_full_queue_refuses_immediately() {
        let renderer = renderer(RenderLimits { threads: 1, queue: 1, ..RenderLimits::default() });
        let asked = (0..8).map(|_| render(&renderer, "page", "loop"));
        let outcomes = futures_util::future::join_all(asked).await;
        assert!(outcomes.iter().any(|result| matches!(result, Err(RenderError::Busy))));
    }

    #[tokio::test]
    async fn a_bundle_that_does_not_load_fails_every_render() {
        let limits = RenderLimits { wall: PATIENT, ..RenderLimits::default() };
        let renderer = Renderer::start("syntax error here", limits);
        assert!(matches!(render(&renderer, "page", "").await, Err(RenderError::Threw(_))));
    }

    #[tokio::test]
    async fn a_stuck_thread_is_replaced() {
        // A very long CPU limit makes the loop uninterruptible, like a long native call.
        let cpu = Duration::from_secs(3600);
        let wall = Duration::from_secs(1);
        let failures = u32::MAX;
        let renderer =
            renderer(RenderLimits { threads: 1, cpu, wall, failures, ..RenderLimits::default() });
        // On a busy machine the thread, and then its replacement, may not even have started in time.
        eventually("the thread is replaced", async || {
            assert_eq!(render(&renderer, "bad", "loop").await.unwrap_err(), RenderError::Busy);
            renderer.counts().replaced.load(Ordering::Relaxed) >= 1
        })
        .await;
        eventually("the replacement renders", async || render(&renderer, "good", "").await.is_ok())
            .await;
    }

    #[tokio::test]
    async fn threads_that_return_do_not_count_as_stuck() {
        let (cpu, wall) = (Duration::from_secs(3600), Duration::from_millis(20));
        let failures = u32::MAX;
        let renderer =
            renderer(RenderLimits { threads: 1, cpu, wall, failures, ..RenderLimits::default() });
        // More than `MAX_STUCK` in total, but not at the same time.
        let replaced = || renderer.counts().replaced.load(Ordering::Relaxed) as usize;
        eventually("many threads were replaced", async || {
            // On a stalled machine both may be late.
            let _ = render(&renderer, "page", "late").await;
            replaced() >= 2 * MAX_STUCK
        })
        .await;
        eventually("a thread renders", async || render(&renderer, "page", "").await.is_ok()).await;
    }
}
