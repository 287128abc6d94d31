//! The picture store on disk. A file is renamed to its final name after all of it is written and synced.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use axum::body::Bytes;
use platform::{Clock, Error, Result, Timestamp};

/// An unfinished file of this age was left by a crashed process.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);

#[derive(Clone)]
pub struct Disk {
    root: Arc<Path>,
    count: Arc<AtomicU64>,
}

impl Disk {
    pub fn new(root: PathBuf) -> Self {
        Self { root: root.into(), count: Arc::default() }
    }

    pub fn location(&self) -> String {
        self.root.display().to_string()
    }

    pub async fn get(&self, name: &str) -> Result<Option<Bytes>> {
        let path = self.root.join(name);
        // Never on the async runtime's threads, which must not block.
        match tokio::task::spawn_blocking(move || fs::read(path)).await? {
            Ok(bytes) => Ok(Some(bytes.into())),
            Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
            Err(why) => Err(Error::internal(format!("{name}: {why}"))),
        }
    }

    pub async fn put(&self, name: &str, bytes: Bytes) -> Result<()> {
        let path = self.root.join(name);
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let half = self.unfinished().join(format!("{}-{count}", std::process::id()));
        let written = tokio::task::spawn_blocking(move || write(&half, &path, &bytes)).await?;
        written.map_err(|why| Error::internal(format!("{name}: {why}")))
    }

    pub async fn delete(&self, name: &str) -> Result<()> {
        let path = self.root.join(name);
        match tokio::task::spawn_blocking(move || fs::remove_file(path)).await? {
            Err(why) if why.kind() != ErrorKind::NotFound => {
                Err(Error::internal(format!("{name}: {why}")))
            }
            _ => Ok(()),
        }
    }

    fn unfinished(&self) -> PathBuf {
        self.root.join("unfinished")
    }

    pub async fn delete_unfinished(&self, clock: &Clock) {
        let (folder, now) = (self.unfinished(), clock.now());
        let cleared = tokio::task::spawn_blocking(move || clear(&folder, now)).await;
        if let Ok(Err(why)) = cleared
            && why.kind() != ErrorKind::NotFound
        {
            tracing::warn!(%why, "could not delete unfinished pictures");
        }
    }
}

fn write(half: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    fs::create_dir_all(half.parent().ok_or(ErrorKind::InvalidInput)?)?;
    let mut file = File::create(half)?;
    let done = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(half, path))
        // Syncing the directory makes the rename durable.
        .and_then(|()| File::open(folder)?.sync_all());
    if done.is_err() {
        let _ = fs::remove_file(half);
    }
    done
}

fn clear(folder: &Path, now: Timestamp) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let since = entry.metadata()?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        let written = Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
        if written < now.minus(ABANDONED_AFTER) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
