//! What a signed-in customer is about to buy, the same on every device. Alone writes `carts`. A guest's
//! cart lives in the browser, and is joined with this one at sign-in.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use base::auth::{Authenticates, Caller, Tokens};
use base::db::{Value, again, one_of, write};
use base::error::ErrorBody;
use base::http::{Sent, whole_number};
use base::{Clock, Db, Error, Money, Result, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::catalog::{self, ProductCard, ProductId};
use crate::quote::{MOST_LINES, MOST_OF_ONE};

#[derive(Clone)]
pub struct Carts {
    pub db: Db,
    pub clock: Clock,
    pub tokens: Tokens,
}

impl Authenticates for Carts {
    fn tokens(&self) -> &Tokens {
        &self.tokens
    }
}

pub fn router() -> OpenApiRouter<Carts> {
    OpenApiRouter::new().routes(routes!(get_cart, change_cart)).routes(routes!(join_carts))
}

/// A customer's cart, in the order in which it was filled. What the shop does not sell any more is left
/// out.
#[derive(Serialize, ToSchema)]
pub struct KeptCart {
    lines: Vec<KeptLine>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptLine {
    #[serde(rename = "_id")]
    id: ProductId,
    name: String,
    img: Vec<String>,
    /// What it costs now.
    buy_price: Money,
    qtn: i64,
}

/// Quantities of products.
#[derive(Deserialize, ToSchema)]
pub struct Quantities {
    /// At most 100.
    #[schema(max_items = 100)]
    lines: Vec<ProductQuantity>,
}

#[derive(Deserialize, ToSchema)]
pub struct ProductQuantity {
    #[serde(rename = "_id")]
    id: ProductId,
    /// 0 to 100; none takes the product out.
    #[schema(minimum = 0, maximum = 100)]
    #[serde(deserialize_with = "whole_number")]
    qtn: i64,
}

impl Quantities {
    /// By the ids of the products, so that two changes never wait for each other; the last word on a
    /// product counts.
    fn parse(self) -> Result<Vec<(ProductId, i64)>> {
        if self.lines.len() > MOST_LINES {
            return Err(Error::invalid("lines", format!("at most {MOST_LINES}")));
        }
        let mut parsed = BTreeMap::new();
        for (place, ProductQuantity { id, qtn }) in self.lines.into_iter().enumerate() {
            if !(0..=MOST_OF_ONE).contains(&qtn) {
                let message = format!("from 0 to {MOST_OF_ONE}");
                return Err(Error::invalid(format!("lines.{place}.qtn"), message));
            }
            parsed.insert(id, qtn);
        }
        Ok(parsed.into_iter().collect())
    }
}

/// One's own cart
#[utoipa::path(
    get, path = "/cart", tag = "Cart",
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = KeptCart),
        (status = 401, body = ErrorBody),
    )
)]
async fn get_cart(State(carts): State<Carts>, caller: Caller) -> Result<Json<KeptCart>> {
    carts.show(&caller.uid).await
}

/// Set the quantities of some products
#[utoipa::path(
    patch, path = "/cart", tag = "Cart", request_body = Quantities,
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The whole cart. Wants the shop's access token as Bearer",
         body = KeptCart),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 409, description = "`full`: it would hold more than 100 products", body = ErrorBody),
    )
)]
async fn change_cart(
    State(carts): State<Carts>,
    caller: Caller,
    Sent(quantities): Sent<Quantities>,
) -> Result<Json<KeptCart>> {
    carts.put(&caller.uid, &quantities.parse()?, Put::Change).await?;
    carts.show(&caller.uid).await
}

/// Join a browser's cart with one's own: of each product, the larger quantity
#[utoipa::path(
    post, path = "/cart/join", tag = "Cart", request_body = Quantities,
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The whole cart. Wants the shop's access token as Bearer",
         body = KeptCart),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
    )
)]
async fn join_carts(
    State(carts): State<Carts>,
    caller: Caller,
    Sent(quantities): Sent<Quantities>,
) -> Result<Json<KeptCart>> {
    carts.put(&caller.uid, &quantities.parse()?, Put::Join).await?;
    carts.show(&caller.uid).await
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Put {
    Change,
    /// What does not fit any more stays outside: a sign-in never fails for it.
    Join,
}

impl Carts {
    async fn show(&self, customer: &str) -> Result<Json<KeptCart>> {
        let kept = kept(&self.db, customer).await?;
        let (ids, quantities): (Vec<ProductId>, Vec<i64>) = kept.into_iter().unzip();
        let cards = catalog::cards_of(&self.db, self.clock.now(), &ids).await?;
        let line = |card: ProductCard| {
            let qtn = ids.iter().position(|id| *id == card.id).map(|place| quantities[place]);
            qtn.map(|qtn| KeptLine {
                img: card.img.0.into_iter().take(1).map(|photo| photo.src).collect(),
                id: card.id,
                name: card.name,
                buy_price: card.price.buy_price,
                qtn,
            })
        };
        Ok(Json(KeptCart { lines: cards.into_iter().filter_map(line).collect() }))
    }

    async fn put(&self, customer: &str, lines: &[(ProductId, i64)], how: Put) -> Result<()> {
        again(|| async {
            let mut tx = self.db.begin().await?;
            for (id, quantity) in lines {
                if *quantity == 0 && how == Put::Change {
                    take_out(&mut tx, customer, &[id]);
                } else if *quantity > 0 {
                    self.put_line(&mut tx, customer, id, *quantity, how).await?;
                }
            }
            tx.commit().await
        })
        .await
    }

    async fn put_line(
        &self,
        tx: &mut Tx,
        customer: &str,
        id: &ProductId,
        quantity: i64,
        how: Put,
    ) -> Result<()> {
        let larger = match how {
            Put::Change => "",
            Put::Join => " where carts.quantity < excluded.quantity",
        };
        tx.query(format!(
            "insert into carts (customer, product, quantity, added_at) values ($1, $2, $3, $4)
             on conflict (customer, product) do update set quantity = excluded.quantity{larger}"
        ))
        .bind(customer)
        .bind(id)
        .bind(quantity)
        .bind(self.clock.now())
        .execute()
        .await?;
        let (products,): (i64,) =
            tx.query("select count(*) from carts where customer = $1").bind(customer).one().await?;
        match how {
            _ if products <= MOST_LINES as i64 => Ok(()),
            Put::Join => {
                take_out(tx, customer, &[id]);
                Ok(())
            }
            Put::Change => Err(Error::Conflict {
                code: "full",
                message: format!("A cart holds at most {MOST_LINES} products."),
            }),
        }
    }
}

/// What is in a customer's cart, by product.
pub async fn kept(db: &Db, customer: &str) -> Result<Vec<(ProductId, i64)>> {
    db.query("select product, quantity from carts where customer = $1 order by added_at, product")
        .bind(customer)
        .all()
        .await
}

/// Forgets a customer's cart.
pub fn forget(tx: &mut Tx, customer: &str) {
    tx.later(write("delete from carts where customer = $1").bind(customer));
}

/// What was bought, or is not wanted any more.
pub fn take_out(tx: &mut Tx, customer: &str, products: &[&ProductId]) {
    let sql = format!(
        "delete from carts where customer = $1 and {}",
        one_of("product", 2, products.len())
    );
    let bought = products.iter().map(|id| Value::from(*id));
    tx.later(write(sql).bind(customer).bind_all(bought));
}
