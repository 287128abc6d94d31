//! A customer's address book: up to 20 addresses, one of them the default at checkout. The only module
//! that writes `addresses`.

mod countries;
mod input;
mod place;

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use platform::auth::Customer;
use platform::db::{Json as StoredJson, retry_on_conflict, statement};
use platform::error::ErrorBody;
use platform::http::{JsonBody, PathId};
use platform::{Context, Db, Error, Id, Language, Result, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::customers;
use crate::error_responses::{BadRequest, NotFound};
use crate::schemas;
use crate::validation::MAX_RECIPIENT_LEN;

pub use countries::{AddressForm, Countries, CountryName};
pub use input::{AddressParts, CheckedAddress, StoredParts, TypedAddress};
pub use place::Place;

const MAX_ADDRESSES: i64 = 20;

pub type AddressId = Id<Address>;

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Countries: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_addresses, add_address))
        .routes(routes!(change_address, remove_address))
        .merge(countries::router())
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
pub struct Address {
    #[serde(rename = "_id")]
    pub id: AddressId,
    /// The recipient.
    pub name: String,
    pub phone: String,
    /// As it is written on a parcel.
    pub address: String,
    /// Its parts; null where only the text is known.
    #[schema(required, value_type = Option<StoredParts>)]
    #[serde(rename = "parts")]
    pub postal_address: Option<StoredJson<StoredParts>>,
    /// Whether it is the default at checkout; each customer has one default.
    pub usual: bool,
}

#[derive(Deserialize, ToSchema)]
struct NewAddress {
    #[schema(schema_with = schemas::filled_line::<MAX_RECIPIENT_LEN>)]
    name: String,
    #[schema(schema_with = schemas::phone)]
    phone: String,
    address: TypedAddress,
    /// Makes it the default. The first address always is; a default stays so until another one becomes
    /// it.
    #[serde(default)]
    #[schema(required = false)]
    usual: bool,
}

impl NewAddress {
    fn check(self, countries: &Countries, language: Language) -> Result<(CheckedAddress, bool)> {
        let checked = self.address.check((&self.name, &self.phone), countries, language)?;
        Ok((checked, self.usual))
    }
}

/// List one's addresses, the default first
#[utoipa::path(
    get, path = "/addresses", tag = "Customers",
    security(("accessToken" = [])),
    responses((status = 200, description = "At most 20", body = Vec<Address>))
)]
async fn list_addresses(
    State(context): State<Context>,
    caller: Customer,
) -> Result<Json<Vec<Address>>> {
    Ok(Json(list(&context.db, &caller.uid).await?))
}

/// Add an address
#[utoipa::path(
    post, path = "/addresses", tag = "Customers", request_body = NewAddress, params(Language),
    security(("accessToken" = [])),
    responses(
        (status = 201, description = "The whole list", body = Vec<Address>),
        (status = 409, description = "`addresses_full`: there are 20 already", body = ErrorBody),
        BadRequest,
    )
)]
async fn add_address(
    State(context): State<Context>,
    State(countries): State<Countries>,
    caller: Customer,
    language: Language,
    JsonBody(new): JsonBody<NewAddress>,
) -> Result<(StatusCode, Json<Vec<Address>>)> {
    let new = new.check(&countries, language)?;
    retry_on_conflict(|| add(&context, &caller.uid, &new)).await?;
    Ok((StatusCode::CREATED, Json(list(&context.db, &caller.uid).await?)))
}

/// Change an address
#[utoipa::path(
    put, path = "/addresses/{id}", tag = "Customers", request_body = NewAddress,
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The address's id"), Language),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The whole list", body = Vec<Address>),
        BadRequest, NotFound,
    )
)]
async fn change_address(
    State(context): State<Context>,
    State(countries): State<Countries>,
    caller: Customer,
    PathId(id): PathId<Address>,
    language: Language,
    JsonBody(new): JsonBody<NewAddress>,
) -> Result<Json<Vec<Address>>> {
    let new = new.check(&countries, language)?;
    retry_on_conflict(|| change(&context, &caller.uid, &id, &new)).await?;
    Ok(Json(list(&context.db, &caller.uid).await?))
}

/// Remove an address
#[utoipa::path(
    delete, path = "/addresses/{id}", tag = "Customers",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The address's id")),
    security(("accessToken" = [])),
    responses((status = 200, description = "The rest of the list", body = Vec<Address>), NotFound)
)]
async fn remove_address(
    State(context): State<Context>,
    caller: Customer,
    PathId(id): PathId<Address>,
) -> Result<Json<Vec<Address>>> {
    retry_on_conflict(|| remove(&context, &caller.uid, &id)).await?;
    Ok(Json(list(&context.db, &caller.uid).await?))
}

/// A customer's addresses, the default first, then the oldest.
pub async fn list(db: &Db, customer: &str) -> Result<Vec<Address>> {
    db.query(
        "select id, name, phone, address, postal_address, usual from addresses where customer = $1
         order by case when usual then 0 else 1 end, created_at, id",
    )
    .bind(customer)
    .all()
    .await
}

pub fn erase(tx: &mut Tx, customer: &str) {
    tx.defer(statement("delete from addresses where customer = $1").bind(customer));
}

// Each of these locks the customer's row first, so that concurrent changes cannot exceed the limit
// or leave two defaults.

async fn add(
    context: &Context,
    customer: &str,
    (new, usual): &(CheckedAddress, bool),
) -> Result<()> {
    let mut tx = context.db.begin().await?;
    customers::lock(&mut tx, customer).await?;
    let (count,): (i64,) =
        tx.query("select count(*) from addresses where customer = $1").bind(customer).one().await?;
    if count >= MAX_ADDRESSES {
        let message = format!("You can keep {MAX_ADDRESSES} addresses. Please remove one first.");
        return Err(Error::conflict("addresses_full", message).with("most", MAX_ADDRESSES));
    }
    let id = AddressId::new(&context.clock, &context.random);
    tx.query(
        "insert into addresses (id, customer, name, phone, address, usual, created_at, postal_address)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&id)
    .bind(customer)
    .bind(new.name.as_str())
    .bind(new.phone.as_str())
    .bind(new.text.as_str())
    .bind(count == 0)
    .bind(context.clock.now())
    .bind(new.stored_parts())
    .execute()
    .await?;
    if *usual {
        set_default(&mut tx, customer, &id).await?;
    }
    tx.commit().await
}

async fn change(
    context: &Context,
    customer: &str,
    id: &AddressId,
    (new, usual): &(CheckedAddress, bool),
) -> Result<()> {
    let mut tx = context.db.begin().await?;
    customers::lock(&mut tx, customer).await?;
    let changed = tx
        .query(
            "update addresses set name = $3, phone = $4, address = $5, postal_address = $6
             where id = $1 and customer = $2",
        )
        .bind(id)
        .bind(customer)
        .bind(new.name.as_str())
        .bind(new.phone.as_str())
        .bind(new.text.as_str())
        .bind(new.stored_parts())
        .execute()
        .await?;
    if changed == 0 {
        return Err(Error::NotFound("address"));
    }
    if *usual {
        set_default(&mut tx, customer, id).await?;
    }
    tx.commit().await
}

async fn remove(context: &Context, customer: &str, id: &AddressId) -> Result<()> {
    let mut tx = context.db.begin().await?;
    customers::lock(&mut tx, customer).await?;
    let was_usual: Option<(bool,)> = tx
        .query("delete from addresses where id = $1 and customer = $2 returning usual")
        .bind(id)
        .bind(customer)
        .optional()
        .await?;
    let Some((was_usual,)) = was_usual else { return Err(Error::NotFound("address")) };
    let oldest: Option<(AddressId,)> = tx
        .query("select id from addresses where customer = $1 order by created_at, id limit 1")
        .bind(customer)
        .optional()
        .await?;
    if let Some((oldest,)) = oldest.filter(|_| was_usual) {
        set_default(&mut tx, customer, &oldest).await?;
    }
    tx.commit().await
}

async fn set_default(tx: &mut Tx, customer: &str, id: &AddressId) -> Result<()> {
    tx.query("update addresses set usual = (id = $2) where customer = $1")
        .bind(customer)
        .bind(id)
        .execute()
        .await
        .map(drop)
}
