//! File locks between processes.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// Locks a file, which is created if missing; none while another process has it locked. The lock lasts until the
/// `File` is dropped, and the system releases it when the process ends.
pub fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(why)) => Err(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_has_one_holder() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.lock");
        let held = try_lock(&path).unwrap();
        assert!(held.is_some() && try_lock(&path).unwrap().is_none());
        drop(held);
        assert!(try_lock(&path).unwrap().is_some());
        assert!(try_lock(&path.join("below")).is_err());
    }
}
