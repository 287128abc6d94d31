//! Request extractors that reject with our JSON error, where axum's would answer in plain text.

use std::borrow::Cow;
use std::convert::Infallible;
use std::net::IpAddr;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};

use crate::error::Field;
use crate::id::MalformedId;
use crate::{Error, Id};

/// The query string as a struct. Unknown parameters are ignored.
pub struct QueryParams<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryParams<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        check_url(&parts.uri)?;
        match axum::extract::Query::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(params)) => Ok(Self(params)),
            Err(why) => Err(Error::invalid("query", why.body_text())),
        }
    }
}

/// The only path parameter, as an id.
pub struct PathId<T>(pub Id<T>);

impl<S: Send + Sync, T> FromRequestParts<S> for PathId<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let params = RawPathParams::from_request_parts(parts, state).await.ok();
        let id = params.and_then(|params| params.iter().next()?.1.parse().ok());
        id.map(Self).ok_or_else(|| Error::invalid("id", MalformedId.to_string()))
    }
}

/// The only path parameter, as text.
pub struct PathString(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathString {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        check_url(&parts.uri)?;
        match axum::extract::Path::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(text)) => Ok(Self(text)),
            Err(why) => Err(Error::invalid("path", why.body_text())),
        }
    }
}

/// A JSON body. Unknown fields are ignored.
pub struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let request = read_checked(request, state, check_json).await?;
        match axum::Json::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Self(body)),
            Err(why) => Err(match why.status() {
                StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => {
                    Error::invalid("body", why.body_text())
                }
                status => unreadable(status, why.body_text()),
            }),
        }
    }
}

/// Deserializes an integer from `2` and from `2.0`: JSON Schema calls both an integer.
pub fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let number = Number::deserialize(deserializer)?;
    let whole = |float: &f64| float.fract() == 0.0 && float.abs() <= MAX_EXACT;
    let from_float = || number.as_f64().filter(whole).map(|float| float as i64);
    let integer = number.as_i64().or_else(from_float);
    integer.ok_or_else(|| D::Error::custom("a whole number is required"))
}

/// Up to here a float represents every integer exactly.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// An HTML form as a struct. Unknown fields are ignored.
pub struct FormFields<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for FormFields<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let request = read_checked(request, state, check_form).await?;
        match axum::Form::from_request(request, state).await {
            Ok(axum::Form(fields)) => Ok(Self(fields)),
            Err(why) => Err(Error::invalid("form", why.body_text())),
        }
    }
}

fn nul_in(field: impl Into<Cow<'static, str>>) -> Error {
    Field::new(field, "bad_character", "No text may hold the character U+0000.").into()
}

/// Rejects a URL that contains NUL, which PostgreSQL cannot store in a text, and SQLite can.
fn check_url(url: &Uri) -> Result<(), Error> {
    match url.path_and_query().is_some_and(|url| url.as_str().contains("%00")) {
        true => Err(nul_in("address")),
        false => Ok(()),
    }
}

/// Reads the whole body, checks it, and answers the same request.
async fn read_checked<S: Send + Sync>(
    request: Request,
    state: &S,
    check: fn(&[u8]) -> Result<(), Error>,
) -> Result<Request, Error> {
    let (parts, body) = request.into_parts();
    let whole = Request::from_parts(parts.clone(), body);
    let bytes = Bytes::from_request(whole, state).await;
    let bytes = bytes.map_err(|why| unreadable(why.status(), why.body_text()))?;
    check(&bytes)?;
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

fn unreadable(status: StatusCode, why: String) -> Error {
    Error::refused(status, "unreadable", why)
}

/// Rejects NUL in texts, and an array instead of an object: serde would deserialize its items as fields.
pub fn check_json(json: &[u8]) -> Result<(), Error> {
    if json.trim_ascii_start().starts_with(b"[") {
        return Err(Error::invalid("body", "a JSON object is required, not a list"));
    }
    nul_in_json(json).map_or(Ok(()), |field| Err(nul_in(field)))
}

fn check_form(form: &[u8]) -> Result<(), Error> {
    match form.contains(&0) || form.windows(3).any(|found| found == b"%00") {
        true => Err(nul_in("form")),
        false => Ok(()),
    }
}

/// The JSON field whose text contains NUL, which is possible as an escape only.
fn nul_in_json(json: &[u8]) -> Option<String> {
    fn find(value: &Value, field: &str) -> Option<String> {
        match value {
            Value::String(text) => text.contains('\0').then(|| field.to_owned()),
            Value::Array(items) => items.iter().find_map(|item| find(item, field)),
            Value::Object(fields) => fields.iter().find_map(|(name, value)| {
                if name.contains('\0') { Some(field.to_owned()) } else { find(value, name) }
            }),
            _ => None,
        }
    }
    let escape = br"\u0000";
    let escaped = json.windows(escape.len()).any(|found| found == escape);
    escaped.then(|| find(&serde_json::from_slice(json).ok()?, "body"))?
}

/// The client's IP address, a request extension that the HTTP server sets. As an extractor it is an
/// `Option`: none for a request that came through no server.
#[derive(Clone, Copy, Debug)]
pub struct ClientIp(pub IpAddr);

impl<S: Sync> axum::extract::OptionalFromRequestParts<S> for ClientIp {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get().copied())
    }
}

impl ClientIp {
    /// The network that rate limits count by: of IPv6 the /64, because one visitor has all of it.
    pub fn network(self) -> String {
        match self.0 {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => match address.to_ipv4_mapped() {
                Some(address) => address.to_string(),
                None => {
                    let [a, b, c, d, ..] = address.segments();
                    format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_with_and_without_a_fraction_of_zero() {
        let read = |json: &str| whole_number(&mut serde_json::Deserializer::from_str(json)).ok();
        assert_eq!([read("76"), read("76.0"), read("-3e0")], [Some(76), Some(76), Some(-3)]);
        for wrong in ["1.5", "1e300", "\"1\"", "null", "true", "18446744073709551615"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn nul_is_found_in_json_and_forms() {
        let found = |json: &str| nul_in_json(json.as_bytes());
        assert_eq!(found(r#"{"a": [{"b": "c\u0000"}]}"#).as_deref(), Some("b"));
        assert_eq!(found(r#"["\\\u0000"]"#).as_deref(), Some("body"));
        assert_eq!(found(r#"{"a": {"\u0000": 1}}"#).as_deref(), Some("a"));
        assert_eq!(found(r#"{"a": "\\u0000"}"#), None);
        assert!(check_form(b"a=%00").is_err() && check_form(b"a=\0").is_err());
        assert!(check_form(b"a=00").is_ok());
        assert!(check_json(b" [1]").is_err() && check_json(b"{}").is_ok());
    }
}
