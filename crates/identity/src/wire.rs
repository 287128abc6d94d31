//! Wire format of the protocol: parses request bodies and formats errors as Identity Toolkit does.

use std::borrow::Cow;

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use platform::{EmailAddress, Error};
use serde_json::{Map, Value, json};

/// Why a call fails.
#[derive(Debug)]
pub enum ApiError {
    /// An error of the protocol: `EMAIL_EXISTS`, `WEAK_PASSWORD : Password should be …`.
    Protocol(StatusCode, Cow<'static, str>, Option<&'static str>),
    /// A server error, which the SDK must not mistake for an error of the account.
    Internal(Error),
    /// The account was changed by a concurrent call: retry.
    Conflict,
}

pub type ApiResult<T = Value> = Result<T, ApiError>;
pub type JwtClaims = Map<String, Value>;
type EnumNames = &'static [&'static str];

pub const TOO_MANY: &str =
    "TOO_MANY_ATTEMPTS_TRY_LATER : Too many unsuccessful attempts. Please try again later.";
/// An address is changed by `VERIFY_AND_CHANGE_EMAIL`, which verifies it first.
pub const UNVERIFIED_EMAIL: &str =
    "OPERATION_NOT_ALLOWED : Please verify the new email before changing email.";
/// Returned instead of a password hash where the protocol requires one: "REDACTED" in base64.
pub const REDACTED: &str = "UkVEQUNURUQ=";

/// Fails with status 400 and a code of the protocol.
pub fn refuse<T>(code: impl Into<Cow<'static, str>>) -> ApiResult<T> {
    Err(bad_request(code))
}

pub fn bad_request(code: impl Into<Cow<'static, str>>) -> ApiError {
    ApiError::Protocol(StatusCode::BAD_REQUEST, code.into(), None)
}

/// An error with a status name, as all Google APIs return it.
pub fn google_error(
    status: StatusCode,
    name: &'static str,
    message: impl Into<Cow<'static, str>>,
) -> ApiError {
    ApiError::Protocol(status, message.into(), Some(name))
}

impl From<Error> for ApiError {
    fn from(why: Error) -> Self {
        Self::Internal(why)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match self {
            Self::Protocol(status, message, name) => {
                let detail = match name {
                    Some("NOT_FOUND") => json!({ "message": message, "reason": "notFound" }),
                    Some("PERMISSION_DENIED") => error_detail(&message, "forbidden"),
                    Some("UNAUTHENTICATED") => error_detail(&message, "authError"),
                    _ => error_detail(&message, "invalid"),
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
            Self::Conflict => {
                let why = "the account was changed by many at once";
                Self::Internal(Error::Unavailable(why.into())).into_response()
            }
            // Not JSON: then the SDK keeps the session and retries, instead of signing out.
            Self::Internal(why) => {
                why.log();
                (why.status(), "The service is busy. Please try again.\n").into_response()
            }
        }
    }
}

fn error_detail(message: &str, reason: &str) -> Value {
    json!({ "message": message, "reason": reason, "domain": "global" })
}

/// The fields of a request. `parse` accepts names in camelCase and snake_case.
#[derive(Clone, Debug, Default)]
pub struct ApiFields(Map<String, Value>);

impl From<Value> for ApiFields {
    fn from(value: Value) -> Self {
        match value {
            Value::Object(fields) => Self(normalize(fields)),
            _ => Self::default(),
        }
    }
}

impl ApiFields {
    pub fn parse(bytes: &[u8]) -> ApiResult<Self> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Self::default());
        }
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(fields)) => Ok(Self(normalize(fields))),
            _ => Err(google_error(
                StatusCode::BAD_REQUEST,
                "INVALID_ARGUMENT",
                "Invalid JSON payload received. Unexpected token.",
            )),
        }
    }

    /// Keeps the names and types as they are, for values that are stored and returned.
    pub fn from_fields(fields: Map<String, Value>) -> Self {
        Self(fields)
    }

    pub fn parse_unnormalized(bytes: &[u8]) -> ApiResult<Self> {
        Self::parse(bytes)?;
        Ok(Self(serde_json::from_slice(bytes).unwrap_or_default()))
    }

    /// A string, or a number, which `parse` turns into a string. NUL is rejected, because PostgreSQL
    /// cannot store it.
    pub fn string(&self, name: &str) -> ApiResult<Option<&str>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if !text.contains('\0') => Ok(Some(text)),
            Some(_) => Err(wrong_type(name, "TYPE_STRING")),
        }
    }

    /// A string that is not empty.
    pub fn filled(&self, name: &str) -> ApiResult<Option<&str>> {
        Ok(self.string(name)?.filter(|text| !text.is_empty()))
    }

    pub fn strings(&self, name: &str) -> ApiResult<Vec<&str>> {
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

    pub fn bool(&self, name: &str) -> ApiResult<Option<bool>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) if text == "true" || text == "1" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" || text == "0" => Ok(Some(false)),
            Some(_) => Err(wrong_type(name, "TYPE_BOOL")),
        }
    }

    /// An integer, which the protocol writes as a string.
    pub fn integer(&self, name: &str) -> ApiResult<Option<i64>> {
        let number = |text: &str| text.parse().map_err(|_| wrong_type(name, "TYPE_INT64"));
        self.filled(name)?.map(number).transpose()
    }

    pub fn object(&self, name: &str) -> ApiResult<Option<Self>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(Self(fields.clone()))),
            Some(_) => Err(wrong_type(name, "TYPE_MESSAGE")),
        }
    }

    /// A list of objects; `None` if the field is absent.
    pub fn objects(&self, name: &str) -> ApiResult<Option<Vec<Self>>> {
        let object = |item: &Value| match item {
            Value::Object(fields) => Ok(Self(fields.clone())),
            _ => Err(wrong_type(name, "TYPE_MESSAGE")),
        };
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(items)) => {
                items.iter().map(object).collect::<ApiResult<_>>().map(Some)
            }
            Some(_) => Err(wrong_type(name, "TYPE_MESSAGE")),
        }
    }

    /// One of the names, or its index in the list.
    pub fn enum_value(&self, name: &str, names: EnumNames) -> ApiResult<Option<&'static str>> {
        self.filled(name)?.map(|text| parse_enum(name, text, names)).transpose()
    }

    pub fn enum_values(&self, name: &str, names: EnumNames) -> ApiResult<Vec<&'static str>> {
        self.strings(name)?.into_iter().map(|text| parse_enum(name, text, names)).collect()
    }

    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }
}

fn parse_enum(field: &str, text: &str, names: EnumNames) -> ApiResult<&'static str> {
    let by_index = || names.get(text.parse::<usize>().ok()?);
    let found = names.iter().find(|name| **name == text).or_else(by_index);
    found.copied().ok_or_else(|| wrong_type(field, "TYPE_ENUM"))
}

fn wrong_type(name: &str, wanted: &str) -> ApiError {
    let message = format!("Invalid value at '{name}' ({wanted})");
    google_error(StatusCode::BAD_REQUEST, "INVALID_ARGUMENT", message)
}

fn normalize(fields: Map<String, Value>) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (camel_case(&name), normalize_value(value))).collect()
}

fn normalize_value(value: Value) -> Value {
    match value {
        Value::Object(inner) => Value::Object(normalize(inner)),
        Value::Array(items) => items.into_iter().map(normalize_value).collect(),
        Value::Number(number) => Value::String(number.to_string()),
        value => value,
    }
}

fn camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut name, part| {
        let mut chars = part.chars();
        name.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        name.push_str(chars.as_str());
        name
    })
}

/// A JSON object without the absent fields.
pub fn json_object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let present = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect())
}

/// A normalized e-mail address; `None` if it is invalid.
pub fn parse_email(text: &str) -> Option<String> {
    EmailAddress::parse(text).map(String::from)
}

/// Accepts what Google's emulator accepts, which is nearly everything, because it sends no e-mails.
pub fn emulator_email(text: &str) -> Option<String> {
    let (local, domain) = text.rsplit_once('@')?;
    let is_valid = !local.is_empty()
        && !domain.is_empty()
        && text.len() <= 256
        && !domain.starts_with('.')
        && !domain.ends_with('.')
        && !local.contains('@')
        && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    is_valid.then(|| text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_camel_and_snake_case() {
        let body = ApiFields::parse(br#"{"id_token": "a", "displayName": 7}"#);
        let body = body.unwrap();
        assert_eq!(body.string("idToken").unwrap(), Some("a"));
        assert_eq!(body.string("displayName").unwrap(), Some("7"));
        assert_eq!(body.string("missing").unwrap(), None);
        assert!(ApiFields::parse(br#"{"email": {}}"#).unwrap().string("email").is_err());
        assert!(ApiFields::parse(b"[1]").is_err() && ApiFields::parse(b"{").is_err());
        assert!(ApiFields::parse(b"").is_ok());
    }

    #[test]
    fn email_addresses_are_validated() {
        for read in [parse_email, emulator_email] {
            assert_eq!(read("Rahim@Haat.Example").as_deref(), Some("rahim@haat.example"));
            for text in ["", "a", "a@", "@b.c", "a b@c.d", "a@b.c\n", "a@b@c.d", "a@.d"] {
                assert_eq!(read(text), None, "{text}");
            }
        }
        for text in ["\"text\"<victim@b.example>", "<a@b.example>", "a@localhost", "åsa@b.example"]
        {
            assert_eq!(parse_email(text), None, "{text}");
        }
    }
}
