//! The cart of a signed-in customer. A guest's cart lives in the browser and is merged into this one at
//! sign-in. The only module that writes `carts`.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{FromRef, State};
use platform::auth::Customer;
use platform::db::{SqlValue, in_list, retry_on_conflict, statement};
use platform::error::{ErrorBody, Field};
use platform::http::{JsonBody, whole_number};
use platform::{Context, Currency, Db, Error, Exchange, Language, Money, Result, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::catalog::{
    self, CatalogView, ChosenOptions, LineVariant, ProductId, TextField, VariantId,
};
use crate::error_responses::BadRequest;
use crate::pricing::{MAX_LINES, MAX_QUANTITY};
use crate::validation;

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(get_cart, change_cart)).routes(routes!(merge_carts))
}

/// A customer's cart, the oldest line first, without what is not sold any more.
#[derive(Serialize, ToSchema)]
pub struct SavedCart {
    /// Of the prices.
    currency: Currency,
    lines: Vec<SavedCartLine>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedCartLine {
    /// The variant.
    #[serde(rename = "_id")]
    id: VariantId,
    product: ProductId,
    #[schema(value_type = BTreeMap<String, String>)]
    options: ChosenOptions,
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
    lines: Vec<VariantQuantity>,
}

#[derive(Deserialize, ToSchema)]
pub struct VariantQuantity {
    /// A variant's id; a product's id means its default variant.
    #[serde(rename = "_id")]
    id: VariantId,
    /// 0 to 100; 0 removes it.
    #[schema(minimum = 0, maximum = 100)]
    #[serde(deserialize_with = "whole_number")]
    qtn: i64,
}

impl Quantities {
    /// Sorted by id, so that concurrent changes never deadlock; of duplicates the last one
    /// counts.
    fn parse(self) -> Result<Vec<(VariantId, i64)>> {
        if self.lines.len() > MAX_LINES {
            return Err(validation::too_many_lines("lines", MAX_LINES).into());
        }
        let mut parsed = BTreeMap::new();
        for (place, VariantQuantity { id, qtn }) in self.lines.into_iter().enumerate() {
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
    get, path = "/cart", tag = "Cart", params(Language, Exchange),
    security(("accessToken" = [])),
    responses((status = 200, body = SavedCart))
)]
async fn get_cart(
    State(context): State<Context>,
    caller: Customer,
    language: Language,
    to: Exchange,
) -> Result<Json<SavedCart>> {
    load(&context, &caller.uid, CatalogView::new(&context, language, to)).await
}

/// Set the quantities of some variants
#[utoipa::path(
    patch, path = "/cart", tag = "Cart", params(Language, Exchange), request_body = Quantities,
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The whole cart", body = SavedCart),
        (status = 409, description = "`cart_full`: more than 100 lines", body = ErrorBody),
        BadRequest,
    )
)]
async fn change_cart(
    State(context): State<Context>,
    caller: Customer,
    language: Language,
    to: Exchange,
    JsonBody(quantities): JsonBody<Quantities>,
) -> Result<Json<SavedCart>> {
    write(&context, &caller.uid, &quantities.parse()?, Mode::Set).await?;
    load(&context, &caller.uid, CatalogView::new(&context, language, to)).await
}

/// Merge a browser's cart into one's own: the larger quantity of each variant
#[utoipa::path(
    post, path = "/cart/join", tag = "Cart", params(Language, Exchange), request_body = Quantities,
    security(("accessToken" = [])),
    responses((status = 200, description = "The whole cart", body = SavedCart), BadRequest)
)]
async fn merge_carts(
    State(context): State<Context>,
    caller: Customer,
    language: Language,
    to: Exchange,
    JsonBody(quantities): JsonBody<Quantities>,
) -> Result<Json<SavedCart>> {
    write(&context, &caller.uid, &quantities.parse()?, Mode::Merge).await?;
    load(&context, &caller.uid, CatalogView::new(&context, language, to)).await
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Set,
    /// Lines beyond the limit are dropped, so that a sign-in never fails because of them.
    Merge,
}

async fn load(
    Context { db, .. }: &Context,
    customer: &str,
    view: CatalogView,
) -> Result<Json<SavedCart>> {
    let saved = lines(db, customer).await?;
    let (ids, quantities): (Vec<VariantId>, Vec<i64>) = saved.into_iter().unzip();
    let variants = catalog::line_variants(db, view, &ids).await?;
    let line = |variant: LineVariant| {
        let qtn = ids.iter().position(|id| *id == variant.id).map(|place| quantities[place]);
        qtn.map(|qtn| SavedCartLine {
            img: variant.img.into_iter().map(|photo| photo.src).collect(),
            id: variant.id,
            product: variant.product,
            options: variant.options,
            name: variant.name,
            buy_price: variant.price.buy_price,
            qtn,
            untranslated: variant.untranslated,
        })
    };
    Ok(Json(SavedCart {
        currency: view.to.currency,
        lines: variants.into_iter().filter_map(line).collect(),
    }))
}

async fn write(
    context: &Context,
    customer: &str,
    lines: &[(VariantId, i64)],
    mode: Mode,
) -> Result<()> {
    retry_on_conflict(|| async {
        let mut tx = context.db.begin().await?;
        for (id, quantity) in lines {
            if *quantity == 0 && mode == Mode::Set {
                remove_lines(&mut tx, customer, &[id]);
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
    id: &VariantId,
    quantity: i64,
    mode: Mode,
) -> Result<()> {
    let larger = match mode {
        Mode::Set => "",
        Mode::Merge => " where carts.quantity < excluded.quantity",
    };
    tx.query(format!(
        "insert into carts (customer, variant, quantity, added_at) values ($1, $2, $3, $4)
         on conflict (customer, variant) do update set quantity = excluded.quantity{larger}"
    ))
    .bind(customer)
    .bind(id)
    .bind(quantity)
    .bind(context.clock.now())
    .execute()
    .await?;
    let (lines,): (i64,) =
        tx.query("select count(*) from carts where customer = $1").bind(customer).one().await?;
    match mode {
        _ if lines <= MAX_LINES as i64 => Ok(()),
        Mode::Merge => {
            remove_lines(tx, customer, &[id]);
            Ok(())
        }
        Mode::Set => {
            let message = format!("A cart holds at most {MAX_LINES} lines.");
            Err(Error::conflict("cart_full", message).with("most", MAX_LINES))
        }
    }
}

/// A customer's cart: variants and quantities.
pub async fn lines(db: &Db, customer: &str) -> Result<Vec<(VariantId, i64)>> {
    db.query("select variant, quantity from carts where customer = $1 order by added_at, variant")
        .bind(customer)
        .all()
        .await
}

pub fn erase(tx: &mut Tx, customer: &str) {
    tx.defer(statement("delete from carts where customer = $1").bind(customer));
}

pub fn remove_lines(tx: &mut Tx, customer: &str, variants: &[&VariantId]) {
    let sql = format!(
        "delete from carts where customer = $1 and {}",
        in_list("variant", 2, variants.len())
    );
    let bought = variants.iter().map(|id| SqlValue::from(*id));
    tx.defer(statement(sql).bind(customer).bind_all(bought));
}
