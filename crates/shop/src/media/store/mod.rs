//! Where pictures lie: in the data directory, or in an S3-compatible store that many servers share.
//! Names are made by the program alone: `masters/ab/…`, and `made/ab/…` that may be thrown away.

mod disk;
mod s3;

use axum::body::Bytes;
use base::{Clock, Result};

pub use disk::Disk;
pub use s3::S3;

use super::{PictureId, Size};

#[derive(Clone)]
pub enum Store {
    Disk(Disk),
    S3(S3),
}

impl Store {
    /// What is kept under a name, whole: nothing in here is larger than a picture.
    pub async fn get(&self, name: &str) -> Result<Option<Bytes>> {
        match self {
            Self::Disk(disk) => disk.get(name).await,
            Self::S3(s3) => s3.get(name).await,
        }
    }

    /// Keeps it, whole or not at all.
    pub async fn put(&self, name: &str, content_type: &'static str, bytes: Bytes) -> Result<()> {
        match self {
            Self::Disk(disk) => disk.put(name, bytes).await,
            Self::S3(s3) => s3.put(name, content_type, bytes).await,
        }
    }

    /// Clears away what a process that was killed left half-written.
    pub async fn tidy(&self, clock: &Clock) {
        if let Self::Disk(disk) = self {
            disk.tidy(clock).await;
        }
    }

    /// Where that is, in words.
    pub fn place(&self) -> String {
        match self {
            Self::Disk(disk) => disk.place(),
            Self::S3(s3) => s3.place(),
        }
    }
}

/// Two letters of the id first: folders of hundreds of thousands of files are slow.
pub fn master(id: &PictureId) -> String {
    format!("masters/{}/{id}.webp", &id.as_str()[..2])
}

pub fn made(id: &PictureId, size: Size) -> String {
    format!("made/{}/{id}/{size}", &id.as_str()[..2])
}
