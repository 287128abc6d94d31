//! React inside the server: the storefront's bundle in QuickJS, on threads of its own. A render that
//! throws, never ends or eats memory costs its page the render and nobody else anything: the visitor
//! gets the page to be rendered by the browser (decision 002).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TrySendError};
use rquickjs::{CatchResultExt, Context, Function, Runtime};
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::oneshot;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub threads: usize,
    /// Pages that may wait for a thread; one more is left to its browser.
    pub queue: usize,
    /// The CPU time of one render: the wall clock would fail healthy renders on a busy machine.
    pub cpu: Duration,
    /// The wall time after which the visitor waits no longer.
    pub wall: Duration,
    pub memory: usize,
    /// Renders of one kind of page that may fail in a row before that kind is left alone for a while.
    pub failures: u32,
    pub rest: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(2, usize::from),
            queue: 64,
            cpu: Duration::from_millis(750),
            wall: Duration::from_millis(1500),
            memory: 96 << 20,
            failures: 3,
            rest: Duration::from_secs(5),
        }
    }
}

/// What a render gives: the tags for `<head>` and the markup for the root element.
#[derive(Debug)]
pub struct Markup {
    pub head: String,
    pub body: String,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// The queue is full, or the answer did not come in time.
    Busy,
    /// This kind of page has failed too often just now.
    Resting,
    OverBudget,
    Threw(String),
}

#[derive(Clone)]
pub struct Renderer(Arc<Pool>);

struct Pool {
    bundle: Arc<str>,
    limits: Limits,
    queue: Sender<Ticket>,
    tickets: Receiver<Ticket>,
    workers: Mutex<Vec<Arc<Slot>>>,
    /// Workers that were replaced and have not come back.
    stuck: AtomicUsize,
    breakers: Mutex<HashMap<&'static str, Breaker>>,
    counts: Counts,
    started: Instant,
}

struct Ticket {
    json: Arc<str>,
    reply: oneshot::Sender<Result<Markup, Failure>>,
}

/// What one worker is doing, as others may see it.
#[derive(Default)]
struct Slot {
    /// Milliseconds since the pool started, plus one, at which its render began; 0 when it has none.
    busy_since: AtomicU64,
    /// Replaced: to end when it comes back.
    given_up: AtomicBool,
}

#[derive(Default)]
struct Breaker {
    failed_in_a_row: u32,
    resting_until: Option<Instant>,
}

/// What the pool has done since it started.
#[derive(Default)]
pub struct Counts {
    pub rendered: AtomicU64,
    pub micros: AtomicU64,
    pub failed: AtomicU64,
    pub refused: AtomicU64,
    pub replaced: AtomicU64,
}

/// A worker that is stuck in one native call cannot be stopped, only replaced. More than this many at
/// a time and something is so wrong that new threads would not help.
const MOST_STUCK: usize = 16;

impl Renderer {
    pub fn start(bundle: impl Into<Arc<str>>, limits: Limits) -> Self {
        let (queue, tickets) = crossbeam_channel::bounded(limits.queue);
        let pool = Arc::new(Pool {
            bundle: bundle.into(),
            limits,
            queue,
            tickets,
            workers: Mutex::default(),
            stuck: AtomicUsize::new(0),
            breakers: Mutex::default(),
            counts: Counts::default(),
            started: Instant::now(),
        });
        for _ in 0..limits.threads {
            pool.hire();
        }
        Self(pool)
    }

    /// Renders a page from its data. `kind` is what the circuit breaker goes by.
    pub async fn render(&self, kind: &'static str, json: Arc<str>) -> Result<Markup, Failure> {
        let pool = &self.0;
        if pool.breaker(kind, |breaker| breaker.rests(Instant::now())) {
            pool.counts.refused.fetch_add(1, Ordering::Relaxed);
            return Err(Failure::Resting);
        }
        let (reply, answer) = oneshot::channel();
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) =
            pool.queue.try_send(Ticket { json, reply })
        {
            pool.counts.refused.fetch_add(1, Ordering::Relaxed);
            return Err(Failure::Busy);
        }
        let outcome = match tokio::time::timeout(pool.limits.wall, answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => {
                pool.replace_stuck();
                Err(Failure::Busy)
            }
        };
        match &outcome {
            Ok(_) => pool.breaker(kind, |breaker| *breaker = Breaker::default()),
            Err(why) => {
                tracing::error!(page = kind, ?why, "a render failed; the browser does it");
                pool.counts.failed.fetch_add(1, Ordering::Relaxed);
                let limits = pool.limits;
                pool.breaker(kind, |breaker| breaker.failed(Instant::now(), &limits));
            }
        }
        outcome
    }

    pub fn counts(&self) -> &Counts {
        &self.0.counts
    }

    /// How many pages wait for a thread, and how many threads are at work.
    pub fn load(&self) -> (usize, usize) {
        let workers = self.0.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let busy = |slot: &&Arc<Slot>| slot.busy_since.load(Ordering::Relaxed) > 0;
        (self.0.tickets.len(), workers.iter().filter(busy).count())
    }
}

impl Breaker {
    fn rests(&mut self, now: Instant) -> bool {
        match self.resting_until {
            Some(until) if now < until => true,
            Some(_) => {
                // Half open: one failure more and it rests again.
                self.resting_until = None;
                self.failed_in_a_row = self.failed_in_a_row.saturating_sub(1);
                false
            }
            None => false,
        }
    }

    fn failed(&mut self, now: Instant, limits: &Limits) {
        self.failed_in_a_row += 1;
        if self.failed_in_a_row >= limits.failures {
            self.resting_until = Some(now + limits.rest);
        }
    }
}

impl Pool {
    fn breaker<T>(&self, kind: &'static str, with: impl FnOnce(&mut Breaker) -> T) -> T {
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        with(breakers.entry(kind).or_default())
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_add(1)
    }

    fn hire(self: &Arc<Self>) {
        let slot = Arc::<Slot>::default();
        self.workers.lock().unwrap_or_else(PoisonError::into_inner).push(slot.clone());
        // The worker holds the pool weakly, so that the threads end when the last renderer does.
        let (pool, tickets) = (Arc::downgrade(self), self.tickets.clone());
        let (bundle, limits) = (self.bundle.clone(), self.limits);
        let work = move || {
            let mut engine = Engine::start(&bundle, &limits);
            for Ticket { json, reply } in &tickets {
                let Some(pool) = pool.upgrade() else { return };
                if reply.is_closed() {
                    continue; // nobody waits for it any more
                }
                slot.busy_since.store(pool.now(), Ordering::Relaxed);
                let began = cpu_time();
                let outcome = match &engine {
                    Ok(engine) => engine.render(&json, limits.cpu),
                    Err(why) => Err(Failure::Threw(why.clone())),
                };
                slot.busy_since.store(0, Ordering::Relaxed);
                if outcome.is_ok() {
                    let took = cpu_time().saturating_sub(began).as_micros();
                    pool.counts.rendered.fetch_add(1, Ordering::Relaxed);
                    pool.counts.micros.fetch_add(took as u64, Ordering::Relaxed);
                }
                let failed = outcome.is_err();
                let _ = reply.send(outcome);
                if slot.given_up.load(Ordering::Relaxed) {
                    pool.stuck.fetch_sub(1, Ordering::Relaxed);
                    return;
                }
                if failed {
                    // What threw may have left anything behind.
                    engine = Engine::start(&bundle, &limits);
                }
            }
        };
        let spawned =
            std::thread::Builder::new().name("render".into()).stack_size(8 << 20).spawn(work);
        if let Err(why) = spawned {
            tracing::error!(%why, "could not start a render thread");
        }
    }

    /// Replaces the workers whose render has gone on for longer than anybody waits. One that there is no
    /// room to replace keeps its place, and works on if it ever comes back.
    fn replace_stuck(self: &Arc<Self>) {
        let oldest = self.now().saturating_sub(self.limits.wall.as_millis() as u64);
        let stuck: Vec<Arc<Slot>> = {
            let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
            let mut room = MOST_STUCK.saturating_sub(self.stuck.load(Ordering::Relaxed));
            let stuck: Vec<_> = workers
                .extract_if(.., |slot| {
                    let since = slot.busy_since.load(Ordering::Relaxed);
                    let replaced = room > 0 && since > 0 && since <= oldest;
                    room -= usize::from(replaced);
                    replaced
                })
                .collect();
            self.stuck.fetch_add(stuck.len(), Ordering::Relaxed);
            stuck
        };
        for slot in stuck {
            slot.given_up.store(true, Ordering::Relaxed);
            self.counts.replaced.fetch_add(1, Ordering::Relaxed);
            tracing::error!("a render thread is stuck; another takes its place");
            self.hire();
        }
    }
}

/// One QuickJS with the bundle loaded.
struct Engine {
    context: Context,
    deadline: Arc<AtomicU64>,
}

impl Engine {
    fn start(bundle: &str, limits: &Limits) -> Result<Self, String> {
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
        // Loading takes some 20 ms; a bundle that loops while it loads is stopped too.
        engine.within(limits.cpu * 4, || {
            engine.context.with(|ctx| {
                let warn = Function::new(ctx.clone(), |said: String| tracing::warn!(said, "page says"));
                ctx.globals().set("warn", warn).catch(&ctx).map_err(|why| why.to_string())?;
                ctx.eval::<(), _>(
                    "{ const say = (...said) => warn(said.map(String).join(' '));
                       globalThis.console = { log() {}, info() {}, debug() {}, warn: say, error: say }; }",
                )
                .catch(&ctx)
                .map_err(|why| why.to_string())?;
                ctx.eval::<(), _>(bundle).catch(&ctx).map_err(|why| why.to_string())
            })
        })?;
        Ok(engine)
    }

    fn within<T>(&self, budget: Duration, run: impl FnOnce() -> T) -> T {
        let deadline = (cpu_time() + budget).as_micros() as u64;
        self.deadline.store(deadline, Ordering::Relaxed);
        let outcome = run();
        self.deadline.store(u64::MAX, Ordering::Relaxed);
        outcome
    }

    fn render(&self, json: &str, budget: Duration) -> Result<Markup, Failure> {
        let deadline = cpu_time() + budget;
        let outcome = self.within(budget, || {
            self.context.with(|ctx| -> Result<Markup, String> {
                let call = || -> rquickjs::Result<Vec<String>> {
                    ctx.globals().get::<_, Function>("render")?.call((json,))
                };
                let parts = call().catch(&ctx).map_err(|why| why.to_string())?;
                let [head, body]: [String; 2] =
                    parts.try_into().map_err(|_| "render gives [head, body]".to_owned())?;
                Ok(Markup { head, body })
            })
        });
        outcome.map_err(|why| {
            if cpu_time() >= deadline { Failure::OverBudget } else { Failure::Threw(why) }
        })
    }
}

/// The CPU time of this thread.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use test_support::eventually;

    use super::*;

    /// A bundle that misbehaves as its data says.
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

    fn renderer(limits: Limits) -> Renderer {
        Renderer::start(BUNDLE, limits)
    }

    async fn ask(renderer: &Renderer, kind: &'static str, how: &str) -> Result<Markup, Failure> {
        renderer.render(kind, format!(r#"{{"how": "{how}", "to": "{kind}"}}"#).into()).await
    }

    #[tokio::test]
    async fn a_page_that_misbehaves_does_not_take_the_others_with_it() {
        // On a machine that is busy with others, the CPU time is to run out first.
        let wall = Duration::from_secs(60);
        let renderer = renderer(Limits { threads: 1, failures: 100, wall, ..Limits::default() });
        for how in ["throw", "loop", "eat", "recurse", "misshape"] {
            assert!(ask(&renderer, "bad", how).await.is_err(), "{how}");
            assert_eq!(ask(&renderer, "good", "").await.unwrap().body, "<p>good</p>", "{how}");
        }
        assert_eq!(ask(&renderer, "bad", "loop").await.unwrap_err(), Failure::OverBudget);
    }

    #[tokio::test]
    async fn a_kind_of_page_that_keeps_failing_is_left_alone_for_a_while() {
        let rest = Duration::from_millis(50);
        let renderer = renderer(Limits { threads: 1, failures: 2, rest, ..Limits::default() });
        for _ in 0..2 {
            assert!(matches!(ask(&renderer, "bad", "throw").await, Err(Failure::Threw(_))));
        }
        assert_eq!(ask(&renderer, "bad", "").await.unwrap_err(), Failure::Resting);
        assert!(ask(&renderer, "good", "").await.is_ok());
        while ask(&renderer, "bad", "").await.is_err() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once() {
        let renderer = renderer(Limits { threads: 1, queue: 1, ..Limits::default() });
        let asked = (0..8).map(|_| ask(&renderer, "page", "loop"));
        let outcomes = futures_util::future::join_all(asked).await;
        assert!(outcomes.iter().any(|outcome| matches!(outcome, Err(Failure::Busy))));
    }

    #[tokio::test]
    async fn a_bundle_that_does_not_load_fails_every_render_and_nothing_else() {
        let renderer = Renderer::start("syntax error here", Limits::default());
        assert!(matches!(ask(&renderer, "page", "").await, Err(Failure::Threw(_))));
    }

    #[tokio::test]
    async fn a_stuck_thread_is_replaced() {
        // A budget that never ends makes the loop uninterruptible, as a long native call would be.
        let cpu = Duration::from_secs(3600);
        let wall = Duration::from_secs(1);
        let renderer = renderer(Limits { threads: 1, cpu, wall, ..Limits::default() });
        assert_eq!(ask(&renderer, "bad", "loop").await.unwrap_err(), Failure::Busy);
        // On a machine that is busy with others, the thread in its place may be late too.
        eventually("its successor renders", async || ask(&renderer, "good", "").await.is_ok())
            .await;
        assert!(renderer.counts().replaced.load(Ordering::Relaxed) >= 1);
    }

    #[tokio::test]
    async fn threads_that_come_back_make_room_for_others() {
        let (cpu, wall) = (Duration::from_secs(3600), Duration::from_millis(20));
        let failures = u32::MAX;
        let renderer = renderer(Limits { threads: 1, cpu, wall, failures, ..Limits::default() });
        // More than may be stuck at a time, over a while: a busy machine, not a broken one.
        let replaced = || renderer.counts().replaced.load(Ordering::Relaxed) as usize;
        eventually("many were late", async || {
            // On a machine that stalls, whoever asks may be as late as the answer.
            let _ = ask(&renderer, "page", "late").await;
            replaced() >= 2 * MOST_STUCK
        })
        .await;
        eventually("somebody renders", async || ask(&renderer, "page", "").await.is_ok()).await;
    }
}
