//! Passwords: the rule they must meet, and hashing them so that a stolen database tells none.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use base::{Error, Random, Result};
use tokio::sync::Semaphore;

/// Memory-hard: 19 MiB, two passes, one lane, the least that OWASP advises. A hash takes about 20 ms
/// of one core here, so a stolen hash costs its thief as much per guess.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
/// Hashes that may wait for a core. More than these, and signing in is refused for the moment: a
/// flood must not take the memory that the shop needs.
const QUEUE: usize = 256;

pub const SHORTEST: usize = 6;
pub const LONGEST: usize = 4096;
pub const SPECIAL: &str = "!@#$&*";

/// What a password lacks of the shop's rule, in the protocol's words; empty when it is good.
pub fn lacks(password: &str) -> Vec<String> {
    let mut lacks = Vec::new();
    if password.chars().count() < SHORTEST {
        lacks.push(format!("Password must contain at least {SHORTEST} characters"));
    }
    if password.len() > LONGEST {
        lacks.push(format!("Password may contain at most {LONGEST} characters"));
    }
    if !password.chars().any(char::is_uppercase) {
        lacks.push("Password must contain an upper case character".into());
    }
    if !password.chars().any(|letter| letter.is_ascii_digit()) {
        lacks.push("Password must contain a numeric character".into());
    }
    if !password.chars().any(|letter| SPECIAL.contains(letter)) {
        lacks.push("Password must contain a non-alphanumeric character".into());
    }
    lacks
}

/// Hashes off the async threads, as many at a time as there are cores.
#[derive(Clone)]
pub struct Hasher {
    random: Random,
    cores: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    /// Verified in place of a hash that is not there, so that the answer takes as long.
    decoy: Arc<str>,
}

impl Hasher {
    pub fn new(random: Random) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let decoy = hash("", &random).unwrap_or_default().into();
        Self {
            random,
            cores: Arc::new(Semaphore::new(cores)),
            queue: Arc::new(Semaphore::new(QUEUE)),
            decoy,
        }
    }

    pub async fn hash(&self, password: &str) -> Result<String> {
        let (password, random) = (password.to_owned(), self.random.clone());
        self.run(move || hash(&password, &random)).await?
    }

    /// Whether the password is the one behind `hash`. Without a hash it is not, and finding that out
    /// takes as long.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        let known = hash.is_some();
        let hash: Arc<str> = hash.map_or_else(|| self.decoy.clone(), Into::into);
        let password = password.to_owned();
        let right = self.run(move || matches(&password, &hash)).await?;
        Ok(right && known)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let busy = |_| Error::Unavailable("too many passwords to hash at once".into());
        let _place = self.queue.try_acquire().map_err(busy)?;
        let core = self.cores.clone().acquire_owned().await.map_err(Error::internal)?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(core);
            done
        });
        Ok(done.await?)
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &str, random: &Random) -> Result<String> {
    let salt = random.bytes::<16>();
    let hash: PasswordHash = argon2()
        .hash_password_with_salt(password.as_bytes(), &salt)
        .map_err(|why| Error::internal(why.to_string()))?;
    Ok(hash.to_string())
}

fn matches(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash)
        .is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_matches_its_own_hash_alone() {
        let hasher = Hasher::new(Random::seeded(1));
        let kept = hasher.hash("Secret1!").await.unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert!(hasher.verify("Secret1!", Some(&kept)).await.unwrap());
        assert!(!hasher.verify("secret1!", Some(&kept)).await.unwrap());
        assert!(!hasher.verify("", None).await.unwrap(), "the decoy opens nothing");
        assert!(!hasher.verify("Secret1!", Some("not a hash")).await.unwrap());
    }

    #[test]
    fn the_rule_names_what_is_missing() {
        assert!(lacks("Abc12!").is_empty());
        assert_eq!(lacks("Ab1!").len(), 1);
        assert_eq!(lacks("").len(), 4);
        assert_eq!(lacks("abcdef1!"), ["Password must contain an upper case character"]);
    }
}
