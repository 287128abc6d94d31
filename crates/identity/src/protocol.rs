//! The protocol's manners: how a body is read and how a refusal is worded.

use std::borrow::Cow;

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use base::Error;
use serde_json::{Map, Value, json};

/// Why a call is refused.
#[derive(Debug)]
pub enum Refusal {
    /// In the protocol's words: `EMAIL_EXISTS`, `WEAK_PASSWORD : Password should be …`.
    Protocol(StatusCode, Cow<'static, str>, Option<&'static str>),
    /// Our trouble, which the SDK must not take for the account's.
    House(Error),
}

pub type Answer<T = Value> = Result<T, Refusal>;

/// The ordinary refusal.
pub fn refuse<T>(code: impl Into<Cow<'static, str>>) -> Answer<T> {
    Err(refusal(code))
}

pub fn refusal(code: impl Into<Cow<'static, str>>) -> Refusal {
    Refusal::Protocol(StatusCode::BAD_REQUEST, code.into(), None)
}

/// A refusal of the kind that every Google service words alike.
pub fn generic(
    status: StatusCode,
    name: &'static str,
    message: impl Into<Cow<'static, str>>,
) -> Refusal {
    Refusal::Protocol(status, message.into(), Some(name))
}

impl From<Error> for Refusal {
    fn from(why: Error) -> Self {
        Self::House(why)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Self::Protocol(status, message, name) => {
                let reason = if name.is_some() { "badRequest" } else { "invalid" };
                let mut error = json!({
                    "code": status.as_u16(),
                    "message": message,
                    "errors": [{ "message": message, "reason": reason, "domain": "global" }],
                });
                if let Some(name) = name {
                    error["status"] = name.into();
                }
                (
                    status,
                    [(CONTENT_TYPE, "application/json; charset=utf-8")],
                    json!({ "error": error }).to_string(),
                )
                    .into_response()
            }
            // Not JSON: the SDK then keeps the session and tries again, instead of signing out.
            Self::House(why) => {
                why.log();
                (why.status(), "The service is busy. Please try again.\n").into_response()
            }
        }
    }
}

/// The fields of a call, by their camelCase names whichever way they were written.
#[derive(Debug, Default)]
pub struct Body(Map<String, Value>);

impl Body {
    pub fn parse(bytes: &[u8]) -> Answer<Self> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Self::default());
        }
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(fields)) => Ok(Self(camel_case(fields))),
            _ => Err(generic(
                StatusCode::BAD_REQUEST,
                "INVALID_ARGUMENT",
                "Invalid JSON payload received. Unexpected token.",
            )),
        }
    }

    /// A text; numbers count as their digits, as everywhere in this protocol.
    pub fn text(&self, name: &str) -> Answer<Option<&str>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong_type(name, "TYPE_STRING")),
        }
    }

    /// A text that says something.
    pub fn filled(&self, name: &str) -> Answer<Option<&str>> {
        Ok(self.text(name)?.filter(|text| !text.is_empty()))
    }

    pub fn texts(&self, name: &str) -> Answer<Vec<&str>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().ok_or_else(|| wrong_type(name, "TYPE_STRING")))
                .collect(),
            Some(_) => Err(wrong_type(name, "TYPE_STRING")),
        }
    }
}

fn wrong_type(name: &str, wanted: &str) -> Refusal {
    let message = format!("Invalid value at '{name}' ({wanted})");
    generic(StatusCode::BAD_REQUEST, "INVALID_ARGUMENT", message)
}

fn camel_case(fields: Map<String, Value>) -> Map<String, Value> {
    fields
        .into_iter()
        .map(|(name, value)| {
            let value = match value {
                Value::Object(inner) => Value::Object(camel_case(inner)),
                Value::Number(number) => Value::String(number.to_string()),
                value => value,
            };
            (camel(&name), value)
        })
        .collect()
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut name, part| {
        let mut letters = part.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
        name
    })
}

/// An e-mail address as it is kept: lower case. `None` for what cannot be one.
pub fn email(text: &str) -> Option<String> {
    let (local, domain) = text.rsplit_once('@')?;
    let fits = !local.is_empty()
        && !domain.is_empty()
        && text.len() <= 256
        && !domain.starts_with('.')
        && !domain.ends_with('.')
        && domain.contains('.')
        && !local.contains('@')
        && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    fits.then(|| text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_however_they_are_written() {
        let body = Body::parse(br#"{"id_token": "a", "displayName": 7}"#);
        let body = body.unwrap();
        assert_eq!(body.text("idToken").unwrap(), Some("a"));
        assert_eq!(body.text("displayName").unwrap(), Some("7"));
        assert_eq!(body.text("missing").unwrap(), None);
        assert!(Body::parse(br#"{"email": {}}"#).unwrap().text("email").is_err());
        assert!(Body::parse(b"[1]").is_err() && Body::parse(b"{").is_err());
        assert!(Body::parse(b"").is_ok());
    }

    #[test]
    fn addresses_are_told_from_what_is_none() {
        assert_eq!(email("Rahim@Haat.Example").as_deref(), Some("rahim@haat.example"));
        for text in ["", "a", "a@", "@b.c", "a@b", "a b@c.d", "a@b.c\n", "a@b@c.d", "a@.d"] {
            assert_eq!(email(text), None, "{text}");
        }
    }
}
