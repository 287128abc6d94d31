//! Avatars: photos that customers upload, cropped to a square, under a URL that cannot be guessed. They are
//! in no cache of ours and in no shared one, so that they are gone when the customer removes them.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::body::Bytes;
use platform::error::Field;
use platform::jobs::{self, Completion, Job, JobId, Queue};
use platform::{Clock, Id, Random, Result, Tx};
use serde::{Deserialize, Serialize};

use crate::serve::{AVATAR_FORMATS, store_master};
use crate::{
    FILES_QUEUE, ImportedPicture, Media, PictureId, Size, UploadPermit, WIDTHS, store, table,
};

/// The largest size on a page, on a high-density display.
const SIDE: u32 = 640;
/// A picture that is not in the table by then was uploaded to a process that crashed.
const ABANDONED_AFTER: Duration = Duration::from_secs(600);

/// The job that deletes the files of a picture that is not in the table.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeleteFiles {
    pub picture: PictureId,
    pub width: u32,
}

impl Job for DeleteFiles {
    const NAME: &'static str = "media.forget";
    const QUEUE: Queue = FILES_QUEUE;
    type Context = Media;

    async fn run(self, _: JobId, media: &Media) -> Result<Completion> {
        let Self { picture, width } = self;
        if table::find(&media.0.db, &picture).await?.is_some() {
            return Ok(Completion::Done);
        }
        for width in BTreeSet::from(WIDTHS.map(|known| known.min(width))) {
            for format in AVATAR_FORMATS {
                media.0.store.delete(&store::made(&picture, Size { width, format })).await?;
            }
        }
        media.0.store.delete(&store::master(&picture)).await.map(Completion::from)
    }
}

impl Media {
    pub async fn upload_permit(&self) -> Result<UploadPermit> {
        self.0.uploads.permit().await
    }

    /// Sanitizes and stores an untrusted file. The caller inserts its row (`insert_avatar`).
    pub async fn store_avatar(
        &self,
        clock: &Clock,
        random: &Random,
        permit: UploadPermit,
        file: Bytes,
    ) -> Result<ImportedPicture> {
        let decoding = self.0.uploads.begin_decoding(permit).await?;
        let sanitized = tokio::task::spawn_blocking(move || {
            let _until_done = decoding;
            ::picture::sanitize_square(&file, SIDE)
        });
        let picture = sanitized
            .await?
            .map_err(|why| Field::new("photo", "bad_photo", format!("This file {}.", why.0)))?;
        let new = ImportedPicture {
            id: PictureId::from_content(&random.bytes::<20>()),
            metadata: picture.metadata,
            kind: picture.format.name(),
            bytes: picture.master.len(),
            source: String::new(),
        };
        let mut tx = self.0.db.begin().await?;
        let job = DeleteFiles { picture: new.id.clone(), width: new.metadata.width };
        let (id, now) = (Id::new(clock, random), clock.now());
        jobs::enqueue(&mut tx, id, &job, now.plus(ABANDONED_AFTER), now)?;
        tx.commit().await?;
        store_master(&self.0.store, &new, picture.master).await?;
        Ok(new)
    }
}

pub use table::insert_personal as insert_avatar;

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
    jobs::enqueue(tx, Id::new(clock, random), &job, now, now)
}
