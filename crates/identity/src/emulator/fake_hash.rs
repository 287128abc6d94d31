//! Password hashes as Google's auth emulator writes them. They hide nothing: what one emulator exports,
//! another imports, and people read their test data in it. For the emulator alone.

use base::Random;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::accounts::REDACTED;

const SALT: &str = "fakeHash:salt=";
const PASSWORD: &str = ":password=";
/// Marks a hash of another make, which is kept beside what can be checked of it.
const IMPORTED: &str = "imported:";

#[derive(Serialize, Deserialize)]
struct Imported {
    hash: String,
    salt: Option<String>,
    /// The same hash, sealed, if it is of a make that can be checked.
    foreign: Option<String>,
}

pub fn new(password: &str, random: &Random) -> String {
    let salt = URL_SAFE_NO_PAD.encode(random.bytes::<15>());
    format!("{SALT}fakeSalt{salt}{PASSWORD}{password}")
}

pub fn is_fake(hash: &str) -> bool {
    parts(hash).is_some()
}

pub fn matches(password: &str, hash: &str) -> bool {
    parts(hash).is_some_and(|(_, kept)| kept == password)
}

/// The salt and the password of one.
fn parts(hash: &str) -> Option<(&str, &str)> {
    hash.strip_prefix(SALT)?.split_once(PASSWORD)
}

/// How a hash from an import is kept. One that is not of our make is shown again as it came.
pub fn imported(hash: &str, salt: Option<&str>, foreign: Option<String>) -> String {
    if parts(hash).is_some_and(|(own, _)| salt == Some(own)) {
        return hash.to_owned();
    }
    let imported = Imported { hash: hash.into(), salt: salt.map(Into::into), foreign };
    let text = serde_json::to_string(&imported).unwrap_or_default();
    format!("{IMPORTED}{text}")
}

fn read(kept: &str) -> Option<Imported> {
    serde_json::from_str(kept.strip_prefix(IMPORTED)?).ok()
}

/// What can be checked of a hash that was imported.
pub fn foreign(kept: &str) -> Option<String> {
    read(kept)?.foreign
}

/// The hash and the salt as everybody sees them.
pub fn shown(kept: &str) -> (String, Option<String>) {
    if let Some((salt, _)) = parts(kept) {
        return (kept.to_owned(), Some(salt.to_owned()));
    }
    match read(kept) {
        Some(Imported { hash, salt, .. }) => (hash, salt),
        None => (REDACTED.to_owned(), None),
    }
}
