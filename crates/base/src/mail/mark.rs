//! What a process knows of a letter that it is handing over, kept where a kill does not reach: a file in
//! the worker's seat, which the system has the moment it is made. It is there before the last sign of the
//! letter leaves us, and gone after its job is (decision 018).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::jobs::Done;
use crate::seat::Seat;
use crate::{Clock, Db, Result, jobs};

const SENT: &str = ".sent";
const DOUBT: &str = "the shop was killed while the mail server took this letter: it has it, as far as \
                     can be told, so it is not sent again";

/// Goes with the job; where sending failed, at once.
pub struct Mark(Option<PathBuf>);

impl Mark {
    pub fn of(seat: &Seat, letter: &str) -> Self {
        Self(seat.folder().map(|folder| folder.join(letter)))
    }

    /// From here on the letter may be the server's.
    pub fn handing_over(&self) {
        self.note(|path| fs::File::create(path).map(drop));
    }

    /// Whether it was sent before, and its job could not be taken away.
    pub fn was_sent(&self) -> bool {
        self.0.as_ref().is_some_and(|path| with_sent(path).exists())
    }

    /// The server has said that it has it.
    pub fn sent(&self) {
        self.note(|path| fs::rename(path, with_sent(path)));
    }

    /// A letter goes out all the same where nothing can be noted: that is worth more than the note.
    fn note(&self, note: impl FnOnce(&Path) -> io::Result<()>) {
        if let Some(path) = &self.0
            && let Err(why) = note(path)
        {
            tracing::warn!(%why, path = %path.display(), "a letter is not noted");
        }
    }
}

impl From<Mark> for Done {
    fn from(mark: Mark) -> Self {
        Self::holding(mark)
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = fs::remove_file(with_sent(path)).or_else(|_| fs::remove_file(path));
        }
    }
}

fn with_sent(path: &Path) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(SENT);
    path.into()
}

/// Goes by the marks that were left on a seat: what was sent is done; what may have been sent is put
/// aside, because it nearly always was, and a person can tell.
pub async fn settle(db: &Db, clock: &Clock, seat: &Seat) -> Result<()> {
    let Some(folder) = seat.folder() else { return Ok(()) };
    let names = |folder| -> io::Result<Vec<String>> {
        let entries = fs::read_dir(folder)?;
        Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
    };
    let names = names(folder).unwrap_or_default();
    let (sent, doubt): (Vec<_>, Vec<_>) =
        names.iter().cloned().partition(|name| name.ends_with(SENT));
    let sent: Vec<String> =
        sent.iter().map(|name| name.trim_end_matches(SENT).to_owned()).collect();
    jobs::were_done(db, seat.name(), &sent).await?;
    jobs::are_in_doubt(db, clock, seat.name(), &doubt, DOUBT).await?;
    for name in names {
        let _ = fs::remove_file(folder.join(name));
    }
    Ok(())
}
