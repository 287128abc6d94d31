//! Passwords: the rule they must meet, and hashing them so that a stolen database tells none.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use base::{Error, Random, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use tokio::sync::{Semaphore, TryAcquireError};

use crate::emulator::fake_hash;
use crate::foreign_hashes::Foreign;

/// Hashes that may wait for a core. More than these, and signing in is refused for the moment: a
/// flood must not take the memory that the shop needs.
const QUEUE: usize = 256;

/// Of the shop's rule, and of the protocol's own, which holds for admins and in the emulator.
pub const SHORTEST: usize = 8;
pub const SHORTEST_OF_PROTOCOL: usize = 6;
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
    /// Whether passwords are kept as they are, as an emulator keeps them.
    fake: bool,
    spare: Arc<Mutex<Spare>>,
}

type Memory = Vec<Block>;

/// What hashing works in, kept for a moment: to get 19 MiB from the system and to give them back takes
/// longer than all else in a sign-in.
#[derive(Default)]
struct Spare {
    memory: Vec<Memory>,
    /// How often some was put back.
    returns: u64,
}

/// How long memory is kept after the last hash.
const KEPT: Duration = Duration::from_secs(1);

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

    pub fn fake(random: Random) -> Self {
        Self { fake: true, ..Self::with(random, CHEAP) }
    }

    fn with(random: Random, cost: Cost) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let decoy = hash("", &random, cost, &mut Memory::new()).unwrap_or_default().into();
        Self {
            random,
            cores: Arc::new(Semaphore::new(cores)),
            makers: Arc::new(Semaphore::new((cores - 1).max(1))),
            to_make: Arc::new(Semaphore::new(QUEUE)),
            to_verify: Arc::new(Semaphore::new(QUEUE)),
            decoy,
            cost,
            fake: false,
            spare: Arc::default(),
        }
    }

    /// Whether a hash is of another make than ours, and a new one is due while the password is known.
    pub fn is_outdated(&self, hash: &str) -> bool {
        if self.fake {
            return !fake_hash::is_fake(hash);
        }
        let Cost { memory_kib, passes } = self.cost;
        !hash.starts_with(&format!("$argon2id$v=19$m={memory_kib},t={passes},p=1$"))
    }

    pub async fn hash(&self, password: &str) -> Result<String> {
        if self.fake {
            return Ok(fake_hash::new(password, &self.random));
        }
        let (password, random, cost) = (password.to_owned(), self.random.clone(), self.cost);
        let _place = self.to_make.try_acquire().map_err(busy)?;
        let _maker = self.makers.acquire().await.map_err(Error::internal)?;
        self.run(move |memory| hash(&password, &random, cost, memory)).await?
    }

    /// Whether the password is the one behind `hash`. Without a hash it is not, and finding that out
    /// takes as long.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        if let Some(hash) = hash.filter(|hash| self.fake && fake_hash::is_fake(hash)) {
            return Ok(fake_hash::matches(password, hash));
        }
        let known = hash.is_some();
        let hash: Arc<str> = hash.map_or_else(|| self.decoy.clone(), Into::into);
        let password = password.to_owned();
        let _place = self.to_verify.try_acquire().map_err(busy)?;
        let right = self.run(move |memory| matches(&password, &hash, memory)).await?;
        Ok(right && known)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T> {
        let core = self.cores.clone().acquire_owned().await.map_err(Error::internal)?;
        let spare = self.spare.clone();
        let done = tokio::task::spawn_blocking(move || {
            let mut memory = lock(&spare).memory.pop().unwrap_or_default();
            let done = work(&mut memory);
            lock(&spare).put_back(memory);
            drop(core);
            done
        });
        let done = done.await?;
        let (spare, returns) = (self.spare.clone(), lock(&self.spare).returns);
        tokio::spawn(async move {
            tokio::time::sleep(KEPT).await;
            let mut spare = lock(&spare);
            if spare.returns == returns {
                spare.memory.clear();
            }
        });
        Ok(done)
    }
}

impl Spare {
    fn put_back(&mut self, memory: Memory) {
        self.memory.push(memory);
        self.returns += 1;
    }
}

fn lock(spare: &Mutex<Spare>) -> MutexGuard<'_, Spare> {
    spare.lock().unwrap_or_else(PoisonError::into_inner)
}

fn busy(_: TryAcquireError) -> Error {
    Error::Unavailable("too many passwords to hash at once".into())
}

/// The bytes that a hash is made of.
fn derive(password: &str, salt: &[u8], cost: Cost, memory: &mut Memory) -> Option<[u8; HASH]> {
    let Cost { memory_kib, passes } = cost;
    let params = Params::new(memory_kib, passes, 1, Some(HASH)).ok()?;
    memory.resize(params.block_count(), Block::default());
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut out = [0; HASH];
    argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut out, memory).ok()?;
    Some(out)
}

const HASH: usize = 32;

fn hash(password: &str, random: &Random, cost: Cost, memory: &mut Memory) -> Result<String> {
    let salt = random.bytes::<16>();
    let hash = derive(password, &salt, cost, memory);
    let hash = hash.ok_or_else(|| Error::internal("could not hash a password"))?;
    let (salt, hash) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(hash));
    let Cost { memory_kib, passes } = cost;
    Ok(format!("$argon2id$v=19$m={memory_kib},t={passes},p=1${salt}${hash}"))
}

/// A hash says by which parameters it was made; one from elsewhere, also by which rule.
fn matches(password: &str, hash: &str, memory: &mut Memory) -> bool {
    if let Some(foreign) = Foreign::from_text(hash) {
        return foreign.verify(password);
    }
    let Some((cost, salt, hash)) = parts(hash) else { return false };
    derive(password, &salt, cost, memory)
        .is_some_and(|derived| verify_slices_are_equal(&derived, &hash).is_ok())
}

/// The parts of a hash of our own.
fn parts(hash: &str) -> Option<(Cost, Vec<u8>, Vec<u8>)> {
    let rest = hash.strip_prefix("$argon2id$v=19$m=")?;
    let [cost, salt, hash] = rest.split('$').collect::<Vec<_>>()[..] else { return None };
    let (memory_kib, passes) = cost.strip_suffix(",p=1")?.split_once(",t=")?;
    let cost = Cost { memory_kib: memory_kib.parse().ok()?, passes: passes.parse().ok()? };
    Some((cost, STANDARD_NO_PAD.decode(salt).ok()?, STANDARD_NO_PAD.decode(hash).ok()?))
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
        // As the reference implementation makes it.
        let reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
        assert!(hasher.verify("password", Some(reference)).await.unwrap());
        assert!(!hasher.verify("passwore", Some(reference)).await.unwrap());
    }

    #[test]
    fn the_rule_names_what_is_missing() {
        assert!(lacks("Abcd123!").is_empty());
        assert_eq!(lacks("Abc123!"), ["Password must contain at least 8 characters"]);
        assert_eq!(lacks("").len(), 4);
        assert_eq!(lacks("abcdef1!"), ["Password must contain an upper case character"]);
    }
}
