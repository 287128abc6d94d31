//! Hashing and encryption of tokens, codes and cookies.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::secret::Secret;
use platform::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Encrypts a value into a token that only this service can read.
pub fn seal<T: Serialize>(secret: &Secret, purpose: &str, value: &T) -> Result<String> {
    let sealed = secret.seal(purpose, &serde_json::to_vec(value)?);
    let sealed = sealed.ok_or_else(|| Error::internal("encryption failed"))?;
    Ok(URL_SAFE_NO_PAD.encode(sealed))
}

pub fn unseal<T: DeserializeOwned>(secret: &Secret, purpose: &str, text: &str) -> Option<T> {
    let sealed = URL_SAFE_NO_PAD.decode(text).ok()?;
    serde_json::from_slice(&secret.unseal(purpose, &sealed)?).ok()
}

/// Only hashes of tokens and codes are stored, so that a leaked database is useless. Tokens are random,
/// so a fast hash is enough.
pub fn hash_token(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, token.as_bytes()))
}

pub fn ct_eq(a: &str, b: &str) -> bool {
    verify_slices_are_equal(a.as_bytes(), b.as_bytes()).is_ok()
}

pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
