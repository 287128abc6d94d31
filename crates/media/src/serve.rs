//! Pictures in the sizes that browsers ask for: from memory, from the store, or made. However many ask
//! for a size that there is not yet, it is made once. An AVIF takes too long to wait for: until it is
//! made, the WebP of the same size stands in, to be kept for a minute only. A build without the `avif`
//! feature answers with the WebP for good; a browser that reads AVIF reads WebP.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderValue;
use base::{Db, Error, Result};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::makers::{Lane, Makers};
use crate::portraits::{Uploads, is_served};
use crate::store::{self, Store};
use crate::{AVIF, Kind, PictureId, Size, Taken, WIDTHS, table};

/// The job that has a new picture's sizes made ahead.
pub const MAKE_SIZES: &str = "media.make_sizes";
/// The job that puts the program's own pictures into the store, for the day when another version of
/// the program has others.
pub const KEEP_BUILT_IN: &str = "media.keep_built_in";

/// Masters that are written at the same time: the disk syncs many for the price of one.
const WRITTEN_AT_ONCE: usize = 32;

/// How much room and work pictures may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of memory for what was asked for lately.
    pub kept: u64,
    pub threads: usize,
    /// Sizes that wait to be made; more are told to come back.
    pub waiting: usize,
    /// How long anybody waits for a size to be made.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            kept: 32 << 20,
            threads: cores.saturating_sub(1).max(1),
            waiting: 256,
            patience: Duration::from_secs(20),
        }
    }
}

/// The shop's pictures. Cheap to clone.
#[derive(Clone)]
pub struct Media(Arc<Inner>);

struct Inner {
    db: Db,
    store: Store,
    kept: Cache<Key, Arc<Made>, Bytesize>,
    /// What is being fetched or made now, by whom all others wait.
    under_way: Mutex<UnderWay>,
    /// The AVIFs that are being made while WebPs stand in for them.
    ahead: Mutex<HashSet<Key>>,
    makers: Makers,
    uploads: Uploads,
    patience: Duration,
    hits: AtomicU64,
    busy: AtomicU64,
}

/// A picture as it goes out.
pub struct Made {
    pub body: Bytes,
    pub etag: HeaderValue,
    pub kind: Kind,
    /// Whether it stands in for one that is being made.
    pub stands_in: bool,
    /// Whether it is a person's own, which is kept nowhere but in its store.
    pub personal: bool,
}

type Outcome = Result<Arc<Made>, Missing>;
type Key = (PictureId, Size);
type UnderWay = HashMap<Key, Errand>;

/// A size that is being fetched or made.
struct Errand {
    told: watch::Receiver<Option<Outcome>>,
    /// Whether somebody waits for it.
    asked: Arc<AtomicBool>,
}

/// Why there is no picture, told to everybody who waits for it.
#[derive(Clone, Debug)]
enum Missing {
    Unknown,
    Busy(&'static str),
    Broken(String),
}

impl From<Missing> for Error {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::Unknown => Self::NotFound("picture"),
            Missing::Busy(why) => Self::Unavailable(why.into()),
            Missing::Broken(why) => Self::internal(why),
        }
    }
}

impl From<Error> for Missing {
    fn from(why: Error) -> Self {
        match why {
            Error::Unavailable(why) => {
                tracing::warn!(%why, "a picture is out of reach");
                Self::Busy("the picture is out of reach")
            }
            why => Self::Broken(why.to_string()),
        }
    }
}

#[derive(Clone)]
struct Bytesize;

impl Weighter<Key, Arc<Made>> for Bytesize {
    fn weight(&self, _: &Key, made: &Arc<Made>) -> u64 {
        made.body.len() as u64 + 256
    }
}

/// What was done since the start.
pub struct Counts {
    /// Answers from memory.
    pub hits: u64,
    pub made: u64,
    pub making_seconds: f64,
    pub waiting: u64,
    /// Who was told to come back.
    pub busy: u64,
    pub bytes: u64,
    /// Customers' photos that are being decoded now.
    pub decoding: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct MakeSizes {
    pub picture: PictureId,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct KeepBuiltIn {}

impl Media {
    /// Starts the threads that make sizes; called on the runtime that answers requests.
    pub fn start(db: Db, store: Store, limits: Limits) -> Self {
        let makers =
            Makers::start(limits.threads, limits.waiting, store.clone(), Handle::current());
        let typical = usize::try_from(limits.kept / 20_000).unwrap_or(usize::MAX).max(16);
        Self(Arc::new(Inner {
            db,
            store,
            kept: Cache::with_weighter(typical, limits.kept, Bytesize),
            under_way: Mutex::default(),
            ahead: Mutex::default(),
            makers,
            uploads: Uploads::default(),
            patience: limits.patience,
            hits: AtomicU64::new(0),
            busy: AtomicU64::new(0),
        }))
    }

    pub(super) fn db(&self) -> &Db {
        &self.0.db
    }

    pub(super) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(super) fn uploads(&self) -> &Uploads {
        &self.0.uploads
    }

    /// A picture in a size.
    pub async fn get(&self, id: PictureId, size: Size) -> Result<Arc<Made>> {
        let key = (id, size);
        if let Some(made) = self.0.kept.get(&key) {
            self.0.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(made);
        }
        let mut outcome = self.under_way(key.clone(), Lane::Asked);
        let told = tokio::time::timeout(self.0.patience, outcome.wait_for(Option::is_some)).await;
        let told = match told {
            Ok(Ok(told)) => told.clone(),
            // Whoever was to tell panicked; the next one tries anew.
            Ok(Err(_)) => {
                self.lock().remove(&key);
                Some(Err(Missing::Broken("nobody makes it any more".into())))
            }
            Err(_) => Some(Err(Missing::Busy("the picture is not made yet"))),
        };
        let told = told.unwrap_or(Err(Missing::Unknown));
        if let Err(Missing::Busy(_)) = told {
            self.0.busy.fetch_add(1, Ordering::Relaxed);
        }
        Ok(told?)
    }

    /// Joins those who wait for a size; the first has it fetched or made, on a task of its own, so
    /// that it goes on when he leaves.
    fn under_way(&self, key: Key, lane: Lane) -> watch::Receiver<Option<Outcome>> {
        match self.lock().entry(key) {
            Entry::Occupied(entry) => {
                if lane == Lane::Asked && !entry.get().asked.swap(true, Ordering::AcqRel) {
                    let (id, size) = entry.key();
                    self.0.makers.hurry(id, *size);
                }
                entry.get().told.clone()
            }
            Entry::Vacant(entry) => {
                let (tell, told) = watch::channel(None);
                let asked = Arc::new(AtomicBool::new(lane == Lane::Asked));
                let (media, key) = (self.clone(), entry.key().clone());
                entry.insert(Errand { told: told.clone(), asked: asked.clone() });
                tokio::spawn(async move {
                    let outcome = media.fetch_or_make(&key, lane, &asked).await;
                    if let Ok(made) = &outcome
                        && !made.stands_in
                        && !made.personal
                    {
                        media.0.kept.insert(key.clone(), made.clone());
                    }
                    media.lock().remove(&key);
                    let _ = tell.send(Some(outcome));
                });
                told
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, UnderWay> {
        self.0.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn fetch_or_make(&self, (id, size): &Key, lane: Lane, asked: &AtomicBool) -> Outcome {
        let row = table::find(&self.0.db, id).await?.ok_or(Missing::Unknown)?;
        let own = own_size(*size, row.width);
        if own != *size {
            // All widths above the picture's own are one and the same.
            let mut outcome = self.under_way((id.clone(), own), lane);
            let told = outcome.wait_for(Option::is_some).await.map(|told| told.clone());
            return told.ok().flatten().unwrap_or(Err(Missing::Unknown));
        }
        if row.personal && !is_served(own.kind) {
            return Err(Missing::Unknown);
        }
        let name = store::made(id, own);
        if let Some(body) = self.0.store.get(&name).await? {
            return Ok(Arc::new(Made::new(body, own.kind, row.personal)));
        }
        if own.kind == Kind::Avif && (lane == Lane::Asked || !AVIF) {
            let mut webp = self.under_way((id.clone(), Size { kind: Kind::Webp, ..own }), lane);
            let told = webp.wait_for(Option::is_some).await.map(|told| told.clone());
            let webp = told.ok().flatten().unwrap_or(Err(Missing::Unknown))?;
            if !AVIF {
                return Ok(webp);
            }
            let stand_in = Arc::new(webp.standing_in());
            self.0.kept.insert((id.clone(), own), stand_in.clone());
            self.make_ahead((id.clone(), own));
            return Ok(stand_in);
        }
        let order = self.0.makers.ask(id.clone(), own, lane);
        let made = order.map_err(|_| Missing::Busy("too many pictures to make"))?;
        // Somebody may have come before there was an order to hurry.
        if lane == Lane::Ahead && asked.load(Ordering::Acquire) {
            self.0.makers.hurry(id, own);
        }
        let made = made.await.map_err(|_| Missing::Busy("the shop is closing"))?;
        let body = Bytes::from(made.map_err(|why| Missing::Broken(format!("{name}: {why}")))?);
        // One that cannot be kept can still be shown; it will be made again.
        if let Err(why) = self.0.store.put(&name, own.kind.content_type(), body.clone()).await {
            tracing::warn!(%why, "could not keep a picture");
        }
        // Its owner may have taken it away meanwhile.
        if row.personal && table::find(&self.0.db, id).await?.is_none() {
            self.0.store.delete(&name).await?;
            return Err(Missing::Unknown);
        }
        Ok(Arc::new(Made::new(body, own.kind, row.personal)))
    }

    /// Has an AVIF made that nobody waits for, once. After one that failed, whoever asks next has it
    /// tried again.
    fn make_ahead(&self, key: Key) {
        if !self.ahead().insert(key.clone()) {
            return;
        }
        let media = self.clone();
        tokio::spawn(async move {
            let made = media.fetch_or_make(&key, Lane::Ahead, &AtomicBool::new(false)).await;
            match made {
                Ok(made) => media.0.kept.insert(key.clone(), made),
                Err(_) => drop(media.0.kept.remove(&key)),
            }
            media.ahead().remove(&key);
        });
    }

    fn ahead(&self) -> MutexGuard<'_, HashSet<Key>> {
        self.0.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The job: has all sizes of a picture made ahead, as far as there is room to wait, and does not
    /// wait itself: other jobs have more to lose.
    pub async fn make_sizes(self, MakeSizes { picture }: MakeSizes) -> Result<()> {
        let Some(row) = table::find(&self.0.db, &picture).await? else { return Ok(()) };
        let widths = WIDTHS.map(|width| u32::try_from(row.width).unwrap_or(u32::MAX).min(width));
        // What is quick and serves everybody comes first.
        for kind in [Kind::Webp, Kind::Jpeg, Kind::Avif] {
            if kind == Kind::Avif && !AVIF {
                break;
            }
            for width in BTreeSet::from(widths) {
                if !self.0.makers.room_ahead() {
                    return Ok(());
                }
                let key = (picture.clone(), Size { width, kind });
                match kind {
                    Kind::Avif => self.make_ahead(key),
                    _ => drop(self.under_way(key, Lane::Ahead)),
                }
            }
        }
        Ok(())
    }

    /// The job.
    pub async fn keep_built_in(self, KeepBuiltIn {}: KeepBuiltIn) -> Result<()> {
        let mut writing = JoinSet::new();
        for (name, master) in self.0.store.built_in().masters() {
            if writing.len() >= WRITTEN_AT_ONCE
                && let Some(written) = writing.join_next().await
            {
                written??;
            }
            let (store, name, master) = (self.0.store.clone(), name.clone(), master.clone());
            writing.spawn(async move { store.put(&name, Kind::Webp.content_type(), master).await });
        }
        while let Some(written) = writing.join_next().await {
            written??;
        }
        Ok(())
    }

    pub fn counts(&self) -> Counts {
        let (made, micros) = self.0.makers.made();
        Counts {
            hits: self.0.hits.load(Ordering::Relaxed),
            made,
            making_seconds: micros as f64 / 1e6,
            waiting: self.0.makers.waiting() as u64,
            busy: self.0.busy.load(Ordering::Relaxed),
            bytes: self.0.kept.weight(),
            decoding: self.0.uploads.decoding(),
        }
    }
}

/// Puts a master where sizes are made from.
pub async fn store_master(store: &Store, taken: &Taken, master: Vec<u8>) -> Result<()> {
    store.put(&store::master(&taken.id), Kind::Webp.content_type(), master.into()).await
}

/// The size that is made for one that is asked for: never wider than the picture itself.
fn own_size(asked: Size, own: i64) -> Size {
    Size { width: u32::try_from(own).unwrap_or(u32::MAX).min(asked.width), ..asked }
}

impl Made {
    fn new(body: Bytes, kind: Kind, personal: bool) -> Self {
        let mut hasher = DefaultHasher::new();
        body.hash(&mut hasher);
        let etag = HeaderValue::try_from(format!("\"{:016x}\"", hasher.finish()));
        let etag = etag.unwrap_or(HeaderValue::from_static("\"\""));
        Self { body, etag, kind, stands_in: false, personal }
    }

    fn standing_in(&self) -> Self {
        let (body, etag) = (self.body.clone(), self.etag.clone());
        Self { body, etag, kind: self.kind, stands_in: true, personal: self.personal }
    }
}
