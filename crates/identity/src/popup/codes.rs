//! One-time codes of the popup: the opener page signs in with one, and the service finds the profile that
//! the provider returned.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::{Result, Timestamp};

use crate::crypto::{hash_token, seal, unseal};
use crate::services::Services;
use crate::social::{IdpProfile, invalid_idp};
use crate::wire::ApiResult;

const CODE_PURPOSE: &str = "social codes";
pub const CODE_PREFIX: &str = "haat-code.";
const CODE_TTL: Duration = Duration::from_secs(5 * 60);

#[derive(sqlx::FromRow)]
struct SocialCodeRow {
    provider: String,
    sealed_profile: String,
    expires_at: Timestamp,
}

/// Stores a profile under a one-time code.
pub async fn store(identity: &Services, profile: &IdpProfile) -> Result<String> {
    let secret = URL_SAFE_NO_PAD.encode(identity.random.bytes::<32>());
    let code = format!("{CODE_PREFIX}{secret}");
    let sealed = seal(&identity.secret, CODE_PURPOSE, profile)?;
    let now = identity.clock.now();
    let mut tx = identity.db.begin().await?;
    tx.query("delete from social_codes where expires_at <= $1").bind(now).execute().await?;
    tx.query(
        "insert into social_codes (hash, provider, sealed_profile, expires_at)
         values ($1, $2, $3, $4)",
    )
    .bind(hash_token(&code))
    .bind(profile.provider_id.as_str())
    .bind(sealed)
    .bind(now.plus(CODE_TTL))
    .execute()
    .await?;
    tx.commit().await?;
    Ok(code)
}

/// The profile behind a one-time code. Every attempt deletes the code.
pub async fn redeem(identity: &Services, provider: &str, code: &str) -> ApiResult<IdpProfile> {
    let mut tx = identity.db.begin().await?;
    let found: Option<SocialCodeRow> = tx
        .query(
            "delete from social_codes where hash = $1
             returning provider, sealed_profile, expires_at",
        )
        .bind(hash_token(code))
        .optional()
        .await?;
    tx.commit().await?;
    let now = identity.clock.now();
    let valid = found.filter(|row| row.provider == provider && row.expires_at > now);
    // Cannot be decrypted if the shop's secret was changed in the meantime.
    match valid.and_then(|row| unseal(&identity.secret, CODE_PURPOSE, &row.sealed_profile)) {
        Some(profile) => Ok(profile),
        None => invalid_idp("The code is invalid or has expired."),
    }
}
