//! Delivery markers: a file in the worker's lease directory for each e-mail that is being sent, which
//! survives a crash of the process. It is created before the last byte of the e-mail is sent, and deleted
//! after its job is (decision 018).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::jobs::Completion;
use crate::lease::WorkerLease;
use crate::{Clock, Db, Result, jobs};

const DELIVERED: &str = ".sent";
const UNCERTAIN: &str = "the process ended while the mail server received this e-mail: it was probably \
                         delivered, so it is not sent again";

/// Dropped after the job is deleted, or at once where sending failed.
pub struct DeliveryMarker(Option<PathBuf>);

impl DeliveryMarker {
    pub fn new(lease: &WorkerLease, email: &str) -> Self {
        Self(lease.directory().map(|directory| directory.join(email)))
    }

    /// From here on the e-mail may be delivered.
    pub fn begin_delivery(&self) {
        self.write(|path| fs::File::create(path).map(drop));
    }

    /// Whether an earlier attempt delivered it, but could not delete its job.
    pub fn was_delivered(&self) -> bool {
        self.0.as_ref().is_some_and(|path| delivered_path(path).exists())
    }

    /// The server has accepted it.
    pub fn delivered(&self) {
        self.write(|path| fs::rename(path, delivered_path(path)));
    }

    /// A failure is only logged: sending the e-mail matters more than its marker.
    fn write(&self, operation: impl FnOnce(&Path) -> io::Result<()>) {
        if let Some(path) = &self.0
            && let Err(why) = operation(path)
        {
            tracing::warn!(%why, path = %path.display(), "could not write a delivery marker");
        }
    }
}

impl From<DeliveryMarker> for Completion {
    fn from(marker: DeliveryMarker) -> Self {
        Self::with_guard(marker)
    }
}

impl Drop for DeliveryMarker {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = fs::remove_file(delivered_path(path)).or_else(|_| fs::remove_file(path));
        }
    }
}

fn delivered_path(path: &Path) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(DELIVERED);
    path.into()
}

/// Reads the markers that a crashed process left in a lease. What was delivered is done; what may have
/// been delivered is moved to `failed_jobs`, because nearly always it was.
pub async fn recover_deliveries(db: &Db, clock: &Clock, lease: &WorkerLease) -> Result<()> {
    let Some(directory) = lease.directory() else { return Ok(()) };
    let names = |directory| -> io::Result<Vec<String>> {
        let entries = fs::read_dir(directory)?;
        Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
    };
    let names = names(directory).unwrap_or_default();
    let (sent, uncertain): (Vec<_>, Vec<_>) =
        names.iter().cloned().partition(|name| name.ends_with(DELIVERED));
    let sent: Vec<String> =
        sent.iter().map(|name| name.trim_end_matches(DELIVERED).to_owned()).collect();
    jobs::delete_completed(db, lease.name(), &sent).await?;
    jobs::fail_uncertain(db, clock, lease.name(), &uncertain, UNCERTAIN).await?;
    for name in names {
        let _ = fs::remove_file(directory.join(name));
    }
    Ok(())
}
