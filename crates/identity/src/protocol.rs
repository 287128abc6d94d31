//! The protocol's manners: how a body is read and how a refusal is worded.

use std::borrow::Cow;

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use base::{EmailAddress, Error};
use serde_json::{Map, Value, json};

use crate::Identity;

/// Why a call is refused.
#[derive(Debug)]
pub enum Refusal {
    /// In the protocol's words: `EMAIL_EXISTS`, `WEAK_PASSWORD : Password should be …`.
    Protocol(StatusCode, Cow<'static, str>, Option<&'static str>),
    /// Our trouble, which the SDK must not take for the account's.
    House(Error),
    /// What the call was about to change was changed by another at the same time: try again.
    Moved,
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
                let detail = match name {
                    Some("NOT_FOUND") => json!({ "message": message, "reason": "notFound" }),
                    Some("PERMISSION_DENIED") => worded(&message, "forbidden"),
                    Some("UNAUTHENTICATED") => worded(&message, "authError"),
                    _ => worded(&message, "invalid"),
                };
                let mut error =
                    json!({ "code": status.as_u16(), "message": message, "errors": [detail] });
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
            Self::Moved => {
                let why = "the account was changed by many at once";
                Self::House(Error::Unavailable(why.into())).into_response()
            }
            // Not JSON: the SDK then keeps the session and tries again, instead of signing out.
            Self::House(why) => {
                why.log();
                (why.status(), "The service is busy. Please try again.\n").into_response()
            }
        }
    }
}

fn worded(message: &str, reason: &str) -> Value {
    json!({ "message": message, "reason": reason, "domain": "global" })
}

/// The fields of a call, by their camelCase names whichever way they were written.
#[derive(Clone, Debug, Default)]
pub struct Body(Map<String, Value>);

impl From<Value> for Body {
    fn from(value: Value) -> Self {
        match value {
            Value::Object(fields) => Self(camel_case(fields)),
            _ => Self::default(),
        }
    }
}

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

    /// The fields as they are written, for what is kept and shown again.
    pub fn verbatim(fields: Map<String, Value>) -> Self {
        Self(fields)
    }

    /// The same, read from a body.
    pub fn parse_verbatim(bytes: &[u8]) -> Answer<Self> {
        Self::parse(bytes)?;
        Ok(Self(serde_json::from_slice(bytes).unwrap_or_default()))
    }

    /// A text; numbers count as their digits, as everywhere in this protocol. No text has a NUL, which
    /// PostgreSQL cannot keep.
    pub fn text(&self, name: &str) -> Answer<Option<&str>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if !text.contains('\0') => Ok(Some(text)),
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
                .map(|item| item.as_str().filter(|text| !text.contains('\0')))
                .map(|item| item.ok_or_else(|| wrong_type(name, "TYPE_STRING")))
                .collect(),
            Some(_) => Err(wrong_type(name, "TYPE_STRING")),
        }
    }

    pub fn flag(&self, name: &str) -> Answer<Option<bool>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) if text == "true" || text == "1" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" || text == "0" => Ok(Some(false)),
            Some(_) => Err(wrong_type(name, "TYPE_BOOL")),
        }
    }

    /// A whole number, which this protocol writes as its digits.
    pub fn number(&self, name: &str) -> Answer<Option<i64>> {
        let number = |text: &str| text.parse().map_err(|_| wrong_type(name, "TYPE_INT64"));
        self.filled(name)?.map(number).transpose()
    }

    pub fn object(&self, name: &str) -> Answer<Option<Self>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(Self(fields.clone()))),
            Some(_) => Err(wrong_type(name, "TYPE_MESSAGE")),
        }
    }

    /// A list of objects; `None` when there is no list.
    pub fn objects(&self, name: &str) -> Answer<Option<Vec<Self>>> {
        let object = |item: &Value| match item {
            Value::Object(fields) => Ok(Self(fields.clone())),
            _ => Err(wrong_type(name, "TYPE_MESSAGE")),
        };
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(items)) => items.iter().map(object).collect::<Answer<_>>().map(Some),
            Some(_) => Err(wrong_type(name, "TYPE_MESSAGE")),
        }
    }

    /// One of the names, which may also be written as its place in the list.
    pub fn one_of(
        &self,
        name: &str,
        names: &'static [&'static str],
    ) -> Answer<Option<&'static str>> {
        self.filled(name)?.map(|text| named(name, text, names)).transpose()
    }

    /// Some of the names.
    pub fn some_of(&self, name: &str, names: &'static [&'static str]) -> Answer<Vec<&'static str>> {
        self.texts(name)?.into_iter().map(|text| named(name, text, names)).collect()
    }

    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }
}

fn named(field: &str, text: &str, names: &'static [&'static str]) -> Answer<&'static str> {
    let by_place = || names.get(text.parse::<usize>().ok()?);
    let found = names.iter().find(|name| **name == text).or_else(by_place);
    found.copied().ok_or_else(|| wrong_type(field, "TYPE_ENUM"))
}

fn wrong_type(name: &str, wanted: &str) -> Refusal {
    let message = format!("Invalid value at '{name}' ({wanted})");
    generic(StatusCode::BAD_REQUEST, "INVALID_ARGUMENT", message)
}

fn camel_case(fields: Map<String, Value>) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (camel(&name), plain(value))).collect()
}

fn plain(value: Value) -> Value {
    match value {
        Value::Object(inner) => Value::Object(camel_case(inner)),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Number(number) => Value::String(number.to_string()),
        value => value,
    }
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

/// An e-mail address as it is kept. `None` for what cannot be one.
pub fn email(text: &str) -> Option<String> {
    EmailAddress::parse(text).map(String::from)
}

impl Identity {
    /// The same, as strictly as this service reads them.
    pub fn email(&self, text: &str) -> Option<String> {
        if self.is_lax() { emulated_email(text) } else { email(text) }
    }
}

/// What Google's emulator takes for an address, which is nearly everything: it sends no e-mail.
pub fn emulated_email(text: &str) -> Option<String> {
    let (local, domain) = text.rsplit_once('@')?;
    let fits = !local.is_empty()
        && !domain.is_empty()
        && text.len() <= 256
        && !domain.starts_with('.')
        && !domain.ends_with('.')
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
        for read in [email, emulated_email] {
            assert_eq!(read("Rahim@Haat.Example").as_deref(), Some("rahim@haat.example"));
            for text in ["", "a", "a@", "@b.c", "a b@c.d", "a@b.c\n", "a@b@c.d", "a@.d"] {
                assert_eq!(read(text), None, "{text}");
            }
        }
        for text in ["\"text\"<victim@b.example>", "<a@b.example>", "a@localhost", "åsa@b.example"]
        {
            assert_eq!(email(text), None, "{text}");
        }
    }
}
