//! Password policy and password hashing (Argon2id).

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use platform::secret::Secret;
use platform::{Error, Random, Result};
use serde_json::Value;
use tokio::sync::{Semaphore, TryAcquireError};

use crate::common_passwords;
use crate::crypto::{seal, unseal};
use crate::emulator_mode::fake_hash;
use crate::imported_hashes::ImportedHash;
use crate::wire::{ApiResult, refuse};

/// Hashes that may wait for a CPU; more are rejected, so that a flood cannot exhaust the memory.
const MAX_QUEUED: usize = 256;

/// The shop's policy; the protocol's own minimum applies to admins and the emulator.
pub const MIN_LENGTH: usize = 8;
pub const PROTOCOL_MIN: usize = 6;
pub const MAX_LENGTH: usize = 4096;
pub const SPECIAL_CHARS: &str = "!@#$&*";

/// Marks an imported hash. It may contain keys of another service, so it is stored encrypted.
const IMPORTED_PREFIX: &str = "foreign:";
const IMPORTED_PURPOSE: &str = "password hash from elsewhere";

/// The part of the policy that also applies to admins.
pub fn check_length(password: &str) -> ApiResult<()> {
    if password.chars().count() < PROTOCOL_MIN {
        return refuse("WEAK_PASSWORD : Password should be at least 6 characters");
    }
    if password.len() > MAX_LENGTH {
        return refuse("PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Password is too long.");
    }
    Ok(())
}

/// The policy violations of a password, as the protocol words them.
fn violations(password: &str) -> Vec<String> {
    let mut violations = Vec::new();
    if password.chars().count() < MIN_LENGTH {
        violations.push(format!("Password must contain at least {MIN_LENGTH} characters"));
    }
    if password.len() > MAX_LENGTH {
        violations.push(format!("Password may contain at most {MAX_LENGTH} characters"));
    }
    if !password.chars().any(char::is_uppercase) {
        violations.push("Password must contain an upper case character".into());
    }
    if !password.chars().any(|c| c.is_ascii_digit()) {
        violations.push("Password must contain a numeric character".into());
    }
    if !password.chars().any(|c| SPECIAL_CHARS.contains(c)) {
        violations.push("Password must contain a non-alphanumeric character".into());
    }
    violations
}

/// Hashes on blocking threads, at most as many at a time as there are CPUs.
#[derive(Clone)]
pub struct Hasher {
    random: Random,
    secret: Secret,
    cpu_slots: Arc<Semaphore>,
    /// Fewer than `cpu_slots`, so that sign-ups cannot block all sign-ins.
    hash_slots: Arc<Semaphore>,
    hash_queue: Arc<Semaphore>,
    verify_queue: Arc<Semaphore>,
    /// Verified if there is no hash, so that the response takes as long.
    dummy_hash: Arc<str>,
    cost: Cost,
    /// Whether passwords are stored in plain text, as Google's emulator does.
    is_fake: bool,
    pool: Arc<Mutex<MemoryPool>>,
}

type Memory = Vec<Block>;

/// Working memory for hashing, reused for a short time: allocating and freeing 19 MiB takes longer than
/// the rest of a sign-in.
#[derive(Default)]
struct MemoryPool {
    memory: Vec<Memory>,
    /// How often memory was released to the pool.
    returns: u64,
}

/// How long the pool keeps memory after the last hash.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Clone, Copy)]
struct Cost {
    memory_kib: u32,
    passes: u32,
}

/// OWASP's minimum for Argon2id: 19 MiB, two passes, one lane. About 20 ms of one CPU, for us and per
/// guess of an attacker.
const PRODUCTION_COST: Cost = Cost { memory_kib: 19 * 1024, passes: 2 };
/// The minimum, for the emulator only.
const EMULATOR_COST: Cost = Cost { memory_kib: 8, passes: 1 };

impl Hasher {
    pub fn new(random: Random, secret: Secret) -> Self {
        Self::with_cost(random, secret, PRODUCTION_COST)
    }

    pub fn for_emulator(random: Random, secret: Secret) -> Self {
        Self { is_fake: true, ..Self::with_cost(random, secret, EMULATOR_COST) }
    }

    fn with_cost(random: Random, secret: Secret, cost: Cost) -> Self {
        let cpu_slots = std::thread::available_parallelism().map_or(1, usize::from);
        let dummy_hash = hash("", &random, cost, &mut Memory::new()).unwrap_or_default().into();
        Self {
            random,
            secret,
            cpu_slots: Arc::new(Semaphore::new(cpu_slots)),
            hash_slots: Arc::new(Semaphore::new((cpu_slots - 1).max(1))),
            hash_queue: Arc::new(Semaphore::new(MAX_QUEUED)),
            verify_queue: Arc::new(Semaphore::new(MAX_QUEUED)),
            dummy_hash,
            cost,
            is_fake: false,
            pool: Arc::default(),
        }
    }

    /// The password policy. An emulator only checks the length.
    pub fn check_policy(&self, password: &str) -> ApiResult<()> {
        check_length(password)?;
        if self.is_fake {
            return Ok(());
        }
        if common_passwords::contains(password) {
            return refuse("WEAK_PASSWORD : Password is one of the most common ones");
        }
        let violations = violations(password);
        if violations.is_empty() {
            return Ok(());
        }
        refuse(format!(
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [{}]",
            violations.join(", ")
        ))
    }

    /// Encrypts an imported hash for storage.
    pub fn seal_imported(&self, hash: &ImportedHash) -> Result<String> {
        Ok(format!("{IMPORTED_PREFIX}{}", seal(&self.secret, IMPORTED_PURPOSE, hash)?))
    }

    /// Decrypts a stored hash, if it was imported.
    fn unseal_hash<'h>(&self, hash: &'h str) -> Cow<'h, str> {
        if self.is_fake
            && let Some(imported) = fake_hash::checkable(hash)
        {
            return self.unseal_hash(&imported).into_owned().into();
        }
        let imported = hash.strip_prefix(IMPORTED_PREFIX);
        let imported =
            imported.and_then(|hash| unseal::<Value>(&self.secret, IMPORTED_PURPOSE, hash));
        imported.map_or(hash.into(), |imported| imported.to_string().into())
    }

    /// Whether a hash has other parameters or another algorithm, so that it is to be replaced at the
    /// next sign-in.
    pub fn is_outdated(&self, hash: &str) -> bool {
        if self.is_fake {
            return !fake_hash::is_fake(hash);
        }
        let Cost { memory_kib, passes } = self.cost;
        !hash.starts_with(&format!("$argon2id$v=19$m={memory_kib},t={passes},p=1$"))
    }

    pub async fn hash(&self, password: &str) -> Result<String> {
        if self.is_fake {
            return Ok(fake_hash::new(password, &self.random));
        }
        let (password, random, cost) = (password.to_owned(), self.random.clone(), self.cost);
        let _queued = self.hash_queue.try_acquire().map_err(busy)?;
        let _slot = self.hash_slots.acquire().await.map_err(Error::internal)?;
        self.run(move |memory| hash(&password, &random, cost, memory)).await?
    }

    /// Without a hash the result is false, after the same time.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        let hash = hash.map(|hash| self.unseal_hash(hash));
        let hash = hash.as_deref();
        if let Some(hash) = hash.filter(|hash| self.is_fake && fake_hash::is_fake(hash)) {
            return Ok(fake_hash::matches(password, hash));
        }
        let known = hash.is_some();
        let hash: Arc<str> = hash.map_or_else(|| self.dummy_hash.clone(), Into::into);
        let password = password.to_owned();
        let _queued = self.verify_queue.try_acquire().map_err(busy)?;
        let matches = self.run(move |memory| matches(&password, &hash, memory)).await?;
        Ok(matches && known)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T> {
        let cpu_slot = self.cpu_slots.clone().acquire_owned().await.map_err(Error::internal)?;
        let pool = self.pool.clone();
        let done = tokio::task::spawn_blocking(move || {
            let mut memory = lock(&pool).memory.pop().unwrap_or_default();
            let done = work(&mut memory);
            let mut pool = lock(&pool);
            pool.memory.push(memory);
            pool.returns += 1;
            drop(cpu_slot);
            done
        });
        let done = done.await?;
        let (pool, returns) = (self.pool.clone(), lock(&self.pool).returns);
        tokio::spawn(async move {
            tokio::time::sleep(POOL_IDLE_TIMEOUT).await;
            let mut pool = lock(&pool);
            if pool.returns == returns {
                pool.memory.clear();
            }
        });
        Ok(done)
    }
}

fn lock(pool: &Mutex<MemoryPool>) -> MutexGuard<'_, MemoryPool> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}

fn busy(_: TryAcquireError) -> Error {
    Error::Unavailable("too many passwords to hash at once".into())
}

fn derive(password: &str, salt: &[u8], cost: Cost, memory: &mut Memory) -> Option<[u8; HASH_LEN]> {
    let Cost { memory_kib, passes } = cost;
    let params = Params::new(memory_kib, passes, 1, Some(HASH_LEN)).ok()?;
    memory.resize(params.block_count(), Block::default());
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut out = [0; HASH_LEN];
    argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut out, memory).ok()?;
    Some(out)
}

const HASH_LEN: usize = 32;

fn hash(password: &str, random: &Random, cost: Cost, memory: &mut Memory) -> Result<String> {
    let salt = random.bytes::<16>();
    let hash = derive(password, &salt, cost, memory);
    let hash = hash.ok_or_else(|| Error::internal("could not hash a password"))?;
    let (salt, hash) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(hash));
    let Cost { memory_kib, passes } = cost;
    Ok(format!("$argon2id$v=19$m={memory_kib},t={passes},p=1${salt}${hash}"))
}

/// Uses the algorithm and parameters that the hash names.
fn matches(password: &str, hash: &str, memory: &mut Memory) -> bool {
    if let Some(imported) = ImportedHash::from_json(hash) {
        return imported.verify(password);
    }
    let Some((cost, salt, hash)) = parse_hash(hash) else { return false };
    derive(password, &salt, cost, memory)
        .is_some_and(|derived| verify_slices_are_equal(&derived, &hash).is_ok())
}

fn parse_hash(hash: &str) -> Option<(Cost, Vec<u8>, Vec<u8>)> {
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
    async fn password_matches_only_its_own_hash() {
        let secret = Secret::new(&"secret".repeat(8)).unwrap();
        let hasher = Hasher::new(Random::seeded(1), secret);
        let stored = hasher.hash("Secret1!").await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(hasher.verify("Secret1!", Some(&stored)).await.unwrap());
        assert!(!hasher.verify("secret1!", Some(&stored)).await.unwrap());
        assert!(!hasher.verify("", None).await.unwrap(), "the dummy hash matches nothing");
        assert!(!hasher.verify("Secret1!", Some("not a hash")).await.unwrap());
        // From the reference implementation.
        let reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
        assert!(hasher.verify("password", Some(reference)).await.unwrap());
        assert!(!hasher.verify("passwore", Some(reference)).await.unwrap());
    }

    #[test]
    fn policy_violations_are_listed() {
        assert!(violations("Abcd123!").is_empty());
        assert_eq!(violations("Abc123!"), ["Password must contain at least 8 characters"]);
        assert_eq!(violations("").len(), 4);
        assert_eq!(violations("abcdef1!"), ["Password must contain an upper case character"]);
        for password in ["Password1!", "P@ssw0rd", "PASSWORD123!", "Welcome1!", "Qwerty123!"] {
            let is_common = common_passwords::contains(password);
            assert!(violations(password).is_empty() && is_common, "{password}");
        }
    }
}
