//! People's own pictures: cut square, under an address that nobody can guess, and gone when their owner
//! says so. No memory of ours keeps them, and no shared one between here and the browser.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::body::Bytes;
use base::{Clock, Error, Id, Random, Result, Tx, jobs};
use serde::{Deserialize, Serialize};

use super::serve::store_master;
use super::{Kind, Media, PictureId, Size, Taken, WIDTHS, store, table};

/// The job that deletes what is left of a picture that is not listed any more.
pub const FORGET: &str = "media.forget";

/// As wide as the widest place where one is shown, on a sharp screen.
const SIDE: u32 = 640;
/// A picture that nobody has listed by then was being taken in by a process that is gone.
const ABANDONED: Duration = Duration::from_secs(600);
/// AVIF takes a second to make and saves little on so few pixels.
const KINDS: [Kind; 2] = [Kind::Webp, Kind::Jpeg];

#[derive(Debug, Serialize, Deserialize)]
pub struct Forget {
    pub picture: PictureId,
    pub width: u32,
}

impl Media {
    /// Takes in a file that anybody may have made. Whoever shows the picture lists it (`list_portrait`)
    /// in a transaction of its own.
    pub async fn take_portrait(
        &self,
        clock: &Clock,
        random: &Random,
        file: Bytes,
    ) -> Result<Taken> {
        // Each may want hundreds of MiB for a moment, so they come one by one.
        let _turn = self.one_by_one().await?;
        let read = move || ::picture::clean_square(&file, SIDE);
        let read = tokio::task::spawn_blocking(read).await?;
        let clean = read.map_err(|why| Error::invalid("photo", format!("This file {}.", why.0)))?;
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
