//! Customers: name, e-mail address, language and photo of each account of the identity provider. Passwords are
//! never accepted here. The only module that writes `customers`.

mod photo;

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::{HeaderMap, StatusCode};
use media::Media;
use platform::auth::{Customer, IdTokenClaims};
use platform::error::{ErrorBody, Field};
use platform::http::{JsonBody, PathString, QueryParams};
use platform::text::clean_name;
use platform::{Context, Db, Error, Language, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::error_responses::{BadRequest, Forbidden};
use crate::{schemas, validation};
use media::PictureId;

use photo::{__path_delete_photo, __path_upload_photo, delete_photo, upload_photo};

const MAX_NAME_LEN: usize = 256;

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Media: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(access_token))
        .routes(routes!(save_customer))
        .routes(routes!(change_profile))
        .routes(routes!(upload_photo, delete_photo))
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[schema(as = Customer)]
pub struct CustomerProfile {
    #[serde(rename = "_id")]
    pub id: String,
    pub name: String,
    pub email: String,
    /// The language chosen last, here or by the switch in the shop, for e-mails that no order and no request
    /// of the customer causes; null for the shop's default.
    #[schema(required)]
    pub language: Option<Language>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EmailParam {
    /// The caller's e-mail address.
    pub(crate) email: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AccessToken {
    /// The Bearer token of all customer calls; expires after 15 minutes.
    access_token: String,
}

/// Exchange an ID token for an access token
#[utoipa::path(
    get, path = "/user/jwt", tag = "Customers", params(EmailParam, Language),
    security(("idToken" = [])),
    responses(
        (status = 200, body = AccessToken),
        (status = 403, description = "The address is not the token's own", body = ErrorBody),
    )
)]
async fn access_token(
    State(context): State<Context>,
    who: IdTokenClaims,
    language: Language,
    headers: HeaderMap,
    QueryParams(EmailParam { email }): QueryParams<EmailParam>,
) -> Result<Json<AccessToken>> {
    check_owner(&who.caller, &email)?;
    let change = ProfileChange {
        name: None,
        verified: Some(Verified::of(&who.caller)),
        language: context.languages.chosen(&headers),
    };
    upsert(&context, &who.caller, language, change).await?;
    let access_token = context.tokens.access_token(who.caller, who.generation)?;
    Ok(Json(AccessToken { access_token }))
}

#[derive(Deserialize, ToSchema)]
struct NewCustomer {
    #[serde(default)]
    #[schema(schema_with = schemas::line::<MAX_NAME_LEN>)]
    name: String,
    /// Must be the ID token's own; optional.
    #[serde(default)]
    email: String,
}

/// Save a customer after registration
#[utoipa::path(
    post, path = "/user", tag = "Customers", request_body = NewCustomer, params(Language),
    security(("idToken" = [])),
    responses((status = 201, body = CustomerProfile), BadRequest, Forbidden)
)]
async fn save_customer(
    State(context): State<Context>,
    who: IdTokenClaims,
    language: Language,
    headers: HeaderMap,
    JsonBody(new): JsonBody<NewCustomer>,
) -> Result<(StatusCode, Json<CustomerProfile>)> {
    if !new.email.is_empty() {
        check_owner(&who.caller, &new.email)?;
    }
    let name = validation::optional_line("name", &new.name, MAX_NAME_LEN)?;
    let name = Some(name).filter(|name| !name.is_empty());
    let change = ProfileChange {
        name: name.as_deref(),
        verified: Some(Verified::of(&who.caller)),
        language: context.languages.chosen(&headers),
    };
    let customer = upsert(&context, &who.caller, language, change).await?;
    Ok((StatusCode::CREATED, Json(customer)))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Profile {
    #[schema(schema_with = schemas::filled_line::<MAX_NAME_LEN>)]
    display_name: String,
    /// One of the shop's languages; unchanged where it is left out.
    #[serde(default)]
    language: Option<Language>,
}

/// Change one's name and language
#[utoipa::path(
    put, path = "/user/{email}", tag = "Customers", request_body = Profile,
    params(("email" = String, Path, description = "The caller's e-mail address")),
    security(("accessToken" = [])),
    responses((status = 200, body = CustomerProfile), BadRequest, Forbidden)
)]
async fn change_profile(
    State(context): State<Context>,
    caller: Customer,
    language: Language,
    PathString(email): PathString,
    JsonBody(profile): JsonBody<Profile>,
) -> Result<Json<CustomerProfile>> {
    check_owner(&caller, &email)?;
    let name = validation::optional_line("name", &profile.display_name, MAX_NAME_LEN)?;
    if name.is_empty() {
        return Err(Field::new("displayName", "required", "must not be empty").into());
    }
    if profile.language.is_some_and(|language| context.languages.iter().all(|one| one != language))
    {
        return Err(Error::invalid("language", "the shop does not have it"));
    }
    // An access token may be older than the stored verification.
    let change = ProfileChange { name: Some(&name), verified: None, language: profile.language };
    Ok(Json(upsert(&context, &caller, language, change).await?))
}

pub(crate) fn check_owner(caller: &Customer, email: &str) -> Result<()> {
    let message = "This is not your address.";
    match caller.owns(email) {
        true => Ok(()),
        false => Err(Error::refused(StatusCode::FORBIDDEN, "not_your_email", message)),
    }
}

/// What the identity provider has verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    pub email: bool,
    pub phone: bool,
}

impl Verified {
    pub fn of(caller: &Customer) -> Self {
        Self { email: caller.email_verified, phone: caller.verified_phone.is_some() }
    }

    pub fn any(self) -> bool {
        self.email || self.phone
    }

    pub fn or(self, other: Self) -> Self {
        Self { email: self.email || other.email, phone: self.phone || other.phone }
    }
}

/// What to set; the rest stays. The language is an explicit choice: in the profile, or by the cookie.
struct ProfileChange<'c> {
    name: Option<&'c str>,
    verified: Option<Verified>,
    language: Option<Language>,
}

/// Inserts or updates the caller; `language` is that of the request, for a customer without one. A verified
/// address stays verified while it does not change, because a token may be older than the verification.
async fn upsert(
    context: &Context,
    caller: &Customer,
    language: Language,
    change: ProfileChange<'_>,
) -> Result<CustomerProfile> {
    let ProfileChange { name, verified, language: chosen } = change;
    let own_name = caller.name.as_deref().map(|name| clean_name(name, MAX_NAME_LEN));
    let initial_name = name.or(own_name.as_deref()).unwrap_or_default();
    let mut tx = context.db.begin().await?;
    let customer = tx
        .query(
            "insert into customers
               (id, email, name, created_at, email_verified, phone_verified, language)
             values ($1, $2, $3, $4, coalesce($6, false), coalesce($7, false), coalesce($9, $8))
             on conflict (id) do update set email = excluded.email,
               name = coalesce($5, customers.name),
               email_verified = excluded.email_verified
                 or (customers.email_verified and customers.email = excluded.email),
               phone_verified = coalesce($7, customers.phone_verified),
               language = coalesce($9, customers.language, $8)
             returning id, email, name, language",
        )
        .bind(caller.uid.as_str())
        .bind(caller.email.as_str())
        .bind(initial_name)
        .bind(context.clock.now())
        .bind(name)
        .bind(verified.map(|verified| verified.email))
        .bind(verified.map(|verified| verified.phone))
        .bind(language)
        .bind(chosen)
        .one()
        .await?;
    tx.commit().await?;
    Ok(customer)
}

/// Locks a customer's row until the end of the transaction. Not found when the account is deleted.
pub(crate) async fn lock(tx: &mut Tx, customer: &str) -> Result<()> {
    let locked =
        tx.query("update customers set id = id where id = $1").bind(customer).execute().await?;
    if locked == 1 { Ok(()) } else { Err(Error::NotFound("customer")) }
}

/// Locks the row and returns what is verified; the e-mail flag is for this address, in lower case.
pub(crate) async fn lock_and_read_verified(
    tx: &mut Tx,
    customer: &str,
    email: &str,
) -> Result<Verified> {
    let found: Option<(bool, bool, bool)> = tx
        .query(
            "update customers set id = id where id = $1
             returning email_verified, phone_verified, lower(email) = $2",
        )
        .bind(customer)
        .bind(email)
        .optional()
        .await?;
    let verified = found.map(|(email, phone, same)| Verified { email: email && same, phone });
    Ok(verified.unwrap_or_default())
}

/// Whether this address, in lower case, is the customer's verified one.
pub(crate) async fn is_email_verified(tx: &mut Tx, customer: &str, email: &str) -> Result<bool> {
    let found: Option<(String,)> = tx
        .query("select id from customers where id = $1 and lower(email) = $2 and email_verified")
        .bind(customer)
        .bind(email)
        .optional()
        .await?;
    Ok(found.is_some())
}

/// Returns the previous photo.
async fn set_photo(
    tx: &mut Tx,
    customer: &str,
    photo: Option<&PictureId>,
) -> Result<Option<PictureId>> {
    lock(tx, customer).await?;
    let (before,): (Option<String>,) =
        tx.query("select photo from customers where id = $1").bind(customer).one().await?;
    tx.query("update customers set photo = $2 where id = $1")
        .bind(customer)
        .bind(photo.map(PictureId::as_str))
        .execute()
        .await?;
    Ok(before.and_then(|id| id.parse().ok()))
}

/// The profile part of a customer's data export.
#[derive(Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct CustomerExport {
    name: String,
    email: String,
    /// The photo's id.
    photo: Option<String>,
    language: Option<Language>,
    created_at: Timestamp,
}

pub async fn export(db: &Db, customer: &str) -> Result<Option<CustomerExport>> {
    db.query("select name, email, photo, language, created_at from customers where id = $1")
        .bind(customer)
        .optional()
        .await
}

/// Deletes a customer and returns the photo, whose files the caller removes.
pub async fn erase(tx: &mut Tx, customer: &str) -> Result<Option<PictureId>> {
    let photo: Option<(Option<String>,)> = tx
        .query("delete from customers where id = $1 returning photo")
        .bind(customer)
        .optional()
        .await?;
    Ok(photo.and_then(|(photo,)| photo?.parse().ok()))
}
