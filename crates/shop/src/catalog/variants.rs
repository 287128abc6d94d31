//! Variants: what is sold. A product has at least one, the default variant, whose id is the product's.

use std::collections::{BTreeSet, HashMap};

use media::Picture;
use platform::db::{Json, SqlValue, in_list, statement};
use platform::{Currency, Db, Id, Money, Result, Timestamp, Tx};
use serde::Serialize;
use utoipa::ToSchema;

use super::options::{choice_query, known_choice};
use super::price::PRICE_COLUMNS;
use super::store::attach_pictures;
use super::translations::{LineTexts, translate_lines};
use super::{
    CatalogView, CategoryId, ChosenOptions, Photo, Price, Product, ProductId, ProductOption,
    StoredPrice, TextField, past_prices, photo,
};
use crate::string_enum::string_enum;
use crate::taxes::TaxClass;

pub type VariantId = Id<Variant>;

/// At most this many variants are part of a product's answer and page.
pub const LISTED_VARIANTS: usize = 100;

const COLUMNS: &str =
    "id, product, position, options, sku, barcode, real_price, offer_price, sale_start, sale_end,
    fixed_prices, qtn, back_order, low_stock, weight, needs_delivery, img, status,
    units_sold";

string_enum! {
    #[derive(Default)]
    pub enum VariantStatus {
        #[default]
        Active = "active",
        /// Not sold any more.
        Archived = "archived",
    }
}

/// A variant of a product: what is sold.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Variant {
    #[serde(rename = "_id")]
    pub id: VariantId,
    #[serde(skip)]
    pub product: ProductId,
    #[serde(skip)]
    pub position: i64,
    pub sku: String,
    /// The names of the product's options, and their values.
    #[sqlx(skip)]
    #[serde(rename = "options")]
    #[schema(value_type = BTreeMap<String, String>)]
    pub chosen: ChosenOptions,
    /// The values in the default language.
    #[serde(skip)]
    pub options: Json<Vec<String>>,
    #[serde(skip)]
    #[sqlx(flatten)]
    pub stored: StoredPrice,
    /// In the currency of the request.
    #[serde(flatten)]
    #[sqlx(skip)]
    pub price: Price,
    /// Units in stock.
    #[serde(serialize_with = "not_negative")]
    pub qtn: i64,
    /// The URL of its picture, one of the product's.
    pub img: String,
    /// When it can be had although it is out of stock; null where it is then not sold.
    #[schema(required)]
    pub back_order: Option<Timestamp>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub barcode: String,
    /// In grams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<i64>,
    /// False for vouchers, downloads and services; missing where it is delivered.
    #[serde(skip_serializing_if = "Clone::clone")]
    #[schema(required = false)]
    pub needs_delivery: bool,
    #[serde(skip)]
    pub low_stock: Option<i64>,
    #[serde(skip)]
    #[sqlx(try_from = "String")]
    pub status: VariantStatus,
    #[serde(skip)]
    pub units_sold: i64,
}

fn not_negative<S: serde::Serializer>(units: &i64, to: S) -> std::result::Result<S::Ok, S::Error> {
    to.serialize_i64((*units).max(0))
}

impl Variant {
    pub fn is_available(&self) -> bool {
        self.qtn > 0 || self.back_order.is_some()
    }

    /// Fills in what depends on the view and on its product, whose texts may be translated.
    fn complete(&mut self, product: &Product, CatalogView { now, to, .. }: CatalogView) {
        self.price = self.stored.shown(now, to);
        self.chosen = ChosenOptions::new(&product.options, &self.options);
        if self.sku.is_empty() {
            self.sku.clone_from(&product.sku);
        }
        let photo = shown_photo(&self.img, (&product.options, &self.options), &product.img);
        self.img = photo.map(|photo| photo.src.clone()).unwrap_or_default();
    }
}

/// The id of a product's default variant.
pub fn default_variant(product: &ProductId) -> VariantId {
    product.cast()
}

/// The picture of a variant: its own while the product has it, else the first of its colour, else the product's first.
fn shown_photo<'p>(
    own: &str,
    (options, values): (&[ProductOption], &[String]),
    photos: &'p [Photo],
) -> Option<&'p Photo> {
    let own = photos.iter().find(|photo| photo.src == own);
    let place = options.iter().position(ProductOption::is_colour);
    let option = place.and_then(|place| Some((&options[place], values.get(place)?)));
    let in_colour = option.and_then(|(option, value)| {
        // Photos have the colour as it is shown.
        let at = option.originals().iter().position(|known| known == value)?;
        let shown = option.values.get(at)?;
        photos.iter().find(|photo| photo.colour.as_ref() == Some(shown))
    });
    own.or(in_colour).or_else(|| photos.first())
}

/// What the variants of a product amount to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VariantTotals {
    /// Units in stock, of all variants.
    pub qtn: i64,
    /// How many variants there are to choose from.
    pub variant_count: i64,
    /// The lowest present price, where the variants cost different amounts; null where they do not.
    #[schema(required)]
    pub price_from: Option<Money>,
    /// The earliest time at which one can be had that is out of stock; null where none is sold then.
    #[schema(required)]
    pub back_order: Option<Timestamp>,
    #[serde(skip)]
    pub units_sold: i64,
    /// When the price of a variant changes next without a write.
    #[serde(skip)]
    pub next_price_change: Option<Timestamp>,
}

impl VariantTotals {
    fn add(&mut self, variant: &VariantRow, (lowest, highest): (Money, Money), now: Timestamp) {
        self.qtn += variant.qtn.max(0);
        self.variant_count += 1;
        self.units_sold += variant.units_sold;
        self.price_from = (lowest < highest).then_some(lowest);
        self.back_order = [self.back_order, variant.back_order].into_iter().flatten().min();
        let changes = [self.next_price_change, variant.stored.next_price_change(now)];
        self.next_price_change = changes.into_iter().flatten().min();
    }
}

#[derive(sqlx::FromRow)]
struct VariantRow {
    product: ProductId,
    #[sqlx(flatten)]
    stored: StoredPrice,
    qtn: i64,
    back_order: Option<Timestamp>,
    units_sold: i64,
}

/// The totals of these products, by their ids.
pub(super) async fn totals(
    db: &Db,
    CatalogView { now, to, .. }: CatalogView,
    products: impl ExactSizeIterator<Item = &ProductId>,
) -> Result<HashMap<ProductId, VariantTotals>> {
    if products.len() == 0 {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "select product, {PRICE_COLUMNS}, qtn, back_order, units_sold
         from variants where status = 'active' and {}",
        in_list("product", 1, products.len())
    );
    let rows: Vec<VariantRow> = db.query(sql).bind_all(products.map(SqlValue::from)).all().await?;
    let mut totals: HashMap<ProductId, (VariantTotals, (Money, Money))> = HashMap::new();
    for row in rows {
        let price = row.stored.at(now, to);
        let new = || (VariantTotals::default(), (price, price));
        let (sum, (lowest, highest)) = totals.entry(row.product.clone()).or_insert_with(new);
        (*lowest, *highest) = ((*lowest).min(price), (*highest).max(price));
        sum.add(&row, (*lowest, *highest), now);
    }
    Ok(totals.into_iter().map(|(product, (sum, _))| (product, sum)).collect())
}

/// All variants of a product as stored, also those that are not sold any more, in their order.
pub(super) async fn all_in_tx(tx: &mut Tx, product: &ProductId) -> Result<Vec<Variant>> {
    let sql = format!("select {COLUMNS} from variants where product = $1 order by position, id");
    tx.query(sql).bind(product).all().await
}

/// The variants of these products that are sold, as stored, in their order.
pub(super) async fn sold_of(db: &Db, products: Vec<SqlValue>) -> Result<Vec<Variant>> {
    let sql = format!(
        "select {COLUMNS} from variants where status = 'active' and {}
         order by product, position, id",
        in_list("product", 1, products.len())
    );
    db.query(sql).bind_all(products).all().await
}

/// The variants of these products that are sold, by product.
pub async fn variants_of(
    db: &Db,
    view: CatalogView,
    products: &[Product],
) -> Result<HashMap<ProductId, Vec<Variant>>> {
    let mut by_product: HashMap<ProductId, Vec<Variant>> = HashMap::new();
    if products.is_empty() {
        return Ok(by_product);
    }
    let ids = products.iter().map(|product| SqlValue::from(&product.id)).collect();
    for variant in sold_of(db, ids).await? {
        by_product.entry(variant.product.clone()).or_default().push(variant);
    }
    for product in products {
        let variants = by_product.get_mut(&product.id).into_iter().flatten();
        variants.for_each(|variant| variant.complete(product, view));
    }
    compare_prices(db, view, by_product.values_mut().flatten()).await?;
    Ok(by_product)
}

/// Fills in the prices before reductions.
async fn compare_prices<'v>(
    db: &Db,
    view: CatalogView,
    variants: impl Iterator<Item = &'v mut Variant>,
) -> Result<()> {
    let prices = variants.map(|variant| (variant.id.clone(), &mut variant.price));
    past_prices::compare(db, view, prices).await
}

/// The variants of a product that are sold, from a position on.
pub async fn variants_from(
    db: &Db,
    view: CatalogView,
    product: &Product,
    position: i64,
    limit: i64,
) -> Result<Vec<Variant>> {
    let sql = format!(
        "select {COLUMNS} from variants where product = $1 and status = 'active' and position >= $2
         order by position, id limit $3"
    );
    let query = db.query(sql).bind(&product.id).bind(position).bind(limit);
    let mut variants: Vec<Variant> = query.all().await?;
    variants.iter_mut().for_each(|variant| variant.complete(product, view));
    compare_prices(db, view, variants.iter_mut()).await?;
    Ok(variants)
}

/// What a product's page shows of its variants.
pub struct Choice {
    /// The value of each option, as it is shown.
    pub values: Vec<String>,
    /// The variant that has these values; `None` where the combination does not exist.
    pub variant: Option<Variant>,
    /// All variants or, where there are more than can be listed, those that differ from the choice in at most one
    /// option.
    pub variants: Vec<Variant>,
    pub has_all_variants: bool,
}

/// The values of a variant, and whether it can be had.
type CombinationRow = (VariantId, Json<Vec<String>>, i32);

/// The variants of a product's page, for the values of its URL (`known_choice`). An option without a value gets that of
/// the first variant in stock that has the others.
pub async fn choose(
    db: &Db,
    view: CatalogView,
    product: &Product,
    wanted: &[(String, String)],
) -> Result<Choice> {
    let sql = "select id, options, case when qtn > 0 or back_order is not null then 1 else 0 end
               from variants where product = $1 and status = 'active' order by position, id";
    let rows: Vec<CombinationRow> = db.query(sql).bind(&product.id).all().await?;
    let wanted: Vec<Option<&String>> = product
        .options
        .iter()
        .map(|option| {
            let param = option.param();
            wanted.iter().find(|(name, _)| *name == param).map(|(_, value)| value)
        })
        .collect();
    let matches = |values: &[String]| {
        wanted.iter().zip(values).all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == value))
    };
    let mut matching = rows.iter().filter(|(_, values, _)| matches(values));
    let first = matching.clone().next();
    let available = matching.find(|(_, _, available)| *available > 0);
    let found = available.or(first).map(|(_, values, _)| values.0.clone());
    let fallback = || {
        let value = |(option, wanted): (&ProductOption, &Option<&String>)| {
            wanted.or(option.originals().first()).cloned().unwrap_or_default()
        };
        product.options.iter().zip(&wanted).map(value).collect()
    };
    let chosen: Vec<String> = found.unwrap_or_else(fallback);
    let has_all_variants = rows.len() <= LISTED_VARIANTS;
    let near = |values: &[String]| {
        let differences = chosen.iter().zip(values).filter(|(chosen, value)| chosen != value);
        has_all_variants || differences.count() <= 1
    };
    let listed = rows.iter().filter(|(_, values, _)| near(values));
    let ids: Vec<SqlValue> = listed.map(|(id, ..)| SqlValue::from(id)).collect();
    let mut variants: Vec<Variant> = match ids.is_empty() {
        true => Vec::new(),
        false => {
            let ids_listed = in_list("id", 1, ids.len());
            let sql =
                format!("select {COLUMNS} from variants where {ids_listed} order by position, id");
            db.query(sql).bind_all(ids).all().await?
        }
    };
    variants.iter_mut().for_each(|variant| variant.complete(product, view));
    compare_prices(db, view, variants.iter_mut()).await?;
    let variant = variants.iter().find(|variant| variant.options.0 == chosen).cloned();
    let chosen = ChosenOptions::new(&product.options, &chosen);
    let values = chosen.0.into_iter().map(|(_, value)| value).collect();
    Ok(Choice { values, variant, variants, has_all_variants })
}

/// The choice of a product's URL, without what the product does not have; that of a variant (`?variant=`) by its values.
pub async fn find_choice(
    db: &Db,
    product: &ProductId,
    params: &[(String, String)],
) -> Result<Vec<(String, String)>> {
    let found: Option<(Json<Vec<ProductOption>>,)> =
        db.query("select options from products where id = $1").bind(product).optional().await?;
    let Some((options,)) = found else { return Ok(Vec::new()) };
    let variant = params.iter().find(|(name, _)| name == "variant");
    let variant: Option<VariantId> = variant.and_then(|(_, id)| id.parse().ok());
    if let Some(variant) = variant {
        let sql = "select options from variants where id = $1 and product = $2";
        let found: Option<(Json<Vec<String>>,)> =
            db.query(sql).bind(&variant).bind(product).optional().await?;
        if let Some((values,)) = found {
            let values = options.iter().map(ProductOption::param).zip(values.0);
            // One that is not sold any more may have values that the product has not.
            return Ok(known_choice(&options, &values.collect::<Vec<_>>()));
        }
    }
    Ok(known_choice(&options, params))
}

/// A variant with what a line of a cart or an order shows.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct LineVariant {
    #[serde(rename = "_id")]
    pub id: VariantId,
    pub product: ProductId,
    pub name: String,
    /// The names of the product's options, and their values.
    #[sqlx(skip)]
    #[schema(value_type = BTreeMap<String, String>)]
    pub options: ChosenOptions,
    /// The URL of its picture.
    #[sqlx(skip)]
    #[schema(value_type = Vec<String>)]
    #[serde(serialize_with = "photo::addresses")]
    pub img: Vec<Photo>,
    #[sqlx(skip)]
    pub pictures: Vec<Picture>,
    #[serde(skip)]
    #[sqlx(flatten)]
    pub stored: StoredPrice,
    /// In the currency of the request.
    #[serde(flatten)]
    #[sqlx(skip)]
    pub price: Price,
    /// Units in stock.
    #[serde(serialize_with = "not_negative")]
    pub qtn: i64,
    /// When it can be had although it is out of stock; null where it is then not sold.
    #[schema(required)]
    pub back_order: Option<Timestamp>,
    /// Whether it is a gift card; missing where it is not.
    #[serde(rename = "giftCard", skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub is_gift_card: bool,
    /// The texts that are in the default language, because they are not translated to the requested one.
    #[sqlx(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untranslated: Vec<TextField>,
    #[serde(skip)]
    #[sqlx(flatten)]
    source: LineSource,
}

/// What options and picture of a line follow from.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
struct LineSource {
    product_options: Json<Vec<ProductOption>>,
    /// The values in the default language.
    chosen: Json<Vec<String>>,
    photos: Json<Vec<Photo>>,
    own_picture: String,
    category: CategoryId,
    brand: String,
    tax_class: String,
    weight: Option<i64>,
    needs_delivery: bool,
}

#[cfg(test)]
impl LineSource {
    fn for_tests() -> Self {
        Self {
            product_options: Json::default(),
            chosen: Json::default(),
            photos: Json::default(),
            own_picture: String::new(),
            category: "light".parse().unwrap(),
            brand: "Haat".into(),
            tax_class: String::new(),
            weight: None,
            needs_delivery: true,
        }
    }
}

impl LineVariant {
    #[cfg(test)]
    pub fn for_tests(id: &str, name: &str, stored: StoredPrice, qtn: i64) -> Self {
        Self {
            id: id.parse().unwrap(),
            product: id.parse().unwrap(),
            name: name.into(),
            options: ChosenOptions::default(),
            img: vec![Photo { src: "/a.svg".into(), ..Photo::default() }],
            pictures: vec![],
            stored,
            price: Price::default(),
            qtn,
            back_order: None,
            is_gift_card: false,
            untranslated: vec![],
            source: LineSource::for_tests(),
        }
    }

    #[cfg(test)]
    pub fn with_tax_class(mut self, class: &str) -> Self {
        self.source.tax_class = class.to_owned();
        self
    }

    pub fn category(&self) -> &CategoryId {
        &self.source.category
    }

    pub fn needs_delivery(&self) -> bool {
        self.source.needs_delivery && !self.is_gift_card
    }

    /// Its weight for delivery; nothing where it is not known or not delivered.
    pub fn grams(&self) -> i64 {
        self.source.weight.filter(|_| self.needs_delivery()).unwrap_or_default()
    }

    pub fn brand(&self) -> &str {
        &self.source.brand
    }

    /// The class of goods for taxes.
    pub fn tax_class(&self) -> &str {
        TaxClass::of_product(&self.source.tax_class)
    }

    /// The names in URLs of the product's options, and the chosen values in the default language.
    pub fn original_options(&self) -> impl Iterator<Item = (String, &String)> {
        let params = self.source.product_options.iter().map(ProductOption::param);
        params.zip(self.source.chosen.iter())
    }

    /// How many can be ordered.
    pub fn available(&self) -> i64 {
        if self.back_order.is_some() { i64::MAX } else { self.qtn.max(0) }
    }

    /// The path of its product's page, with its options chosen.
    pub fn path(&self) -> String {
        let choice = self.original_options().map(|(param, value)| (param, value.clone()));
        let choice: Vec<(String, String)> = choice.collect();
        let query =
            if choice.is_empty() { String::new() } else { format!("?{}", choice_query(&choice)) };
        format!("/product/{}{query}", self.product)
    }

    pub(super) fn texts(&mut self) -> LineTexts<'_> {
        let Self { product, name, source, untranslated, .. } = self;
        source.product_options.0.iter_mut().for_each(|option| option.param = option.param());
        LineTexts {
            product,
            name,
            options: &mut source.product_options.0,
            photos: &mut source.photos.0,
            untranslated,
        }
    }

    /// Fills in options and picture, after its texts are translated.
    pub(super) fn complete(&mut self) {
        let LineSource { product_options, chosen, photos, own_picture, .. } = &self.source;
        self.options = ChosenOptions::new(product_options, chosen);
        let photo = shown_photo(own_picture, (product_options, chosen), photos);
        self.img = photo.cloned().into_iter().collect();
    }
}

/// The columns of a `LineVariant`, also behind `returning`, where SQLite reads no other table than the one it updates
/// but by subqueries.
pub(super) const LINE_COLUMNS: &str =
    "id, product, options as chosen, real_price, offer_price, sale_start, sale_end, fixed_prices,
    qtn, back_order, weight, needs_delivery, img as own_picture,
    (select name from products where products.id = variants.product) as name,
    (select options from products where products.id = variants.product) as product_options,
    (select img from products where products.id = variants.product) as photos,
    (select category from products where products.id = variants.product) as category,
    (select gift_card from products where products.id = variants.product) as is_gift_card,
    (select brand from products where products.id = variants.product) as brand,
    (select tax_class from products where products.id = variants.product) as tax_class";

/// Whether a variant and its product are sold.
pub(super) const IS_SOLD: &str = "status = 'active' and exists
    (select 1 from products where products.id = variants.product and products.status = 'active')";

/// These variants, in this order, without those that are not sold.
pub async fn line_variants(
    db: &Db,
    view @ CatalogView { now, to, language, .. }: CatalogView,
    ids: &[VariantId],
) -> Result<Vec<LineVariant>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "select {LINE_COLUMNS} from variants where {IS_SOLD} and {}",
        in_list("id", 1, ids.len())
    );
    let mut found: Vec<LineVariant> =
        db.query(sql).bind_all(ids.iter().map(SqlValue::from)).all().await?;
    translate_lines(db, language, found.iter_mut().map(LineVariant::texts).collect()).await?;
    for variant in &mut found {
        variant.complete();
        variant.price = variant.stored.shown(now, to);
    }
    let prices = found.iter_mut().map(|one| (one.id.clone(), &mut one.price));
    past_prices::compare(db, view, prices).await?;
    let photos = found.iter_mut().map(|one| (&one.img[..], &mut one.pictures));
    attach_pictures(db, photos.collect()).await?;
    found.sort_by_key(|variant| ids.iter().position(|id| *id == variant.id));
    Ok(found)
}

/// A variant as a list shows it, with the fields of a product's card.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VariantCard {
    #[serde(flatten)]
    pub line: LineVariant,
    pub brand: String,
    pub rating: f64,
    /// Always 1: there is nothing to choose.
    pub variant_count: i64,
    /// Always null.
    #[schema(required)]
    pub price_from: Option<Money>,
}

/// The same as cards.
pub async fn variant_cards(
    db: &Db,
    view: CatalogView,
    ids: &[VariantId],
) -> Result<Vec<VariantCard>> {
    let lines = line_variants(db, view, ids).await?;
    let products: BTreeSet<&ProductId> = lines.iter().map(|line| &line.product).collect();
    if products.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "select id, brand, rating from products where {}",
        in_list("id", 1, products.len())
    );
    let rows: Vec<(ProductId, String, f64)> =
        db.query(sql).bind_all(products.into_iter().map(SqlValue::from)).all().await?;
    let products: HashMap<ProductId, (String, f64)> =
        rows.into_iter().map(|(id, brand, rating)| (id, (brand, rating))).collect();
    let card = |line: LineVariant| {
        let (brand, rating) = products.get(&line.product).cloned().unwrap_or_default();
        VariantCard { line, brand, rating, variant_count: 1, price_from: None }
    };
    Ok(lines.into_iter().map(card).collect())
}

/// The id of a variant that is named by its id or its SKU.
pub async fn find_variant(db: &Db, name: &str) -> Result<Option<VariantId>> {
    for condition in ["id = $1", "sku = $1 and sku <> '' and status = 'active'"] {
        let sql = format!("select id from variants where {condition}");
        let found: Option<(VariantId,)> = db.query(sql).bind(name).optional().await?;
        if let Some((id,)) = found {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// The SQL of a variant's present price in the base currency; the time is this parameter.
pub fn present_price_sql(now: usize) -> String {
    format!(
        "case when offer_price < real_price and (sale_start is null or sale_start <= ${now})
           and (sale_end is null or sale_end > ${now}) then offer_price else real_price end"
    )
}

/// Updates the prices by which a product is sorted and found: the lowest present ones.
pub(super) async fn update_sort_price(
    tx: &mut Tx,
    product: &ProductId,
    now: Timestamp,
) -> Result<()> {
    let sql =
        format!("select {PRICE_COLUMNS} from variants where product = $1 and status = 'active'");
    let prices: Vec<StoredPrice> = tx.query(sql).bind(product).all().await?;
    if let Some(lowest) = prices.iter().map(|price| price.in_base_at(now)).min() {
        let sql = "update products set sort_price = $2 where id = $1";
        tx.defer(statement(sql).bind(product).bind(lowest));
    }
    let currencies: BTreeSet<Currency> =
        prices.iter().flat_map(|price| price.fixed_prices.keys().copied()).collect();
    let kept = in_list("currency", 2, currencies.len());
    let sql = format!("delete from product_prices where product = $1 and not ({kept})");
    tx.defer(statement(sql).bind(product).bind_all(currencies.iter().map(|one| (*one).into())));
    for currency in currencies {
        let fixed = prices.iter().filter_map(|price| price.fixed_at(now, currency)).min();
        let others = prices.iter().filter(|price| !price.fixed_prices.contains_key(&currency));
        let converted = others.map(|price| price.in_base_at(now)).min();
        let sql = "insert into product_prices (product, currency, fixed, converted) values ($1, $2, $3, $4)
             on conflict (product, currency)
             do update set fixed = excluded.fixed, converted = excluded.converted";
        tx.defer(statement(sql).bind(product).bind(currency).bind(fixed).bind(converted));
    }
    Ok(())
}
