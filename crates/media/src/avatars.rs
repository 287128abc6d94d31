//! Avatars: photos that customers upload, cropped to a square, under a URL that cannot be guessed. They are
//! in no cache of ours and in no shared one, so that they are gone when the customer removes them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use platform::{Clock, Error, Id, Random, Result, Tx, jobs};
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::serve::store_master;
use crate::{ImportedPicture, Media, OutputFormat, PictureId, Size, WIDTHS, store, table};

/// The job that deletes the files of a picture that is not in the table.
pub const DELETE_FILES: &str = "media.forget";

/// The largest size on a page, on a high-density display.
const SIDE: u32 = 640;
/// A picture that is not in the table by then was uploaded to a process that crashed.
const ABANDONED_AFTER: Duration = Duration::from_secs(600);
/// Each holds a file of up to `MAX_PICTURE_BYTES` in memory.
const MAX_CONCURRENT_UPLOADS: usize = 4;
/// How long an upload waits for a permit.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(10);
/// AVIF takes a second to encode and saves little on so few pixels.
const FORMATS: [OutputFormat; 2] = [OutputFormat::Webp, OutputFormat::Jpeg];

#[derive(Debug, Serialize, Deserialize)]
pub struct DeleteFiles {
    pub picture: PictureId,
    pub width: u32,
}

/// Limits the memory of uploads: the number of files, and one decoder at a time.
pub(super) struct Uploads {
    files: Arc<Semaphore>,
    decoder: Arc<Semaphore>,
    decoding: Arc<AtomicU64>,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            files: Arc::new(Semaphore::new(MAX_CONCURRENT_UPLOADS)),
            decoder: Arc::new(Semaphore::new(1)),
            decoding: Arc::default(),
        }
    }
}

impl Uploads {
    pub fn decoding(&self) -> u64 {
        self.decoding.load(Ordering::Relaxed)
    }
}

/// Permission to hold one file in memory, acquired before any of it is read.
pub struct UploadPermit {
    _permit: OwnedSemaphorePermit,
}

/// Counts a running decoder and holds its permits. Owned by the blocking thread, which continues when the
/// request is cancelled.
struct Decoding {
    count: Arc<AtomicU64>,
    _permits: (UploadPermit, OwnedSemaphorePermit),
}

impl Decoding {
    fn begin(count: Arc<AtomicU64>, permits: (UploadPermit, OwnedSemaphorePermit)) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self { count, _permits: permits }
    }
}

impl Drop for Decoding {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Media {
    pub async fn upload_permit(&self) -> Result<UploadPermit> {
        let permit = self.uploads().files.clone().acquire_owned();
        let permit = tokio::time::timeout(UPLOAD_TIMEOUT, permit).await;
        let permit =
            permit.map_err(|_| Error::Unavailable("too many concurrent uploads".into()))?;
        permit.map(|_permit| UploadPermit { _permit }).map_err(Error::internal)
    }

    /// Sanitizes and stores an untrusted file. The caller inserts its row (`insert_avatar`).
    pub async fn store_avatar(
        &self,
        clock: &Clock,
        random: &Random,
        permit: UploadPermit,
        file: Bytes,
    ) -> Result<ImportedPicture> {
        let Uploads { decoder, decoding, .. } = self.uploads();
        let decoder = decoder.clone().acquire_owned().await.map_err(Error::internal)?;
        let decoding = Decoding::begin(decoding.clone(), (permit, decoder));
        let sanitized = tokio::task::spawn_blocking(move || {
            let _until_done = decoding;
            ::picture::sanitize_square(&file, SIDE)
        });
        let picture = sanitized
            .await?
            .map_err(|why| Error::invalid("photo", format!("This file {}.", why.0)))?;
        let id = random.bytes::<20>().map(|byte| format!("{byte:02x}")).concat();
        let new = ImportedPicture {
            id: id.parse::<PictureId>().map_err(|why| Error::internal(format!("{why}")))?,
            width: picture.metadata.width,
            height: picture.metadata.height,
            kind: picture.format.name(),
            colour: picture.metadata.colour,
            placeholder: picture.metadata.placeholder,
            bytes: picture.master.len(),
            source: String::new(),
        };
        let mut tx = self.db().begin().await?;
        let job = DeleteFiles { picture: new.id.clone(), width: new.width };
        let (id, now) = (Id::new(clock, random), clock.now());
        jobs::enqueue(&mut tx, id, DELETE_FILES, &job, now.plus(ABANDONED_AFTER), now)?;
        tx.commit().await?;
        store_master(self.store(), &new, picture.master).await?;
        Ok(new)
    }

    /// The handler of `DELETE_FILES`.
    pub async fn delete_files(self, DeleteFiles { picture, width }: DeleteFiles) -> Result<()> {
        if table::find(self.db(), &picture).await?.is_some() {
            return Ok(());
        }
        for width in BTreeSet::from(WIDTHS.map(|known| known.min(width))) {
            for format in FORMATS {
                self.store().delete(&store::made(&picture, Size { width, format })).await?;
            }
        }
        self.store().delete(&store::master(&picture)).await
    }
}

pub use table::insert_personal as insert_avatar;

/// Whether avatars are served in this format.
pub fn is_served(format: OutputFormat) -> bool {
    FORMATS.contains(&format)
}

/// Deletes the row, from when on it is not served, and queues the deletion of its files.
pub async fn remove_avatar(
    tx: &mut Tx,
    clock: &Clock,
    random: &Random,
    picture: &PictureId,
) -> Result<()> {
    let Some(width) = table::remove_personal(tx, picture).await? else { return Ok(()) };
    let width = u32::try_from(width).unwrap_or(SIDE);
    let (job, now) = (DeleteFiles { picture: picture.clone(), width }, clock.now());
    jobs::enqueue(tx, Id::new(clock, random), DELETE_FILES, &job, now, now)
}
