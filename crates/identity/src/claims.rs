//! Custom claims: what admins and custom tokens may add to ID tokens.

use serde_json::Value;

use crate::wire::{ApiResult, JwtClaims, refuse};

/// Claims that custom claims must not set.
const RESERVED_CLAIMS: [&str; 16] = [
    "acr",
    "amr",
    "at_hash",
    "aud",
    "auth_time",
    "azp",
    "c_hash",
    "cnf",
    "exp",
    "firebase",
    "iat",
    "iss",
    "jti",
    "nbf",
    "nonce",
    "sub",
];
const MAX_CLAIMS_BYTES: usize = 1000;

pub fn check_claims(claims: &JwtClaims) -> ApiResult<()> {
    match claims.keys().find(|name| RESERVED_CLAIMS.contains(&name.as_str())) {
        Some(name) => refuse(format!("FORBIDDEN_CLAIM : {name}")),
        None => Ok(()),
    }
}

/// Checks an account's custom claims, in JSON.
pub fn check_attributes(text: &str) -> ApiResult<()> {
    if text.len() > MAX_CLAIMS_BYTES {
        return refuse("CLAIMS_TOO_LARGE");
    }
    if text.is_empty() {
        return Ok(());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(claims)) => check_claims(&claims),
        _ => refuse("INVALID_CLAIMS"),
    }
}
