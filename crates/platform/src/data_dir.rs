//! File permissions of the data directory: only the program's user may read it. The umask protects new
//! files; this module protects those that exist already.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The shop's files. Others in the same directory are not touched.
const FILES: [&str; 11] = [
    "demo-payments",
    "haat.db",
    "haat.db-journal",
    "haat.db-shm",
    "haat.db-wal",
    "index",
    "index.lock",
    "index.new",
    "index.old",
    "media",
    "secret.key",
];
const OTHERS: u32 = 0o077;
/// Set on directories like /tmp, which are shared on purpose.
const STICKY: u32 = 0o1000;

/// Removes the permissions of all other users. Failures are logged.
pub fn make_private(dir: &Path) {
    if let Ok(found) = fs::metadata(dir)
        && found.permissions().mode() & STICKY == 0
        && found.permissions().mode() & OTHERS != 0
        && let Err(why) = restrict(dir, found.permissions())
    {
        tracing::warn!(dir = %dir.display(), %why, "other users may read the data directory");
    }
    for name in FILES {
        let path = dir.join(name);
        if let Err(why) = restrict_all(&path) {
            tracing::warn!(path = %path.display(), %why, "other users may read this file");
        }
    }
}

/// Recursive, except into directories that others cannot enter anyway.
fn restrict_all(path: &Path) -> io::Result<()> {
    let found = match fs::symlink_metadata(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if found.is_symlink() || found.permissions().mode() & OTHERS == 0 {
        return Ok(());
    }
    restrict(path, found.permissions())?;
    if found.is_dir() {
        for entry in fs::read_dir(path)? {
            restrict_all(&entry?.path())?;
        }
    }
    Ok(())
}

fn restrict(path: &Path, permissions: Permissions) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(permissions.mode() & 0o7777 & !OTHERS))
}
