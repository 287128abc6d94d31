//! Wishlists of signed-in customers, and links by which others can see them. A guest's list lives in
//! the browser and is merged into this one at sign-in. The only module that writes `wishes` and
//! `shared_wishlists`.

use std::time::Duration;

use axum::Json;
use axum::extract::{FromRef, State};
use platform::auth::Customer;
use platform::db::{Json as JsonColumn, retry_on_conflict};
use platform::error::ErrorBody;
use platform::http::{JsonBody, PathId};
use platform::{Context, Db, Error, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::catalog::{ChosenOptions, ProductId, ProductOption, Variant, VariantId};
use crate::error_responses::{BadRequest, NotFound};
use crate::stock_alerts::{self, OwnAlert};
use crate::validation;

const MAX_PRODUCTS: usize = 100;
const TOKEN_BYTES: usize = 16;

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(get_wishlist, merge_wishlists))
        .routes(routes!(wish, unwish))
        .routes(routes!(share, unshare))
}

/// A customer's wishlist, without products that no longer exist.
#[derive(Serialize, ToSchema)]
pub struct Wishlist {
    /// Ids of variants, the newest first, at most 100.
    products: Vec<VariantId>,
    /// Path of the shared list; null when it is not shared.
    #[schema(required)]
    share: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct WishlistProducts {
    /// Ids of variants, the newest first, at most 100. A product's id means its default variant.
    #[schema(max_items = 100)]
    products: Vec<VariantId>,
}

/// Get one's wishlist
#[utoipa::path(
    get, path = "/wishlist", tag = "Wishlist",
    security(("accessToken" = [])),
    responses((status = 200, body = Wishlist))
)]
async fn get_wishlist(State(context): State<Context>, caller: Customer) -> Result<Json<Wishlist>> {
    load(&context, &caller.uid).await
}

/// Merge a browser's wishlist into one's own
#[utoipa::path(
    post, path = "/wishlist", tag = "Wishlist", request_body = WishlistProducts,
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The whole list; products beyond 100 are dropped", body = Wishlist),
        BadRequest,
    )
)]
async fn merge_wishlists(
    State(context): State<Context>,
    caller: Customer,
    JsonBody(WishlistProducts { products }): JsonBody<WishlistProducts>,
) -> Result<Json<Wishlist>> {
    if products.len() > MAX_PRODUCTS {
        return Err(validation::too_many_lines("products", MAX_PRODUCTS).into());
    }
    retry_on_conflict(|| merge(&context, &caller.uid, &products)).await?;
    load(&context, &caller.uid).await
}

/// Add a product to the wishlist
#[utoipa::path(
    put, path = "/wishlist/{product}", tag = "Wishlist",
    params(("product" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "A variant's id; a product's id means its default variant")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The whole list", body = Wishlist),
        (status = 409, description = "`wishlist_full`: more than 100 products", body = ErrorBody),
        NotFound,
    )
)]
async fn wish(
    State(context): State<Context>,
    caller: Customer,
    PathId(variant): PathId<Variant>,
) -> Result<Json<Wishlist>> {
    retry_on_conflict(|| add(&context, &caller.uid, &variant)).await?;
    load(&context, &caller.uid).await
}

/// Remove a product from the wishlist
#[utoipa::path(
    delete, path = "/wishlist/{product}", tag = "Wishlist",
    params(("product" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "A variant's id; a product's id means its default variant")),
    security(("accessToken" = [])),
    responses((status = 200, description = "The whole list", body = Wishlist))
)]
async fn unwish(
    State(context): State<Context>,
    caller: Customer,
    PathId(variant): PathId<Variant>,
) -> Result<Json<Wishlist>> {
    let sql = "delete from wishes where customer = $1 and variant = $2";
    context.db.query(sql).bind(caller.uid.as_str()).bind(&variant).execute().await?;
    load(&context, &caller.uid).await
}

/// Share the wishlist with everybody who has the link
#[utoipa::path(
    post, path = "/wishlist/share", tag = "Wishlist",
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "With its link, the same until sharing ends", body = Wishlist),
    )
)]
async fn share(State(context): State<Context>, caller: Customer) -> Result<Json<Wishlist>> {
    create_share(&context, &caller.uid).await?;
    load(&context, &caller.uid).await
}

/// Stop sharing the wishlist; the link never works again
#[utoipa::path(
    delete, path = "/wishlist/share", tag = "Wishlist",
    security(("accessToken" = [])),
    responses((status = 200, body = Wishlist))
)]
async fn unshare(State(context): State<Context>, caller: Customer) -> Result<Json<Wishlist>> {
    let sql = "delete from shared_wishlists where customer = $1";
    context.db.query(sql).bind(caller.uid.as_str()).execute().await?;
    load(&context, &caller.uid).await
}

async fn load(context: &Context, customer: &str) -> Result<Json<Wishlist>> {
    let products = list(&context.db, customer, true).await?;
    let products = products.into_iter().map(|wish| wish.variant).collect();
    Ok(Json(Wishlist { products, share: share_path(&context.db, customer).await? }))
}

async fn add(context: &Context, customer: &str, variant: &VariantId) -> Result<()> {
    let mut tx = context.db.begin().await?;
    if !insert(&mut tx, customer, variant, context.clock.now()).await? {
        let sql = "select variant from wishes where customer = $1 and variant = $2";
        let there: Option<(VariantId,)> =
            tx.query(sql).bind(customer).bind(variant).optional().await?;
        return there.map(drop).ok_or(Error::NotFound("product"));
    }
    if count(&mut tx, customer).await? > MAX_PRODUCTS {
        let message = format!("A wishlist holds at most {MAX_PRODUCTS} products.");
        return Err(Error::conflict("wishlist_full", message).with("most", MAX_PRODUCTS));
    }
    tx.commit().await
}

/// Products beyond the limit are dropped, so that a sign-in never fails because of them.
async fn merge(context: &Context, customer: &str, products: &[VariantId]) -> Result<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let mut room = MAX_PRODUCTS.saturating_sub(count(&mut tx, customer).await?);
    for (place, product) in products.iter().enumerate() {
        if room == 0 {
            break;
        }
        // Keeps the order of the list.
        let added_at = now.minus(Duration::from_millis(place as u64));
        room -= usize::from(insert(&mut tx, customer, product, added_at).await?);
    }
    tx.commit().await
}

async fn create_share(context: &Context, customer: &str) -> Result<()> {
    let token: String =
        context.random.bytes::<TOKEN_BYTES>().iter().map(|byte| format!("{byte:02x}")).collect();
    context
        .db
        .query(
            "insert into shared_wishlists (customer, token, created_at) values ($1, $2, $3)
             on conflict (customer) do nothing",
        )
        .bind(customer)
        .bind(token)
        .bind(context.clock.now())
        .execute()
        .await
        .map(drop)
}

/// Returns whether a row was inserted; false for a duplicate or a variant that is not sold.
async fn insert(tx: &mut Tx, customer: &str, variant: &VariantId, at: Timestamp) -> Result<bool> {
    let new = tx
        .query(
            "insert into wishes (customer, variant, added_at)
             select $1, variants.id, $3 from variants join products on products.id = product
             where variants.id = $2 and variants.status = 'active' and products.status = 'active'
             on conflict (customer, variant) do nothing",
        )
        .bind(customer)
        .bind(variant)
        .bind(at)
        .execute()
        .await?;
    Ok(new > 0)
}

async fn count(tx: &mut Tx, customer: &str) -> Result<usize> {
    let sql = "select count(*) from wishes where customer = $1";
    let (count,): (i64,) = tx.query(sql).bind(customer).one().await?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// A wish in the data export, with the product's name and the chosen options.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wish {
    pub variant: VariantId,
    pub product: ProductId,
    pub name: String,
    #[schema(value_type = BTreeMap<String, String>)]
    pub options: ChosenOptions,
    pub added_at: Timestamp,
}

#[derive(sqlx::FromRow)]
struct WishRow {
    variant: VariantId,
    product: ProductId,
    name: String,
    options: JsonColumn<Vec<ProductOption>>,
    chosen: JsonColumn<Vec<String>>,
    added_at: Timestamp,
}

/// A customer's wishes, or only those for variants that are sold now.
async fn list(db: &Db, customer: &str, only_sold: bool) -> Result<Vec<Wish>> {
    let sold = if only_sold { "and p.status = 'active' and v.status = 'active'" } else { "" };
    let sql = format!(
        "select w.variant, v.product, p.name, p.options, v.options as chosen, w.added_at
         from wishes w join variants v on v.id = w.variant join products p on p.id = v.product
         where w.customer = $1 {sold} order by w.added_at desc, w.variant limit {MAX_PRODUCTS}"
    );
    let rows: Vec<WishRow> = db.query(sql).bind(customer).all().await?;
    let wish = |WishRow { variant, product, name, options, chosen, added_at }: WishRow| {
        let options = ChosenOptions::new(&options, &chosen);
        Wish { variant, product, name, options, added_at }
    };
    Ok(rows.into_iter().map(wish).collect())
}

async fn share_path(db: &Db, customer: &str) -> Result<Option<String>> {
    let sql = "select token from shared_wishlists where customer = $1";
    let token: Option<(String,)> = db.query(sql).bind(customer).optional().await?;
    Ok(token.map(|(token,)| format!("/wishlist/{token}")))
}

/// Whether a text has the form of a share token.
pub fn is_share_token(text: &str) -> bool {
    let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 2 * TOKEN_BYTES && text.bytes().all(digit)
}

/// The owner's name and the variants of a shared list, the newest first; `None` when the token is not
/// valid.
pub async fn shared(db: &Db, token: &str) -> Result<Option<(String, Vec<VariantId>)>> {
    let sql = "select s.customer, coalesce(c.name, '') from shared_wishlists s
               left join customers c on c.id = s.customer where s.token = $1";
    let found: Option<(String, String)> = db.query(sql).bind(token).optional().await?;
    let Some((customer, name)) = found else { return Ok(None) };
    let wishes = list(db, &customer, true).await?;
    Ok(Some((name, wishes.into_iter().map(|wish| wish.variant).collect())))
}

/// The wishlist part of a customer's data export.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WishlistExport {
    pub wishes: Vec<Wish>,
    /// Path of the shared list; null when it is not shared.
    #[schema(required)]
    pub share: Option<String>,
    pub stock_alerts: Vec<OwnAlert>,
}

pub async fn export(db: &Db, customer: &str) -> Result<WishlistExport> {
    Ok(WishlistExport {
        wishes: list(db, customer, false).await?,
        share: share_path(db, customer).await?,
        stock_alerts: stock_alerts::export(db, customer).await?,
    })
}

/// Deletes a customer's wishlist and stock alerts, including the alerts of a verified address.
pub async fn erase(tx: &mut Tx, customer: &str, verified_email: Option<&str>) -> Result<()> {
    for table in ["wishes", "shared_wishlists"] {
        let sql = format!("delete from {table} where customer = $1");
        tx.query(sql).bind(customer).execute().await?;
    }
    stock_alerts::erase(tx, customer, verified_email).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_token_has_32_hex_digits() {
        assert!(is_share_token("0123456789abcdef0123456789abcdef"));
        for wrong in ["", "share", "0123456789ABCDEF0123456789ABCDEF", &"a".repeat(33)] {
            assert!(!is_share_token(wrong), "{wrong}");
        }
    }
}
