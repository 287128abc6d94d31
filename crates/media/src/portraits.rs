//! People's own pictures: cut square, under an address that nobody can guess, and gone when their owner
//! says so. No memory of ours keeps them, and no shared one between here and the browser.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use base::{Clock, Error, Id, Random, Result, Tx, jobs};
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::serve::store_master;
use crate::{Kind, Media, PictureId, Size, Taken, WIDTHS, store, table};

/// The job that deletes what is left of a picture that is not listed any more.
pub const FORGET: &str = "media.forget";

/// As wide as the widest place where one is shown, on a sharp screen.
const SIDE: u32 = 640;
/// A picture that nobody has listed by then was being taken in by a process that is gone.
const ABANDONED: Duration = Duration::from_secs(600);
/// Files that are held in memory at once, each of up to `MOST_BYTES`.
const UPLOADS_AT_ONCE: usize = 4;
/// How long an upload waits until there is room for its file.
const ROOM_WITHIN: Duration = Duration::from_secs(10);
/// AVIF takes a second to make and saves little on so few pixels.
const KINDS: [Kind; 2] = [Kind::Webp, Kind::Jpeg];

#[derive(Debug, Serialize, Deserialize)]
pub struct Forget {
    pub picture: PictureId,
    pub width: u32,
}

/// What bounds the memory that uploads take: how many files are held, and one decoding at a time.
pub(super) struct Uploads {
    room: Arc<Semaphore>,
    decoder: Arc<Semaphore>,
    decoding: Arc<AtomicU64>,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            room: Arc::new(Semaphore::new(UPLOADS_AT_ONCE)),
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

/// Room for one file, to be had before any of it is read.
pub struct UploadRoom {
    _permit: OwnedSemaphorePermit,
}

/// A decoding, counted while it lasts. It ends with the blocking thread's work, which goes on when
/// whoever asked for it has hung up, and so do the permits that it holds.
struct Decoding {
    count: Arc<AtomicU64>,
    _permits: (UploadRoom, OwnedSemaphorePermit),
}

impl Decoding {
    fn begin(count: Arc<AtomicU64>, permits: (UploadRoom, OwnedSemaphorePermit)) -> Self {
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
    /// Waits until there is room for one more file.
    pub async fn upload_room(&self) -> Result<UploadRoom> {
        let room = self.uploads().room.clone().acquire_owned();
        let room = tokio::time::timeout(ROOM_WITHIN, room).await;
        let room = room.map_err(|_| Error::Unavailable("too many photos at once".into()))?;
        room.map(|_permit| UploadRoom { _permit }).map_err(Error::internal)
    }

    /// Takes in a file that anybody may have made. Whoever shows the picture lists it (`list_portrait`)
    /// in a transaction of its own.
    pub async fn take_portrait(
        &self,
        clock: &Clock,
        random: &Random,
        room: UploadRoom,
        file: Bytes,
    ) -> Result<Taken> {
        let Uploads { decoder, decoding, .. } = self.uploads();
        let permit = decoder.clone().acquire_owned().await.map_err(Error::internal)?;
        let decoding = Decoding::begin(decoding.clone(), (room, permit));
        let read = tokio::task::spawn_blocking(move || {
            let _until_done = decoding;
            ::picture::clean_square(&file, SIDE)
        });
        let clean =
            read.await?.map_err(|why| Error::invalid("photo", format!("This file {}.", why.0)))?;
        let id = random.bytes::<20>().map(|byte| format!("{byte:02x}")).concat();
        let taken = Taken {
            id: id.parse::<PictureId>().map_err(|why| Error::internal(format!("{why}")))?,
            width: clean.looks.width,
            height: clean.looks.height,
            kind: clean.form.name(),
            colour: clean.looks.colour,
            placeholder: clean.looks.placeholder,
            bytes: clean.master.len(),
            source: String::new(),
        };
        let mut tx = self.db().begin().await?;
        let forget = Forget { picture: taken.id.clone(), width: taken.width };
        let now = clock.now();
        jobs::enqueue(&mut tx, Id::new(clock, random), FORGET, &forget, now.plus(ABANDONED), now)?;
        tx.commit().await?;
        store_master(self.store(), &taken, clean.master).await?;
        Ok(taken)
    }

    /// The job.
    pub async fn forget(self, Forget { picture, width }: Forget) -> Result<()> {
        if table::find(self.db(), &picture).await?.is_some() {
            return Ok(());
        }
        for width in BTreeSet::from(WIDTHS.map(|known| known.min(width))) {
            for kind in KINDS {
                self.store().delete(&store::made(&picture, Size { width, kind })).await?;
            }
        }
        self.store().delete(&store::master(&picture)).await
    }
}

pub use table::put_personal as list_portrait;

/// Whether a person's picture is served as this.
pub fn is_served(kind: Kind) -> bool {
    KINDS.contains(&kind)
}

/// Takes a picture off the list, from which moment nobody is shown it, and has its files deleted.
pub async fn remove_portrait(
    tx: &mut Tx,
    clock: &Clock,
    random: &Random,
    picture: &PictureId,
) -> Result<()> {
    let Some(width) = table::remove_personal(tx, picture).await? else { return Ok(()) };
    let width = u32::try_from(width).unwrap_or(SIDE);
    let (forget, now) = (Forget { picture: picture.clone(), width }, clock.now());
    jobs::enqueue(tx, Id::new(clock, random), FORGET, &forget, now, now)
}
