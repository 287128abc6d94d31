//! A worker's seat: a name that outlives the process, and a folder that one process holds at a time.
//! What a worker has in hand stands under the seat's name. Whoever takes the seat next, after the
//! process was killed, knows at once that nobody else is at it any more (decision 018).

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Clock, Id, Random};

/// Free to be shared inside the process that holds it.
#[derive(Clone)]
pub struct Seat {
    name: String,
    /// None where nothing can be written: then nothing outlives the process.
    folder: Option<PathBuf>,
    _held: Option<Arc<File>>,
}

impl Seat {
    /// One for this process, and those that others left, to be cleared.
    pub fn take(data_dir: &Path, clock: &Clock, random: &Random) -> (Self, Vec<Self>) {
        let new = Id::<Self>::new(clock, random).to_string();
        let taken = free_seats(&data_dir.join("seats")).and_then(|mut free| {
            if free.is_empty() {
                free.extend(hold(&data_dir.join("seats"), &new)?);
            }
            Ok(free)
        });
        match taken {
            Ok(mut free) if !free.is_empty() => (free.remove(0), free),
            Ok(_) => (Self::passing(new), Vec::new()),
            Err(why) => {
                tracing::warn!(%why, "no seat in the data directory: a kill may send letters twice");
                (Self::passing(new), Vec::new())
            }
        }
    }

    /// One that ends with the process.
    pub fn passing(name: String) -> Self {
        Self { name, folder: None, _held: None }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }
}

fn free_seats(folder: &Path) -> io::Result<Vec<Seat>> {
    fs::create_dir_all(folder)?;
    let mut names: Vec<String> = fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".lock")?.to_owned()))
        .collect();
    names.sort();
    let mut free = Vec::new();
    for name in names {
        free.extend(hold(folder, &name)?);
    }
    Ok(free)
}

/// The seat of a name, unless another process holds it. The system lets go of it when that ends.
fn hold(folder: &Path, name: &str) -> io::Result<Option<Seat>> {
    let lock = folder.join(format!("{name}.lock"));
    let file = File::options().create(true).truncate(false).write(true).open(lock)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(why)) => return Err(why),
    }
    let folder = folder.join(name);
    fs::create_dir_all(&folder)?;
    Ok(Some(Seat { name: name.into(), folder: Some(folder), _held: Some(Arc::new(file)) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_held_by_one_and_left_to_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let (clock, random) = (Clock::system(), Random::system());
        let take = || Seat::take(dir.path(), &clock, &random);
        let (first, none) = take();
        assert!(none.is_empty());
        let (second, none) = take();
        assert!(none.is_empty());
        assert_ne!(first.name(), second.name());
        let names = [first.name().to_owned(), second.name().to_owned()];
        drop((first, second));
        let (own, left) = take();
        assert_eq!(left.len(), 1);
        assert_eq!(
            [own.name(), left[0].name()].map(|name| names.contains(&name.to_owned())),
            [true; 2]
        );
        drop(left);
        assert_ne!(take().0.name(), own.name());
    }

    #[test]
    fn where_nothing_can_be_written_there_is_a_seat_all_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        let (seat, _) = Seat::take(&file, &Clock::system(), &Random::system());
        assert!(seat.folder().is_none() && !seat.name().is_empty());
    }
}
