//! The indexer: keeps the search index up to date with the database. It reads the `revisions` table as a
//! change feed: every change to a product bumps its revision in the same transaction, on any server, so that
//! reading them in order misses nothing. A missing, damaged or outdated index is rebuilt beside the old one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use platform::db::{SqlValue, in_list};
use platform::revisions::{self, CacheTag, Revisions};
use platform::{Clock, Currency, Db, Error, Result, Timestamp, file_lock};
use tantivy::TantivyError;
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::index::{CategoryNames, IndexResult, ProductIndex, Snapshot, WriterSettings};
use crate::indexed_product::{IndexedProduct, IndexedVariants, ProductPrice, TranslatedProduct};
use crate::listing::Search;
use shop::catalog::{CategoryId, ProductId, StoredPrice};

const COLUMNS: &str =
    "id, name, brand, category, tags, options, attributes, full_description, sort_price,
    rating, popularity, created_at";
const TRANSLATED_COLUMNS: &str =
    "product, language, name, tags, option_names, option_values, attributes, full_description";
const VARIANT_COLUMNS: &str =
    "product, sku, real_price, offer_price, sale_start, sale_end, fixed_prices, qtn, back_order";
const PRICE_COLUMNS: &str = "product, currency, fixed, converted";
const BATCH_PRODUCTS: usize = 500;
/// Changes that are read at a time; those of one transaction are never separated.
const BATCH_CHANGES: i64 = 2000;
/// Bumped to make every server rebuild its index.
const REBUILD_SCOPE: &str = "search";
const REBUILD_RETRY_DELAY: Duration = Duration::from_secs(5);
const UPDATE_RETRY_DELAY: Duration = Duration::from_millis(500);

/// The folder of an index, locked for this process.
pub struct IndexDir {
    folder: PathBuf,
    /// Locked until the process ends.
    _lock: Option<File>,
    _temporary: Option<TempDir>,
}

impl IndexDir {
    /// The folder `index` in the data directory; where another server has locked it, a temporary folder.
    pub fn lock(data_dir: &Path) -> std::io::Result<Self> {
        match lock_file(data_dir) {
            Ok(lock) => {
                Ok(Self { folder: data_dir.join("index"), _lock: Some(lock), _temporary: None })
            }
            Err(why) => {
                let temporary = TempDir::with_prefix("haat-index-")?;
                let folder = temporary.path().join("index");
                tracing::info!(%why, folder = %folder.display(), "using a temporary index");
                Ok(Self { folder, _lock: None, _temporary: Some(temporary) })
            }
        }
    }

    /// Whether the index stays when this process ends.
    pub fn is_persistent(&self) -> bool {
        self._lock.is_some()
    }

    fn sibling(&self, name: &str) -> PathBuf {
        self.folder.with_file_name(name)
    }
}

fn lock_file(data_dir: &Path) -> std::io::Result<File> {
    std::fs::create_dir_all(data_dir)?;
    let lock = file_lock::try_lock(&data_dir.join("index.lock"))?;
    lock.ok_or_else(|| {
        std::io::Error::other("another server writes the index of this data directory")
    })
}

/// Updates the index of a `Search` from the database.
pub struct Indexer {
    pub search: Search,
    pub db: Db,
    pub clock: Clock,
    pub revisions: Revisions,
    pub dir: IndexDir,
}

impl Indexer {
    /// Runs until the process ends.
    pub async fn run(self) {
        let mut seen = self.revisions.subscribe();
        let mut building = JoinSet::new();
        let mut open = self.open().await;
        if open.is_none() {
            self.spawn_rebuild(&mut building, Duration::ZERO);
        }
        loop {
            match self.apply_changes(&mut open).await {
                Ok(rebuild) => {
                    if open.is_some() {
                        self.search.set_complete();
                    }
                    if rebuild && building.is_empty() {
                        self.spawn_rebuild(&mut building, Duration::ZERO);
                    }
                }
                Err(why) => {
                    tracing::warn!(%why, "could not update the index");
                    tokio::time::sleep(UPDATE_RETRY_DELAY).await;
                    if open.is_none() {
                        open = self.open().await;
                    }
                    if open.is_some() {
                        continue;
                    }
                    if building.is_empty() {
                        self.spawn_rebuild(&mut building, REBUILD_RETRY_DELAY);
                    }
                }
            }
            tokio::select! {
                changed = seen.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
                Some(built) = building.join_next(), if !building.is_empty() => {
                    if let Err(why) = self.install(&mut open, built).await {
                        tracing::error!(%why, "could not build the index");
                        self.spawn_rebuild(&mut building, REBUILD_RETRY_DELAY);
                    }
                }
                () = self.search.damaged() => {
                    if building.is_empty() {
                        tracing::warn!("the index is damaged; rebuilding it");
                        self.spawn_rebuild(&mut building, Duration::ZERO);
                    }
                }
            }
        }
    }

    /// Opens the index of the last run, unless it is missing, damaged, or without the attributes to filter by.
    async fn open(&self) -> Option<ProductIndex> {
        let folder = self.dir.folder.clone();
        let filter_attributes = self.search.filter_attributes().clone();
        let open = blocking(move || {
            let mut index = ProductIndex::open(&folder, WriterSettings::incremental())?;
            if index.checkpoint.filter_attributes != filter_attributes {
                let why = "other attributes are indexed than the setting names";
                return Err(TantivyError::InvalidArgument(why.into()));
            }
            let snapshot = index.snapshot()?;
            Ok((index, snapshot))
        });
        match open.await {
            Ok((index, snapshot)) => {
                self.publish(snapshot);
                Some(index)
            }
            Err(why) => {
                tracing::info!(%why, "rebuilding the index");
                None
            }
        }
    }

    /// Publishes an index, unless it is older than the published one.
    fn publish(&self, snapshot: Snapshot) {
        let revision = snapshot.revision;
        if revision >= self.search.revision() {
            self.search.publish(snapshot);
            self.search.set_revision(revision);
        }
    }

    /// Starts to build an index beside the one in use.
    fn spawn_rebuild(&self, building: &mut JoinSet<Result<ProductIndex>>, delay: Duration) {
        let (db, clock) = (self.db.clone(), self.clock.clone());
        let folder = self.dir.sibling("index.new");
        let filter_attributes = self.search.filter_attributes().clone();
        building.spawn(async move {
            tokio::time::sleep(delay).await;
            build_index(&db, &clock, folder, filter_attributes).await
        });
    }

    /// Replaces the old index by a new one.
    async fn install(
        &self,
        open: &mut Option<ProductIndex>,
        built: std::result::Result<Result<ProductIndex>, tokio::task::JoinError>,
    ) -> Result<()> {
        let (new_index, old_index) = (built.map_err(Error::internal)??, open.take());
        let (new, current) = (self.dir.sibling("index.new"), self.dir.folder.clone());
        let old = self.dir.sibling("index.old");
        let index = blocking(move || {
            new_index.close()?;
            drop(old_index);
            replace_folder(&new, &current, &old)?;
            ProductIndex::open(&current, WriterSettings::incremental())
        })
        .await?;
        // The old index already had the changes made during the build; publish only with them.
        *open = Some(index);
        self.apply_changes(open).await?;
        if let Some(snapshot) = with_open(open, ProductIndex::snapshot).await? {
            tracing::info!(products = snapshot.products(), "the index is built");
            self.publish(snapshot);
        }
        Ok(())
    }

    /// Indexes what changed, and returns whether a rebuild is requested. After an index error the index is
    /// closed; after a database error it stays open.
    async fn apply_changes(&self, open: &mut Option<ProductIndex>) -> Result<bool> {
        let mut rebuild = false;
        while let Some(index) = open {
            let checkpoint = &index.checkpoint;
            let changes = changes_since(&self.db, checkpoint.revision).await?;
            let Some(revision) = changes.last_revision else { break };
            rebuild |= changes.rebuild;
            let mut changed = changes.products;
            if changes.categories {
                let names = categories(&self.db).await?;
                for id in renamed(&checkpoint.categories, &names) {
                    changed.extend(product_ids(&self.db, &id).await?);
                }
                index.categories = names;
            }
            if changed.is_empty() && index.categories == index.checkpoint.categories {
                // Not committed: after a restart these revisions are read again.
                index.checkpoint.revision = revision;
                self.search.set_revision(revision);
                continue;
            }
            self.update_products(open, changed, revision).await?;
        }
        Ok(rebuild)
    }

    /// Indexes these products again, and publishes the result.
    async fn update_products(
        &self,
        open: &mut Option<ProductIndex>,
        changed: BTreeSet<ProductId>,
        revision: i64,
    ) -> Result<()> {
        let changed: Vec<ProductId> = changed.into_iter().collect();
        for ids in changed.chunks(BATCH_PRODUCTS) {
            let (ids, products) = (ids.to_vec(), read_products(&self.db, &self.clock, ids).await?);
            with_open(open, move |index| {
                // Deleted products are removed and not added again.
                ids.iter().for_each(|id| index.remove(id));
                products.iter().try_for_each(|product| index.add(product))
            })
            .await?;
        }
        let committed = with_open(open, move |index| {
            index.commit(revision)?;
            index.snapshot()
        });
        if let Some(snapshot) = committed.await? {
            self.publish(snapshot);
        }
        Ok(())
    }
}

/// Works on the index, if it is open. It is closed if that fails.
async fn with_open<T: Send + 'static>(
    open: &mut Option<ProductIndex>,
    work: impl FnOnce(&mut ProductIndex) -> IndexResult<T> + Send + 'static,
) -> Result<Option<T>> {
    let Some(mut index) = open.take() else { return Ok(None) };
    let (index, done) = blocking(move || {
        let done = work(&mut index)?;
        Ok((index, done))
    })
    .await?;
    *open = Some(index);
    Ok(Some(done))
}

/// The changes after a revision.
#[derive(Default)]
struct Changes {
    products: BTreeSet<ProductId>,
    categories: bool,
    rebuild: bool,
    last_revision: Option<i64>,
}

async fn changes_since(db: &Db, revision: i64) -> Result<Changes> {
    let rows: Vec<(String, i64)> = db
        .query(
            "select scope, revision from revisions where revision > $1 and revision <=
               (select max(revision) from
                 (select revision from revisions where revision > $1 order by revision limit $2) as next)
             order by revision",
        )
        .bind(revision)
        .bind(BATCH_CHANGES)
        .all()
        .await?;
    let mut changes =
        Changes { last_revision: rows.last().map(|(_, revision)| *revision), ..Changes::default() };
    for (scope, _) in rows {
        match scope.split_once('/') {
            Some(("product" | "rank", id)) => changes.products.extend(id.parse::<ProductId>().ok()),
            None if scope == "categories" => changes.categories = true,
            None if scope == REBUILD_SCOPE => changes.rebuild = true,
            _ => {}
        }
    }
    Ok(changes)
}

async fn categories(db: &Db) -> Result<CategoryNames> {
    let names: Vec<(CategoryId, String)> =
        db.query("select id, name from categories").all().await?;
    let sql = "select category, name from category_translations order by category, language";
    let translated: Vec<(CategoryId, String)> = db.query(sql).all().await?;
    let mut categories =
        CategoryNames { names: names.into_iter().collect(), ..CategoryNames::default() };
    for (id, name) in translated {
        categories.translations.entry(id).or_default().push(name);
    }
    Ok(categories)
}

/// Categories with a new name, whose products are still indexed with the old one.
fn renamed(old: &CategoryNames, new: &CategoryNames) -> Vec<CategoryId> {
    let same = |id: &CategoryId| {
        old.names.get(id) == new.names.get(id)
            && old.translations.get(id) == new.translations.get(id)
    };
    old.names.keys().filter(|id| new.names.contains_key(*id) && !same(id)).cloned().collect()
}

async fn product_ids(db: &Db, category: &CategoryId) -> Result<Vec<ProductId>> {
    let rows: Vec<(ProductId,)> =
        db.query("select id from products where category = $1").bind(category).all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

async fn read_products(db: &Db, clock: &Clock, ids: &[ProductId]) -> Result<Vec<IndexedProduct>> {
    let values = || ids.iter().map(SqlValue::from);
    let sql = format!(
        "select {COLUMNS} from products where status = 'active' and {}",
        in_list("id", 1, ids.len())
    );
    let mut products: Vec<IndexedProduct> = db.query(sql).bind_all(values()).all().await?;
    let sql = format!(
        "select {TRANSLATED_COLUMNS} from product_translations where {}",
        in_list("product", 1, ids.len())
    );
    add_translations(&mut products, db.query(sql).bind_all(values()).all().await?);
    let sql = format!(
        "select {VARIANT_COLUMNS} from variants where status = 'active' and {}",
        in_list("product", 1, ids.len())
    );
    add_variants(&mut products, db.query(sql).bind_all(values()).all().await?, clock.now());
    let sql = format!(
        "select {PRICE_COLUMNS} from product_prices where {}",
        in_list("product", 1, ids.len())
    );
    add_prices(&mut products, db.query(sql).bind_all(values()).all().await?);
    Ok(products)
}

/// At most `BATCH_PRODUCTS * 4` products after this id, in the order of their ids.
async fn read_batch(db: &Db, clock: &Clock, after: &str) -> Result<Vec<IndexedProduct>> {
    let sql = format!(
        "select {COLUMNS} from products where status = 'active' and id > $1 order by id limit $2"
    );
    let query = db.query(sql).bind(after).bind(BATCH_PRODUCTS as i64 * 4);
    let mut products: Vec<IndexedProduct> = query.all().await?;
    let Some(last) = products.last() else { return Ok(products) };
    let sql = format!(
        "select {TRANSLATED_COLUMNS} from product_translations where product > $1 and product <= $2"
    );
    let translations = db.query(sql).bind(after).bind(&last.id).all().await?;
    let sql = format!(
        "select {VARIANT_COLUMNS} from variants
         where status = 'active' and product > $1 and product <= $2"
    );
    let variants = db.query(sql).bind(after).bind(&last.id).all().await?;
    let sql =
        format!("select {PRICE_COLUMNS} from product_prices where product > $1 and product <= $2");
    let prices = db.query(sql).bind(after).bind(&last.id).all().await?;
    add_translations(&mut products, translations);
    add_variants(&mut products, variants, clock.now());
    add_prices(&mut products, prices);
    Ok(products)
}

#[derive(sqlx::FromRow)]
struct IndexedTranslation {
    product: ProductId,
    #[sqlx(flatten)]
    texts: TranslatedProduct,
}

fn add_translations(products: &mut [IndexedProduct], rows: Vec<IndexedTranslation>) {
    let mut translations: HashMap<ProductId, Vec<TranslatedProduct>> = HashMap::new();
    for IndexedTranslation { product, texts } in rows {
        translations.entry(product).or_default().push(texts);
    }
    for product in products {
        product.translations = translations.remove(&product.id).unwrap_or_default();
    }
}

#[derive(sqlx::FromRow)]
struct VariantRow {
    product: ProductId,
    sku: String,
    #[sqlx(flatten)]
    price: StoredPrice,
    qtn: i64,
    back_order: Option<Timestamp>,
}

fn add_variants(products: &mut [IndexedProduct], rows: Vec<VariantRow>, now: Timestamp) {
    let mut variants: HashMap<ProductId, IndexedVariants> = HashMap::new();
    for VariantRow { product, sku, price, qtn, back_order } in rows {
        let of_product = variants.entry(product).or_default();
        of_product.skus.extend(Some(sku).filter(|sku| !sku.is_empty()));
        of_product.in_stock |= qtn > 0 || back_order.is_some();
        // In the base currency, for all currencies.
        of_product.on_offer |= price.in_base_at(now) < price.real_price.0;
    }
    for product in products {
        product.variants = variants.remove(&product.id).unwrap_or_default();
    }
}

#[derive(sqlx::FromRow)]
struct PriceRow {
    product: ProductId,
    #[sqlx(try_from = "String")]
    currency: Currency,
    #[sqlx(flatten)]
    price: ProductPrice,
}

fn add_prices(products: &mut [IndexedProduct], rows: Vec<PriceRow>) {
    let mut prices: HashMap<ProductId, BTreeMap<Currency, ProductPrice>> = HashMap::new();
    for PriceRow { product, currency, price } in rows {
        prices.entry(product).or_default().insert(currency, price);
    }
    for product in products {
        product.prices = prices.remove(&product.id).unwrap_or_default();
    }
}

/// Builds an index of all products.
async fn build_index(
    db: &Db,
    clock: &Clock,
    folder: PathBuf,
    filter_attributes: BTreeSet<String>,
) -> Result<ProductIndex> {
    let mut index = blocking(move || {
        remove_folder(&folder)?;
        std::fs::create_dir_all(&folder)?;
        ProductIndex::create(&folder, WriterSettings::bulk())
    })
    .await?;
    // Read first: products that change during the build are then indexed again.
    let (revision,): (i64,) =
        db.query("select revision from revisions where scope = ''").one().await?;
    index.categories = categories(db).await?;
    index.filter_attributes = filter_attributes;
    let mut after = String::new();
    loop {
        let products = read_batch(db, clock, &after).await?;
        let Some(last) = products.last() else { break };
        after = last.id.to_string();
        index = blocking(move || {
            products.iter().try_for_each(|product| index.add(product))?;
            Ok(index)
        })
        .await?;
    }
    blocking(move || {
        index.commit(revision)?;
        Ok(index)
    })
    .await
}

/// Removes a folder, if it exists.
fn remove_folder(folder: &Path) -> IndexResult {
    match std::fs::remove_dir_all(folder) {
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(why.into()),
        _ => Ok(()),
    }
}

/// A process that ends between the two renames leaves no index, and the next one builds it.
fn replace_folder(new: &Path, current: &Path, old: &Path) -> IndexResult {
    remove_folder(old)?;
    if current.exists() {
        std::fs::rename(current, old)?;
    }
    std::fs::rename(new, current)?;
    remove_folder(old)
}

/// Runs index work, which is slow and synchronous, on a blocking thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> IndexResult<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await?.map_err(Error::internal)
}

/// Makes every server rebuild its index, and rebuilds the index of this data directory where no server runs on
/// it. Returns the number of products, and whether it was rebuilt here.
pub async fn rebuild(db: &Db, clock: &Clock, data_dir: &Path) -> Result<(i64, bool)> {
    let mut tx = db.begin().await?;
    revisions::bump(&mut tx, [CacheTag::new(REBUILD_SCOPE)]).await?;
    tx.commit().await?;
    let (products,): (i64,) =
        db.query("select count(*) from products where status = 'active'").one().await?;
    let dir = IndexDir::lock(data_dir).map_err(Error::internal)?;
    if !dir.is_persistent() {
        return Ok((products, false));
    }
    let (new, old) = (dir.sibling("index.new"), dir.sibling("index.old"));
    // Those of the present index: a server with another setting rebuilds it when it starts.
    let present = dir.folder.clone();
    let filter_attributes = blocking(move || ProductIndex::filter_attributes(&present)).await;
    let index = build_index(db, clock, new.clone(), filter_attributes.unwrap_or_default()).await?;
    blocking(move || {
        index.close()?;
        replace_folder(&new, &dir.folder, &old)
    })
    .await?;
    Ok((products, true))
}
