//! The threads that make sizes: few, of low priority, with queues that end. Pages are rendered and
//! answered by others, which the system lets go first. What somebody waits for and what is made ahead
//! have threads of their own, because a large AVIF takes seconds and cannot be interrupted.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use ::picture::Master;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::store::{self, Store};
use crate::{PictureId, Size};

/// As `nice` has it: a maker gets what the renderers leave, and one that works ahead what makers leave.
const NICENESS: i32 = 10;
const NICENESS_AHEAD: i32 = 19;

/// A size to make, at most as wide as its master, and who waits for it.
struct Order {
    id: PictureId,
    size: Size,
    done: oneshot::Sender<Made>,
}

/// Ends its threads when it goes.
pub struct Makers(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    filled: Condvar,
    most: usize,
    made: AtomicU64,
    micros: AtomicU64,
}

#[derive(Default)]
struct Queue {
    /// Somebody waits for these.
    asked: VecDeque<Order>,
    /// Made ahead, while nobody waits for anything.
    ahead: VecDeque<Order>,
    closed: bool,
}

/// Whether somebody waits for a size, or may want it later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    Asked,
    Ahead,
}

/// Why an order is not taken.
#[derive(Debug)]
pub struct Busy;

pub type Made = Result<Vec<u8>, String>;

impl Makers {
    /// Starts `threads` of them and one that works ahead, which read masters from `store`.
    pub fn start(threads: usize, most: usize, store: Store, handle: Handle) -> Self {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            filled: Condvar::new(),
            most,
            made: AtomicU64::new(0),
            micros: AtomicU64::new(0),
        });
        let lanes = std::iter::repeat_n(Lane::Asked, threads.max(1)).chain([Lane::Ahead]);
        for lane in lanes {
            let (shared, store, handle) = (shared.clone(), store.clone(), handle.clone());
            let thread = std::thread::Builder::new().name(format!("pictures {lane:?}"));
            let started = thread.spawn(move || work(&shared, lane, &store, &handle));
            if let Err(why) = started {
                tracing::error!(%why, "could not start a thread for pictures");
            }
        }
        Self(shared)
    }

    /// Asks for a size.
    pub fn ask(
        &self,
        id: PictureId,
        size: Size,
        lane: Lane,
    ) -> Result<oneshot::Receiver<Made>, Busy> {
        let (done, receiver) = oneshot::channel();
        let mut queue = self.0.lock();
        let closed = queue.closed;
        let lane = match lane {
            Lane::Asked => &mut queue.asked,
            Lane::Ahead => &mut queue.ahead,
        };
        if closed || lane.len() >= self.0.most {
            return Err(Busy);
        }
        lane.push_back(Order { id, size, done });
        drop(queue);
        self.0.filled.notify_all();
        Ok(receiver)
    }

    /// Somebody waits now for what was only to be made ahead.
    pub fn hurry(&self, id: &PictureId, size: Size) {
        let mut queue = self.0.lock();
        let place = queue.ahead.iter().position(|order| order.size == size && order.id == *id);
        if let Some(order) = place.and_then(|place| queue.ahead.remove(place)) {
            queue.asked.push_back(order);
        }
        drop(queue);
        self.0.filled.notify_all();
    }

    /// Whether there is room to make more ahead.
    pub fn room_ahead(&self) -> bool {
        self.0.lock().ahead.len() < self.0.most
    }

    pub fn waiting(&self) -> usize {
        self.0.lock().asked.len()
    }

    /// How many sizes were made, and the microseconds that they took.
    pub fn made(&self) -> (u64, u64) {
        (self.0.made.load(Ordering::Relaxed), self.0.micros.load(Ordering::Relaxed))
    }
}

impl Drop for Makers {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.filled.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, lane: Lane) -> Option<Order> {
        let mut queue = self.lock();
        loop {
            let order = match lane {
                Lane::Asked => queue.asked.pop_front(),
                Lane::Ahead => queue.ahead.pop_front(),
            };
            if order.is_some() {
                return order;
            }
            if queue.closed {
                return None;
            }
            queue = self.filled.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn work(shared: &Shared, lane: Lane, store: &Store, handle: &Handle) {
    let niceness = if lane == Lane::Asked { NICENESS } else { NICENESS_AHEAD };
    // On Linux this is the thread's own.
    let _ = rustix::process::setpriority_process(None, niceness);
    // A page asks for several sizes of a picture at once.
    let mut last: Option<(PictureId, Master)> = None;
    while let Some(Order { id, size, done }) = shared.next(lane) {
        if done.is_closed() {
            continue;
        }
        let began = Instant::now();
        let made = catch_unwind(AssertUnwindSafe(|| {
            if last.as_ref().is_none_or(|(of, _)| *of != id) {
                last = None;
                last = Some((id.clone(), master(&id, store, handle)?));
            }
            let (_, master) = last.as_ref().ok_or("no master")?;
            master.make(size.width, size.kind)
        }));
        let made = made.unwrap_or_else(|_| Err("a panic, logged above".into()));
        shared.made.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        shared.micros.fetch_add(micros, Ordering::Relaxed);
        let _ = done.send(made);
    }
}

fn master(id: &PictureId, store: &Store, handle: &Handle) -> Result<Master, String> {
    let name = store::master(id);
    let bytes = handle.block_on(store.get(&name)).map_err(|why| why.to_string())?;
    Master::open(&bytes.ok_or_else(|| format!("{name} is not in the store"))?)
}
