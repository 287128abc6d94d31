//! The catalogue's SQL. Every product that leaves here has its price settled by the clock.

use std::collections::{BTreeSet, HashMap, HashSet};

use base::db::{Query, Value, again, is_taken, one_of};
use base::jobs::{self, Job};
use base::revisions::{self, Scope};
use base::{Clock, Cursor, Db, Id, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::import::{Change, Import, NewCategory, NewProduct, Row, Summary, settled};
use super::{
    Category, CategoryId, FLASH_SALE, Photo, Price, Product, ProductCard, ProductId,
    scope_of_category, scope_of_product, shelves, whole,
};
use crate::media::{self, MAKE_SIZES, MakeSizes};

/// The job that moves a product's sort price and revisions when its offer starts or ends.
pub const SALE_TURNS: &str = "catalog.sale_turns";

const PRODUCT: &str = "id, name, sku, brand, img, real_price, offer_price, sale_start, sale_end,
    rating, reviews, given_rating, qtn, product_type, full_description, colours, tags, attributes,
    category, units_sold, created_at";
pub(super) const CARD: &str =
    "id, name, brand, img, real_price, offer_price, sale_start, sale_end, rating, qtn";

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    /// Newest first.
    #[default]
    Default,
    PriceAsc,
    PriceDesc,
    /// Most sold, then best rated.
    Best,
    /// As best match while there is no query to be relevant to.
    Relevance,
}

impl Sort {
    pub const ALL: [Self; 5] =
        [Self::Default, Self::PriceAsc, Self::PriceDesc, Self::Best, Self::Relevance];

    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::PriceAsc => "price-asc",
            Self::PriceDesc => "price-desc",
            Self::Best => "best",
            Self::Relevance => "relevance",
        }
    }

    fn order(self) -> &'static str {
        match self {
            Self::Default => "created_at desc, id desc",
            Self::PriceAsc => "sort_price, id",
            Self::PriceDesc => "sort_price desc, id desc",
            Self::Best | Self::Relevance => "popularity desc, rating desc, id desc",
        }
    }
}

pub async fn categories(db: &Db) -> Result<Vec<Category>> {
    let mut categories: Vec<Category> = db
        .query(
            "select c.id, c.name, c.img, count(p.id) as products
             from categories c left join products p on p.category = c.id
             group by c.id, c.name, c.img, c.position order by c.position, c.id",
        )
        .all()
        .await?;
    illustrate(db, &mut categories).await?;
    Ok(categories)
}

pub async fn category(db: &Db, id: &CategoryId) -> Result<Option<Category>> {
    let mut category: Option<Category> = db
        .query(
            "select id, name, img, (select count(*) from products where category = $1) as products
             from categories where id = $1",
        )
        .bind(id)
        .optional()
        .await?;
    illustrate(db, category.as_mut_slice()).await?;
    Ok(category)
}

/// What shows pictures: their addresses in, what pages need of them out.
trait Illustrated {
    fn addresses(&self) -> impl Iterator<Item = &String>;
    fn illustrate(&mut self, pictures: Vec<media::Picture>);
}

impl Illustrated for Category {
    fn addresses(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.img)
    }
    fn illustrate(&mut self, pictures: Vec<media::Picture>) {
        self.picture = pictures.into_iter().next().unwrap_or_default();
    }
}

impl Illustrated for Product {
    fn addresses(&self) -> impl Iterator<Item = &String> {
        self.img.iter().map(|photo| &photo.src)
    }
    fn illustrate(&mut self, pictures: Vec<media::Picture>) {
        self.pictures = worded(&self.img, pictures);
    }
}

impl Illustrated for ProductCard {
    fn addresses(&self) -> impl Iterator<Item = &String> {
        self.img.iter().map(|photo| &photo.src)
    }
    fn illustrate(&mut self, mut pictures: Vec<media::Picture>) {
        pictures.iter_mut().skip(1).for_each(|picture| picture.placeholder = None);
        self.pictures = worded(&self.img, pictures);
    }
}

/// The catalogue's words to its pictures.
fn worded(photos: &[Photo], mut pictures: Vec<media::Picture>) -> Vec<media::Picture> {
    for (picture, photo) in pictures.iter_mut().zip(photos) {
        picture.alt.clone_from(&photo.alt);
        picture.in_colour.clone_from(&photo.colour);
    }
    pictures
}

/// Says of all pictures in a list what pages need, with one question.
async fn illustrate<T: Illustrated>(db: &Db, shown: &mut [T]) -> Result<()> {
    let known = media::pictures_of(db, shown.iter().flat_map(T::addresses)).await?;
    for one in shown {
        let pictures = one.addresses().filter_map(|src| known.get(src).cloned()).collect();
        one.illustrate(pictures);
    }
    Ok(())
}

pub async fn product(db: &Db, now: Timestamp, id: &ProductId) -> Result<Option<Product>> {
    let mut product: Option<Product> = db
        .query(format!("select {PRODUCT} from products where id = $1"))
        .bind(id)
        .optional()
        .await?;
    product.iter_mut().for_each(|product| product.price.settle(now));
    illustrate(db, product.as_mut_slice()).await?;
    Ok(product)
}

/// Whether there is such a product.
pub async fn sells(db: &Db, id: &ProductId) -> Result<bool> {
    let found: Option<(String,)> =
        db.query("select id from products where id = $1").bind(id).optional().await?;
    Ok(found.is_some())
}

/// Which products a list holds.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub category: Option<CategoryId>,
    pub product_type: Option<String>,
    pub brand: Option<String>,
    /// Only these.
    pub ids: Option<Vec<ProductId>>,
}

impl Filter {
    /// Its conditions, numbered from `$1`, and their values.
    fn conditions(&self) -> (Vec<String>, Vec<Value>) {
        let wanted = [
            ("category", self.category.as_ref().map(Value::from)),
            ("product_type", self.product_type.as_deref().map(Value::from)),
            ("brand", self.brand.as_deref().map(Value::from)),
        ];
        let (mut conditions, mut values): (Vec<String>, Vec<Value>) = wanted
            .into_iter()
            .filter_map(|(column, value)| Some((column, value?)))
            .enumerate()
            .map(|(place, (column, value))| (format!("{column} = ${}", place + 1), value))
            .unzip();
        if let Some(ids) = &self.ids {
            conditions.push(one_of("id", values.len() + 1, ids.len()));
            values.extend(ids.iter().map(Value::from));
        }
        (conditions, values)
    }
}

/// The newest products that pass `filter`, from `after` on.
pub async fn newest(
    db: &Db,
    now: Timestamp,
    filter: &Filter,
    after: Option<&Cursor<Product>>,
    limit: i64,
) -> Result<Vec<Product>> {
    let (mut conditions, mut values) = filter.conditions();
    if let Some(after) = after {
        let place = values.len() + 1;
        conditions.push(format!("(created_at, id) < (${place}, ${})", place + 1));
        values.extend([after.created_at.into(), Value::from(&after.id)]);
    }
    let limited = values.len() + 1;
    let sql = format!(
        "select {PRODUCT} from products {} order by created_at desc, id desc limit ${limited}",
        where_all(&conditions)
    );
    let mut products: Vec<Product> = db.query(sql).bind_all(values).bind(limit).all().await?;
    for product in &mut products {
        product.price.settle(now);
    }
    illustrate(db, &mut products).await?;
    Ok(products)
}

pub async fn total(db: &Db, filter: &Filter) -> Result<i64> {
    let (conditions, values) = filter.conditions();
    let sql = format!("select count(*) from products {}", where_all(&conditions));
    let (total,): (i64,) = db.query(sql).bind_all(values).one().await?;
    Ok(total)
}

fn where_all(conditions: &[String]) -> String {
    if conditions.is_empty() {
        return String::new();
    }
    format!("where {}", conditions.join(" and "))
}

/// One page of a category's products.
pub async fn category_page(
    db: &Db,
    now: Timestamp,
    id: &CategoryId,
    sort: Sort,
    size: i64,
    number: i64,
) -> Result<Vec<ProductCard>> {
    // The page's ids come from an index alone; only the rows that are shown are read.
    let sql = format!(
        "select {CARD} from products where id in
           (select id from products where category = $1 order by {order} limit $2 offset $3)
         order by {order}",
        order = sort.order()
    );
    let query = db.query(sql).bind(id).bind(size).bind(size * (number - 1));
    cards(db, query, now).await
}

/// The products in the flash sale whose offer runs, the first to end first.
pub async fn flash_sale(db: &Db, now: Timestamp, limit: i64) -> Result<Vec<ProductCard>> {
    let sql = format!(
        "select {CARD} from products
         where product_type = $1 and offer_price < real_price
           and (sale_start is null or sale_start <= $2) and (sale_end is null or sale_end > $2)
         order by coalesce(sale_end, 9000000000000000), id limit $3"
    );
    cards(db, db.query(sql).bind(FLASH_SALE).bind(now).bind(limit), now).await
}

/// The newest products, as cards.
pub async fn newest_cards(db: &Db, now: Timestamp, limit: i64) -> Result<Vec<ProductCard>> {
    let sql = format!("select {CARD} from products order by created_at desc, id desc limit $1");
    cards(db, db.query(sql).bind(limit), now).await
}

/// Others of the same category, the most sold first.
pub async fn related(
    db: &Db,
    now: Timestamp,
    to: &Product,
    limit: i64,
) -> Result<Vec<ProductCard>> {
    let sql = format!(
        "select {CARD} from products where category = $1 and id <> $2
         order by popularity desc, rating desc, id desc limit $3"
    );
    cards(db, db.query(sql).bind(&to.category).bind(&to.id).bind(limit), now).await
}

/// The cards of these products, in this order; what is not sold any more is left out.
pub async fn cards_of(db: &Db, now: Timestamp, ids: &[ProductId]) -> Result<Vec<ProductCard>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("select {CARD} from products where {}", one_of("id", 1, ids.len()));
    let mut found = cards(db, db.query(sql).bind_all(ids.iter().map(Value::from)), now).await?;
    found.sort_by_key(|card| ids.iter().position(|id| *id == card.id));
    Ok(found)
}

/// How these products' descriptions begin, in at least so many characters where there are as many.
pub async fn beginnings_of(
    db: &Db,
    ids: &[ProductId],
    characters: usize,
) -> Result<HashMap<ProductId, String>> {
    let sql = format!(
        "select id, substr(full_description, 1, {}) from products where {}",
        characters * 2,
        one_of("id", 1, ids.len())
    );
    let rows: Vec<(ProductId, String)> =
        db.query(sql).bind_all(ids.iter().map(Value::from)).all().await?;
    Ok(rows.into_iter().collect())
}

/// Some of all products, the oldest first, with the day that each came: what a map of the shop lists.
pub async fn listed(db: &Db, from: i64, limit: i64) -> Result<Vec<(ProductId, Timestamp)>> {
    db.query("select id, created_at from products order by created_at, id limit $1 offset $2")
        .bind(limit)
        .bind(from)
        .all()
        .await
}

async fn cards(db: &Db, query: Query<'_>, now: Timestamp) -> Result<Vec<ProductCard>> {
    let mut cards: Vec<ProductCard> = query.all().await?;
    for card in &mut cards {
        card.price.settle(now);
        card.img.0.truncate(2);
    }
    illustrate(db, &mut cards).await?;
    Ok(cards)
}

/// Takes in a whole import, or nothing of it.
pub async fn import(db: &Db, clock: &Clock, import: &Import) -> Result<Summary> {
    let summary = again(|| async {
        let mut tx = db.begin_long().await?;
        revisions::queue(&mut tx).await?;
        let summary = import_into(&mut tx, clock, import).await?;
        tx.commit().await?;
        Ok(summary)
    })
    .await?;
    if import.products.len() > 1000 {
        db.analyze().await?;
    }
    Ok(summary)
}

/// Takes in an import in a transaction that has queued.
pub(super) async fn import_into(tx: &mut Tx, clock: &Clock, import: &Import) -> Result<Summary> {
    let now = clock.now();
    let mut changes = Changes::default();
    let mut summary = Summary::default();
    let (mut position,): (i64,) =
        tx.query("select coalesce(max(position), 0) from categories").one().await?;
    for taken in &import.pictures {
        if media::put(tx, clock, taken).await? {
            let id = Id::<Job>::named(&format!("{MAKE_SIZES} {}", taken.id));
            let job = MakeSizes { picture: taken.id.clone() };
            jobs::enqueue(tx, id, MAKE_SIZES, &job, now, now)?;
        }
    }
    for row in &import.categories {
        if !settled(&row.value.img) {
            return Err(import.refused(row, "img", "was not taken in").into());
        }
        position += 1;
        let change = put_category(tx, &row.value, position).await?;
        summary.categories.count(change);
        if change != Change::Unchanged {
            changes.shelf(&row.value.id);
        }
    }
    let known: Vec<(CategoryId,)> = tx.query("select id from categories").all().await?;
    let known: HashSet<CategoryId> = known.into_iter().map(|(id,)| id).collect();
    let (rows, unchanged) = lock_changed(tx, import).await?;
    summary.products.unchanged += unchanged;
    for (place, row, stands) in rows {
        let old = if stands { stored(tx, &row.value.id).await? } else { None };
        let new = match &old {
            Some(old) => row.value.over(old),
            None => row.value.clone(),
        };
        // What the file leaves as it is may not fit what it changes.
        new.check().map_err(|(field, why)| import.refused(row, field, &why))?;
        if !new.img.iter().all(|photo| settled(&photo.src)) {
            return Err(import.refused(row, "img", "was not taken in").into());
        }
        if !known.contains(&new.category) {
            let message = format!("there is no category {}", new.category);
            return Err(import.refused(row, "category", &message).into());
        }
        let change = match &old {
            Some(old) if new.same_as(old) => Change::Unchanged,
            Some(_) => Change::Updated,
            None => Change::Added,
        };
        summary.products.count(change);
        if change == Change::Unchanged {
            continue;
        }
        // Later rows count as newer, so that a file's order is a list's order.
        let created_at = new.created_at.unwrap_or(Timestamp(now.0 + place as i64));
        match put_product(tx, &new, created_at, now).await {
            Err(why) if is_taken(&why, "sku") => {
                let message = format!("{} is the SKU of another product", new.sku);
                return Err(import.refused(row, "sku", &message).into());
            }
            put => put?,
        }
        changes.of_product(&new, old.as_ref());
        schedule_turns(tx, clock, &new.id, &new.price()).await?;
    }
    revisions::changed(tx, changes.0).await?;
    Ok(summary)
}

/// The rows that change something, each with its place and whether its product is known; and how many do
/// not. Products that will change are locked in the order of their ids, like those of an order: so an
/// import and an order never wait for each other.
async fn lock_changed<'i>(
    tx: &mut Tx,
    import: &'i Import,
) -> Result<(Vec<(usize, &'i Row<NewProduct>, bool)>, u64)> {
    let (mut rows, mut known) = (Vec::new(), Vec::new());
    for (place, row) in import.products.iter().enumerate() {
        let old = stored(tx, &row.value.id).await?;
        match &old {
            Some(old) if row.value.over(old).same_as(old) => continue,
            Some(_) => known.push(&row.value.id),
            None => {}
        }
        rows.push((place, row, old.is_some()));
    }
    known.sort_unstable();
    for id in known {
        tx.query("update products set qtn = qtn where id = $1").bind(id).execute().await?;
    }
    let unchanged = import.products.len() - rows.len();
    Ok((rows, unchanged as u64))
}

/// The scopes that a set of changes moves, each once.
#[derive(Default)]
struct Changes(BTreeSet<Scope>);

impl Changes {
    /// Something in the list of categories, or in how many products they hold.
    fn shelf(&mut self, id: &CategoryId) {
        self.0.extend([whole(), shelves(), scope_of_category(id)]);
    }

    /// Something by which a product is sorted or found.
    fn product(&mut self, id: &ProductId, category: &CategoryId) {
        self.0.extend([whole(), scope_of_category(category), scope_of_product(id)]);
    }

    fn of_product(&mut self, new: &NewProduct, old: Option<&Product>) {
        match old {
            Some(old) if new.same_but_for_stock(old) && (old.qtn > 0) == (new.qtn > 0) => {
                self.0.insert(scope_of_product(&new.id));
            }
            Some(old) if old.category == new.category => self.product(&new.id, &new.category),
            _ => {
                self.product(&new.id, &new.category);
                self.shelf(&new.category);
                if let Some(old) = old {
                    self.shelf(&old.category);
                }
            }
        }
    }
}

async fn stored(tx: &mut Tx, id: &ProductId) -> Result<Option<Product>> {
    tx.query(format!("select {PRODUCT} from products where id = $1")).bind(id).optional().await
}

async fn put_category(tx: &mut Tx, new: &NewCategory, position: i64) -> Result<Change> {
    let old: Option<(String, String)> =
        tx.query("select name, img from categories where id = $1").bind(&new.id).optional().await?;
    match old {
        Some((name, img)) if name == new.name && img == new.img => Ok(Change::Unchanged),
        Some(_) => {
            tx.query("update categories set name = $2, img = $3 where id = $1")
                .bind(&new.id)
                .bind(new.name.as_str())
                .bind(new.img.as_str())
                .execute()
                .await?;
            Ok(Change::Updated)
        }
        None => {
            tx.query("insert into categories (id, name, img, position) values ($1, $2, $3, $4)")
                .bind(&new.id)
                .bind(new.name.as_str())
                .bind(new.img.as_str())
                .bind(position)
                .execute()
                .await?;
            Ok(Change::Added)
        }
    }
}

async fn put_product(
    tx: &mut Tx,
    new: &NewProduct,
    created_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    let price = new.price();
    tx.query(
        "insert into products (id, category, name, sku, brand, img, real_price, offer_price,
           sale_start, sale_end, sort_price, rating, qtn, product_type, full_description, colours,
           tags, attributes, units_sold, popularity, created_at, given_rating)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
           $19, $19, $20, $12)
         on conflict (id) do update set category = excluded.category, name = excluded.name,
           sku = excluded.sku, brand = excluded.brand, img = excluded.img,
           real_price = excluded.real_price, offer_price = excluded.offer_price,
           sale_start = excluded.sale_start, sale_end = excluded.sale_end,
           sort_price = excluded.sort_price, given_rating = excluded.given_rating,
           rating = case when products.reviews > 0 then products.rating else excluded.rating end,
           qtn = excluded.qtn,
           product_type = excluded.product_type, full_description = excluded.full_description,
           colours = excluded.colours, tags = excluded.tags, attributes = excluded.attributes,
           units_sold = excluded.units_sold, popularity = excluded.popularity,
           created_at = excluded.created_at",
    )
    .bind(&new.id)
    .bind(&new.category)
    .bind(new.name.as_str())
    .bind(new.sku.as_str())
    .bind(new.brand.as_str())
    .bind(&new.img)
    .bind(price.real_price)
    .bind(price.offer_price)
    .bind(price.sale_start)
    .bind(price.sale_end)
    .bind(price.at(now))
    .bind(new.rating)
    .bind(new.qtn)
    .bind(new.product_type.as_str())
    .bind(new.full_description.as_str())
    .bind(&new.colours)
    .bind(&new.tags)
    .bind(&new.attributes)
    .bind(new.units_sold)
    .bind(created_at)
    .execute()
    .await
    .map(drop)
}

#[derive(Debug, Serialize, Deserialize)]
pub struct SaleTurns {
    product: ProductId,
}

/// Writes the jobs for the moments at which a product's price turns, each moment once.
async fn schedule_turns(
    tx: &mut Tx,
    clock: &Clock,
    product: &ProductId,
    price: &Price,
) -> Result<()> {
    let (now, payload) = (clock.now(), SaleTurns { product: product.clone() });
    for turn in [price.sale_start, price.sale_end].into_iter().flatten() {
        if turn > now {
            let id = Id::<Job>::named(&format!("{SALE_TURNS} {product} {}", turn.0));
            jobs::enqueue(tx, id, SALE_TURNS, &payload, turn, now)?;
        }
    }
    Ok(())
}

/// Gives these products' sales a new end where they have ended.
pub(super) async fn renew_sales(
    tx: &mut Tx,
    clock: &Clock,
    products: &[ProductId],
    end: Timestamp,
) -> Result<()> {
    let now = clock.now();
    let mut changes = Changes::default();
    let mut products: Vec<&ProductId> = products.iter().collect();
    products.sort_unstable();
    for id in products {
        let Some(Product { category, mut price, .. }) = stored(tx, id).await? else { continue };
        if price.sale_end.is_none_or(|end| end > now) {
            continue;
        }
        price.sale_end = Some(end);
        tx.query("update products set sale_end = $2, sort_price = $3 where id = $1")
            .bind(id)
            .bind(end)
            .bind(price.at(now))
            .execute()
            .await?;
        changes.product(id, &category);
        schedule_turns(tx, clock, id, &price).await?;
    }
    revisions::changed(tx, changes.0).await
}

/// The clock has reached the start or the end of a product's offer: nobody touched it, yet its price
/// is another one.
pub async fn sale_turns(db: Db, clock: Clock, SaleTurns { product: id }: SaleTurns) -> Result<()> {
    let mut tx = db.begin().await?;
    let Some(product) = stored(&mut tx, &id).await? else { return Ok(()) };
    tx.query("update products set sort_price = $2 where id = $1")
        .bind(&id)
        .bind(product.price.at(clock.now()))
        .execute()
        .await?;
    let mut changes = Changes::default();
    changes.product(&id, &product.category);
    revisions::changed(&mut tx, changes.0).await?;
    tx.commit().await
}
