//! Imported password hashes (scrypt, bcrypt, Argon2, PBKDF2, HMAC, SHA), so that users of
//! `accounts:batchCreate` keep their passwords. A hash is replaced by one of our own at the first
//! sign-in. The cost parameters are limited here, so that no sign-in can exhaust the server.

pub mod parse;

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

/// Per verification: 64 MiB, and about a second of one CPU.
const MAX_MEMORY_KIB: u32 = 64 * 1024;
/// In blocks: of 128 bytes for scrypt (N·r·p), of 1 KiB for Argon2 in all passes.
const MAX_SCRYPT_WORK: u64 = 1 << 20;
const MAX_ARGON2_WORK: u64 = 1 << 19;
const MAX_BCRYPT_COST: u32 = 14;
/// Rounds, for each digest length of the hash: OWASP's recommendation, twice.
const MAX_PBKDF2_WORK: u64 = 2 * 600_000;
/// Google's limits for its own scrypt.
const FIREBASE_ROUNDS: u32 = 8;
const FIREBASE_MEMORY: u32 = 14;
/// Of a salt, a key or a hash, in bytes.
const MAX_LEN: usize = 1024;
/// Many passwords match a shorter hash, and all match an empty one.
const MIN_HASH_LENGTH: usize = 16;

/// A hash with all parameters to verify a password.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ImportedHash {
    /// Google's variant: scrypt derives a key, which encrypts the project's signer key.
    FirebaseScrypt {
        signer_key: Base64,
        rounds: u32,
        memory_cost: u32,
        salt: Base64,
        hash: Base64,
    },
    StandardScrypt {
        cost: u32,
        block_size: u32,
        parallelization: u32,
        salt: Base64,
        hash: Base64,
    },
    /// A string `$2b$10$…`, which contains cost and salt.
    Bcrypt {
        hash: String,
    },
    Argon2 {
        variant: Argon2Variant,
        memory_kib: u32,
        iterations: u32,
        parallelism: u32,
        associated_data: Base64,
        salt: Base64,
        hash: Base64,
        old_version: bool,
    },
    Pbkdf2 {
        digest: Digest,
        rounds: u32,
        salt: Base64,
        hash: Base64,
    },
    Hmac {
        digest: Digest,
        key: Base64,
        password_first: bool,
        salt: Base64,
        hash: Base64,
    },
    /// A single digest. Weak, but it is replaced at the next sign-in.
    Plain {
        digest: Digest,
        password_first: bool,
        salt: Base64,
        hash: Base64,
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

/// Bytes that are serialized as base64.
#[derive(Clone, Default, PartialEq)]
pub struct Base64(Vec<u8>);

/// An error code of Google's Admin SDKs.
type ErrorCode = &'static str;
type HashResult<T = ImportedHash> = Result<T, ErrorCode>;

impl ImportedHash {
    /// Slow on purpose: call it on a blocking thread.
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

    /// The hash of a password; `None` if the parameters are invalid.
    fn derive(&self, password: &[u8], length: usize) -> Option<Vec<u8>> {
        let mut derived = vec![0; length];
        match self {
            Self::Bcrypt { .. } => return None,
            Self::FirebaseScrypt { signer_key, rounds, memory_cost, salt, .. } => {
                let params = scrypt::Params::new((*memory_cost).try_into().ok()?, *rounds, 1);
                let mut key = [0; 64];
                scrypt::scrypt(password, &salt.0, &params.ok()?, &mut key).ok()?;
                // The initial counter is 0, because each key encrypts only once.
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

    /// Rejects parameters that are too expensive, or hashes that are too short to be safe.
    fn check_limits(&self) -> HashResult<()> {
        let ensure = |ok: bool, error| if ok { Ok(()) } else { Err(error) };
        let fits = |bytes: &Base64| bytes.0.len() <= MAX_LEN;
        let scrypt = |cost: u32, block_size: u32, parallelization: u32| {
            let memory = u64::from(cost) * u64::from(block_size);
            ensure(cost > 1 && cost.is_power_of_two(), "INVALID_HASH_MEMORY_COST")?;
            ensure(block_size > 0, "INVALID_HASH_BLOCK_SIZE")?;
            ensure(memory <= u64::from(MAX_MEMORY_KIB) * 8, "INVALID_HASH_MEMORY_COST")?;
            let work = memory.checked_mul(u64::from(parallelization));
            let is_bounded = work.is_some_and(|work| (1..=MAX_SCRYPT_WORK).contains(&work));
            ensure(is_bounded, "INVALID_HASH_PARALLELIZATION")
        };
        match self {
            Self::Bcrypt { hash } => {
                let parts: bcrypt::HashParts = hash.parse().map_err(|_| "INVALID_PASSWORD_HASH")?;
                let cost = parts.get_cost();
                return ensure((4..=MAX_BCRYPT_COST).contains(&cost), "INVALID_HASH_ROUNDS");
            }
            Self::FirebaseScrypt { signer_key, rounds, memory_cost, hash, .. } => {
                ensure((1..=FIREBASE_ROUNDS).contains(rounds), "INVALID_HASH_ROUNDS")?;
                ensure((1..=FIREBASE_MEMORY).contains(memory_cost), "INVALID_HASH_MEMORY_COST")?;
                ensure(fits(signer_key), "INVALID_HASH_KEY")?;
                ensure(signer_key.0.len() == hash.0.len(), "INVALID_PASSWORD_HASH")?;
            }
            Self::StandardScrypt { cost, block_size, parallelization, .. } => {
                scrypt(*cost, *block_size, *parallelization)?;
            }
            Self::Argon2 { memory_kib, iterations, parallelism, associated_data, salt, .. } => {
                ensure((1..=16).contains(parallelism), "INVALID_HASH_PARALLELIZATION")?;
                let min = 8 * parallelism;
                ensure((min..=MAX_MEMORY_KIB).contains(memory_kib), "INVALID_HASH_MEMORY_COST")?;
                let work = u64::from(*memory_kib) * u64::from(*iterations);
                ensure((1..=MAX_ARGON2_WORK).contains(&work), "INVALID_HASH_ROUNDS")?;
                let data = AssociatedData::new(&associated_data.0);
                ensure(data.is_ok(), "INVALID_ARGON2_ASSOCIATED_DATA")?;
                ensure(salt.0.len() >= argon2::MIN_SALT_LEN, "INVALID_PASSWORD_SALT")?;
            }
            Self::Pbkdf2 { digest, rounds, hash, .. } => {
                let blocks = hash.0.len().div_ceil(digest.length()).max(1) as u64;
                let work = u64::from(*rounds) * blocks;
                ensure((1..=MAX_PBKDF2_WORK).contains(&work), "INVALID_HASH_ROUNDS")?;
            }
            Self::Hmac { key, digest, hash, .. } => {
                ensure(!key.0.is_empty() && fits(key), "INVALID_HASH_KEY")?;
                ensure(hash.0.len() == digest.length(), "INVALID_PASSWORD_HASH")?;
            }
            Self::Plain { digest, hash, .. } => {
                ensure(hash.0.len() == digest.length(), "INVALID_PASSWORD_HASH")?;
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
        ensure(fits(salt), "INVALID_PASSWORD_SALT")?;
        ensure((MIN_HASH_LENGTH..=MAX_LEN).contains(&hash.0.len()), "INVALID_PASSWORD_HASH")
    }

    /// Begins with `{`, while a hash of our own begins with `$`.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// `None` for a hash of our own.
    pub fn from_json(text: &str) -> Option<Self> {
        let imported: Self = serde_json::from_str(text).ok()?;
        imported.check_limits().is_ok().then_some(imported)
    }
}

/// Never shows the content, which may also give access elsewhere.
impl fmt::Debug for ImportedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ImportedHash(…)")
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

/// Accepts both alphabets, with and without padding, because Google's tools write all of them.
fn decode(text: &str) -> Option<Base64> {
    const ANY_BASE64: GeneralPurpose = GeneralPurpose::new(
        &alphabet::URL_SAFE,
        GeneralPurposeConfig::new()
            .with_encode_padding(false)
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    ANY_BASE64.decode(text.replace('+', "-").replace('/', "_")).ok().map(Base64)
}

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        base64::engine::general_purpose::STANDARD.encode(&self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        decode(&text).ok_or_else(|| D::Error::custom("not base64"))
    }
}
