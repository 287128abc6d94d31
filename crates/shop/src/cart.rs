//! The cart of a signed-in customer. A guest's cart lives in the browser and is merged into this one at
//! sign-in. The only module that writes `carts`.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{FromRef, State};
use platform::auth::Customer;
use platform::db::{SqlValue, in_list, retry_on_conflict, statement};
use platform::error::{ErrorBody, Field};
use platform::http::{JsonBody, whole_number};
use platform::{Context, Db, Error, Language, Money, Result, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::catalog::{self, ProductCard, ProductId, TextField};
use crate::error_responses::BadRequest;
use crate::quote::{MAX_LINES, MAX_QUANTITY};
use crate::validation;

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(get_cart, change_cart)).routes(routes!(merge_carts))
}

/// A customer's cart, the oldest line first, without products that no longer exist.
#[derive(Serialize, ToSchema)]
pub struct SavedCart {
    lines: Vec<SavedCartLine>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedCartLine {
    #[serde(rename = "_id")]
    id: ProductId,
    name: String,
    img: Vec<String>,
    /// The current price.
    buy_price: Money,
    qtn: i64,
    /// The texts that are in the default language, because they are not translated to the requested one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    untranslated: Vec<TextField>,
}

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
    /// 0 to 100; 0 removes the product.
    #[schema(minimum = 0, maximum = 100)]
    #[serde(deserialize_with = "whole_number")]
    qtn: i64,
}

impl Quantities {
    /// Sorted by product id, so that concurrent changes never deadlock; of duplicates the last one
    /// counts.
    fn parse(self) -> Result<Vec<(ProductId, i64)>> {
        if self.lines.len() > MAX_LINES {
            return Err(validation::too_many_lines("lines", MAX_LINES).into());
        }
        let mut parsed = BTreeMap::new();
        for (place, ProductQuantity { id, qtn }) in self.lines.into_iter().enumerate() {
            if !(0..=MAX_QUANTITY).contains(&qtn) {
                let (name, message) =
                    (format!("lines.{place}.qtn"), format!("from 0 to {MAX_QUANTITY}"));
                return Err(Field::new(name, "bad_quantity", message)
                    .with("most", MAX_QUANTITY)
                    .into());
            }
            parsed.insert(id, qtn);
        }
        Ok(parsed.into_iter().collect())
    }
}

/// Get one's cart
#[utoipa::path(
    get, path = "/cart", tag = "Cart", params(Language),
    security(("accessToken" = [])),
    responses((status = 200, body = SavedCart))
)]
async fn get_cart(
    State(context): State<Context>,
    caller: Customer,
    language: Language,
) -> Result<Json<SavedCart>> {
    load(&context, &caller.uid, language).await
}

/// Set the quantities of some products
#[utoipa::path(
    patch, path = "/cart", tag = "Cart", params(Language), request_body = Quantities,
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The whole cart", body = SavedCart),
        (status = 409, description = "`cart_full`: more than 100 products", body = ErrorBody),
        BadRequest,
    )
)]
async fn change_cart(
    State(context): State<Context>,
    caller: Customer,
    language: Language,
    JsonBody(quantities): JsonBody<Quantities>,
) -> Result<Json<SavedCart>> {
    write(&context, &caller.uid, &quantities.parse()?, Mode::Set).await?;
    load(&context, &caller.uid, language).await
}

/// Merge a browser's cart into one's own: the larger quantity of each product
#[utoipa::path(
    post, path = "/cart/join", tag = "Cart", params(Language), request_body = Quantities,
    security(("accessToken" = [])),
    responses((status = 200, description = "The whole cart", body = SavedCart), BadRequest)
)]
async fn merge_carts(
    State(context): State<Context>,
    caller: Customer,
    language: Language,
    JsonBody(quantities): JsonBody<Quantities>,
) -> Result<Json<SavedCart>> {
    write(&context, &caller.uid, &quantities.parse()?, Mode::Merge).await?;
    load(&context, &caller.uid, language).await
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Set,
    /// Lines beyond the limit are dropped, so that a sign-in never fails because of them.
    Merge,
}

async fn load(context: &Context, customer: &str, language: Language) -> Result<Json<SavedCart>> {
    let Context { db, clock, languages, .. } = context;
    let saved = lines(db, customer).await?;
    let (ids, quantities): (Vec<ProductId>, Vec<i64>) = saved.into_iter().unzip();
    let language = languages.translation(language);
    let cards = catalog::cards_by_id(db, clock.now(), &ids, language).await?;
    let line = |card: ProductCard| {
        let qtn = ids.iter().position(|id| *id == card.id).map(|place| quantities[place]);
        qtn.map(|qtn| SavedCartLine {
            img: card.img.0.into_iter().take(1).map(|photo| photo.src).collect(),
            id: card.id,
            name: card.name,
            buy_price: card.price.buy_price,
            qtn,
            untranslated: card.untranslated,
        })
    };
    Ok(Json(SavedCart { lines: cards.into_iter().filter_map(line).collect() }))
}

async fn write(
    context: &Context,
    customer: &str,
    lines: &[(ProductId, i64)],
    mode: Mode,
) -> Result<()> {
    retry_on_conflict(|| async {
        let mut tx = context.db.begin().await?;
        for (id, quantity) in lines {
            if *quantity == 0 && mode == Mode::Set {
                remove_products(&mut tx, customer, &[id]);
            } else if *quantity > 0 {
                upsert_line(context, &mut tx, customer, id, *quantity, mode).await?;
            }
        }
        tx.commit().await
    })
    .await
}

async fn upsert_line(
    context: &Context,
    tx: &mut Tx,
    customer: &str,
    id: &ProductId,
    quantity: i64,
    mode: Mode,
) -> Result<()> {
    let larger = match mode {
        Mode::Set => "",
        Mode::Merge => " where carts.quantity < excluded.quantity",
    };
    tx.query(format!(
        "insert into carts (customer, product, quantity, added_at) values ($1, $2, $3, $4)
         on conflict (customer, product) do update set quantity = excluded.quantity{larger}"
    ))
    .bind(customer)
    .bind(id)
    .bind(quantity)
    .bind(context.clock.now())
    .execute()
    .await?;
    let (products,): (i64,) =
        tx.query("select count(*) from carts where customer = $1").bind(customer).one().await?;
    match mode {
        _ if products <= MAX_LINES as i64 => Ok(()),
        Mode::Merge => {
            remove_products(tx, customer, &[id]);
            Ok(())
        }
        Mode::Set => {
            let message = format!("A cart holds at most {MAX_LINES} products.");
            Err(Error::conflict("cart_full", message).with("most", MAX_LINES))
        }
    }
}

/// A customer's cart: products and quantities.
pub async fn lines(db: &Db, customer: &str) -> Result<Vec<(ProductId, i64)>> {
    db.query("select product, quantity from carts where customer = $1 order by added_at, product")
        .bind(customer)
        .all()
        .await
}

pub fn erase(tx: &mut Tx, customer: &str) {
    tx.defer(statement("delete from carts where customer = $1").bind(customer));
}

pub fn remove_products(tx: &mut Tx, customer: &str, products: &[&ProductId]) {
    let sql = format!(
        "delete from carts where customer = $1 and {}",
        in_list("product", 2, products.len())
    );
    let bought = products.iter().map(|id| SqlValue::from(*id));
    tx.defer(statement(sql).bind(customer).bind_all(bought));
}
