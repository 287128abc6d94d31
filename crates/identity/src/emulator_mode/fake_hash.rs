//! Fake password hashes in the format of Google's auth emulator. They contain the plain password, so
//! that exports can be imported again and test data is readable. Used by the emulator only.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::Random;
use serde::{Deserialize, Serialize};

use crate::wire::REDACTED;

const SALT_PREFIX: &str = "fakeHash:salt=";
const PASSWORD_PREFIX: &str = ":password=";
/// Marks an imported hash in another format.
const IMPORTED_PREFIX: &str = "imported:";

#[derive(Serialize, Deserialize)]
struct StoredImport {
    hash: String,
    salt: Option<String>,
    /// The same hash, encrypted, if its algorithm is supported.
    #[serde(rename = "foreign")]
    checkable: Option<String>,
}

pub fn new(password: &str, random: &Random) -> String {
    let salt = URL_SAFE_NO_PAD.encode(random.bytes::<15>());
    format!("{SALT_PREFIX}fakeSalt{salt}{PASSWORD_PREFIX}{password}")
}

pub fn is_fake(hash: &str) -> bool {
    parts(hash).is_some()
}

pub fn matches(password: &str, hash: &str) -> bool {
    parts(hash).is_some_and(|(_, stored)| stored == password)
}

/// Salt and password.
fn parts(hash: &str) -> Option<(&str, &str)> {
    hash.strip_prefix(SALT_PREFIX)?.split_once(PASSWORD_PREFIX)
}

/// Converts a hash of an import to its stored form. One in another format is returned by the API as it came.
pub fn from_import(hash: &str, salt: Option<&str>, checkable: Option<String>) -> String {
    if parts(hash).is_some_and(|(own, _)| salt == Some(own)) {
        return hash.to_owned();
    }
    let import = StoredImport { hash: hash.into(), salt: salt.map(Into::into), checkable };
    let text = serde_json::to_string(&import).unwrap_or_default();
    format!("{IMPORTED_PREFIX}{text}")
}

fn parse_import(stored: &str) -> Option<StoredImport> {
    serde_json::from_str(stored.strip_prefix(IMPORTED_PREFIX)?).ok()
}

/// The encrypted hash to verify a password with, if its algorithm is supported.
pub fn checkable(stored: &str) -> Option<String> {
    parse_import(stored)?.checkable
}

/// Hash and salt as the API returns them.
pub fn visible(stored: &str) -> (String, Option<String>) {
    if let Some((salt, _)) = parts(stored) {
        return (stored.to_owned(), Some(salt.to_owned()));
    }
    match parse_import(stored) {
        Some(StoredImport { hash, salt, .. }) => (hash, salt),
        None => (REDACTED.to_owned(), None),
    }
}
