//! The keys that sign ID tokens: made at the first start, sealed with the shop's secret, turned every
//! month with an overlap, and published so that anyone can verify a token.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
use base::revisions;
use base::secret::Secret;
use base::{Clock, Db, Error, Random, Result, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use rcgen::{CertificateParams, DnType};
use serde_json::{Map, Value, json};

const DAY: Duration = Duration::from_secs(24 * 3600);
/// A key signs for this long …
const SIGNS_FOR: Duration = Duration::from_secs(30 * 24 * 3600);
/// … and is published for longer than the tokens it signed last can live.
const PUBLISHED_FOR: Duration = Duration::from_secs(32 * 24 * 3600);
/// Verifiers may keep what is published for as long; a new key is published before it signs.
pub const MAX_AGE_SECONDS: u64 = 3600;
const PURPOSE: &str = "identity signing keys";

/// What makes tokens and reads them again.
#[derive(Clone)]
pub enum Signer {
    Signed(Keys),
    /// Tokens that anyone can make: for the emulator alone.
    Unsigned,
}

impl Signer {
    pub fn sign(&self, claims: &Map<String, Value>) -> Result<String> {
        match self {
            Self::Signed(keys) => keys.sign(claims),
            Self::Unsigned => {
                let header = json!({ "alg": "none", "typ": "JWT" }).to_string();
                let claims = serde_json::to_vec(claims)?;
                Ok(format!(
                    "{}.{}.",
                    URL_SAFE_NO_PAD.encode(header),
                    URL_SAFE_NO_PAD.encode(claims)
                ))
            }
        }
    }

    pub fn verify(&self, token: &str, issuer: &str, audience: &str) -> Option<Map<String, Value>> {
        match self {
            Self::Signed(keys) => keys.verify(token, issuer, audience),
            Self::Unsigned => unsigned_claims(token),
        }
    }

    pub fn keys(&self) -> Option<&Keys> {
        match self {
            Self::Signed(keys) => Some(keys),
            Self::Unsigned => None,
        }
    }
}

/// What a token says, whoever says it.
pub fn unsigned_claims(token: &str) -> Option<Map<String, Value>> {
    let [_, claims, _] = token.split('.').collect::<Vec<_>>()[..] else { return None };
    let claims = URL_SAFE_NO_PAD.decode(claims.trim_end_matches('=')).ok()?;
    serde_json::from_slice(&claims).ok()
}

#[derive(Clone)]
pub struct Keys(Arc<Ring>);

struct Ring {
    db: Db,
    clock: Clock,
    random: Random,
    secret: Secret,
    held: RwLock<Arc<Held>>,
}

/// The keys as last read.
struct Held {
    signing: Key,
    published: Vec<Key>,
}

#[derive(Clone)]
struct Key {
    id: String,
    pair: Arc<KeyPair>,
    public: DecodingKey,
    certificate: String,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    sealed_key: String,
    certificate: String,
    created_at: Timestamp,
}

impl Keys {
    pub async fn start(db: &Db, clock: &Clock, random: &Random, secret: Secret) -> Result<Self> {
        let (db, clock, random) = (db.clone(), clock.clone(), random.clone());
        let held = turn(&db, &clock, &random, &secret).await?;
        Ok(Self(Arc::new(Ring { db, clock, random, secret, held: RwLock::new(Arc::new(held)) })))
    }

    /// Turns the keys if it is time, and learns of those that other servers made.
    pub async fn turn(&self) -> Result<()> {
        let Ring { db, clock, random, secret, held } = &*self.0;
        let new = turn(db, clock, random, secret).await?;
        *held.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
        Ok(())
    }

    fn held(&self) -> Arc<Held> {
        self.0.held.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A token of these claims.
    pub fn sign(&self, claims: &Map<String, Value>) -> Result<String> {
        let Key { id, pair, .. } = &self.held().signing;
        sign(id, pair, claims)
    }

    /// The claims of a token that one of our keys signed for this audience; whether it has expired is
    /// for the caller's clock to say.
    pub fn verify(&self, token: &str, issuer: &str, audience: &str) -> Option<Map<String, Value>> {
        let header = jsonwebtoken::decode_header(token).ok()?;
        let key = self.published(&header.kid?)?;
        let mut validation = Validation::new(Algorithm::RS256);
        validation.validate_exp = false;
        validation.set_issuer(&[issuer]);
        validation.set_audience(&[audience]);
        validation.set_required_spec_claims(&["iss", "aud", "exp", "sub"]);
        jsonwebtoken::decode(token, &key, &validation).ok().map(|token| token.claims)
    }

    /// A published key by its id.
    pub fn published(&self, id: &str) -> Option<DecodingKey> {
        self.held().published.iter().find(|key| key.id == id).map(|key| key.public.clone())
    }

    /// The published keys as a JSON Web Key Set.
    pub fn jwks(&self) -> Value {
        let held = self.held();
        let keys = held.published.iter().map(|key| jwk(&key.id, &key.pair));
        json!({ "keys": keys.collect::<Vec<_>>() })
    }

    /// The published keys as X.509 certificates by their ids.
    pub fn certificates(&self) -> BTreeMap<String, String> {
        let held = self.held();
        held.published.iter().map(|key| (key.id.clone(), key.certificate.clone())).collect()
    }
}

/// A token of these claims, signed by the key of this name.
pub fn sign(id: &str, pair: &KeyPair, claims: &Map<String, Value>) -> Result<String> {
    let header = json!({ "alg": "RS256", "kid": id, "typ": "JWT" });
    let part = |value: &[u8]| URL_SAFE_NO_PAD.encode(value);
    let message =
        format!("{}.{}", part(header.to_string().as_bytes()), part(&serde_json::to_vec(claims)?));
    let mut signature = vec![0; pair.public_modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature)
        .map_err(|_| Error::internal("signing failed"))?;
    Ok(format!("{message}.{}", part(&signature)))
}

/// A public key as a JSON Web Key.
pub fn jwk(id: &str, pair: &KeyPair) -> Value {
    let (n, e) = components(pair);
    json!({ "kid": id, "kty": "RSA", "alg": "RS256", "use": "sig", "n": n, "e": e })
}

pub fn components(pair: &KeyPair) -> (String, String) {
    let public = pair.public_key();
    let part = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    (
        part(public.modulus().big_endian_without_leading_zero()),
        part(public.exponent().big_endian_without_leading_zero()),
    )
}

/// Makes a key when the newest has signed long enough, drops those that nobody needs, and reads the
/// rest. In one transaction, so that of many servers one makes it.
async fn turn(db: &Db, clock: &Clock, random: &Random, secret: &Secret) -> Result<Held> {
    let now = clock.now();
    let mut tx = db.begin().await?;
    revisions::queue(&mut tx).await?;
    tx.query("delete from signing_keys where created_at < $1")
        .bind(now.minus(PUBLISHED_FOR))
        .execute()
        .await?;
    let read =
        "select id, sealed_key, certificate, created_at from signing_keys order by created_at desc";
    let mut rows: Vec<Row> = tx.query(read).all().await?;
    // Made a day before it is needed, so that verifiers have it by then.
    let fresh = rows.first().is_some_and(|row| row.created_at > now.minus(SIGNS_FOR - DAY));
    if !fresh {
        let row = make(now, random, secret)?;
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

    let known_to_all =
        |row: &Row| row.created_at <= now.minus(Duration::from_secs(2 * MAX_AGE_SECONDS));
    let signing = rows.iter().find(|row| known_to_all(row)).or(rows.last());
    let signing = signing.ok_or_else(|| Error::internal("there is no signing key"))?.id.clone();
    let published = rows.iter().map(|row| open(row, secret)).collect::<Result<Vec<Key>>>()?;
    let signing = published.iter().find(|key| key.id == signing).cloned();
    let signing = signing.ok_or_else(|| Error::internal("there is no signing key"))?;
    Ok(Held { signing, published })
}

fn make(now: Timestamp, random: &Random, secret: &Secret) -> Result<Row> {
    let pair = KeyPair::generate(KeySize::Rsa2048)
        .map_err(|_| Error::internal("could not make a signing key"))?;
    let der: Pkcs8V1Der = pair.as_der().map_err(|_| Error::internal("could not write a key"))?;
    let key = rcgen::KeyPair::try_from(der.as_ref()).map_err(Error::internal)?;
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "securetoken");
    let certificate = params.self_signed(&key).map_err(Error::internal)?.pem();
    let id = random.bytes::<20>().iter().map(|byte| format!("{byte:02x}")).collect();
    let sealed = secret
        .seal(PURPOSE, der.as_ref())
        .ok_or_else(|| Error::internal("could not seal a key"))?;
    Ok(Row { id, sealed_key: STANDARD.encode(sealed), certificate, created_at: now })
}

fn open(row: &Row, secret: &Secret) -> Result<Key> {
    let sealed = STANDARD.decode(&row.sealed_key).map_err(Error::internal)?;
    let der = secret.unseal(PURPOSE, &sealed).ok_or_else(|| {
        Error::internal(
            "the signing keys were sealed with another secret: give every server of this database the \
             same secret (HAAT_SECRET, or secret.key in the data directory)",
        )
    })?;
    let pair = KeyPair::from_pkcs8(&der).map_err(|why| Error::internal(why.to_string()))?;
    let (n, e) = components(&pair);
    let public = DecodingKey::from_rsa_components(&n, &e).map_err(Error::internal)?;
    let (id, certificate) = (row.id.clone(), row.certificate.clone());
    Ok(Key { id, pair: Arc::new(pair), public, certificate })
}
