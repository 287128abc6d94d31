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
pub struct ImportedHash {
    #[serde(flatten)]
    function: HashFunction,
    #[serde(default)]
    salt: Base64,
    hash: Base64,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum HashFunction {
    /// Google's variant: scrypt derives a key, which encrypts the project's signer key.
    FirebaseScrypt {
        signer_key: Base64,
        rounds: u32,
        memory_cost: u32,
    },
    StandardScrypt {
        cost: u32,
        block_size: u32,
        parallelization: u32,
    },
    /// The hash is a string `$2b$10$…`, which contains cost and salt.
    Bcrypt,
    Argon2 {
        variant: Argon2Variant,
        memory_kib: u32,
        iterations: u32,
        parallelism: u32,
        associated_data: Base64,
        old_version: bool,
    },
    Pbkdf2 {
        digest: Digest,
        rounds: u32,
    },
    Hmac {
        digest: Digest,
        key: Base64,
        password_first: bool,
    },
    /// A single digest. Weak, but it is replaced at the next sign-in.
    Plain {
        digest: Digest,
        password_first: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Argon2Variant {
    D,
    I,
    Id,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Digest {
    Sha1,
    Sha256,
    Sha512,
}

/// Bytes that are serialized as base64.
#[derive(Clone, Default, PartialEq)]
struct Base64(Vec<u8>);

/// An error code of Google's Admin SDKs.
type ErrorCode = &'static str;
type HashResult<T = ImportedHash> = Result<T, ErrorCode>;

impl ImportedHash {
    /// Slow on purpose: call it on a blocking thread.
    pub fn verify(&self, password: &str) -> bool {
        if self.function == HashFunction::Bcrypt {
            let matches = |hash: &str| bcrypt::verify(password, hash).unwrap_or(false);
            return self.bcrypt_text().is_some_and(matches);
        }
        self.derive(password.as_bytes())
            .is_some_and(|derived| verify_slices_are_equal(&derived, &self.hash.0).is_ok())
    }

    fn bcrypt_text(&self) -> Option<&str> {
        std::str::from_utf8(&self.hash.0).ok()
    }

    /// The hash of a password; `None` if the parameters are invalid.
    fn derive(&self, password: &[u8]) -> Option<Vec<u8>> {
        let Self { function, salt: Base64(salt), hash } = self;
        let mut derived = vec![0; hash.0.len()];
        match function {
            HashFunction::Bcrypt => return None,
            HashFunction::FirebaseScrypt { signer_key, rounds, memory_cost } => {
                let params = scrypt::Params::new((*memory_cost).try_into().ok()?, *rounds, 1);
                let mut key = [0; 64];
                scrypt::scrypt(password, salt, &params.ok()?, &mut key).ok()?;
                // The initial counter is 0, because each key encrypts only once.
                let key = UnboundCipherKey::new(&AES_256, &key[..32]).ok()?;
                let start = EncryptionContext::Iv128(FixedLength::from([0; 16]));
                derived = signer_key.0.clone();
                EncryptingKey::ctr(key).ok()?.less_safe_encrypt(&mut derived, start).ok()?;
            }
            HashFunction::StandardScrypt { cost, block_size, parallelization } => {
                let log = cost.checked_ilog2()?.try_into().ok()?;
                let params = scrypt::Params::new(log, *block_size, *parallelization).ok()?;
                scrypt::scrypt(password, salt, &params, &mut derived).ok()?;
            }
            HashFunction::Argon2 {
                variant,
                memory_kib,
                iterations,
                parallelism,
                associated_data,
                old_version,
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
                    .hash_password_into(password, salt, &mut derived)
                    .ok()?;
            }
            HashFunction::Pbkdf2 { digest, rounds } => {
                let rounds = NonZeroU32::new(*rounds)?;
                pbkdf2::derive(digest.algorithms().2, rounds, salt, password, &mut derived);
            }
            HashFunction::Hmac { digest, key, password_first } => {
                let key = hmac::Key::new(digest.algorithms().1, &key.0);
                let joined = join(password, salt, *password_first);
                derived = hmac::sign(&key, &joined).as_ref().to_vec();
            }
            HashFunction::Plain { digest, password_first } => {
                let joined = join(password, salt, *password_first);
                derived = digest::digest(digest.algorithms().0, &joined).as_ref().to_vec();
            }
        }
        Some(derived)
    }

    /// Rejects parameters that are too expensive, or hashes that are too short to be safe.
    fn check_limits(&self) -> HashResult<()> {
        let ensure = |ok: bool, error| if ok { Ok(()) } else { Err(error) };
        let fits = |bytes: &Base64| bytes.0.len() <= MAX_LEN;
        let hash_length = self.hash.0.len();
        match &self.function {
            HashFunction::Bcrypt => {
                let parts = self.bcrypt_text().and_then(|hash| hash.parse().ok());
                let parts: bcrypt::HashParts = parts.ok_or("INVALID_PASSWORD_HASH")?;
                let cost = parts.get_cost();
                return ensure((4..=MAX_BCRYPT_COST).contains(&cost), "INVALID_HASH_ROUNDS");
            }
            HashFunction::FirebaseScrypt { signer_key, rounds, memory_cost } => {
                ensure((1..=FIREBASE_ROUNDS).contains(rounds), "INVALID_HASH_ROUNDS")?;
                ensure((1..=FIREBASE_MEMORY).contains(memory_cost), "INVALID_HASH_MEMORY_COST")?;
                ensure(fits(signer_key), "INVALID_HASH_KEY")?;
                ensure(signer_key.0.len() == hash_length, "INVALID_PASSWORD_HASH")?;
            }
            HashFunction::StandardScrypt { cost, block_size, parallelization } => {
                let memory = u64::from(*cost) * u64::from(*block_size);
                ensure(*cost > 1 && cost.is_power_of_two(), "INVALID_HASH_MEMORY_COST")?;
                ensure(*block_size > 0, "INVALID_HASH_BLOCK_SIZE")?;
                ensure(memory <= u64::from(MAX_MEMORY_KIB) * 8, "INVALID_HASH_MEMORY_COST")?;
                let work = memory.checked_mul(u64::from(*parallelization));
                let is_bounded = work.is_some_and(|work| (1..=MAX_SCRYPT_WORK).contains(&work));
                ensure(is_bounded, "INVALID_HASH_PARALLELIZATION")?;
            }
            HashFunction::Argon2 {
                memory_kib, iterations, parallelism, associated_data, ..
            } => {
                ensure((1..=16).contains(parallelism), "INVALID_HASH_PARALLELIZATION")?;
                let min = 8 * parallelism;
                ensure((min..=MAX_MEMORY_KIB).contains(memory_kib), "INVALID_HASH_MEMORY_COST")?;
                let work = u64::from(*memory_kib) * u64::from(*iterations);
                ensure((1..=MAX_ARGON2_WORK).contains(&work), "INVALID_HASH_ROUNDS")?;
                let data = AssociatedData::new(&associated_data.0);
                ensure(data.is_ok(), "INVALID_ARGON2_ASSOCIATED_DATA")?;
                ensure(self.salt.0.len() >= argon2::MIN_SALT_LEN, "INVALID_PASSWORD_SALT")?;
            }
            HashFunction::Pbkdf2 { digest, rounds } => {
                let blocks = hash_length.div_ceil(digest.length()).max(1) as u64;
                let work = u64::from(*rounds) * blocks;
                ensure((1..=MAX_PBKDF2_WORK).contains(&work), "INVALID_HASH_ROUNDS")?;
            }
            HashFunction::Hmac { key, digest, .. } => {
                ensure(!key.0.is_empty() && fits(key), "INVALID_HASH_KEY")?;
                ensure(hash_length == digest.length(), "INVALID_PASSWORD_HASH")?;
            }
            HashFunction::Plain { digest, .. } => {
                ensure(hash_length == digest.length(), "INVALID_PASSWORD_HASH")?;
            }
        }
        ensure(fits(&self.salt), "INVALID_PASSWORD_SALT")?;
        ensure((MIN_HASH_LENGTH..=MAX_LEN).contains(&hash_length), "INVALID_PASSWORD_HASH")
    }

    /// `None` for a hash of our own, which begins with `$` instead of `{`.
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
    fn algorithms(self) -> (&'static digest::Algorithm, hmac::Algorithm, pbkdf2::Algorithm) {
        match self {
            Self::Sha1 => (
                &digest::SHA1_FOR_LEGACY_USE_ONLY,
                hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
                pbkdf2::PBKDF2_HMAC_SHA1,
            ),
            Self::Sha256 => (&digest::SHA256, hmac::HMAC_SHA256, pbkdf2::PBKDF2_HMAC_SHA256),
            Self::Sha512 => (&digest::SHA512, hmac::HMAC_SHA512, pbkdf2::PBKDF2_HMAC_SHA512),
        }
    }

    fn length(self) -> usize {
        self.algorithms().0.output_len()
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
        // A bcrypt hash used to be stored as the string that it is.
        let bytes =
            if text.starts_with('$') { Some(Self(text.into_bytes())) } else { decode(&text) };
        bytes.ok_or_else(|| D::Error::custom("not base64"))
    }
}
