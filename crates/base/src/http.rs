//! Extractors that refuse in the house's own words, where axum's would answer in plain text.

use std::net::IpAddr;

use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::{Error, Id};

/// The query string. Unknown parameters are ignored.
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
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
