//! The fields of an attempt, as notifications, returns to the shop and answers to queries have them, and their hash.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use md5::{Digest, Md5};

use super::{Attempt, STORE_ID, STORE_PASSWORD, Session, Status, date, written};

pub(super) type Fields = Vec<(&'static str, String)>;

impl Status {
    pub fn as_str(self, is_validated: bool) -> &'static str {
        match self {
            Self::Valid if is_validated => "VALIDATED",
            Self::Valid => "VALID",
            Self::Failed => "FAILED",
            Self::Cancelled => "CANCELLED",
            Self::Expired => "EXPIRED",
        }
    }
}

impl Attempt {
    /// What everything that tells of it has in common.
    pub fn fields(&self, session: &Session) -> Fields {
        let amount = written(self.amount);
        let store_amount = match self.status {
            Status::Valid => written(self.amount - self.amount / 40),
            _ => String::new(),
        };
        vec![
            ("tran_id", self.tran_id.clone()),
            ("val_id", self.val_id.clone()),
            ("amount", amount.clone()),
            ("card_type", self.card_type.clone()),
            ("store_amount", store_amount),
            ("bank_tran_id", self.bank_tran_id.clone()),
            ("tran_date", date(self.at)),
            ("error", self.error.clone()),
            ("currency", "BDT".to_owned()),
            ("card_brand", self.card_brand.clone()),
            ("store_id", STORE_ID.to_owned()),
            ("currency_type", "BDT".to_owned()),
            ("currency_amount", amount),
            ("currency_rate", "1.0000".to_owned()),
            ("base_fair", "0.00".to_owned()),
            ("value_a", session.value_a.clone()),
            ("value_b", String::new()),
            ("value_c", String::new()),
            ("value_d", String::new()),
            ("risk_level", if self.is_risky { "1" } else { "0" }.to_owned()),
            ("risk_title", if self.is_risky { "Not Safe" } else { "Safe" }.to_owned()),
        ]
    }

    /// With a hash of the password.
    pub fn signed_fields(&self, session: &Session, password: &str) -> Fields {
        let mut fields = self.fields(session);
        fields.push(("status", self.status.as_str(false).to_owned()));
        let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        let names = names.join(",");
        let hashed = hashed_text(&fields, password);
        fields.push(("verify_sign", hex(Md5::digest(&hashed).as_slice())));
        fields.push(("verify_key", names));
        fields.push(("verify_sign_sha2", hex(digest(&SHA256, hashed.as_bytes()).as_ref())));
        fields
    }
}

fn hashed_text(fields: &Fields, password: &str) -> String {
    let password = hex(Md5::digest(password).as_slice());
    let mut sorted: BTreeMap<&str, &str> =
        fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    sorted.insert("store_passwd", &password);
    let pairs: Vec<String> =
        sorted.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    pairs.join("&")
}

/// The body of a notification.
pub(super) fn notification(attempt: &Attempt, session: &Session, is_forged: bool) -> Vec<u8> {
    let password = if is_forged { "another password" } else { STORE_PASSWORD };
    let fields = attempt.signed_fields(session, password);
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    form.finish().into_bytes()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
