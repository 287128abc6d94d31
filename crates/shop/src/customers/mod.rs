//! Who shops here: a name and an e-mail address for each account that the identity provider vouches
//! for, and a picture where they gave one. Passwords never come this way; what is sent of them is not
//! even looked at. Alone writes `customers`.

mod photo;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use base::auth::{Authenticates, Caller, Identified, Tokens};
use base::error::ErrorBody;
use base::http::{Params, PathText, Sent};
use base::text::clean_name;
use base::{Clock, Db, Error, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::schemas;
use media::{Media, PictureId};

use photo::{__path_give_photo, __path_take_photo_away, give_photo, take_photo_away};

pub(crate) const LONGEST_NAME: usize = 256;

/// What the customers' handlers need.
#[derive(Clone)]
pub struct Customers {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub tokens: Tokens,
    pub media: Media,
    /// Where the shop stands, for the addresses of pictures.
    pub origin: String,
}

impl Authenticates for Customers {
    fn tokens(&self) -> &Tokens {
        &self.tokens
    }
}

pub fn router() -> OpenApiRouter<Customers> {
    OpenApiRouter::new()
        .routes(routes!(access_token))
        .routes(routes!(save))
        .routes(routes!(rename))
        .routes(routes!(give_photo, take_photo_away))
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
pub struct Customer {
    #[serde(rename = "_id")]
    pub id: String,
    pub name: String,
    pub email: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Whose {
    /// The e-mail address of whoever asks.
    email: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AccessToken {
    /// What the calls for customers want as Bearer; lives for 15 minutes.
    access_token: String,
}

/// An access token for the holder of an ID token
#[utoipa::path(
    get, path = "/user/jwt", tag = "Customers", params(Whose),
    security(("idToken" = [])),
    responses(
        (status = 200, description = "Wants the identity provider's ID token as Bearer", body = AccessToken),
        (status = 401, body = ErrorBody),
        (status = 403, description = "The address is not the token's own", body = ErrorBody),
    )
)]
async fn access_token(
    State(customers): State<Customers>,
    who: Identified,
    Params(Whose { email }): Params<Whose>,
) -> Result<Json<AccessToken>> {
    own(&who.caller, &email)?;
    customers.welcome(&who.caller, None, Some(Proof::of(&who.caller))).await?;
    let access_token = customers.tokens.access_token(who.caller, who.generation)?;
    Ok(Json(AccessToken { access_token }))
}

#[derive(Deserialize, ToSchema)]
struct NewCustomer {
    #[serde(default)]
    #[schema(schema_with = schemas::customer_name_or_none)]
    name: String,
    /// Must be the ID token's own; may be left out.
    #[serde(default)]
    email: String,
}

/// Save whoever has just registered
#[utoipa::path(
    post, path = "/user", tag = "Customers", request_body = NewCustomer,
    security(("idToken" = [])),
    responses(
        (status = 201, description = "Wants the identity provider's ID token as Bearer", body = Customer),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
    )
)]
async fn save(
    State(customers): State<Customers>,
    who: Identified,
    Sent(new): Sent<NewCustomer>,
) -> Result<(StatusCode, Json<Customer>)> {
    if !new.email.is_empty() {
        own(&who.caller, &new.email)?;
    }
    let name = Some(name(&new.name)?).filter(|name| !name.is_empty());
    let proof = Proof::of(&who.caller);
    let customer = customers.welcome(&who.caller, name.as_deref(), Some(proof)).await?;
    Ok((StatusCode::CREATED, Json(customer)))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Profile {
    #[schema(schema_with = schemas::customer_name)]
    display_name: String,
}

/// Change one's name
#[utoipa::path(
    put, path = "/user/{email}", tag = "Customers", request_body = Profile,
    params(("email" = String, Path, description = "The e-mail address of whoever asks")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = Customer),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
    )
)]
async fn rename(
    State(customers): State<Customers>,
    caller: Caller,
    PathText(email): PathText,
    Sent(profile): Sent<Profile>,
) -> Result<Json<Customer>> {
    own(&caller, &email)?;
    let name = name(&profile.display_name)?;
    if name.is_empty() {
        return Err(Error::invalid("displayName", "must not be empty"));
    }
    // An access token may be older than what is known by now.
    Ok(Json(customers.welcome(&caller, Some(&name), None).await?))
}

fn own(caller: &Caller, email: &str) -> Result<()> {
    if caller.owns(email) { Ok(()) } else { Err(Error::Forbidden("This is not your address.")) }
}

fn name(text: &str) -> Result<String> {
    let text = text.trim();
    if text.chars().count() > LONGEST_NAME || text.contains(char::is_control) {
        return Err(Error::invalid(
            "name",
            format!("at most {LONGEST_NAME} characters in one line"),
        ));
    }
    Ok(clean_name(text, LONGEST_NAME))
}

/// What the identity provider has proven to be a customer's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    pub email: bool,
    pub phone: bool,
}

impl Proof {
    pub fn of(caller: &Caller) -> Self {
        Self { email: caller.email_verified, phone: caller.phone_verified }
    }

    pub fn any(self) -> bool {
        self.email || self.phone
    }

    /// What either of them says.
    pub fn or(self, other: Self) -> Self {
        Self { email: self.email || other.email, phone: self.phone || other.phone }
    }
}

impl Customers {
    /// Knows the caller from now on, by this name when one is given, and what is proven of them where the
    /// provider has just said it. An address that was proven stays so while it is the same: a token may
    /// be older than the proof.
    async fn welcome(
        &self,
        caller: &Caller,
        name: Option<&str>,
        proof: Option<Proof>,
    ) -> Result<Customer> {
        let own_name = caller.name.as_deref().map(|name| clean_name(name, LONGEST_NAME));
        let at_first = name.or(own_name.as_deref()).unwrap_or_default();
        let mut tx = self.db.begin().await?;
        let customer = tx
            .query(
                "insert into customers (id, email, name, created_at, email_verified, phone_verified)
                 values ($1, $2, $3, $4, coalesce($6, false), coalesce($7, false))
                 on conflict (id) do update set email = excluded.email,
                   name = coalesce($5, customers.name),
                   email_verified = excluded.email_verified
                     or (customers.email_verified and customers.email = excluded.email),
                   phone_verified = coalesce($7, customers.phone_verified)
                 returning id, email, name",
            )
            .bind(caller.uid.as_str())
            .bind(caller.email.as_str())
            .bind(at_first)
            .bind(self.clock.now())
            .bind(name)
            .bind(proof.map(|proof| proof.email))
            .bind(proof.map(|proof| proof.phone))
            .one()
            .await?;
        tx.commit().await?;
        Ok(customer)
    }
}

/// Makes whoever else changes something of this customer's wait until the transaction ends. Nobody does
/// anything for a customer who is gone.
pub(crate) async fn hold(tx: &mut Tx, customer: &str) -> Result<()> {
    let held =
        tx.query("update customers set id = id where id = $1").bind(customer).execute().await?;
    if held == 1 { Ok(()) } else { Err(Error::NotFound("customer")) }
}

/// The same, and what is proven of the customer where their address is this one, in small letters.
pub(crate) async fn hold_with_proof(tx: &mut Tx, customer: &str, email: &str) -> Result<Proof> {
    let found: Option<(bool, bool, bool)> = tx
        .query(
            "update customers set id = id where id = $1
             returning email_verified, phone_verified, lower(email) = $2",
        )
        .bind(customer)
        .bind(email)
        .optional()
        .await?;
    let proof = found.map(|(email, phone, same)| Proof { email: email && same, phone });
    Ok(proof.unwrap_or_default())
}

/// Whether an address, in small letters, is known to be this customer's.
pub(crate) async fn is_proven(tx: &mut Tx, customer: &str, email: &str) -> Result<bool> {
    let found: Option<(String,)> = tx
        .query("select id from customers where id = $1 and lower(email) = $2 and email_verified")
        .bind(customer)
        .bind(email)
        .optional()
        .await?;
    Ok(found.is_some())
}

/// Answers the picture that was there before.
async fn set_photo(
    tx: &mut Tx,
    customer: &str,
    photo: Option<&PictureId>,
) -> Result<Option<PictureId>> {
    hold(tx, customer).await?;
    let (before,): (Option<String>,) =
        tx.query("select photo from customers where id = $1").bind(customer).one().await?;
    tx.query("update customers set photo = $2 where id = $1")
        .bind(customer)
        .bind(photo.map(PictureId::as_str))
        .execute()
        .await?;
    Ok(before.and_then(|id| id.parse().ok()))
}

/// What is kept of a customer, for themselves.
#[derive(Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    name: String,
    email: String,
    /// The id of their picture.
    photo: Option<String>,
    created_at: Timestamp,
}

pub async fn kept(db: &Db, customer: &str) -> Result<Option<Kept>> {
    db.query("select name, email, photo, created_at from customers where id = $1")
        .bind(customer)
        .optional()
        .await
}

/// Forgets a customer; answers their picture, for media to forget.
pub async fn forget(tx: &mut Tx, customer: &str) -> Result<Option<PictureId>> {
    let photo: Option<(Option<String>,)> = tx
        .query("delete from customers where id = $1 returning photo")
        .bind(customer)
        .optional()
        .await?;
    Ok(photo.and_then(|(photo,)| photo?.parse().ok()))
}
