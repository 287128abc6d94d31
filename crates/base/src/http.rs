//! Extractors that refuse in the house's own words, where axum's would answer in plain text.

use std::fmt;
use std::net::IpAddr;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use serde::Deserializer;
use serde::de::{self, DeserializeOwned, Visitor};
use serde_json::Value;

use crate::{Error, Id};

/// The query string. Unknown parameters are ignored.
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        check_address(&parts.uri)?;
        match axum::extract::Query::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(params)) => Ok(Self(params)),
            Err(why) => Err(Error::invalid("query", why.body_text())),
        }
    }
}

/// The one id in the path.
pub struct PathId<T>(pub Id<T>);

impl<S: Send + Sync, T> FromRequestParts<S> for PathId<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let malformed = || Error::invalid("id", crate::id::MalformedId.to_string());
        let params =
            RawPathParams::from_request_parts(parts, state).await.map_err(|_| malformed())?;
        let (_, id) = params.iter().next().ok_or_else(malformed)?;
        Ok(Self(id.parse().map_err(|_| malformed())?))
    }
}

/// The one text in the path.
pub struct PathText(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathText {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        check_address(&parts.uri)?;
        match axum::extract::Path::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(text)) => Ok(Self(text)),
            Err(why) => Err(Error::invalid("path", why.body_text())),
        }
    }
}

/// A JSON body. Unknown fields are ignored.
pub struct Sent<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Sent<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let request = checked(request, state, check_json).await?;
        match axum::Json::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Self(body)),
            Err(why) if why.status() == StatusCode::BAD_REQUEST => {
                Err(Error::invalid("body", why.body_text()))
            }
            Err(why) if why.status() == StatusCode::UNPROCESSABLE_ENTITY => {
                Err(Error::invalid("body", why.body_text()))
            }
            Err(why) => Err(Error::Refused {
                status: why.status(),
                code: "unreadable",
                message: why.body_text().into(),
            }),
        }
    }
}

/// Reads a whole number however JSON writes it: 2 and 2.0 are one number there, and both are what a
/// schema calls an integer.
pub fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    struct Whole;

    impl Visitor<'_> for Whole {
        type Value = i64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number")
        }

        fn visit_i64<E: de::Error>(self, number: i64) -> Result<i64, E> {
            Ok(number)
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> Result<i64, E> {
            i64::try_from(number).map_err(|_| E::custom("too large a number"))
        }

        fn visit_f64<E: de::Error>(self, number: f64) -> Result<i64, E> {
            let whole = number.fract() == 0.0 && number.abs() <= MOST_EXACT;
            if whole { Ok(number as i64) } else { Err(E::custom("not a whole number")) }
        }
    }

    deserializer.deserialize_any(Whole)
}

/// The largest number up to which every whole one is itself as a float.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The fields of an HTML form. Unknown ones are ignored.
pub struct FormFields<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for FormFields<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let request = checked(request, state, check_form).await?;
        match axum::Form::from_request(request, state).await {
            Ok(axum::Form(fields)) => Ok(Self(fields)),
            Err(why) => Err(Error::invalid("form", why.body_text())),
        }
    }
}

const NUL: &str = "No text may hold the character U+0000.";

/// Refuses an address that names a NUL: SQLite keeps one in a text, PostgreSQL cannot.
fn check_address(address: &Uri) -> Result<(), Error> {
    match address.path_and_query().is_some_and(|address| address.as_str().contains("%00")) {
        true => Err(Error::invalid("address", NUL)),
        false => Ok(()),
    }
}

/// The same request, with its body read and checked.
async fn checked<S: Send + Sync>(
    request: Request,
    state: &S,
    check: fn(&[u8]) -> Result<(), Error>,
) -> Result<Request, Error> {
    let (parts, body) = request.into_parts();
    let whole = Request::from_parts(parts.clone(), body);
    let bytes = Bytes::from_request(whole, state).await.map_err(|why| Error::Refused {
        status: why.status(),
        code: "unreadable",
        message: why.body_text().into(),
    })?;
    check(&bytes)?;
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// Refuses a text with a NUL, and a list where an object is meant: serde would take its entries for the
/// fields in their order.
pub fn check_json(json: &[u8]) -> Result<(), Error> {
    if json.trim_ascii_start().starts_with(b"[") {
        return Err(Error::invalid("body", "a JSON object is wanted, not a list"));
    }
    nul_in_json(json).map_or(Ok(()), |field| Err(Error::invalid(field, NUL)))
}

fn check_form(form: &[u8]) -> Result<(), Error> {
    match form.contains(&0) || form.windows(3).any(|found| found == b"%00") {
        true => Err(Error::invalid("form", NUL)),
        false => Ok(()),
    }
}

/// The field of JSON whose text holds a NUL, which can stand there as an escape only.
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

/// Put into a request by whoever took the connection: where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

impl Peer {
    /// What counts as one visitor. Whoever has an address of IPv6's has the 64 bits behind it.
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
    fn a_whole_number_is_read_however_it_is_written() {
        let read = |json: &str| whole_number(&mut serde_json::Deserializer::from_str(json)).ok();
        assert_eq!([read("76"), read("76.0"), read("-3e0")], [Some(76), Some(76), Some(-3)]);
        for wrong in ["1.5", "1e300", "\"1\"", "null", "true", "18446744073709551615"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_nul_is_found_however_it_is_written() {
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
