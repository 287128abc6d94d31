//! Extractors that refuse in the house's own words, where axum's would answer in plain text.

use axum::extract::{FromRequestParts, RawPathParams};
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
