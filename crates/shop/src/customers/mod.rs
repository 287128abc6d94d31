//! Who shops here: a name and an e-mail address for each account that the identity provider vouches
//! for, and a picture where they gave one. Passwords never come this way; what is sent of them is not
//! even looked at. Alone writes `customers`.

mod photo;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use base::auth::{Caller, Tokens};
use base::error::ErrorBody;
use base::http::{Params, PathText, Sent};
use base::{Clock, Db, Error, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::media::{Media, PictureId};
use crate::schemas;

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
    Params(Whose { email }): Params<Whose>,
    headers: HeaderMap,
) -> Result<Json<AccessToken>> {
    let caller = customers.tokens.identified(&headers)?;
    own(&caller, &email)?;
    customers.welcome(&caller, None).await?;
    Ok(Json(AccessToken { access_token: customers.tokens.access_token(caller)? }))
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
    headers: HeaderMap,
    Sent(new): Sent<NewCustomer>,
) -> Result<(StatusCode, Json<Customer>)> {
    let caller = customers.tokens.identified(&headers)?;
    if !new.email.is_empty() {
        own(&caller, &new.email)?;
    }
    let name = Some(name(&new.name)?).filter(|name| !name.is_empty());
    let customer = customers.welcome(&caller, name).await?;
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
    PathText(email): PathText,
    headers: HeaderMap,
    Sent(profile): Sent<Profile>,
) -> Result<Json<Customer>> {
    let caller = customers.tokens.caller(&headers)?;
    own(&caller, &email)?;
    let name = name(&profile.display_name)?;
    if name.is_empty() {
        return Err(Error::invalid("displayName", "must not be empty"));
    }
    Ok(Json(customers.welcome(&caller, Some(name)).await?))
}

fn own(caller: &Caller, email: &str) -> Result<()> {
    if caller.owns(email) { Ok(()) } else { Err(Error::Forbidden("This is not your address.")) }
}

fn name(text: &str) -> Result<&str> {
    let text = text.trim();
    if text.chars().count() > LONGEST_NAME || text.contains(char::is_control) {
        return Err(Error::invalid(
            "name",
            format!("at most {LONGEST_NAME} characters in one line"),
        ));
    }
    Ok(text)
}

impl Customers {
    /// Knows the caller from now on, by this name when one is given.
    async fn welcome(&self, caller: &Caller, name: Option<&str>) -> Result<Customer> {
        let at_first = name.or(caller.name.as_deref()).unwrap_or_default();
        let mut tx = self.db.begin().await?;
        let customer = tx
            .query(
                "insert into customers (id, email, name, created_at) values ($1, $2, $3, $4)
                 on conflict (id) do update set email = excluded.email,
                   name = coalesce($5, customers.name)
                 returning id, email, name",
            )
            .bind(caller.uid.as_str())
            .bind(caller.email.as_str())
            .bind(at_first)
            .bind(self.clock.now())
            .bind(name)
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
