//! What a customer would like to have, the same on every device, and the address at which others may see
//! it. A guest's list lives in the browser, and joins this one at sign-in. Alone writes `wishes` and
//! `shared_wishlists`.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use base::auth::{Authenticates, Caller, Tokens};
use base::db::again;
use base::error::ErrorBody;
use base::http::{PathId, Sent};
use base::{Clock, Db, Error, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::catalog::{Product, ProductId};
use crate::stock_alerts::{self, OwnAlert};

const MOST: usize = 100;
const TOKEN_BYTES: usize = 16;

/// What the wishlist's handlers need.
#[derive(Clone)]
pub struct Wishlists {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub tokens: Tokens,
}

impl Authenticates for Wishlists {
    fn tokens(&self) -> &Tokens {
        &self.tokens
    }
}

pub fn router() -> OpenApiRouter<Wishlists> {
    OpenApiRouter::new()
        .routes(routes!(get_wishlist, join_wishlists))
        .routes(routes!(wish, unwish))
        .routes(routes!(share, unshare))
}

/// A customer's wishes. What the shop does not sell any more is left out.
#[derive(Serialize, ToSchema)]
pub struct Wishlist {
    /// The newest first, at most 100.
    products: Vec<ProductId>,
    /// Where others see it; null while nobody may.
    #[schema(required)]
    share: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct Wished {
    /// The newest first, at most 100.
    #[schema(max_items = 100)]
    products: Vec<ProductId>,
}

/// One's own wishlist
#[utoipa::path(
    get, path = "/wishlist", tag = "Wishlist",
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = Wishlist),
        (status = 401, body = ErrorBody),
    )
)]
async fn get_wishlist(
    State(wishlists): State<Wishlists>,
    caller: Caller,
) -> Result<Json<Wishlist>> {
    wishlists.show(&caller.uid).await
}

/// Join a browser's wishlist with one's own
#[utoipa::path(
    post, path = "/wishlist", tag = "Wishlist", request_body = Wished,
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The whole list; what is too much stays outside. Wants the shop's \
         access token as Bearer", body = Wishlist),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
    )
)]
async fn join_wishlists(
    State(wishlists): State<Wishlists>,
    caller: Caller,
    Sent(Wished { products }): Sent<Wished>,
) -> Result<Json<Wishlist>> {
    if products.len() > MOST {
        return Err(Error::invalid("products", format!("at most {MOST}")));
    }
    again(|| wishlists.join(&caller.uid, &products)).await?;
    wishlists.show(&caller.uid).await
}

/// Wish for a product
#[utoipa::path(
    put, path = "/wishlist/{product}", tag = "Wishlist",
    params(("product" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "A product's id")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The whole list. Wants the shop's access token as Bearer",
         body = Wishlist),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`full`: it would hold more than 100 products", body = ErrorBody),
    )
)]
async fn wish(
    State(wishlists): State<Wishlists>,
    caller: Caller,
    PathId(product): PathId<Product>,
) -> Result<Json<Wishlist>> {
    again(|| wishlists.add(&caller.uid, &product)).await?;
    wishlists.show(&caller.uid).await
}

/// Take a wish back
#[utoipa::path(
    delete, path = "/wishlist/{product}", tag = "Wishlist",
    params(("product" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "A product's id")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The whole list. Wants the shop's access token as Bearer",
         body = Wishlist),
        (status = 401, body = ErrorBody),
    )
)]
async fn unwish(
    State(wishlists): State<Wishlists>,
    caller: Caller,
    PathId(product): PathId<Product>,
) -> Result<Json<Wishlist>> {
    let sql = "delete from wishes where customer = $1 and product = $2";
    wishlists.db.query(sql).bind(caller.uid.as_str()).bind(&product).execute().await?;
    wishlists.show(&caller.uid).await
}

/// Let others see it: whoever has the address does
#[utoipa::path(
    post, path = "/wishlist/share", tag = "Wishlist",
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "With its address, the same until it is ended. Wants the shop's \
         access token as Bearer", body = Wishlist),
        (status = 401, body = ErrorBody),
    )
)]
async fn share(State(wishlists): State<Wishlists>, caller: Caller) -> Result<Json<Wishlist>> {
    wishlists.open(&caller.uid).await?;
    wishlists.show(&caller.uid).await
}

/// Let nobody else see it any more: the address is gone for good
#[utoipa::path(
    delete, path = "/wishlist/share", tag = "Wishlist",
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = Wishlist),
        (status = 401, body = ErrorBody),
    )
)]
async fn unshare(State(wishlists): State<Wishlists>, caller: Caller) -> Result<Json<Wishlist>> {
    let sql = "delete from shared_wishlists where customer = $1";
    wishlists.db.query(sql).bind(caller.uid.as_str()).execute().await?;
    wishlists.show(&caller.uid).await
}

impl Wishlists {
    async fn show(&self, customer: &str) -> Result<Json<Wishlist>> {
        let products = wished_by(&self.db, customer).await?;
        let products = products.into_iter().map(|wish| wish.product).collect();
        Ok(Json(Wishlist { products, share: address_of(&self.db, customer).await? }))
    }

    async fn add(&self, customer: &str, product: &ProductId) -> Result<()> {
        let mut tx = self.db.begin().await?;
        if !put(&mut tx, customer, product, self.clock.now()).await? {
            let sql = "select product from wishes where customer = $1 and product = $2";
            let there: Option<(ProductId,)> =
                tx.query(sql).bind(customer).bind(product).optional().await?;
            return there.map(drop).ok_or(Error::NotFound("product"));
        }
        if count(&mut tx, customer).await? > MOST {
            return Err(Error::Conflict {
                code: "full",
                message: format!("A wishlist holds at most {MOST} products."),
            });
        }
        tx.commit().await
    }

    /// What does not fit any more stays outside: a sign-in never fails for it.
    async fn join(&self, customer: &str, products: &[ProductId]) -> Result<()> {
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        let mut room = MOST.saturating_sub(count(&mut tx, customer).await?);
        for (place, product) in products.iter().enumerate() {
            if room == 0 {
                break;
            }
            // In the order in which they stood.
            let added_at = now.minus(Duration::from_millis(place as u64));
            room -= usize::from(put(&mut tx, customer, product, added_at).await?);
        }
        tx.commit().await
    }

    async fn open(&self, customer: &str) -> Result<()> {
        let token: String =
            self.random.bytes::<TOKEN_BYTES>().iter().map(|byte| format!("{byte:02x}")).collect();
        self.db
            .query(
                "insert into shared_wishlists (customer, token, created_at) values ($1, $2, $3)
                 on conflict (customer) do nothing",
            )
            .bind(customer)
            .bind(token)
            .bind(self.clock.now())
            .execute()
            .await
            .map(drop)
    }
}

/// Whether it is new; nothing where there is no such product.
async fn put(tx: &mut Tx, customer: &str, product: &ProductId, at: Timestamp) -> Result<bool> {
    let new = tx
        .query(
            "insert into wishes (customer, product, added_at)
             select $1, id, $3 from products where id = $2
             on conflict (customer, product) do nothing",
        )
        .bind(customer)
        .bind(product)
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

/// A wish, with the product's name for people to read.
#[derive(Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Wish {
    pub product: ProductId,
    pub name: String,
    pub added_at: Timestamp,
}

async fn wished_by(db: &Db, customer: &str) -> Result<Vec<Wish>> {
    db.query(format!(
        "select w.product, p.name, w.added_at from wishes w join products p on p.id = w.product
         where w.customer = $1 order by w.added_at desc, w.product limit {MOST}"
    ))
    .bind(customer)
    .all()
    .await
}

async fn address_of(db: &Db, customer: &str) -> Result<Option<String>> {
    let sql = "select token from shared_wishlists where customer = $1";
    let token: Option<(String,)> = db.query(sql).bind(customer).optional().await?;
    Ok(token.map(|(token,)| format!("/wishlist/{token}")))
}

/// Whether a text could be what stands in a shared list's address.
pub fn is_token(text: &str) -> bool {
    let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 2 * TOKEN_BYTES && text.bytes().all(digit)
}

/// What others see of a list: whose it is, by the name that they chose to be shown by, and the products,
/// the newest wish first. Nothing where the address is none, or none any more.
pub async fn shared(db: &Db, token: &str) -> Result<Option<(String, Vec<ProductId>)>> {
    let sql = "select s.customer, coalesce(c.name, '') from shared_wishlists s
               left join customers c on c.id = s.customer where s.token = $1";
    let found: Option<(String, String)> = db.query(sql).bind(token).optional().await?;
    let Some((customer, name)) = found else { return Ok(None) };
    let wishes = wished_by(db, &customer).await?;
    Ok(Some((name, wishes.into_iter().map(|wish| wish.product).collect())))
}

/// What is kept of a customer's wishes, for the customer to take away.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnWishes {
    pub wishes: Vec<Wish>,
    /// Where others see them; null while nobody may.
    #[schema(required)]
    pub share: Option<String>,
    /// The letters that were asked for about what is out of stock.
    pub stock_alerts: Vec<OwnAlert>,
}

/// Everything that a customer wishes for.
pub async fn of_customer(db: &Db, customer: &str) -> Result<OwnWishes> {
    Ok(OwnWishes {
        wishes: wished_by(db, customer).await?,
        share: address_of(db, customer).await?,
        stock_alerts: stock_alerts::of_customer(db, customer).await?,
    })
}

/// Forgets it all, with the letters that were asked for, also by an address that is known to be theirs.
pub async fn forget(tx: &mut Tx, customer: &str, proven_email: Option<&str>) -> Result<()> {
    for table in ["wishes", "shared_wishlists"] {
        let sql = format!("delete from {table} where customer = $1");
        tx.query(sql).bind(customer).execute().await?;
    }
    stock_alerts::forget(tx, customer, proven_email).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_by_its_form() {
        assert!(is_token("0123456789abcdef0123456789abcdef"));
        for wrong in ["", "share", "0123456789ABCDEF0123456789ABCDEF", &"a".repeat(33)] {
            assert!(!is_token(wrong), "{wrong}");
        }
    }
}
