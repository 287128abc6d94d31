//! Second factors of an account: phone numbers and authenticator apps.

use platform::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::wire::without_nulls;

/// An enrolled second factor, with either a phone number or an encrypted TOTP key.
#[derive(Clone, Debug, Default, sqlx::FromRow)]
pub struct Factor {
    pub id: String,
    pub phone_number: Option<String>,
    pub sealed_key: Option<String>,
    pub last_step: Option<i64>,
    pub display_name: Option<String>,
    pub enrolled_at: Timestamp,
}

impl Factor {
    fn kind(&self) -> &'static str {
        if self.phone_number.is_some() { "phone" } else { "totp" }
    }

    pub fn as_used(&self) -> UsedFactor {
        UsedFactor { id: self.id.clone(), kind: self.kind().into() }
    }

    /// As the account's user sees it.
    pub fn json(&self) -> Value {
        self.to_json(self.phone_number.clone())
    }

    /// Before the second factor is proven: with a masked phone number.
    pub fn masked(&self) -> Value {
        let masked = self.phone_number.as_ref().map(|number| {
            let last: String =
                number.chars().skip(number.chars().count().saturating_sub(4)).collect();
            format!("+*******{last}")
        });
        self.to_json(masked)
    }

    fn to_json(&self, number: Option<String>) -> Value {
        without_nulls(json!({
            "mfaEnrollmentId": self.id,
            "displayName": self.display_name,
            "enrolledAt": self.enrolled_at.to_string(),
            "totpInfo": self.sealed_key.as_ref().map(|_| json!({})),
            "phoneInfo": number,
        }))
    }
}

/// The second factor that was used to sign in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UsedFactor {
    pub id: String,
    /// `phone` or `totp`.
    pub kind: String,
}
