//! Wire format of the protocol: parses request bodies and formats errors as Identity Toolkit does.

use std::borrow::Cow;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::header::{CONTENT_TYPE, COOKIE};
use axum::http::{HeaderMap, StatusCode};
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
pub fn google_error(status: StatusCode, message: impl Into<Cow<'static, str>>) -> ApiError {
    let name = match status {
        StatusCode::UNAUTHORIZED => "UNAUTHENTICATED",
        StatusCode::FORBIDDEN => "PERMISSION_DENIED",
        StatusCode::NOT_FOUND => "NOT_FOUND",
        StatusCode::METHOD_NOT_ALLOWED => "UNIMPLEMENTED",
        StatusCode::NOT_IMPLEMENTED => "NOT_IMPLEMENTED",
        _ => "INVALID_ARGUMENT",
    };
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

/// Reads a request's body of limited size.
pub async fn read_body(body: Body, max_bytes: usize) -> ApiResult<Bytes> {
    to_bytes(body, max_bytes)
        .await
        .map_err(|_| google_error(StatusCode::PAYLOAD_TOO_LARGE, "Request payload is too large."))
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
            _ => {
                let why = "Invalid JSON payload received. Unexpected token.";
                Err(google_error(StatusCode::BAD_REQUEST, why))
            }
        }
    }

    /// Keeps the names and types as they are, for values that are stored and returned.
    pub fn parse_unnormalized(bytes: &[u8]) -> ApiResult<Self> {
        Self::parse(bytes)?;
        Ok(Self(serde_json::from_slice(bytes).unwrap_or_default()))
    }

    /// A string, or a number, which `parse` turns into a string.
    pub fn string(&self, name: &str) -> ApiResult<Option<&str>> {
        self.read(name, "TYPE_STRING", text)
    }

    /// A string that is not empty.
    pub fn filled(&self, name: &str) -> ApiResult<Option<&str>> {
        Ok(self.string(name)?.filter(|text| !text.is_empty()))
    }

    pub fn strings(&self, name: &str) -> ApiResult<Vec<&str>> {
        let found =
            self.read(name, "TYPE_STRING", |list| list.as_array()?.iter().map(text).collect());
        Ok(found?.unwrap_or_default())
    }

    pub fn bool(&self, name: &str) -> ApiResult<Option<bool>> {
        self.read(name, "TYPE_BOOL", |value| match value.as_str() {
            None => value.as_bool(),
            Some("true" | "1") => Some(true),
            Some("false" | "0") => Some(false),
            Some(_) => None,
        })
    }

    /// An integer, which the protocol writes as a string.
    pub fn integer(&self, name: &str) -> ApiResult<Option<i64>> {
        let number = |text: &str| text.parse().map_err(|_| wrong_type(name, "TYPE_INT64"));
        self.filled(name)?.map(number).transpose()
    }

    pub fn object(&self, name: &str) -> ApiResult<Option<Self>> {
        self.read(name, "TYPE_MESSAGE", object)
    }

    /// A list of objects; `None` if the field is absent.
    pub fn objects(&self, name: &str) -> ApiResult<Option<Vec<Self>>> {
        self.read(name, "TYPE_MESSAGE", |list| list.as_array()?.iter().map(object).collect())
    }

    fn read<'a, T>(
        &'a self,
        name: &str,
        wanted: &str,
        parse: impl FnOnce(&'a Value) -> Option<T>,
    ) -> ApiResult<Option<T>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => parse(value).map(Some).ok_or_else(|| wrong_type(name, wanted)),
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

/// NUL is rejected, because PostgreSQL cannot store it.
fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.contains('\0'))
}

fn object(value: &Value) -> Option<ApiFields> {
    value.as_object().cloned().map(ApiFields)
}

fn parse_enum(field: &str, text: &str, names: EnumNames) -> ApiResult<&'static str> {
    let by_index = || names.get(text.parse::<usize>().ok()?);
    let found = names.iter().find(|name| **name == text).or_else(by_index);
    found.copied().ok_or_else(|| wrong_type(field, "TYPE_ENUM"))
}

fn wrong_type(name: &str, wanted: &str) -> ApiError {
    google_error(StatusCode::BAD_REQUEST, format!("Invalid value at '{name}' ({wanted})"))
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

/// A JSON object without its absent fields.
pub fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

/// The values of the cookies with this name.
pub fn cookies<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h str> {
    let lines = headers.get_all(COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';'));
    pairs.filter_map(move |pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

pub fn query_parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
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
