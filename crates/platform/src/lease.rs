//! Worker leases: a lease is a name that outlives the process, and a directory that one process locks at
//! a time. A worker claims its jobs under that name. After a crash the next process that acquires the
//! lease knows at once that these claims are dead (decision 018).

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Clock, Id, Random};

/// The subdirectory of the data directory.
const DIRECTORY: &str = "seats";

/// Clones share the lock.
#[derive(Clone)]
pub struct WorkerLease {
    name: String,
    /// None where the data directory cannot be written: then nothing outlives the process.
    directory: Option<PathBuf>,
    _lock: Option<Arc<File>>,
}

impl WorkerLease {
    /// A lease for this process, and those that crashed processes left, to be recovered.
    pub fn acquire(data_dir: &Path, clock: &Clock, random: &Random) -> (Self, Vec<Self>) {
        let new = Id::<Self>::new(clock, random).to_string();
        let taken = acquire_free(&data_dir.join(DIRECTORY)).and_then(|mut free| {
            if free.is_empty() {
                free.extend(try_acquire(&data_dir.join(DIRECTORY), &new)?);
            }
            Ok(free)
        });
        match taken {
            Ok(mut free) if !free.is_empty() => (free.remove(0), free),
            Ok(_) => (Self::ephemeral(new), Vec::new()),
            Err(why) => {
                tracing::warn!(%why, "no worker lease in the data directory: after a crash, e-mails may be sent twice");
                (Self::ephemeral(new), Vec::new())
            }
        }
    }

    /// A lease without a directory, which ends with the process.
    pub fn ephemeral(name: String) -> Self {
        Self { name, directory: None, _lock: None }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }
}

fn acquire_free(leases: &Path) -> io::Result<Vec<WorkerLease>> {
    fs::create_dir_all(leases)?;
    let mut names: Vec<String> = fs::read_dir(leases)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".lock")?.to_owned()))
        .collect();
    names.sort();
    let mut free = Vec::new();
    for name in names {
        free.extend(try_acquire(leases, &name)?);
    }
    Ok(free)
}

/// The lease of this name, unless another process holds it. The system unlocks it when that process ends.
fn try_acquire(leases: &Path, name: &str) -> io::Result<Option<WorkerLease>> {
    let lock = leases.join(format!("{name}.lock"));
    let file = File::options().create(true).truncate(false).write(true).open(lock)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(why)) => return Err(why),
    }
    let directory = leases.join(name);
    fs::create_dir_all(&directory)?;
    Ok(Some(WorkerLease {
        name: name.into(),
        directory: Some(directory),
        _lock: Some(Arc::new(file)),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_has_one_holder_and_passes_to_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let (clock, random) = (Clock::system(), Random::system());
        let acquire = || WorkerLease::acquire(dir.path(), &clock, &random);
        let (first, none) = acquire();
        assert!(none.is_empty());
        let (second, none) = acquire();
        assert!(none.is_empty());
        assert_ne!(first.name(), second.name());
        let names = [first.name().to_owned(), second.name().to_owned()];
        drop((first, second));
        let (own, left) = acquire();
        assert_eq!(left.len(), 1);
        assert_eq!(
            [own.name(), left[0].name()].map(|name| names.contains(&name.to_owned())),
            [true; 2]
        );
        drop(left);
        assert_ne!(acquire().0.name(), own.name());
    }

    #[test]
    fn without_a_writable_directory_the_lease_is_ephemeral() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        let (lease, _) = WorkerLease::acquire(&file, &Clock::system(), &Random::system());
        assert!(lease.directory().is_none() && !lease.name().is_empty());
    }
}
