//! Service accounts: programs with admin access. Each has a key file in the format of the official Admin
//! SDKs; the service stores the public key. With the private key they sign bearer tokens for the Admin
//! API and custom tokens for users.

use std::time::Duration;

use aws_lc_rs::rsa::KeyPair;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use platform::{Clock, Db, Error, Random, Result, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::crypto::hex;
use crate::keys::{self, generate_pair, public_components, unsigned_claims};
use crate::wire::{ApiResult, JwtClaims, refuse};

/// The `aud` claim of custom tokens.
pub const AUDIENCE: &str =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit";
/// The `aud` claim of bearer tokens.
const ADMIN_AUDIENCE: &str = "https://identitytoolkit.googleapis.com/";
const TOKEN_TTL: Duration = Duration::from_secs(3600);
/// Tolerated clock difference.
const LEEWAY: Duration = Duration::from_secs(60);

/// A service account, as stored.
#[derive(Debug, sqlx::FromRow)]
pub struct ServiceAccount {
    pub key_id: String,
    pub email: String,
    modulus: String,
    exponent: String,
    pub created_at: Timestamp,
}

/// A service account's key file.
#[derive(Serialize, Deserialize)]
struct KeyFile {
    #[serde(rename = "type")]
    kind: String,
    project_id: String,
    private_key_id: String,
    private_key: String,
    client_email: String,
    client_id: String,
}

const COLUMNS: &str = "key_id, email, modulus, exponent, created_at";

/// Creates a service account and returns its key file. The private key is stored nowhere else.
pub async fn create(
    db: &Db,
    clock: &Clock,
    random: &Random,
    project_id: &str,
    name: &str,
) -> Result<String> {
    let is_valid = (1..=60).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_valid {
        return Err(Error::invalid("name", "1 to 60 letters, digits and hyphens"));
    }
    let (pair, der) = generate_pair()?;
    let (modulus, exponent) = public_components(&pair);
    let key_id = hex(random.bytes::<20>());
    let email = format!("{name}@{project_id}.iam.gserviceaccount.com");
    db.query(
        "insert into service_accounts (key_id, email, modulus, exponent, created_at)
         values ($1, $2, $3, $4, $5)",
    )
    .bind(key_id.as_str())
    .bind(email.as_str())
    .bind(modulus)
    .bind(exponent)
    .bind(clock.now())
    .execute()
    .await?;
    let file = KeyFile {
        kind: "service_account".into(),
        project_id: project_id.into(),
        private_key_id: key_id,
        private_key: pem(der.as_ref()),
        client_email: email,
        client_id: u64::from_be_bytes(random.bytes()).to_string(),
    };
    Ok(serde_json::to_string_pretty(&file)?)
}

fn pem(der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<_> = text.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
    format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", lines.join("\n"))
}

pub async fn list(db: &Db) -> Result<Vec<ServiceAccount>> {
    db.query(format!("select {COLUMNS} from service_accounts order by created_at, key_id"))
        .all()
        .await
}

/// Deletes a service account by its address or key id; returns the number of deleted keys.
pub async fn remove(db: &Db, name: &str) -> Result<u64> {
    db.query("delete from service_accounts where email = $1 or key_id = $1")
        .bind(name)
        .execute()
        .await
}

/// A bearer token for the Admin API, signed with the key in the file.
pub fn bearer_token(file: &str, clock: &Clock) -> Result<String, String> {
    let file: KeyFile =
        serde_json::from_str(file).map_err(|why| format!("not a service account's file: {why}"))?;
    let text: String = file.private_key.lines().filter(|line| !line.starts_with('-')).collect();
    let der = STANDARD.decode(text).map_err(|_| "the private key cannot be read")?;
    let pair = KeyPair::from_pkcs8(&der).map_err(|_| "the private key cannot be read")?;
    let now = clock.now();
    let claims = json!({
        "iss": file.client_email,
        "sub": file.client_email,
        "aud": ADMIN_AUDIENCE,
        "iat": now.0 / 1000,
        "exp": now.plus(TOKEN_TTL).0 / 1000,
    });
    keys::sign(&file.private_key_id, &pair, &claims).map_err(|why| why.to_string())
}

/// Whether a service account signed the bearer token.
pub async fn is_admin(db: &Db, clock: &Clock, token: &str) -> Result<bool> {
    let accounts = keys_of_issuer(db, token).await?;
    Ok(verified_claims(clock, token, &accounts, ADMIN_AUDIENCE).is_some())
}

/// The claims of a custom token that one of our service accounts signed.
pub async fn check_custom_token(db: &Db, clock: &Clock, token: &str) -> ApiResult<JwtClaims> {
    if unsigned_claims(token).is_none() {
        return refuse("INVALID_CUSTOM_TOKEN : Invalid assertion format");
    }
    let accounts = keys_of_issuer(db, token).await?;
    if accounts.is_empty() {
        return refuse("CREDENTIAL_MISMATCH");
    }
    match verified_claims(clock, token, &accounts, AUDIENCE) {
        Some(claims) => Ok(claims),
        None => {
            refuse("INVALID_CUSTOM_TOKEN : The token is not signed by its issuer, or has expired.")
        }
    }
}

/// The keys of the issuer that a token names.
async fn keys_of_issuer(db: &Db, token: &str) -> Result<Vec<ServiceAccount>> {
    let claims = unsigned_claims(token).unwrap_or_default();
    let issuer = claims.get("iss").and_then(Value::as_str);
    let Some(issuer) = issuer.filter(|issuer| !issuer.contains(char::is_control)) else {
        return Ok(Vec::new());
    };
    db.query(format!("select {COLUMNS} from service_accounts where email = $1 limit 20"))
        .bind(issuer)
        .all()
        .await
}

/// The claims of a token that one of these keys signed for this audience and that is valid now.
fn verified_claims(
    clock: &Clock,
    token: &str,
    accounts: &[ServiceAccount],
    audience: &str,
) -> Option<JwtClaims> {
    let mut validation = Validation::new(Algorithm::RS256);
    // The library would use the system's clock.
    validation.validate_exp = false;
    validation.set_audience(&[audience]);
    validation.set_required_spec_claims(&["aud", "exp", "iss", "sub"]);
    let claims: JwtClaims = accounts.iter().find_map(|account| {
        let key = DecodingKey::from_rsa_components(&account.modulus, &account.exponent).ok()?;
        jsonwebtoken::decode(token, &key, &validation).ok().map(|token| token.claims)
    })?;
    let seconds = |name: &str| claims.get(name).and_then(Value::as_i64);
    let timestamp = |name: &str| Some(Timestamp(seconds(name)?.checked_mul(1000)?));
    let (issued, expires, now) = (timestamp("iat")?, timestamp("exp")?, clock.now());
    let is_valid = claims.get("iss") == claims.get("sub")
        && issued <= now.plus(LEEWAY)
        && expires > now.minus(LEEWAY)
        && expires.since(issued) <= TOKEN_TTL + LEEWAY;
    is_valid.then_some(claims)
}
