//! One-time codes of the popup: the opener page signs in with one, and the service finds the profile that
//! the provider returned.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use platform::secret::Secret;
use platform::{Clock, Db, Error, Random, Result, Timestamp};

use super::oidc::invalid_idp;
use super::providers::IdpProfile;
use crate::crypto::hash_token;
use crate::wire::ApiResult;

const CODE_PURPOSE: &str = "social codes";
pub const CODE_PREFIX: &str = "haat-code.";
const CODE_TTL: Duration = Duration::from_secs(5 * 60);

#[derive(Clone)]
pub struct SocialCodes {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
}

#[derive(sqlx::FromRow)]
struct SocialCodeRow {
    provider: String,
    sealed_profile: String,
    expires_at: Timestamp,
}

impl SocialCodes {
    /// Stores a profile under a one-time code.
    pub async fn store(&self, profile: &IdpProfile) -> Result<String> {
        let secret = URL_SAFE_NO_PAD.encode(self.random.bytes::<32>());
        let code = format!("{CODE_PREFIX}{secret}");
        let sealed = self.secret.seal(CODE_PURPOSE, &serde_json::to_vec(profile)?);
        let sealed = sealed.ok_or(Error::internal("could not encrypt a profile"))?;
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        tx.query("delete from social_codes where expires_at <= $1").bind(now).execute().await?;
        tx.query(
            "insert into social_codes (hash, provider, sealed_profile, expires_at)
             values ($1, $2, $3, $4)",
        )
        .bind(hash_token(&code))
        .bind(profile.provider_id.as_str())
        .bind(STANDARD.encode(sealed))
        .bind(now.plus(CODE_TTL))
        .execute()
        .await?;
        tx.commit().await?;
        Ok(code)
    }

    /// The profile behind a one-time code. Every attempt deletes the code.
    pub async fn redeem(&self, provider: &str, code: &str) -> ApiResult<IdpProfile> {
        const WHY: &str = "The code is invalid or has expired.";
        let mut tx = self.db.begin().await?;
        let found: Option<SocialCodeRow> = tx
            .query(
                "delete from social_codes where hash = $1
                 returning provider, sealed_profile, expires_at",
            )
            .bind(hash_token(code))
            .optional()
            .await?;
        tx.commit().await?;
        let now = self.clock.now();
        let Some(row) = found.filter(|row| row.provider == provider && row.expires_at > now) else {
            return invalid_idp(WHY);
        };
        let sealed = STANDARD.decode(row.sealed_profile).map_err(Error::internal)?;
        // The shop's secret was changed in the meantime.
        let Some(plain) = self.secret.unseal(CODE_PURPOSE, &sealed) else {
            return invalid_idp(WHY);
        };
        Ok(serde_json::from_slice(&plain).map_err(Error::from)?)
    }
}
