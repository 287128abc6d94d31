//! Signing keys for ID tokens (RSA): generated at the first start, encrypted with the shop's secret,
//! rotated every month with an overlap, and published as JWKS and certificates.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use platform::secret::Secret;
use platform::{Clock, Db, Error, Random, Result, Timestamp, revisions};
use rcgen::{CertificateParams, DnType};
use serde::Serialize;
use serde_json::{Value, json};

use crate::crypto::hex;
use crate::wire::JwtClaims;

const DAY: Duration = Duration::from_secs(24 * 3600);
/// How long a key signs.
const SIGNS_FOR: Duration = Duration::from_secs(30 * 24 * 3600);
/// Longer than the last tokens that it signed are valid.
const PUBLISHED_FOR: Duration = Duration::from_secs(32 * 24 * 3600);
/// How long verifiers may cache the keys; a new key is published before it signs.
pub const MAX_AGE_SECONDS: u64 = 3600;
const PURPOSE: &str = "identity signing keys";

/// Signs and verifies tokens.
#[derive(Clone)]
pub enum TokenSigner {
    Rsa(SigningKeys),
    /// Tokens with `alg: none`, for the emulator only.
    Unsigned,
}

impl TokenSigner {
    pub fn sign(&self, claims: &JwtClaims) -> Result<String> {
        match self {
            Self::Rsa(keys) => keys.sign(claims),
            Self::Unsigned => {
                let header = json!({ "alg": "none", "typ": "JWT" });
                Ok(format!("{}.", encode_token(&header, claims)?))
            }
        }
    }

    pub fn verify(&self, token: &str, issuer: &str, audience: &str) -> Option<JwtClaims> {
        match self {
            Self::Rsa(keys) => keys.verify(token, issuer, audience),
            Self::Unsigned => unsigned_claims(token),
        }
    }

    pub fn keys(&self) -> Option<&SigningKeys> {
        match self {
            Self::Rsa(keys) => Some(keys),
            Self::Unsigned => None,
        }
    }
}

/// The claims of a token, unverified.
pub fn unsigned_claims(token: &str) -> Option<JwtClaims> {
    let [_, claims, _] = token.split('.').collect::<Vec<_>>()[..] else { return None };
    let claims = URL_SAFE_NO_PAD.decode(claims.trim_end_matches('=')).ok()?;
    serde_json::from_slice(&claims).ok()
}

#[derive(Clone)]
pub struct SigningKeys(Arc<KeysInner>);

struct KeysInner {
    db: Db,
    clock: Clock,
    random: Random,
    secret: Secret,
    current: RwLock<Arc<LoadedKeys>>,
}

struct LoadedKeys {
    signing: SigningKey,
    published: Vec<SigningKey>,
}

#[derive(Clone)]
struct SigningKey {
    id: String,
    pair: Arc<KeyPair>,
    public: DecodingKey,
    certificate: String,
}

#[derive(sqlx::FromRow)]
struct KeyRow {
    id: String,
    sealed_key: String,
    certificate: String,
    created_at: Timestamp,
}

impl SigningKeys {
    pub async fn start(db: &Db, clock: &Clock, random: &Random, secret: Secret) -> Result<Self> {
        let (db, clock, random) = (db.clone(), clock.clone(), random.clone());
        let current = RwLock::new(Arc::new(rotate(&db, &clock, &random, &secret).await?));
        Ok(Self(Arc::new(KeysInner { db, clock, random, secret, current })))
    }

    /// Rotates the keys if it is time, and loads those that other servers generated.
    pub async fn rotate(&self) -> Result<()> {
        let KeysInner { db, clock, random, secret, current } = &*self.0;
        let new = rotate(db, clock, random, secret).await?;
        *current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
        Ok(())
    }

    fn current(&self) -> Arc<LoadedKeys> {
        self.0.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn sign(&self, claims: &JwtClaims) -> Result<String> {
        let SigningKey { id, pair, .. } = &self.current().signing;
        sign(id, pair, claims)
    }

    /// The claims of a token that one of our keys signed for this audience. The caller checks the expiry.
    pub fn verify(&self, token: &str, issuer: &str, audience: &str) -> Option<JwtClaims> {
        let header = jsonwebtoken::decode_header(token).ok()?;
        let key = self.find_published(&header.kid?)?;
        let mut validation = Validation::new(Algorithm::RS256);
        validation.validate_exp = false;
        validation.set_issuer(&[issuer]);
        validation.set_audience(&[audience]);
        validation.set_required_spec_claims(&["iss", "aud", "exp", "sub"]);
        jsonwebtoken::decode(token, &key, &validation).ok().map(|token| token.claims)
    }

    pub fn find_published(&self, id: &str) -> Option<DecodingKey> {
        self.current().published.iter().find(|key| key.id == id).map(|key| key.public.clone())
    }

    /// The published keys as a JSON Web Key Set.
    pub fn jwks(&self) -> Value {
        let current = self.current();
        let keys = current.published.iter().map(|key| jwk(&key.id, &key.pair));
        json!({ "keys": keys.collect::<Vec<_>>() })
    }

    /// The published keys as X.509 certificates, by key id.
    pub fn certificates(&self) -> BTreeMap<String, String> {
        let current = self.current();
        current.published.iter().map(|key| (key.id.clone(), key.certificate.clone())).collect()
    }
}

pub fn sign(id: &str, pair: &KeyPair, claims: &impl Serialize) -> Result<String> {
    let header = json!({ "alg": "RS256", "kid": id, "typ": "JWT" });
    let message = encode_token(&header, claims)?;
    let mut signature = vec![0; pair.public_modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature)
        .map_err(|_| Error::internal("signing failed"))?;
    Ok(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

/// A JSON Web Token without its signature.
fn encode_token(header: &Value, claims: &impl Serialize) -> Result<String> {
    let claims = URL_SAFE_NO_PAD.encode(serde_json::to_vec(claims)?);
    Ok(format!("{}.{claims}", URL_SAFE_NO_PAD.encode(header.to_string())))
}

/// A public key as a JSON Web Key.
pub fn jwk(id: &str, pair: &KeyPair) -> Value {
    let (n, e) = public_components(pair);
    json!({ "kid": id, "kty": "RSA", "alg": "RS256", "use": "sig", "n": n, "e": e })
}

pub fn public_components(pair: &KeyPair) -> (String, String) {
    let public = pair.public_key();
    let part = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    (
        part(public.modulus().big_endian_without_leading_zero()),
        part(public.exponent().big_endian_without_leading_zero()),
    )
}

/// Generates a key if the newest has signed long enough, deletes outdated ones, and loads the rest. In
/// one transaction, so that only one of many servers generates a key.
async fn rotate(db: &Db, clock: &Clock, random: &Random, secret: &Secret) -> Result<LoadedKeys> {
    let now = clock.now();
    let mut tx = db.begin().await?;
    revisions::lock_bulk_writes(&mut tx).await?;
    tx.query("delete from signing_keys where created_at < $1")
        .bind(now.minus(PUBLISHED_FOR))
        .execute()
        .await?;
    let read =
        "select id, sealed_key, certificate, created_at from signing_keys order by created_at desc";
    let mut rows: Vec<KeyRow> = tx.query(read).all().await?;
    // Generated a day early, so that verifiers know it in time.
    let recent = rows.first().is_some_and(|row| row.created_at > now.minus(SIGNS_FOR - DAY));
    if !recent {
        let row = generate(now, random, secret)?;
        tx.query(
            "insert into signing_keys (id, sealed_key, certificate, created_at) values ($1, $2, $3, $4)",
        )
        .bind(row.id.as_str())
        .bind(row.sealed_key.as_str())
        .bind(row.certificate.as_str())
        .bind(row.created_at)
        .execute()
        .await?;
        rows.insert(0, row);
    }
    tx.commit().await?;

    let known_to_verifiers =
        |row: &KeyRow| row.created_at <= now.minus(Duration::from_secs(2 * MAX_AGE_SECONDS));
    let published = rows.iter().map(|row| decrypt(row, secret)).collect::<Result<Vec<_>>>()?;
    let known = rows.iter().position(known_to_verifiers);
    let signing = known.map_or(published.last(), |index| published.get(index)).cloned();
    let signing = signing.ok_or_else(|| Error::internal("there is no signing key"))?;
    Ok(LoadedKeys { signing, published })
}

fn generate(now: Timestamp, random: &Random, secret: &Secret) -> Result<KeyRow> {
    let (_, der) = generate_pair()?;
    let key = rcgen::KeyPair::try_from(der.as_ref()).map_err(Error::internal)?;
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "securetoken");
    let certificate = params.self_signed(&key).map_err(Error::internal)?.pem();
    let sealed = secret
        .seal(PURPOSE, der.as_ref())
        .ok_or_else(|| Error::internal("could not encrypt a key"))?;
    let (id, sealed_key) = (hex(random.bytes::<20>()), STANDARD.encode(sealed));
    Ok(KeyRow { id, sealed_key, certificate, created_at: now })
}

/// A key pair, and its private key to store.
pub fn generate_pair() -> Result<(KeyPair, Pkcs8V1Der<'static>)> {
    let pair = KeyPair::generate(KeySize::Rsa2048);
    let pair = pair.map_err(|_| Error::internal("could not generate a key"))?;
    let der = pair.as_der().map_err(|_| Error::internal("could not encode a key"))?;
    Ok((pair, der))
}

fn decrypt(row: &KeyRow, secret: &Secret) -> Result<SigningKey> {
    let sealed = STANDARD.decode(&row.sealed_key).map_err(Error::internal)?;
    let der = secret.unseal(PURPOSE, &sealed).ok_or_else(|| {
        Error::internal(
            "the signing keys were sealed with another secret: give every server of this database the \
             same secret (HAAT_SECRET, or secret.key in the data directory)",
        )
    })?;
    let pair = KeyPair::from_pkcs8(&der).map_err(|why| Error::internal(why.to_string()))?;
    let (n, e) = public_components(&pair);
    let public = DecodingKey::from_rsa_components(&n, &e).map_err(Error::internal)?;
    let (id, certificate) = (row.id.clone(), row.certificate.clone());
    Ok(SigningKey { id, pair: Arc::new(pair), public, certificate })
}
