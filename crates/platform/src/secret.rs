//! The shop's secret, from which all keys are derived: a setting, or generated at the first start and
//! stored in the data directory, where only its owner can read it. Also encrypts with it (`seal`).

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::hmac;

use crate::Random;

const MIN_LENGTH: usize = 32;

/// Cheap to clone.
#[derive(Clone)]
pub struct Secret(Arc<hmac::Key>);

impl Secret {
    pub fn new(text: &str) -> Result<Self, String> {
        if text.len() < MIN_LENGTH {
            return Err(format!("secret: at least {MIN_LENGTH} characters are required"));
        }
        Ok(Self(Arc::new(hmac::Key::new(hmac::HMAC_SHA256, text.as_bytes()))))
    }

    /// The secret in `dir`, generated when there is none.
    pub fn load_or_create(dir: &Path, random: &Random) -> Result<Self, String> {
        let path = dir.join("secret.key");
        let shown = |why: std::io::Error| format!("{}: {why}", path.display());
        let new: String = random.bytes::<32>().iter().map(|byte| format!("{byte:02x}")).collect();
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(mut file) => {
                file.write_all(new.as_bytes()).and_then(|()| file.sync_all()).map_err(shown)?;
                Self::new(&new)
            }
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {
                Self::new(std::fs::read_to_string(&path).map_err(shown)?.trim())
                    .map_err(|why| format!("{}: {why}", path.display()))
            }
            Err(why) => Err(shown(why)),
        }
    }

    /// An independent key for one purpose.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut key = [0; 32];
        key.copy_from_slice(hmac::sign(&self.0, purpose.as_bytes()).as_ref());
        key
    }

    /// Encrypts and authenticates (AES-256-GCM).
    pub fn seal(&self, purpose: &str, plain: &[u8]) -> Option<Vec<u8>> {
        let key = RandomizedNonceKey::new(&AES_256_GCM, &self.derive(purpose)).ok()?;
        let mut sealed = plain.to_vec();
        let nonce = key.seal_in_place_append_tag(Aad::empty(), &mut sealed).ok()?;
        Some([nonce.as_ref().as_slice(), &sealed].concat())
    }

    /// `None` when it was sealed with another secret or purpose, or changed since.
    pub fn unseal(&self, purpose: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let key = RandomizedNonceKey::new(&AES_256_GCM, &self.derive(purpose)).ok()?;
        let (nonce, sealed) = sealed.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut plain = sealed.to_vec();
        let length = key.open_in_place(nonce, Aad::empty(), &mut plain).ok()?.len();
        plain.truncate(length);
        Some(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_secret_is_generated_once_and_readable_by_its_owner_only() {
        let dir = tempfile::tempdir().unwrap();
        let first = Secret::load_or_create(dir.path(), &Random::system()).unwrap();
        let again = Secret::load_or_create(dir.path(), &Random::system()).unwrap();
        assert_eq!(first.derive("tokens"), again.derive("tokens"));
        assert_ne!(first.derive("tokens"), first.derive("keys"));
        let mode = std::fs::metadata(dir.path().join("secret.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(Secret::new("short").is_err());
    }

    #[test]
    fn unsealing_needs_the_same_secret_and_purpose() {
        let secret = Secret::new(&"a".repeat(32)).unwrap();
        let sealed = secret.seal("keys", b"private").unwrap();
        assert_eq!(secret.unseal("keys", &sealed).as_deref(), Some(&b"private"[..]));
        assert_eq!(Secret::new(&"b".repeat(32)).unwrap().unseal("keys", &sealed), None);
        assert_eq!(secret.unseal("other", &sealed), None);
        let mut changed = sealed;
        changed[20] ^= 1;
        assert_eq!(secret.unseal("keys", &changed), None);
        assert_eq!(secret.unseal("keys", b""), None);
    }
}
