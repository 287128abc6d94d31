//! The context: the services and settings that handlers of all modules share, and the extractors that
//! need it. The program and the tests build one; routers have it in their state (`FromRef`).

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts, OptionalFromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use crate::auth::{Customer, IdTokenClaims, RecentSignIn, Tokens};
use crate::secret::Secret;
use crate::{Clock, Currencies, Db, Error, Languages, Random, Result};

/// Cheap to clone.
#[derive(Clone)]
pub struct Context {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    pub tokens: Arc<Tokens>,
    /// The shop's public origin, for absolute URLs.
    pub origin: Arc<str>,
    pub languages: Languages,
    pub currencies: Currencies,
    /// Of how many days before a reduction the lowest price is shown as the price before; 0: the list price is.
    pub lowest_price_days: u16,
}

// These extractors read no body and come before the one that does, so that unauthenticated requests are
// rejected before a body is read.

macro_rules! extract_by {
    ($verify:ident, $caller:ty) => {
        impl<S: Sync> FromRequestParts<S> for $caller
        where
            Context: FromRef<S>,
        {
            type Rejection = Error;

            async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
                Context::from_ref(state).tokens.$verify(&parts.headers).await
            }
        }
    };
}

extract_by!(customer, Customer);
extract_by!(id_token_claims, IdTokenClaims);
extract_by!(recent_sign_in, RecentSignIn);

/// None without a token; an invalid one is rejected nevertheless.
impl<S: Sync> OptionalFromRequestParts<S> for Customer
where
    Context: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>> {
        match parts.headers.contains_key(AUTHORIZATION) {
            true => Context::from_ref(state).tokens.customer(&parts.headers).await.map(Some),
            false => Ok(None),
        }
    }
}
