//! Serves pictures in the requested sizes: from the memory cache, from the store, or encoded on demand.
//! Concurrent requests for a missing size encode it once. Encoding an AVIF takes too long to wait for:
//! until it is done, the WebP of the same size is a substitute, cacheable for a minute. A build without
//! the `avif` feature always answers with the WebP; every browser that reads AVIF reads WebP. Where the encoders
//! are overloaded, the master, a WebP too, is the substitute: larger than needed, but no broken picture. Few masters
//! are read at a time; further requests are answered with 503.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderValue;
use platform::jobs::{Completion, Job, JobId, Queue};
use platform::{Db, Error, Result};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::encoder_pool::EncoderPool;
use crate::encoder_pool::Urgency::{self, Background, Interactive};
use crate::store::{self, PictureStore};
use crate::uploads::Uploads;
use crate::{AVIF, FILES_QUEUE, ImportedPicture, OutputFormat, PictureId, Size, WIDTHS, table};

/// AVIF takes a second to encode and saves little on so few pixels.
pub const AVATAR_FORMATS: [OutputFormat; 2] = [OutputFormat::Webp, OutputFormat::Jpeg];
/// Concurrent writes of masters share the disk's sync.
const MAX_CONCURRENT_WRITES: usize = 32;
/// Substitutes are read from the store again for each request, because masters are too large for the memory cache.
const MAX_CONCURRENT_SUBSTITUTES: usize = 4;

#[derive(Clone, Copy, Debug)]
pub struct MediaLimits {
    /// The size of the memory cache.
    pub cache_bytes: u64,
    pub threads: usize,
    /// How many sizes may be queued; further requests get the master.
    pub max_queued: usize,
    /// How long a request waits for a size.
    pub timeout: Duration,
}

impl Default for MediaLimits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            cache_bytes: 32 << 20,
            threads: cores.saturating_sub(1).max(1),
            max_queued: 256,
            timeout: Duration::from_secs(20),
        }
    }
}

/// The picture service. Cheap to clone.
#[derive(Clone)]
pub struct Media(pub(crate) Arc<MediaInner>);

pub(crate) struct MediaInner {
    pub db: Db,
    pub store: PictureStore,
    cache: Cache<Key, Arc<EncodedPicture>, PictureWeighter>,
    /// Sizes that are being fetched or encoded; concurrent requests wait for the same one.
    in_flight: Mutex<InFlightMap>,
    /// AVIFs that are being encoded while a WebP is their substitute.
    background: Mutex<HashSet<Key>>,
    encoders: EncoderPool,
    substitutes: Semaphore,
    pub uploads: Uploads,
    timeout: Duration,
    hits: AtomicU64,
    busy: AtomicU64,
}

#[derive(Clone)]
pub struct EncodedPicture {
    pub body: Bytes,
    pub etag: HeaderValue,
    pub format: OutputFormat,
    /// Whether it is a WebP instead of an AVIF that is being encoded, or the master instead of a smaller size.
    pub is_substitute: bool,
    /// Whether it is a customer's photo, which is in no cache.
    pub personal: bool,
}

type PictureResult = Result<Arc<EncodedPicture>, PictureError>;
type Key = (PictureId, Size);
type InFlightMap = HashMap<Key, InFlight>;

struct InFlight {
    outcome: watch::Receiver<Option<PictureResult>>,
    /// Whether a request waits for it.
    interactive: Arc<AtomicBool>,
}

/// Cloned for every request that waits.
#[derive(Clone, Debug)]
enum PictureError {
    Unknown,
    Busy(&'static str),
    Broken(String),
}

impl From<PictureError> for Error {
    fn from(missing: PictureError) -> Self {
        match missing {
            PictureError::Unknown => Self::NotFound("picture"),
            PictureError::Busy(why) => Self::Unavailable(why.into()),
            PictureError::Broken(why) => Self::internal(why),
        }
    }
}

impl From<Error> for PictureError {
    fn from(why: Error) -> Self {
        match why {
            Error::Unavailable(why) => {
                tracing::warn!(%why, "the picture store is unavailable");
                Self::Busy("the picture store is unavailable")
            }
            why => Self::Broken(why.to_string()),
        }
    }
}

#[derive(Clone)]
struct PictureWeighter;

impl Weighter<Key, Arc<EncodedPicture>> for PictureWeighter {
    fn weight(&self, _: &Key, picture: &Arc<EncodedPicture>) -> u64 {
        picture.body.len() as u64 + 256
    }
}

/// For metrics: counts since the start, and current values.
pub struct MediaStats {
    /// Responses from the memory cache.
    pub hits: u64,
    pub made: u64,
    pub making_seconds: f64,
    pub waiting: u64,
    /// Requests whose size was not encoded in time.
    pub busy: u64,
    pub bytes: u64,
    /// Customers' photos that are being decoded now.
    pub decoding: u64,
}

/// The job that encodes all sizes of a new picture.
#[derive(Debug, Serialize, Deserialize)]
pub struct EncodeSizes {
    pub picture: PictureId,
}

impl Job for EncodeSizes {
    const NAME: &'static str = "media.make_sizes";
    const QUEUE: Queue = FILES_QUEUE;
    type Context = Media;

    async fn run(self, _: JobId, media: &Media) -> Result<Completion> {
        media.encode_sizes(&self.picture).await.map(Completion::from)
    }
}

/// The job that copies the built-in pictures to the store: a later version of the program may have others.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoreBuiltIn {}

impl Job for StoreBuiltIn {
    const NAME: &'static str = "media.keep_built_in";
    const QUEUE: Queue = FILES_QUEUE;
    type Context = Media;

    async fn run(self, _: JobId, media: &Media) -> Result<Completion> {
        media.store_built_in().await.map(Completion::from)
    }
}

impl Media {
    /// Starts the encoder threads. Must be called on the tokio runtime.
    pub fn start(db: Db, store: PictureStore, limits: MediaLimits) -> Self {
        let encoders =
            EncoderPool::start(limits.threads, limits.max_queued, store.clone(), Handle::current());
        let typical = usize::try_from(limits.cache_bytes / 20_000).unwrap_or(usize::MAX).max(16);
        Self(Arc::new(MediaInner {
            db,
            store,
            cache: Cache::with_weighter(typical, limits.cache_bytes, PictureWeighter),
            in_flight: Mutex::default(),
            background: Mutex::default(),
            encoders,
            substitutes: Semaphore::new(MAX_CONCURRENT_SUBSTITUTES),
            uploads: Uploads::default(),
            timeout: limits.timeout,
            hits: AtomicU64::new(0),
            busy: AtomicU64::new(0),
        }))
    }

    pub async fn get(&self, id: PictureId, size: Size) -> Result<Arc<EncodedPicture>> {
        let key = (id, size);
        if let Some(picture) = self.0.cache.get(&key) {
            self.0.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(picture);
        }
        let outcome = self.wait_until_timeout(&key).await;
        if let Err(PictureError::Busy(_)) = outcome {
            self.0.busy.fetch_add(1, Ordering::Relaxed);
            if let Some(master) = self.master_as_substitute(&key).await {
                return Ok(master);
            }
        }
        Ok(outcome?)
    }

    async fn wait_until_timeout(&self, key: &Key) -> PictureResult {
        let mut outcome = self.join_or_start(key.clone(), Interactive);
        let outcome = tokio::time::timeout(self.0.timeout, outcome.wait_for(Option::is_some)).await;
        match outcome {
            Ok(Ok(outcome)) => outcome.clone().unwrap_or(Err(PictureError::Unknown)),
            // The task panicked; the next request tries again.
            Ok(Err(_)) => {
                self.lock().remove(key);
                Err(PictureError::Broken("the encoding task panicked".into()))
            }
            Err(_) => Err(PictureError::Busy("the picture is not encoded yet")),
        }
    }

    /// None for a JPEG: who asks for one may not read WebP, the master's format. None too where too many masters are
    /// being read, or this one cannot be: then the encoders are still overloaded.
    async fn master_as_substitute(&self, (id, size): &Key) -> Option<Arc<EncodedPicture>> {
        if size.format == OutputFormat::Jpeg {
            return None;
        }
        let _permit = self.0.substitutes.try_acquire().ok()?;
        let master = self.master(id).await;
        master.unwrap_or_else(|why| {
            tracing::warn!(%why, "could not read a picture to substitute for a smaller size");
            None
        })
    }

    async fn master(&self, id: &PictureId) -> Result<Option<Arc<EncodedPicture>>> {
        let Some(row) = table::find(&self.0.db, id).await? else { return Ok(None) };
        let master = self.0.store.get(&store::master(id)).await?;
        Ok(master.map(|body| {
            let picture = EncodedPicture::new(body, OutputFormat::Webp, row.personal);
            Arc::new(EncodedPicture { is_substitute: true, ..picture })
        }))
    }

    /// Waits for a size that is in flight, or starts it, on a task of its own, so that it continues when
    /// the request is cancelled.
    fn join_or_start(&self, key: Key, urgency: Urgency) -> watch::Receiver<Option<PictureResult>> {
        match self.lock().entry(key) {
            Entry::Occupied(entry) => {
                let InFlight { interactive, .. } = entry.get();
                if urgency == Interactive && !interactive.swap(true, Ordering::AcqRel) {
                    let (id, size) = entry.key();
                    self.0.encoders.promote(id, *size);
                }
                entry.get().outcome.clone()
            }
            Entry::Vacant(entry) => {
                let (sender, outcome) = watch::channel(None);
                let interactive = Arc::new(AtomicBool::new(urgency == Interactive));
                let (media, key) = (self.clone(), entry.key().clone());
                let in_flight =
                    InFlight { outcome: outcome.clone(), interactive: interactive.clone() };
                entry.insert(in_flight);
                tokio::spawn(async move {
                    let outcome = media.fetch_or_encode(&key, urgency, &interactive).await;
                    if let Ok(picture) = &outcome
                        && !picture.is_substitute
                        && !picture.personal
                    {
                        media.0.cache.insert(key.clone(), picture.clone());
                    }
                    media.lock().remove(&key);
                    let _ = sender.send(Some(outcome));
                });
                outcome
            }
        }
    }

    async fn wait_for(&self, key: Key, urgency: Urgency) -> PictureResult {
        let mut outcome = self.join_or_start(key, urgency);
        let outcome = outcome.wait_for(Option::is_some).await.map(|outcome| outcome.clone());
        outcome.ok().flatten().unwrap_or(Err(PictureError::Unknown))
    }

    fn lock(&self) -> MutexGuard<'_, InFlightMap> {
        self.0.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn fetch_or_encode(
        &self,
        (id, size): &Key,
        urgency: Urgency,
        interactive: &AtomicBool,
    ) -> PictureResult {
        let row = table::find(&self.0.db, id).await?.ok_or(PictureError::Unknown)?;
        let own = clamp_width(*size, row.width);
        if own != *size {
            // All larger widths are answered in the picture's own.
            return self.wait_for((id.clone(), own), urgency).await;
        }
        if row.personal && !AVATAR_FORMATS.contains(&own.format) {
            return Err(PictureError::Unknown);
        }
        let name = store::made(id, own);
        if let Some(body) = self.0.store.get(&name).await? {
            return Ok(Arc::new(EncodedPicture::new(body, own.format, row.personal)));
        }
        if own.format == OutputFormat::Avif && (urgency == Interactive || !AVIF) {
            let webp = Size { format: OutputFormat::Webp, ..own };
            let webp = self.wait_for((id.clone(), webp), urgency).await?;
            if !AVIF {
                return Ok(webp);
            }
            let substitute = Arc::new(EncodedPicture { is_substitute: true, ..(*webp).clone() });
            self.0.cache.insert((id.clone(), own), substitute.clone());
            self.encode_in_background((id.clone(), own));
            return Ok(substitute);
        }
        let request = self.0.encoders.request(id.clone(), own, urgency);
        let picture = request.map_err(|_| PictureError::Busy("too many pictures to encode"))?;
        // A request may have joined before this was queued and could be promoted.
        if urgency == Background && interactive.load(Ordering::Acquire) {
            self.0.encoders.promote(id, own);
        }
        let picture = picture.await.map_err(|_| PictureError::Busy("the shop is shutting down"))?;
        let body =
            Bytes::from(picture.map_err(|why| PictureError::Broken(format!("{name}: {why}")))?);
        // A picture that cannot be stored can still be served.
        if let Err(why) = self.0.store.put(&name, own.format.content_type(), body.clone()).await {
            tracing::warn!(%why, "could not store a picture");
        }
        // The customer may have removed it meanwhile.
        if row.personal && table::find(&self.0.db, id).await?.is_none() {
            self.0.store.delete(&name).await?;
            return Err(PictureError::Unknown);
        }
        Ok(Arc::new(EncodedPicture::new(body, own.format, row.personal)))
    }

    /// Encodes an AVIF that no request waits for. After a failure the next request tries again.
    fn encode_in_background(&self, key: Key) {
        if !self.background().insert(key.clone()) {
            return;
        }
        let media = self.clone();
        tokio::spawn(async move {
            let picture = media.fetch_or_encode(&key, Background, &AtomicBool::new(false)).await;
            match picture {
                Ok(picture) => media.0.cache.insert(key.clone(), picture),
                Err(_) => drop(media.0.cache.remove(&key)),
            }
            media.background().remove(&key);
        });
    }

    fn background(&self) -> MutexGuard<'_, HashSet<Key>> {
        self.0.background.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues the sizes, as far as the queue has capacity, and does not wait for them, so that it does not
    /// block other jobs.
    async fn encode_sizes(&self, picture: &PictureId) -> Result<()> {
        let Some(row) = table::find(&self.0.db, picture).await? else { return Ok(()) };
        let widths = WIDTHS.map(|width| u32::try_from(row.width).unwrap_or(u32::MAX).min(width));
        // Fast formats that every browser reads come first.
        for format in [OutputFormat::Webp, OutputFormat::Jpeg, OutputFormat::Avif] {
            if format == OutputFormat::Avif && !AVIF {
                break;
            }
            for width in BTreeSet::from(widths) {
                if !self.0.encoders.has_background_capacity() {
                    return Ok(());
                }
                let key = (picture.clone(), Size { width, format });
                match format {
                    OutputFormat::Avif => self.encode_in_background(key),
                    _ => drop(self.join_or_start(key, Background)),
                }
            }
        }
        Ok(())
    }

    async fn store_built_in(&self) -> Result<()> {
        let mut writing = JoinSet::new();
        for (name, master) in self.0.store.built_in().masters() {
            if writing.len() >= MAX_CONCURRENT_WRITES
                && let Some(written) = writing.join_next().await
            {
                written??;
            }
            let (store, name, master) = (self.0.store.clone(), name.clone(), master.clone());
            writing.spawn(async move {
                store.put(&name, OutputFormat::Webp.content_type(), master).await
            });
        }
        while let Some(written) = writing.join_next().await {
            written??;
        }
        Ok(())
    }

    pub fn stats(&self) -> MediaStats {
        let (made, micros) = self.0.encoders.totals();
        MediaStats {
            hits: self.0.hits.load(Ordering::Relaxed),
            made,
            making_seconds: micros as f64 / 1e6,
            waiting: self.0.encoders.waiting() as u64,
            busy: self.0.busy.load(Ordering::Relaxed),
            bytes: self.0.cache.weight(),
            decoding: self.0.uploads.decoding(),
        }
    }
}

pub async fn store_master(
    store: &PictureStore,
    new: &ImportedPicture,
    master: Vec<u8>,
) -> Result<()> {
    store.put(&store::master(&new.id), OutputFormat::Webp.content_type(), master.into()).await
}

/// A picture is never enlarged.
fn clamp_width(size: Size, own: i64) -> Size {
    Size { width: u32::try_from(own).unwrap_or(u32::MAX).min(size.width), ..size }
}

impl EncodedPicture {
    fn new(body: Bytes, format: OutputFormat, personal: bool) -> Self {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&body);
        let etag = HeaderValue::try_from(format!("\"{hash:016x}\""));
        let etag = etag.unwrap_or(HeaderValue::from_static("\"\""));
        Self { body, etag, format, is_substitute: false, personal }
    }
}
