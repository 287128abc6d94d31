//! The thread pool that encodes pictures: a few threads of low priority with bounded queues, so that
//! rendering pages comes first. Interactive and background requests have separate threads, because a large
//! AVIF takes seconds and cannot be interrupted.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use ::picture::Master;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::store::{self, PictureStore};
use crate::{PictureId, Size};

/// Values of `nice`.
const NICENESS: i32 = 10;
const BACKGROUND_NICENESS: i32 = 19;

/// The size is at most as wide as the master.
struct EncodeRequest {
    id: PictureId,
    size: Size,
    done: oneshot::Sender<EncodeResult>,
}

/// Stops its threads when it is dropped.
pub struct EncoderPool(Arc<Shared>);

struct Shared {
    queues: Mutex<EncodeQueues>,
    available: Condvar,
    max_queued: usize,
    encoded: AtomicU64,
    micros: AtomicU64,
}

#[derive(Default)]
struct EncodeQueues {
    interactive: VecDeque<EncodeRequest>,
    background: VecDeque<EncodeRequest>,
    closed: bool,
}

impl EncodeQueues {
    fn requests(&mut self, urgency: Urgency) -> &mut VecDeque<EncodeRequest> {
        match urgency {
            Urgency::Interactive => &mut self.interactive,
            Urgency::Background => &mut self.background,
        }
    }
}

/// Whether an HTTP request waits for the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    Interactive,
    Background,
}

/// The queue is full, or the pool is closed.
#[derive(Debug)]
pub struct Busy;

pub type EncodeResult = Result<Vec<u8>, String>;

impl EncoderPool {
    /// Starts `threads` interactive threads and one for the background, which read masters from `store`.
    pub fn start(threads: usize, max_queued: usize, store: PictureStore, handle: Handle) -> Self {
        let shared = Arc::new(Shared {
            queues: Mutex::default(),
            available: Condvar::new(),
            max_queued,
            encoded: AtomicU64::new(0),
            micros: AtomicU64::new(0),
        });
        let interactive = std::iter::repeat_n(Urgency::Interactive, threads.max(1));
        for urgency in interactive.chain([Urgency::Background]) {
            let (shared, store, handle) = (shared.clone(), store.clone(), handle.clone());
            let thread = std::thread::Builder::new().name(format!("pictures {urgency:?}"));
            let started = thread.spawn(move || work(&shared, urgency, &store, &handle));
            if let Err(why) = started {
                tracing::error!(%why, "could not start an encoder thread");
            }
        }
        Self(shared)
    }

    pub fn request(
        &self,
        id: PictureId,
        size: Size,
        urgency: Urgency,
    ) -> Result<oneshot::Receiver<EncodeResult>, Busy> {
        let (done, receiver) = oneshot::channel();
        let mut queues = self.0.lock();
        if queues.closed || queues.requests(urgency).len() >= self.0.max_queued {
            return Err(Busy);
        }
        queues.requests(urgency).push_back(EncodeRequest { id, size, done });
        drop(queues);
        self.0.available.notify_all();
        Ok(receiver)
    }

    /// Moves a request from the background queue to the interactive one.
    pub fn promote(&self, id: &PictureId, size: Size) {
        let mut queues = self.0.lock();
        let queued = |request: &EncodeRequest| request.size == size && request.id == *id;
        let place = queues.background.iter().position(queued);
        if let Some(request) = place.and_then(|place| queues.background.remove(place)) {
            queues.interactive.push_back(request);
        }
        drop(queues);
        self.0.available.notify_all();
    }

    pub fn has_background_capacity(&self) -> bool {
        self.0.lock().background.len() < self.0.max_queued
    }

    pub fn waiting(&self) -> usize {
        self.0.lock().interactive.len()
    }

    /// How many sizes were encoded, and the microseconds that they took.
    pub fn totals(&self) -> (u64, u64) {
        (self.0.encoded.load(Ordering::Relaxed), self.0.micros.load(Ordering::Relaxed))
    }
}

impl Drop for EncoderPool {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.available.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, EncodeQueues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, urgency: Urgency) -> Option<EncodeRequest> {
        let mut queues = self.lock();
        loop {
            let request = queues.requests(urgency).pop_front();
            if request.is_some() || queues.closed {
                return request;
            }
            queues = self.available.wait(queues).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn work(shared: &Shared, urgency: Urgency, store: &PictureStore, handle: &Handle) {
    let niceness = if urgency == Urgency::Interactive { NICENESS } else { BACKGROUND_NICENESS };
    // On Linux this sets the priority of the thread only.
    let _ = rustix::process::setpriority_process(None, niceness);
    // The last master stays decoded, because a page requests several sizes of a picture.
    let mut last: Option<(PictureId, Master)> = None;
    while let Some(EncodeRequest { id, size, done }) = shared.next(urgency) {
        if done.is_closed() {
            continue;
        }
        let began = Instant::now();
        let encoded = catch_unwind(AssertUnwindSafe(|| {
            if last.as_ref().is_none_or(|(of, _)| *of != id) {
                last = None;
                last = Some((id.clone(), open_master(&id, store, handle)?));
            }
            let (_, master) = last.as_ref().ok_or("no master")?;
            master.encode(size.width, size.format)
        }));
        let encoded = encoded.unwrap_or_else(|_| Err("a panic, logged above".into()));
        shared.encoded.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        shared.micros.fetch_add(micros, Ordering::Relaxed);
        let _ = done.send(encoded);
    }
}

fn open_master(id: &PictureId, store: &PictureStore, handle: &Handle) -> Result<Master, String> {
    let name = store::master(id);
    let bytes = handle.block_on(store.get(&name)).map_err(|why| why.to_string())?;
    Master::open(&bytes.ok_or_else(|| format!("{name} is not in the store"))?)
}
