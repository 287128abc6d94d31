//! Catalogue queries. Every product they return has the price and the texts of the view asked for.

use std::collections::HashMap;

use media::Picture;
use platform::db::{Query, SqlValue, in_list};
use platform::{Cursor, Db, Language, Page, PageRequest, Result, Timestamp, Tx};

use super::translations::{
    translate_cards, translate_categories, translate_products, translated_excerpts,
};
use super::variants::{self, default_variant, present_price_sql};
use super::{
    CatalogView, Category, CategoryId, FLASH_SALE, Photo, Product, ProductCard, ProductId, Variant,
    past_prices,
};
use crate::string_enum::string_enum;

// A product's price and SKU are those of its default variant, which has its id.
const COLUMNS: &str = "products.id, products.name, variants.sku, products.brand, products.img,
    variants.real_price, variants.offer_price, variants.sale_start, variants.sale_end,
    variants.fixed_prices, products.rating, products.reviews, products.product_type, products.full_description, products.options, products.tags,
    products.attributes, products.category, products.tax_class, products.status, products.publish_at, products.related,
    products.gift_card, products.created_at";
const CARD_COLUMNS: &str =
    "products.id, products.name, products.brand, products.img, variants.real_price,
    variants.offer_price, variants.sale_start, variants.sale_end, variants.fixed_prices, products.rating";
const PRODUCTS: &str = "products join variants on variants.id = products.id";

string_enum! {
    /// Sort order of a product list.
    #[derive(Default)]
    #[schema(as = Sort)]
    pub enum ProductSort {
        /// Newest first.
        #[default]
        Default = "default",
        PriceAsc = "price-asc",
        PriceDesc = "price-desc",
        /// Most sold, then best rated.
        Best = "best",
        /// By score; the same as `best` when there is no query.
        Relevance = "relevance",
    }
}

impl ProductSort {
    pub const ALL: [Self; 5] =
        [Self::Default, Self::PriceAsc, Self::PriceDesc, Self::Best, Self::Relevance];

    /// The columns of `order by`.
    pub fn order(self) -> &'static str {
        match self {
            Self::Default => "created_at desc, id desc",
            Self::PriceAsc => "sort_price, id",
            Self::PriceDesc => "sort_price desc, id desc",
            Self::Best | Self::Relevance => "popularity desc, rating desc, id desc",
        }
    }
}

pub async fn categories(db: &Db, language: Option<Language>) -> Result<Vec<Category>> {
    let mut categories: Vec<Category> = db
        .query(
            "select c.id, c.name, c.img, count(p.id) as products
             from categories c
               left join products p on p.category = c.id and p.status = 'active'
             group by c.id, c.name, c.img, c.position order by c.position, c.id",
        )
        .all()
        .await?;
    translate_categories(db, language, &mut categories).await?;
    attach_category_pictures(db, &mut categories).await?;
    Ok(categories)
}

pub async fn category(
    db: &Db,
    id: &CategoryId,
    language: Option<Language>,
) -> Result<Option<Category>> {
    let mut category: Option<Category> = db
        .query(
            "select id, name, img, (select count(*) from products
                                    where category = $1 and status = 'active') as products
             from categories where id = $1",
        )
        .bind(id)
        .optional()
        .await?;
    translate_categories(db, language, category.as_mut_slice()).await?;
    attach_category_pictures(db, category.as_mut_slice()).await?;
    Ok(category)
}

/// Fills in the pictures of all categories with one query.
async fn attach_category_pictures(db: &Db, categories: &mut [Category]) -> Result<()> {
    let known = media::find_pictures(db, categories.iter().map(|category| &category.img)).await?;
    for category in categories {
        category.picture = known.get(&category.img).cloned().unwrap_or_default();
    }
    Ok(())
}

/// Fills in the pictures of all products with one query, with the photos' alternative texts and colours.
pub(super) async fn attach_pictures(
    db: &Db,
    products: Vec<(&[Photo], &mut Vec<Picture>)>,
) -> Result<()> {
    let photos = products.iter().flat_map(|(photos, _)| *photos);
    let sources: Vec<&String> = photos.map(|photo| &photo.src).collect();
    let known = media::find_pictures(db, sources.into_iter()).await?;
    for (photos, pictures) in products {
        let picture = |Photo { src, alt, colour, .. }: &Photo| {
            let (alt, in_colour) = (alt.clone(), colour.clone());
            Some(Picture { alt, in_colour, ..known.get(src)?.clone() })
        };
        *pictures = photos.iter().filter_map(picture).collect();
    }
    Ok(())
}

/// A product that is shown: active or archived.
pub async fn product(db: &Db, view: CatalogView, id: &ProductId) -> Result<Option<Product>> {
    let sql = format!(
        "select {COLUMNS} from {PRODUCTS} where products.id = $1 and products.status <> 'draft'"
    );
    let mut product: Vec<Product> = db.query(sql).bind(id).all().await?;
    complete_products(db, view, &mut product).await?;
    Ok(product.pop())
}

/// Fills in what is not in the rows of these products.
async fn complete_products(
    db: &Db,
    view @ CatalogView { now, to, language, .. }: CatalogView,
    products: &mut [Product],
) -> Result<()> {
    let ids = products.iter().map(|product| &product.id);
    let mut totals = variants::totals(db, view, ids).await?;
    for product in &mut *products {
        product.price = product.stored.shown(now, to);
        product.totals = totals.remove(&product.id).unwrap_or_default();
        product.units_sold = product.totals.units_sold;
        product.options.0.iter_mut().for_each(|option| option.param = option.param());
    }
    let prices = products.iter_mut().map(|one| (default_variant(&one.id), &mut one.price));
    past_prices::compare(db, view, prices).await?;
    translate_products(db, language, products).await?;
    let photos = products.iter_mut().map(|one| (&one.img.0[..], &mut one.pictures));
    attach_pictures(db, photos.collect()).await
}

/// A product as stored, without its current price and pictures, and all its variants, also those that are not sold any
/// more.
pub(super) async fn find_in_tx(
    tx: &mut Tx,
    id: &ProductId,
) -> Result<Option<(Product, Vec<Variant>)>> {
    let sql = format!("select {COLUMNS} from {PRODUCTS} where products.id = $1");
    let found: Option<Product> = tx.query(sql).bind(id).optional().await?;
    match found {
        Some(product) => Ok(Some((product, variants::all_in_tx(tx, id).await?))),
        None => Ok(None),
    }
}

/// Products as stored, in the order of their ids, after this one, and the variants of all of them that are sold.
pub(super) async fn products_after(
    db: &Db,
    after: Option<&ProductId>,
    limit: i64,
) -> Result<(Vec<Product>, Vec<Variant>)> {
    let sql = format!(
        "select {COLUMNS} from {PRODUCTS} where products.id > $1 order by products.id limit $2"
    );
    let after = after.map_or("", |after| after.as_str());
    let products: Vec<Product> = db.query(sql).bind(after).bind(limit).all().await?;
    let ids: Vec<SqlValue> = products.iter().map(|product| SqlValue::from(&product.id)).collect();
    let sold = if ids.is_empty() { Vec::new() } else { variants::sold_of(db, ids).await? };
    Ok((products, sold))
}

/// Whether it exists and is no draft.
pub async fn product_exists(db: &Db, id: &ProductId) -> Result<bool> {
    let sql = "select id from products where id = $1 and status <> 'draft'";
    let found: Option<(String,)> = db.query(sql).bind(id).optional().await?;
    Ok(found.is_some())
}

/// Conditions of a product list, besides that a product is active.
#[derive(Clone, Debug, Default)]
pub struct ProductFilter {
    pub category: Option<CategoryId>,
    pub product_type: Option<String>,
    pub brand: Option<String>,
    pub ids: Option<Vec<ProductId>>,
}

impl ProductFilter {
    /// SQL conditions, numbered from `$1`, and their values.
    fn conditions(&self) -> (Vec<String>, Vec<SqlValue>) {
        let wanted = [
            ("products.category", self.category.as_ref().map(SqlValue::from)),
            ("products.product_type", self.product_type.as_deref().map(SqlValue::from)),
            ("products.brand", self.brand.as_deref().map(SqlValue::from)),
        ];
        let (mut conditions, mut values): (Vec<String>, Vec<SqlValue>) = wanted
            .into_iter()
            .filter_map(|(column, value)| Some((column, value?)))
            .enumerate()
            .map(|(place, (column, value))| (format!("{column} = ${}", place + 1), value))
            .unzip();
        if let Some(ids) = &self.ids {
            conditions.push(in_list("products.id", values.len() + 1, ids.len()));
            values.extend(ids.iter().map(SqlValue::from));
        }
        conditions.push("products.status = 'active'".into());
        (conditions, values)
    }
}

/// A page of the newest products that match `filter`.
pub async fn newest(
    db: &Db,
    view: CatalogView,
    filter: &ProductFilter,
    request: &PageRequest<Product>,
) -> Result<Page<Product>> {
    let (mut conditions, mut values) = filter.conditions();
    conditions.extend(request.condition("products", &mut values));
    let limited = values.len() + 1;
    let sql = format!(
        "select {COLUMNS} from {PRODUCTS} where {}
         order by products.created_at desc, products.id desc limit ${limited}",
        conditions.join(" and ")
    );
    let products = db.query(sql).bind_all(values).bind(request.rows()).all().await?;
    let mut page = request.page(products, |last: &Product| Cursor::new(last.created_at, &last.id));
    complete_products(db, view, &mut page.items).await?;
    Ok(page)
}

pub async fn count_products(db: &Db, filter: &ProductFilter) -> Result<i64> {
    let (conditions, values) = filter.conditions();
    let sql = format!("select count(*) from products where {}", conditions.join(" and "));
    let (total,): (i64,) = db.query(sql).bind_all(values).one().await?;
    Ok(total)
}

/// Flash sale products of which a variant's offer runs, the first to end first.
pub async fn flash_sale(db: &Db, view: CatalogView, limit: i64) -> Result<Vec<ProductCard>> {
    let on_offer = format!(
        "from variants offered where offered.product = products.id and offered.status = 'active'
           and {} < offered.real_price",
        present_price_sql(2)
    );
    let sql = format!(
        "select {CARD_COLUMNS} from {PRODUCTS}
         where products.status = 'active' and products.product_type = $1 and exists (select 1 {on_offer})
         order by (select min(coalesce(offered.sale_end, 9000000000000000)) {on_offer}), products.id
         limit $3"
    );
    cards(db, db.query(sql).bind(FLASH_SALE).bind(view.now).bind(limit), view).await
}

/// The newest products, as cards.
pub async fn newest_cards(db: &Db, view: CatalogView, limit: i64) -> Result<Vec<ProductCard>> {
    let sql = format!(
        "select {CARD_COLUMNS} from {PRODUCTS} where products.status = 'active'
         order by products.created_at desc, products.id desc limit $1"
    );
    cards(db, db.query(sql).bind(limit), view).await
}

/// The products that the shopkeeper chose for this one; then others of its category, the most sold first.
pub async fn related(
    db: &Db,
    view: CatalogView,
    to: &Product,
    limit: i64,
) -> Result<Vec<ProductCard>> {
    let sql = format!(
        "select {CARD_COLUMNS} from {PRODUCTS}
         where products.status = 'active' and products.category = $1 and products.id <> $2
         order by products.popularity desc, products.rating desc, products.id desc limit $3"
    );
    let wanted = usize::try_from(limit).unwrap_or_default();
    let mut related = cards_by_id(db, view, &to.related).await?;
    related.truncate(wanted);
    if related.len() < wanted {
        // The chosen ones may be among them.
        let enough = limit + related.len() as i64;
        let query = db.query(sql).bind(&to.category).bind(&to.id).bind(enough);
        for card in cards(db, query, view).await? {
            if related.len() < wanted && !related.iter().any(|chosen| chosen.id == card.id) {
                related.push(card);
            }
        }
    }
    Ok(related)
}

/// The cards of these products, in this order, without those that are not sold.
pub async fn cards_by_id(
    db: &Db,
    view: CatalogView,
    ids: &[ProductId],
) -> Result<Vec<ProductCard>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "select {CARD_COLUMNS} from {PRODUCTS} where products.status = 'active' and {}",
        in_list("products.id", 1, ids.len())
    );
    let query = db.query(sql).bind_all(ids.iter().map(SqlValue::from));
    let mut found = cards(db, query, view).await?;
    found.sort_by_key(|card| ids.iter().position(|id| *id == card.id));
    Ok(found)
}

/// The beginning of a product's description.
#[derive(Default)]
pub struct Excerpt {
    pub text: String,
    /// Whether it is in the language asked for.
    pub translated: bool,
}

/// The first characters of these products' descriptions, at least as many as asked for where there are.
pub async fn description_excerpts(
    db: &Db,
    ids: &[ProductId],
    characters: usize,
    language: Option<Language>,
) -> Result<HashMap<ProductId, Excerpt>> {
    // More, because white space is left out later.
    let characters = characters * 2;
    let sql = format!(
        "select id, substr(full_description, 1, {characters}) from products where {}",
        in_list("id", 1, ids.len())
    );
    let rows: Vec<(ProductId, String)> =
        db.query(sql).bind_all(ids.iter().map(SqlValue::from)).all().await?;
    let excerpt = |translated| {
        move |(id, text): (ProductId, String)| {
            let translated = translated || text.is_empty();
            (id, Excerpt { text, translated })
        }
    };
    let mut excerpts: HashMap<_, _> = rows.into_iter().map(excerpt(language.is_none())).collect();
    if let Some(language) = language {
        let rows = translated_excerpts(db, language, ids, characters).await?;
        excerpts.extend(rows.into_iter().map(excerpt(true)));
    }
    Ok(excerpts)
}

/// A page of all products for the sitemap, the oldest first, with their creation times.
pub async fn sitemap_items(db: &Db, from: i64, limit: i64) -> Result<Vec<(ProductId, Timestamp)>> {
    db.query(
        "select id, created_at from products where status = 'active'
         order by created_at, id limit $1 offset $2",
    )
    .bind(limit)
    .bind(from)
    .all()
    .await
}

async fn cards(db: &Db, query: Query<'_>, view: CatalogView) -> Result<Vec<ProductCard>> {
    let CatalogView { now, to, language, .. } = view;
    let mut cards: Vec<ProductCard> = query.all().await?;
    let mut totals = variants::totals(db, view, cards.iter().map(|card| &card.id)).await?;
    for card in &mut cards {
        card.price = card.stored.shown(now, to);
        card.totals = totals.remove(&card.id).unwrap_or_default();
        card.img.0.truncate(2);
    }
    let prices = cards.iter_mut().map(|one| (default_variant(&one.id), &mut one.price));
    past_prices::compare(db, view, prices).await?;
    translate_cards(db, language, &mut cards).await?;
    let photos = cards.iter_mut().map(|one| (&one.img.0[..], &mut one.pictures));
    attach_pictures(db, photos.collect()).await?;
    for card in &mut cards {
        card.pictures.iter_mut().skip(1).for_each(|picture| picture.placeholder = None);
    }
    Ok(cards)
}
