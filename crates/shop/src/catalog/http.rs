//! HTTP API of the catalogue, with the field names of the specification.

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{AppendHeaders, IntoResponse, Response};
use platform::http::{PathId, QueryParams};
use platform::pagination::{MAX_LIMIT, parse_limit, total_header};
use platform::{Context, Cursor, Db, Error, Exchange, Language, PageRequest, Result};
use response_cache::{Cache, NewCacheEntry};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    CatalogView, Category, LISTED_VARIANTS, Product, ProductFilter, ProductId, TextField, Variant,
    VariantCard, VariantId, categories, categories_tag, category, category_tag, newest, product,
    product_tag, tags_and_expiry, variant_cards, variants_from,
};
use crate::error_responses::{BadRequest, NotFound};
use media::Picture;

const MAX_IDS: usize = 100;

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Cache: FromRef<S>,
    Context: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(get_product))
        .routes(routes!(list_variants))
        .routes(routes!(get_variants))
        .routes(routes!(list_categories))
        .routes(routes!(get_category))
}

/// The cursor for the page of products after this one.
pub async fn cursor_after(db: &Db, id: &ProductId) -> Result<Option<String>> {
    let found =
        db.query("select created_at from products where id = $1").bind(id).optional().await?;
    Ok(found.map(|(created_at,)| Cursor::new(created_at, id).text()))
}

/// A product with what is sold of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProductWithVariants {
    #[serde(flatten)]
    product: Product,
    /// The first 100.
    variants: Vec<Variant>,
    /// The `cursor` of the next variants for `/api/products/{id}/variants`; null when these are all.
    #[schema(required)]
    variants_next: Option<String>,
}

/// Get a product
#[utoipa::path(
    get, path = "/products/{id}", tag = "Catalogue",
    params(
        ("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`"),
        Language, Exchange,
    ),
    responses((status = 200, body = ProductWithVariants), BadRequest, NotFound)
)]
async fn get_product(
    State(context): State<Context>,
    State(cache): State<Cache>,
    PathId(id): PathId<Product>,
    language: Language,
    to: Exchange,
    headers: HeaderMap,
) -> Result<Response> {
    let key = format!("/api/products/{id} {language} {}", to.currency);
    let entry = cache
        .get(&key, async move || {
            let (view, db) = (CatalogView::new(&context, language, to), &context.db);
            let product = product(db, view, &id).await?.ok_or(Error::NotFound("product"))?;
            let (variants, variants_next) =
                variants_page(db, view, &product, 0, LISTED_VARIANTS as i64).await?;
            let expires_at = product.totals.next_price_change;
            let found = ProductWithVariants { product, variants, variants_next };
            NewCacheEntry::json(&found, vec![], vec![product_tag(&id)], expires_at)
        })
        .await?;
    Ok(entry.respond(&headers))
}

/// A page of a product's variants, and the cursor of the next one.
async fn variants_page(
    db: &Db,
    view: CatalogView,
    product: &Product,
    position: i64,
    limit: i64,
) -> Result<(Vec<Variant>, Option<String>)> {
    let mut variants = variants_from(db, view, product, position, limit.saturating_add(1)).await?;
    let more = variants.len() as i64 > limit;
    variants.truncate(usize::try_from(limit).unwrap_or_default());
    let next = variants.last().filter(|_| more).map(|last| (last.position + 1).to_string());
    Ok((variants, next))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct VariantListParams {
    /// 1 to 200; 100 by default.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200)]
    limit: Option<String>,
    /// The `X-Next-Cursor` of the previous response, or a product's `variantsNext`.
    #[param(pattern = r"^[0-9]{1,9}$")]
    cursor: Option<String>,
}

/// List the variants of a product
#[utoipa::path(
    get, path = "/products/{id}/variants", tag = "Catalogue",
    params(
        ("id" = String, Path, pattern = "^[A-Za-z0-9_-]{1,64}$", description = "The product's `_id`"),
        VariantListParams, Language, Exchange,
    ),
    responses(
        (status = 200, body = Vec<Variant>, headers(
            ("X-Next-Cursor" = String, description = "The cursor of the next page; missing on the last"),
        )),
        BadRequest, NotFound,
    )
)]
async fn list_variants(
    State(context): State<Context>,
    PathId(id): PathId<Product>,
    QueryParams(params): QueryParams<VariantListParams>,
    language: Language,
    to: Exchange,
) -> Result<Response> {
    let limit = parse_limit(params.limit.as_deref(), LISTED_VARIANTS as i64)?;
    let position = match params.cursor.as_deref() {
        None => 0,
        Some(text) => text
            .parse::<u32>()
            .map_err(|_| Error::invalid("cursor", "the X-Next-Cursor of a response"))?
            .into(),
    };
    let (view, db) = (CatalogView::new(&context, language, to), &context.db);
    let product = product(db, view, &id).await?.ok_or(Error::NotFound("product"))?;
    let (variants, next) = variants_page(db, view, &product, position, limit).await?;
    let next = next.and_then(|next| HeaderValue::try_from(next).ok());
    let header = next.map(|next| [(HeaderName::from_static("x-next-cursor"), next)]);
    Ok((header.map(AppendHeaders), Json(variants)).into_response())
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct VariantIdParams {
    /// Ids of variants, separated by commas; at most 100. A product's id is that of its default variant.
    #[param(pattern = "^,*([A-Za-z0-9_-]{1,64}(,+[A-Za-z0-9_-]{1,64}){0,99})?,*$")]
    ids: String,
}

/// Get variants by their ids, without those that are not sold
#[utoipa::path(
    get, path = "/variants", tag = "Catalogue", params(VariantIdParams, Language, Exchange),
    responses(
        (status = 200, description = "In the order of the ids", body = Vec<VariantCard>),
        BadRequest,
    )
)]
async fn get_variants(
    State(context): State<Context>,
    QueryParams(VariantIdParams { ids }): QueryParams<VariantIdParams>,
    language: Language,
    to: Exchange,
) -> Result<Json<Vec<VariantCard>>> {
    let ids: Vec<&str> = ids.split(',').filter(|id| !id.is_empty()).collect();
    if ids.len() > MAX_IDS {
        return Err(Error::invalid("ids", format!("at most {MAX_IDS}")));
    }
    let parse = |id: &str| id.parse().map_err(|why| Error::invalid("ids", format!("{why}")));
    let ids = ids.into_iter().map(parse).collect::<Result<Vec<VariantId>>>()?;
    variant_cards(&context.db, CatalogView::new(&context, language, to), &ids).await.map(Json)
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
        Language, Exchange,
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
    State(context): State<Context>,
    State(cache): State<Cache>,
    PathId(id): PathId<Category>,
    language: Language,
    to: Exchange,
    headers: HeaderMap,
) -> Result<Response> {
    let key = format!("/api/category/{id} {language} {}", to.currency);
    let entry = cache
        .get(&key, async move || {
            let (view, db) = (CatalogView::new(&context, language, to), &context.db);
            let found =
                category(db, &id, view.language).await?.ok_or(Error::NotFound("category"))?;
            let filter = ProductFilter { category: Some(id.clone()), ..ProductFilter::default() };
            let request = PageRequest::first(MAX_LIMIT);
            let products = newest(db, view, &filter, &request).await?.items;
            let (mut depends_on, expires_at) =
                tags_and_expiry(products.iter().map(|p| (&p.id, &p.totals)));
            depends_on.push(category_tag(&id));
            let Category { id, name, img, picture, products: total, untranslated } = found;
            let body = CategoryWithProducts { id, name, img, picture, products, untranslated };
            NewCacheEntry::json(&body, vec![total_header(total)], depends_on, expires_at)
        })
        .await?;
    Ok(entry.respond(&headers))
}
