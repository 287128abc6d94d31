//! Upload limits: permits for the files in memory and for the decoder.

use std::sync::Arc;
use std::time::Duration;

use platform::{Error, Result};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Each holds a file of up to `MAX_PICTURE_BYTES` in memory.
const MAX_CONCURRENT_UPLOADS: usize = 4;
const MAX_CONCURRENT_DECODERS: usize = 1;
/// How long an upload waits for a permit.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Limits the files in memory and the running decoders.
pub struct Uploads {
    files: Arc<Semaphore>,
    decoder: Arc<Semaphore>,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            files: Arc::new(Semaphore::new(MAX_CONCURRENT_UPLOADS)),
            decoder: Arc::new(Semaphore::new(MAX_CONCURRENT_DECODERS)),
        }
    }
}

impl Uploads {
    pub async fn permit(&self) -> Result<UploadPermit> {
        let permit = tokio::time::timeout(UPLOAD_TIMEOUT, self.files.clone().acquire_owned()).await;
        let permit =
            permit.map_err(|_| Error::Unavailable("too many concurrent uploads".into()))?;
        permit.map(|_permit| UploadPermit { _permit }).map_err(Error::internal)
    }

    /// Waits for the decoder.
    pub async fn begin_decoding(&self, permit: UploadPermit) -> Result<Decoding> {
        let decoder = self.decoder.clone().acquire_owned().await.map_err(Error::internal)?;
        Ok(Decoding { _permits: (permit, decoder) })
    }

    pub fn decoding(&self) -> u64 {
        (MAX_CONCURRENT_DECODERS - self.decoder.available_permits()) as u64
    }
}

/// Permission to hold one file in memory, acquired before any of it is read.
pub struct UploadPermit {
    _permit: OwnedSemaphorePermit,
}

/// The permits of a running decoder. Owned by the blocking thread, which continues when the
/// request is cancelled.
pub struct Decoding {
    _permits: (UploadPermit, OwnedSemaphorePermit),
}
