//! The catalogue's API, in the specification's field names.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use base::cache::{Cache, Fresh};
use base::error::ErrorBody;
use base::http::PathId;
use base::{Clock, Cursor, Db, Error, Result};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    Category, Filter, Product, ProductId, categories, category, newest, product, scope_of_category,
    scope_of_product, shelves, shown,
};
use media::Picture;

const MOST: i64 = 200;

/// What the catalogue's handlers need.
#[derive(Clone)]
pub struct Catalog {
    pub db: Db,
    pub clock: Clock,
    pub cache: Cache,
}

pub fn router() -> OpenApiRouter<Catalog> {
    OpenApiRouter::new()
        .routes(routes!(get_product))
        .routes(routes!(list_categories))
        .routes(routes!(get_category))
}

/// Where the list of products goes on after this one.
pub async fn cursor_after(db: &Db, id: &ProductId) -> Result<Option<String>> {
    let found =
        db.query("select created_at from products where id = $1").bind(id).optional().await?;
    Ok(found.map(|(created_at,)| Cursor { created_at, id: id.clone() }.text()))
}

/// One product
#[utoipa::path(
    get, path = "/products/{id}", tag = "Catalogue",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`")),
    responses(
        (status = 200, body = Product),
        (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody),
    )
)]
async fn get_product(
    State(Catalog { db, clock, cache }): State<Catalog>,
    PathId(id): PathId<Product>,
    headers: HeaderMap,
) -> Result<Response> {
    let kept = cache
        .get(&format!("/api/products/{id}"), async move || {
            let now = clock.now();
            let found = product(&db, now, &id).await?.ok_or(Error::NotFound("product"))?;
            Fresh::json(&found, vec![], vec![scope_of_product(&id)], found.price.next_turn(now))
        })
        .await?;
    Ok(kept.respond(&headers))
}

/// The categories
#[utoipa::path(
    get, path = "/category", tag = "Catalogue",
    responses((status = 200, body = Vec<Category>))
)]
async fn list_categories(
    State(Catalog { db, cache, .. }): State<Catalog>,
    headers: HeaderMap,
) -> Result<Response> {
    let kept = cache
        .get("/api/category", async move || {
            Fresh::json(&categories(&db).await?, vec![], vec![shelves()], None)
        })
        .await?;
    Ok(kept.respond(&headers))
}

/// A category with its products, newest first.
#[derive(Serialize, ToSchema)]
struct CategoryWithProducts {
    #[serde(rename = "_id")]
    id: super::CategoryId,
    name: String,
    img: String,
    picture: Picture,
    products: Vec<Product>,
}

/// One category with its products
#[utoipa::path(
    get, path = "/category/{id}", tag = "Catalogue",
    params(("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The category's `_id`")),
    responses(
        (status = 200, description = "At most 200 products; go on with `/api/products?category=`",
         body = CategoryWithProducts, headers(
            ("X-Total-Count" = i64, description = "How many there are in all"),
        )),
        (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody),
    )
)]
async fn get_category(
    State(Catalog { db, clock, cache }): State<Catalog>,
    PathId(id): PathId<Category>,
    headers: HeaderMap,
) -> Result<Response> {
    let kept = cache
        .get(&format!("/api/category/{id}"), async move || {
            let now = clock.now();
            let found = category(&db, &id).await?.ok_or(Error::NotFound("category"))?;
            let filter = Filter { category: Some(id.clone()), ..Filter::default() };
            let products = newest(&db, now, &filter, None, MOST).await?;
            let (mut shows, until) = shown(products.iter().map(|p| (&p.id, &p.price)), now);
            shows.push(scope_of_category(&id));
            let Category { id, name, img, picture, products: total } = found;
            let body = CategoryWithProducts { id, name, img, picture, products };
            Fresh::json(&body, vec![number("x-total-count", total)], shows, until)
        })
        .await?;
    Ok(kept.respond(&headers))
}

fn number(name: &'static str, value: i64) -> (HeaderName, HeaderValue) {
    (HeaderName::from_static(name), HeaderValue::from(value))
}
