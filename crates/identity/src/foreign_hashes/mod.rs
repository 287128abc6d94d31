//! Password hashes from elsewhere: what `accounts:batchCreate` brings, so that people who move here
//! keep their passwords. Pure. A hash is kept in this form until its owner signs in, and is then
//! replaced by one of our own. Whatever an import asks for is bounded here: a sign-in must not stall.

mod read;

use std::fmt;
use std::num::NonZeroU32;

use argon2::{Algorithm, Argon2, AssociatedData, ParamsBuilder, Version};
use aws_lc_rs::cipher::{AES_256, EncryptingKey, EncryptionContext, UnboundCipherKey};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::{digest, hmac, pbkdf2};
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

pub use read::read;

/// What one check may take: 64 MiB, and at most about a second of one core.
const MEMORY_KIB: u32 = 64 * 1024;
/// Scrypt's blocks of 128 bytes (N·r·p), Argon2's blocks of 1 KiB in all passes.
const SCRYPT_WORK: u64 = 1 << 20;
const ARGON2_WORK: u64 = 1 << 19;
const BCRYPT_COST: u32 = 14;
/// Rounds, once for each digest's length of the hash: for two of them as many as OWASP advises.
const PBKDF2_WORK: u64 = 2 * 600_000;
/// Google's limits for its own scrypt.
const FIREBASE_ROUNDS: u32 = 8;
const FIREBASE_MEMORY: u32 = 14;
/// Of a salt, a key or a hash, in bytes.
const LONGEST: usize = 1024;
/// A shorter hash would open to too many passwords, an empty one to all.
const SHORTEST_HASH: usize = 16;

/// A hash and all that it takes to check a password against it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Foreign {
    /// Google's own: scrypt makes a key, and the key encrypts the project's signer key.
    FirebaseScrypt {
        signer_key: Bytes,
        rounds: u32,
        memory_cost: u32,
        salt: Bytes,
        hash: Bytes,
    },
    StandardScrypt {
        cost: u32,
        block_size: u32,
        parallelization: u32,
        salt: Bytes,
        hash: Bytes,
    },
    /// The usual text `$2b$10$…`, which carries cost and salt.
    Bcrypt {
        hash: String,
    },
    Argon2 {
        variant: Argon2Variant,
        memory_kib: u32,
        iterations: u32,
        parallelism: u32,
        associated_data: Bytes,
        salt: Bytes,
        hash: Bytes,
        old_version: bool,
    },
    Pbkdf2 {
        digest: Digest,
        rounds: u32,
        salt: Bytes,
        hash: Bytes,
    },
    Hmac {
        digest: Digest,
        key: Bytes,
        password_first: bool,
        salt: Bytes,
        hash: Bytes,
    },
    /// A digest, taken once: a poor keeper of passwords, which is why it is replaced so soon.
    Plain {
        digest: Digest,
        password_first: bool,
        salt: Bytes,
        hash: Bytes,
    },
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Argon2Variant {
    D,
    I,
    Id,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Digest {
    Sha1,
    Sha256,
    Sha512,
}

/// Bytes, in base64 wherever they are text.
#[derive(Clone, Default, PartialEq)]
pub struct Bytes(Vec<u8>);

/// What a request is refused for, in the words of Google's Admin SDKs.
type Refused = &'static str;

impl Foreign {
    /// Whether this is the password. Takes as long as its maker wanted, so off the async threads.
    pub fn verify(&self, password: &str) -> bool {
        let password = password.as_bytes();
        match self {
            Self::Bcrypt { hash } => bcrypt::verify(password, hash).unwrap_or(false),
            Self::FirebaseScrypt { hash, .. }
            | Self::StandardScrypt { hash, .. }
            | Self::Argon2 { hash, .. }
            | Self::Pbkdf2 { hash, .. }
            | Self::Hmac { hash, .. }
            | Self::Plain { hash, .. } => self
                .derive(password, hash.0.len())
                .is_some_and(|derived| verify_slices_are_equal(&derived, &hash.0).is_ok()),
        }
    }

    /// What the password becomes; `None` when it cannot be told.
    fn derive(&self, password: &[u8], length: usize) -> Option<Vec<u8>> {
        let mut derived = vec![0; length];
        match self {
            Self::Bcrypt { .. } => return None,
            Self::FirebaseScrypt { signer_key, rounds, memory_cost, salt, .. } => {
                let params = scrypt::Params::new((*memory_cost).try_into().ok()?, *rounds, 1);
                let mut key = [0; 64];
                scrypt::scrypt(password, &salt.0, &params.ok()?, &mut key).ok()?;
                // The counter starts at nothing: every password has a key of its own, used once.
                let key = UnboundCipherKey::new(&AES_256, &key[..32]).ok()?;
                let start = EncryptionContext::Iv128(FixedLength::from([0; 16]));
                derived = signer_key.0.clone();
                EncryptingKey::ctr(key).ok()?.less_safe_encrypt(&mut derived, start).ok()?;
            }
            Self::StandardScrypt { cost, block_size, parallelization, salt, .. } => {
                let log = cost.checked_ilog2()?.try_into().ok()?;
                let params = scrypt::Params::new(log, *block_size, *parallelization).ok()?;
                scrypt::scrypt(password, &salt.0, &params, &mut derived).ok()?;
            }
            Self::Argon2 {
                variant,
                memory_kib,
                iterations,
                parallelism,
                associated_data,
                salt,
                old_version,
                ..
            } => {
                let mut params = ParamsBuilder::new();
                params.m_cost(*memory_kib).t_cost(*iterations).p_cost(*parallelism);
                params.data(AssociatedData::new(&associated_data.0).ok()?);
                let variant = match variant {
                    Argon2Variant::D => Algorithm::Argon2d,
                    Argon2Variant::I => Algorithm::Argon2i,
                    Argon2Variant::Id => Algorithm::Argon2id,
                };
                let version = if *old_version { Version::V0x10 } else { Version::V0x13 };
                Argon2::new(variant, version, params.build().ok()?)
                    .hash_password_into(password, &salt.0, &mut derived)
                    .ok()?;
            }
            Self::Pbkdf2 { digest, rounds, salt, .. } => {
                let algorithm = match digest {
                    Digest::Sha1 => pbkdf2::PBKDF2_HMAC_SHA1,
                    Digest::Sha256 => pbkdf2::PBKDF2_HMAC_SHA256,
                    Digest::Sha512 => pbkdf2::PBKDF2_HMAC_SHA512,
                };
                let rounds = NonZeroU32::new(*rounds)?;
                pbkdf2::derive(algorithm, rounds, &salt.0, password, &mut derived);
            }
            Self::Hmac { digest, key, password_first, salt, .. } => {
                let algorithm = match digest {
                    Digest::Sha1 => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
                    Digest::Sha256 => hmac::HMAC_SHA256,
                    Digest::Sha512 => hmac::HMAC_SHA512,
                };
                let key = hmac::Key::new(algorithm, &key.0);
                let joined = join(password, &salt.0, *password_first);
                derived = hmac::sign(&key, &joined).as_ref().to_vec();
            }
            Self::Plain { digest, password_first, salt, .. } => {
                let algorithm = match digest {
                    Digest::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
                    Digest::Sha256 => &digest::SHA256,
                    Digest::Sha512 => &digest::SHA512,
                };
                let joined = join(password, &salt.0, *password_first);
                derived = digest::digest(algorithm, &joined).as_ref().to_vec();
            }
        }
        Some(derived)
    }

    /// Refuses what would take too long, too much memory, or would open to anybody.
    fn within_limits(&self) -> Result<(), Refused> {
        let ask = |good: bool, refused| if good { Ok(()) } else { Err(refused) };
        let fits = |bytes: &Bytes| bytes.0.len() <= LONGEST;
        let scrypt = |cost: u32, block_size: u32, parallelization: u32| {
            let memory = u64::from(cost) * u64::from(block_size);
            ask(cost > 1 && cost.is_power_of_two(), "INVALID_HASH_MEMORY_COST")?;
            ask(block_size > 0, "INVALID_HASH_BLOCK_SIZE")?;
            ask(memory <= u64::from(MEMORY_KIB) * 8, "INVALID_HASH_MEMORY_COST")?;
            let work = memory.checked_mul(u64::from(parallelization));
            let bounded = work.is_some_and(|work| (1..=SCRYPT_WORK).contains(&work));
            ask(bounded, "INVALID_HASH_PARALLELIZATION")
        };
        match self {
            Self::Bcrypt { hash } => {
                let parts: bcrypt::HashParts = hash.parse().map_err(|_| "INVALID_PASSWORD_HASH")?;
                let cost = parts.get_cost();
                return ask((4..=BCRYPT_COST).contains(&cost), "INVALID_HASH_ROUNDS");
            }
            Self::FirebaseScrypt { signer_key, rounds, memory_cost, hash, .. } => {
                ask((1..=FIREBASE_ROUNDS).contains(rounds), "INVALID_HASH_ROUNDS")?;
                ask((1..=FIREBASE_MEMORY).contains(memory_cost), "INVALID_HASH_MEMORY_COST")?;
                ask(fits(signer_key), "INVALID_HASH_KEY")?;
                ask(signer_key.0.len() == hash.0.len(), "INVALID_PASSWORD_HASH")?;
            }
            Self::StandardScrypt { cost, block_size, parallelization, .. } => {
                scrypt(*cost, *block_size, *parallelization)?;
            }
            Self::Argon2 { memory_kib, iterations, parallelism, associated_data, salt, .. } => {
                ask((1..=16).contains(parallelism), "INVALID_HASH_PARALLELIZATION")?;
                let least = 8 * parallelism;
                ask((least..=MEMORY_KIB).contains(memory_kib), "INVALID_HASH_MEMORY_COST")?;
                let work = u64::from(*memory_kib) * u64::from(*iterations);
                ask((1..=ARGON2_WORK).contains(&work), "INVALID_HASH_ROUNDS")?;
                let data = AssociatedData::new(&associated_data.0);
                ask(data.is_ok(), "INVALID_ARGON2_ASSOCIATED_DATA")?;
                ask(salt.0.len() >= argon2::MIN_SALT_LEN, "INVALID_PASSWORD_SALT")?;
            }
            Self::Pbkdf2 { digest, rounds, hash, .. } => {
                let blocks = hash.0.len().div_ceil(digest.length()).max(1) as u64;
                let work = u64::from(*rounds) * blocks;
                ask((1..=PBKDF2_WORK).contains(&work), "INVALID_HASH_ROUNDS")?;
            }
            Self::Hmac { key, digest, hash, .. } => {
                ask(!key.0.is_empty() && fits(key), "INVALID_HASH_KEY")?;
                ask(hash.0.len() == digest.length(), "INVALID_PASSWORD_HASH")?;
            }
            Self::Plain { digest, hash, .. } => {
                ask(hash.0.len() == digest.length(), "INVALID_PASSWORD_HASH")?;
            }
        }
        let (Self::FirebaseScrypt { salt, hash, .. }
        | Self::StandardScrypt { salt, hash, .. }
        | Self::Argon2 { salt, hash, .. }
        | Self::Pbkdf2 { salt, hash, .. }
        | Self::Hmac { salt, hash, .. }
        | Self::Plain { salt, hash, .. }) = self
        else {
            return Ok(());
        };
        ask(fits(salt), "INVALID_PASSWORD_SALT")?;
        ask((SHORTEST_HASH..=LONGEST).contains(&hash.0.len()), "INVALID_PASSWORD_HASH")
    }

    /// How it is kept; begins with `{`, where a hash of our own begins with `$`.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// The other way; `None` for a hash of our own.
    pub fn from_text(text: &str) -> Option<Self> {
        let foreign: Self = serde_json::from_str(text).ok()?;
        foreign.within_limits().is_ok().then_some(foreign)
    }
}

/// What is inside opens an account elsewhere too: never shown.
impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Foreign(…)")
    }
}

impl Digest {
    fn length(self) -> usize {
        match self {
            Self::Sha1 => digest::SHA1_OUTPUT_LEN,
            Self::Sha256 => digest::SHA256_OUTPUT_LEN,
            Self::Sha512 => digest::SHA512_OUTPUT_LEN,
        }
    }
}

fn join(password: &[u8], salt: &[u8], password_first: bool) -> Vec<u8> {
    if password_first { [password, salt].concat() } else { [salt, password].concat() }
}

/// Either alphabet, with padding or without: Google's own tools write all four.
fn decode(text: &str) -> Option<Bytes> {
    const EITHER: GeneralPurpose = GeneralPurpose::new(
        &alphabet::URL_SAFE,
        GeneralPurposeConfig::new()
            .with_encode_padding(false)
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    EITHER.decode(text.replace('+', "-").replace('/', "_")).ok().map(Bytes)
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        base64::engine::general_purpose::STANDARD.encode(&self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        decode(&text).ok_or_else(|| D::Error::custom("not base64"))
    }
}
