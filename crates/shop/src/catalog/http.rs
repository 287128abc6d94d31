//! HTTP API of the catalogue, with the field names of the specification.

use axum::extract::{FromRef, State};
use axum::http::HeaderMap;
use axum::response::Response;
use platform::http::PathId;
use platform::pagination::{MAX_LIMIT, total_header};
use platform::{Context, Cursor, Db, Error, Language, PageRequest, Result};
use response_cache::{Cache, NewCacheEntry};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    Category, Product, ProductFilter, ProductId, TextField, categories, categories_tag, category,
    category_tag, newest, product, product_tag, tags_and_expiry,
};
use crate::error_responses::{BadRequest, NotFound};
use media::Picture;

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Cache: FromRef<S>,
    Context: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(get_product))
        .routes(routes!(list_categories))
        .routes(routes!(get_category))
}

/// The cursor for the page of products after this one.
pub async fn cursor_after(db: &Db, id: &ProductId) -> Result<Option<String>> {
    let found =
        db.query("select created_at from products where id = $1").bind(id).optional().await?;
    Ok(found.map(|(created_at,)| Cursor::new(created_at, id).text()))
}

/// Get a product
#[utoipa::path(
    get, path = "/products/{id}", tag = "Catalogue",
    params(
        ("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`"),
        Language,
    ),
    responses((status = 200, body = Product), BadRequest, NotFound)
)]
async fn get_product(
    State(Context { db, clock, languages, .. }): State<Context>,
    State(cache): State<Cache>,
    PathId(id): PathId<Product>,
    language: Language,
    headers: HeaderMap,
) -> Result<Response> {
    let key = format!("/api/products/{id} {language}");
    let entry = cache
        .get(&key, async move || {
            let (now, language) = (clock.now(), languages.translation(language));
            let found =
                product(&db, now, &id, language).await?.ok_or(Error::NotFound("product"))?;
            NewCacheEntry::json(
                &found,
                vec![],
                vec![product_tag(&id)],
                found.price.next_price_change(now),
            )
        })
        .await?;
    Ok(entry.respond(&headers))
}

/// List the categories
#[utoipa::path(
    get, path = "/category", tag = "Catalogue", params(Language),
    responses((status = 200, body = Vec<Category>))
)]
async fn list_categories(
    State(Context { db, languages, .. }): State<Context>,
    State(cache): State<Cache>,
    language: Language,
    headers: HeaderMap,
) -> Result<Response> {
    let entry = cache
        .get(&format!("/api/category {language}"), async move || {
            let categories = categories(&db, languages.translation(language)).await?;
            NewCacheEntry::json(&categories, vec![], vec![categories_tag()], None)
        })
        .await?;
    Ok(entry.respond(&headers))
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    untranslated: Vec<TextField>,
}

/// Get a category with its products
#[utoipa::path(
    get, path = "/category/{id}", tag = "Catalogue",
    params(
        ("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The category's `_id`"),
        Language,
    ),
    responses(
        (status = 200, description = "At most 200 products; for more, use `/api/products?category=`",
         body = CategoryWithProducts, headers(
            ("X-Total-Count" = i64, description = "The total number"),
        )),
        BadRequest, NotFound,
    )
)]
async fn get_category(
    State(Context { db, clock, languages, .. }): State<Context>,
    State(cache): State<Cache>,
    PathId(id): PathId<Category>,
    language: Language,
    headers: HeaderMap,
) -> Result<Response> {
    let key = format!("/api/category/{id} {language}");
    let entry = cache
        .get(&key, async move || {
            let (now, language) = (clock.now(), languages.translation(language));
            let found = category(&db, &id, language).await?.ok_or(Error::NotFound("category"))?;
            let filter = ProductFilter { category: Some(id.clone()), ..ProductFilter::default() };
            let request = PageRequest::first(MAX_LIMIT);
            let products = newest(&db, now, &filter, &request, language).await?.items;
            let (mut depends_on, expires_at) =
                tags_and_expiry(products.iter().map(|p| (&p.id, &p.price)), now);
            depends_on.push(category_tag(&id));
            let Category { id, name, img, picture, products: total, untranslated } = found;
            let body = CategoryWithProducts { id, name, img, picture, products, untranslated };
            NewCacheEntry::json(&body, vec![total_header(total)], depends_on, expires_at)
        })
        .await?;
    Ok(entry.respond(&headers))
}
