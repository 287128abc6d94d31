//! Second factors of an account: phone numbers and authenticator apps.

use platform::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::wire::json_object;

/// An enrolled second factor, with either a phone number or an encrypted TOTP key.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Factor {
    pub id: String,
    pub phone_number: Option<String>,
    pub sealed_key: Option<String>,
    pub last_step: Option<i64>,
    pub display_name: Option<String>,
    pub enrolled_at: Timestamp,
}

impl Factor {
    pub fn phone(id: String, number: String, name: Option<String>, now: Timestamp) -> Self {
        let (sealed_key, last_step) = (None, None);
        let (phone_number, display_name) = (Some(number), name);
        Self { id, phone_number, sealed_key, last_step, display_name, enrolled_at: now }
    }

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
        json_object([
            ("mfaEnrollmentId", Some(self.id.clone().into())),
            ("displayName", self.display_name.clone().map(Value::from)),
            ("enrolledAt", Some(self.enrolled_at.to_string().into())),
            ("totpInfo", self.sealed_key.as_ref().map(|_| json!({}))),
            ("phoneInfo", number.map(Value::from)),
        ])
    }
}

/// The second factor that was used to sign in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UsedFactor {
    pub id: String,
    /// `phone` or `totp`.
    pub kind: String,
}
