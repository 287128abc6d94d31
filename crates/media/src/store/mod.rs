//! Where pictures lie: in the data directory, or in an S3-compatible store that many servers share.
//! Names are made by the program alone: `masters/ab/…`, and `made/ab/…` that may be thrown away.

mod disk;
mod s3;

use std::sync::Arc;

use axum::body::Bytes;
use base::{Clock, Result};

pub use disk::Disk;
pub use s3::S3;

use crate::{BuiltIn, PictureId, Size};

#[derive(Clone)]
pub struct Store {
    kept: Kept,
    built_in: Arc<BuiltIn>,
}

#[derive(Clone)]
enum Kept {
    Disk(Disk),
    S3(S3),
}

impl From<Disk> for Store {
    fn from(disk: Disk) -> Self {
        Self { kept: Kept::Disk(disk), built_in: Arc::default() }
    }
}

impl From<S3> for Store {
    fn from(s3: S3) -> Self {
        Self { kept: Kept::S3(s3), built_in: Arc::default() }
    }
}

impl Store {
    /// One that also holds what is part of the program.
    pub fn with(self, built_in: Arc<BuiltIn>) -> Self {
        Self { built_in, ..self }
    }

    pub fn built_in(&self) -> &BuiltIn {
        &self.built_in
    }

    /// What is kept under a name, whole: nothing in here is larger than a picture.
    pub async fn get(&self, name: &str) -> Result<Option<Bytes>> {
        if let Some(master) = self.built_in.master(name) {
            return Ok(Some(master.clone()));
        }
        match &self.kept {
            Kept::Disk(disk) => disk.get(name).await,
            Kept::S3(s3) => s3.get(name).await,
        }
    }

    /// Keeps it, whole or not at all.
    pub async fn put(&self, name: &str, content_type: &'static str, bytes: Bytes) -> Result<()> {
        match &self.kept {
            Kept::Disk(disk) => disk.put(name, bytes).await,
            Kept::S3(s3) => s3.put(name, content_type, bytes).await,
        }
    }

    /// Deletes it, if it is there.
    pub async fn delete(&self, name: &str) -> Result<()> {
        match &self.kept {
            Kept::Disk(disk) => disk.delete(name).await,
            Kept::S3(s3) => s3.delete(name).await,
        }
    }

    /// Clears away what a process that was killed left half-written.
    pub async fn tidy(&self, clock: &Clock) {
        if let Kept::Disk(disk) = &self.kept {
            disk.tidy(clock).await;
        }
    }

    /// Where that is, in words.
    pub fn place(&self) -> String {
        match &self.kept {
            Kept::Disk(disk) => disk.place(),
            Kept::S3(s3) => s3.place(),
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
