//! Passwords: the rule they must meet, and hashing them so that a stolen database tells none.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use base::{Error, Random, Result};
use tokio::sync::{Semaphore, TryAcquireError};

use crate::foreign_hashes::Foreign;

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
    /// Fewer than the cores, so that those who sign up never keep all who sign in waiting.
    makers: Arc<Semaphore>,
    to_make: Arc<Semaphore>,
    to_verify: Arc<Semaphore>,
    /// Verified in place of a hash that is not there, so that the answer takes as long.
    decoy: Arc<str>,
    cost: Cost,
}

#[derive(Clone, Copy)]
struct Cost {
    memory_kib: u32,
    passes: u32,
}

/// Memory-hard: 19 MiB, two passes, one lane, the least that OWASP advises. A hash takes about 20 ms
/// of one core here, so a stolen hash costs its thief as much per guess.
const DEAR: Cost = Cost { memory_kib: 19 * 1024, passes: 2 };
/// As little as there can be: for the emulator alone.
const CHEAP: Cost = Cost { memory_kib: 8, passes: 1 };

impl Hasher {
    pub fn new(random: Random) -> Self {
        Self::with(random, DEAR)
    }

    pub fn cheap(random: Random) -> Self {
        Self::with(random, CHEAP)
    }

    fn with(random: Random, cost: Cost) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let decoy = hash("", &random, cost).unwrap_or_default().into();
        Self {
            random,
            cores: Arc::new(Semaphore::new(cores)),
            makers: Arc::new(Semaphore::new((cores - 1).max(1))),
            to_make: Arc::new(Semaphore::new(QUEUE)),
            to_verify: Arc::new(Semaphore::new(QUEUE)),
            decoy,
            cost,
        }
    }

    /// Whether a hash is of another make than ours, and a new one is due while the password is known.
    pub fn is_outdated(&self, hash: &str) -> bool {
        let Cost { memory_kib, passes } = self.cost;
        !hash.starts_with(&format!("$argon2id$v=19$m={memory_kib},t={passes},p=1$"))
    }

    pub async fn hash(&self, password: &str) -> Result<String> {
        let (password, random, cost) = (password.to_owned(), self.random.clone(), self.cost);
        let _place = self.to_make.try_acquire().map_err(busy)?;
        let _maker = self.makers.acquire().await.map_err(Error::internal)?;
        self.run(move || hash(&password, &random, cost)).await?
    }

    /// Whether the password is the one behind `hash`. Without a hash it is not, and finding that out
    /// takes as long.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        let known = hash.is_some();
        let hash: Arc<str> = hash.map_or_else(|| self.decoy.clone(), Into::into);
        let password = password.to_owned();
        let _place = self.to_verify.try_acquire().map_err(busy)?;
        let right = self.run(move || matches(&password, &hash)).await?;
        Ok(right && known)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let core = self.cores.clone().acquire_owned().await.map_err(Error::internal)?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(core);
            done
        });
        Ok(done.await?)
    }
}

fn busy(_: TryAcquireError) -> Error {
    Error::Unavailable("too many passwords to hash at once".into())
}

fn argon2(cost: Cost) -> Argon2<'static> {
    let params = Params::new(cost.memory_kib, cost.passes, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &str, random: &Random, cost: Cost) -> Result<String> {
    let salt = random.bytes::<16>();
    let hash: PasswordHash = argon2(cost)
        .hash_password_with_salt(password.as_bytes(), &salt)
        .map_err(|why| Error::internal(why.to_string()))?;
    Ok(hash.to_string())
}

/// A hash says by which parameters it was made; one from elsewhere, also by which rule.
fn matches(password: &str, hash: &str) -> bool {
    if let Some(foreign) = Foreign::from_text(hash) {
        return foreign.verify(password);
    }
    PasswordHash::new(hash)
        .is_ok_and(|hash| argon2(DEAR).verify_password(password.as_bytes(), &hash).is_ok())
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
