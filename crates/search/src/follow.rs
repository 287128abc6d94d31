//! Keeping an index in step. The revisions are the feed: whatever changes a product moves its revision in
//! the same transaction, here or on another server, so that going through them in their order misses
//! nothing. An index that is missing, damaged or of another version is made anew beside the old one.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::db::{Value, one_of};
use base::revisions::{self, Revisions};
use base::{Db, Error, Result};
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::index::{Goods, OpenIndex, Outcome, Pace, Snapshot};
use crate::listing::Search;
use crate::tally::Categories;
use shop::catalog::{CategoryId, ProductId};

const GOODS: &str = "id, name, sku, brand, category, tags, colours, attributes, full_description,
    sort_price, real_price, rating, qtn, popularity, created_at";
/// Products that are read at a time.
const BATCH: usize = 500;
/// Changes that are looked at in one go; those of one transaction are never cut.
const CHANGES: i64 = 2000;
/// Before a build that failed is tried again.
const PAUSE: Duration = Duration::from_secs(5);
/// Before a change that could not be followed is.
const SOON: Duration = Duration::from_millis(500);

/// Where an index lives: a folder that this process alone writes.
pub struct Home {
    folder: PathBuf,
    /// Held for as long as the process lives.
    _claim: Option<File>,
    _temporary: Option<TempDir>,
}

impl Home {
    /// The folder `index` in the data directory; where another server has it, one that ends with this
    /// process.
    pub fn claim(data_dir: &Path) -> std::io::Result<Self> {
        match claim(data_dir) {
            Ok(claim) => {
                Ok(Self { folder: data_dir.join("index"), _claim: Some(claim), _temporary: None })
            }
            Err(why) => {
                let temporary = TempDir::with_prefix("haat-index-")?;
                let folder = temporary.path().join("index");
                tracing::info!(%why, folder = %folder.display(), "the index is kept elsewhere");
                Ok(Self { folder, _claim: None, _temporary: Some(temporary) })
            }
        }
    }

    /// Whether it outlives this process.
    pub fn is_lasting(&self) -> bool {
        self._claim.is_some()
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.folder.with_file_name(name)
    }
}

fn claim(data_dir: &Path) -> std::io::Result<File> {
    std::fs::create_dir_all(data_dir)?;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(data_dir.join("index.lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(std::io::Error::other("another server writes the index of this data directory"))
        }
        Err(TryLockError::Error(why)) => Err(why),
    }
}

/// Keeps a `Search` in step with the database.
pub struct Follower {
    pub search: Search,
    pub db: Db,
    pub revisions: Revisions,
    pub home: Home,
}

impl Follower {
    /// For as long as the program runs.
    pub async fn follow(self) {
        let mut seen = self.revisions.watch();
        let mut building = JoinSet::new();
        let mut open = self.open().await;
        if open.is_none() {
            self.build(&mut building, Duration::ZERO);
        }
        loop {
            match self.catch_up(&mut open).await {
                Ok(false) => {}
                Ok(true) if building.is_empty() => self.build(&mut building, Duration::ZERO),
                Ok(true) => {}
                Err(why) => {
                    tracing::warn!(%why, "the index could not follow a change");
                    tokio::time::sleep(SOON).await;
                    if open.is_none() {
                        open = self.open().await;
                    }
                    if open.is_some() {
                        continue;
                    }
                    if building.is_empty() {
                        self.build(&mut building, PAUSE);
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
                    match self.built(&mut open, built).await {
                        Ok(()) => {}
                        Err(why) => {
                            tracing::error!(%why, "the index could not be made");
                            self.build(&mut building, PAUSE);
                        }
                    }
                }
                () = self.search.damaged() => {
                    if building.is_empty() {
                        tracing::warn!("the index is damaged and is made anew");
                        self.build(&mut building, Duration::ZERO);
                    }
                }
            }
        }
    }

    /// What was written when the program last ran, where it is whole.
    async fn open(&self) -> Option<OpenIndex> {
        let folder = self.home.folder.clone();
        let open = blocking(move || {
            let mut index = OpenIndex::open(&folder, Pace::following())?;
            let snapshot = index.show()?;
            Ok((index, snapshot))
        });
        match open.await {
            Ok((index, snapshot)) => {
                self.show(&index, snapshot);
                Some(index)
            }
            Err(why) => {
                tracing::info!(%why, "the index is made anew");
                None
            }
        }
    }

    /// Shows an index, but none that knows less than the one that is shown.
    fn show(&self, index: &OpenIndex, snapshot: Snapshot) {
        if index.reached.revision >= self.search.revision() {
            self.search.show(snapshot);
            self.search.reached(index.reached.revision);
        }
    }

    /// Starts to make an index beside the one that is in use.
    fn build(&self, building: &mut JoinSet<Result<OpenIndex>>, after: Duration) {
        let (db, folder) = (self.db.clone(), self.home.beside("index.new"));
        building.spawn(async move {
            tokio::time::sleep(after).await;
            write_whole(&db, folder).await
        });
    }

    /// Puts a new index in the place of the old one.
    async fn built(
        &self,
        open: &mut Option<OpenIndex>,
        built: std::result::Result<Result<OpenIndex>, tokio::task::JoinError>,
    ) -> Result<()> {
        let (new, old) = (built.map_err(Error::internal)??, open.take());
        let (fresh, home) = (self.home.beside("index.new"), self.home.folder.clone());
        let aside = self.home.beside("index.old");
        let index = blocking(move || {
            new.close()?;
            drop(old);
            swap(&fresh, &home, &aside)?;
            OpenIndex::open(&home, Pace::following())
        })
        .await?;
        // What changed while it was made is in the old one already, and is not to be missed in between.
        *open = Some(index);
        self.catch_up(open).await?;
        let Some(mut index) = open.take() else { return Ok(()) };
        let (index, snapshot) = blocking(move || {
            let snapshot = index.show()?;
            Ok((index, snapshot))
        })
        .await?;
        tracing::info!(products = snapshot.products(), "the index is made");
        self.show(&index, snapshot);
        *open = Some(index);
        Ok(())
    }

    /// Takes in what changed, and says whether all is to be made anew. An index that fails is let go; one
    /// that the database could not be read for stays open.
    async fn catch_up(&self, open: &mut Option<OpenIndex>) -> Result<bool> {
        let mut anew = false;
        while let Some(index) = open {
            let known = &index.reached;
            let changes = changes_since(&self.db, known.revision).await?;
            let Some(revision) = changes.reached else { break };
            anew |= changes.anew;
            let mut changed = changes.products;
            if changes.categories {
                let names = categories(&self.db).await?;
                for id in renamed(&known.categories, &names) {
                    changed.extend(products_of(&self.db, &id).await?);
                }
                index.categories = names;
            }
            if changed.is_empty() && index.categories == index.reached.categories {
                // Should the program end now, these are looked at once more.
                index.reached.revision = revision;
                self.search.reached(revision);
                continue;
            }
            self.take_in(open, changed, revision).await?;
        }
        Ok(anew)
    }

    /// Writes these products as they are now, and shows them.
    async fn take_in(
        &self,
        open: &mut Option<OpenIndex>,
        changed: BTreeSet<ProductId>,
        revision: i64,
    ) -> Result<()> {
        let changed: Vec<ProductId> = changed.into_iter().collect();
        for ids in changed.chunks(BATCH) {
            let goods = goods_of(&self.db, ids).await?;
            let (Some(index), ids) = (open.take(), ids.to_vec()) else { return Ok(()) };
            let taken = blocking(move || {
                // Those that are not sold any more are taken out.
                ids.iter().for_each(|id| index.remove(id));
                goods.iter().try_for_each(|goods| index.add(goods))?;
                Ok(index)
            });
            *open = Some(taken.await?);
        }
        let Some(mut index) = open.take() else { return Ok(()) };
        let committed = blocking(move || {
            let snapshot = index.commit(revision)?;
            Ok((index, snapshot))
        });
        let (index, snapshot) = committed.await?;
        self.show(&index, snapshot);
        *open = Some(index);
        Ok(())
    }
}

/// What happened after a revision.
#[derive(Default)]
struct Changes {
    products: BTreeSet<ProductId>,
    categories: bool,
    anew: bool,
    reached: Option<i64>,
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
        .bind(CHANGES)
        .all()
        .await?;
    let mut changes =
        Changes { reached: rows.last().map(|(_, revision)| *revision), ..Changes::default() };
    for (scope, _) in rows {
        match scope.split_once('/') {
            Some(("product" | "rank", id)) => changes.products.extend(id.parse::<ProductId>().ok()),
            None if scope == "categories" => changes.categories = true,
            None if scope == "search" => changes.anew = true,
            _ => {}
        }
    }
    Ok(changes)
}

async fn categories(db: &Db) -> Result<Categories> {
    let rows: Vec<(CategoryId, String)> = db.query("select id, name from categories").all().await?;
    Ok(rows.into_iter().collect())
}

/// Those that were called otherwise, whose products are found by the old name.
fn renamed(old: &Categories, new: &Categories) -> Vec<CategoryId> {
    let other = |id: &CategoryId, name: &String| old.get(id).is_some_and(|old| old != name);
    new.iter().filter(|(id, name)| other(id, name)).map(|(id, _)| id.clone()).collect()
}

async fn products_of(db: &Db, category: &CategoryId) -> Result<Vec<ProductId>> {
    let rows: Vec<(ProductId,)> =
        db.query("select id from products where category = $1").bind(category).all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

async fn goods_of(db: &Db, ids: &[ProductId]) -> Result<Vec<Goods>> {
    let sql = format!("select {GOODS} from products where {}", one_of("id", 1, ids.len()));
    db.query(sql).bind_all(ids.iter().map(Value::from)).all().await
}

/// Makes an index of everything that is sold.
async fn write_whole(db: &Db, folder: PathBuf) -> Result<OpenIndex> {
    let mut index = blocking(move || {
        empty(&folder)?;
        OpenIndex::create(&folder, Pace::whole())
    })
    .await?;
    // Before anything is read: what changes meanwhile is then looked at again.
    let (revision,): (i64,) =
        db.query("select revision from revisions where scope = ''").one().await?;
    index.categories = categories(db).await?;
    let sql = format!("select {GOODS} from products where id > $1 order by id limit $2");
    let mut after = String::new();
    loop {
        let goods: Vec<Goods> =
            db.query(sql.clone()).bind(after.as_str()).bind(BATCH as i64 * 4).all().await?;
        let Some(last) = goods.last() else { break };
        after = last.id.to_string();
        index = blocking(move || {
            goods.iter().try_for_each(|goods| index.add(goods))?;
            Ok(index)
        })
        .await?;
    }
    blocking(move || {
        index.write(revision)?;
        Ok(index)
    })
    .await
}

fn empty(folder: &Path) -> Outcome {
    match std::fs::remove_dir_all(folder) {
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => return Err(why.into()),
        _ => {}
    }
    Ok(std::fs::create_dir_all(folder)?)
}

/// A process that ends between the two steps leaves no index, and the next one makes it.
fn swap(fresh: &Path, home: &Path, aside: &Path) -> Outcome {
    empty(aside)?;
    if home.exists() {
        std::fs::rename(home, aside)?;
    }
    std::fs::rename(fresh, home)?;
    Ok(std::fs::remove_dir_all(aside).or_else(|why| match why.kind() {
        std::io::ErrorKind::NotFound => Ok(()),
        _ => Err(why),
    })?)
}

/// Index work is neither short nor asynchronous.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Outcome<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await?.map_err(Error::internal)
}

/// Makes every server write its index anew, and where none runs on this folder does it here. Says how
/// many products there are, and whether it is done.
pub async fn rebuild_here(db: &Db, data_dir: &Path) -> Result<(i64, bool)> {
    let mut tx = db.begin().await?;
    revisions::changed(&mut tx, [crate::anew()]).await?;
    tx.commit().await?;
    let (products,): (i64,) = db.query("select count(*) from products").one().await?;
    let home = Home::claim(data_dir).map_err(Error::internal)?;
    if !home.is_lasting() {
        return Ok((products, false));
    }
    let (fresh, aside) = (home.beside("index.new"), home.beside("index.old"));
    let index = write_whole(db, fresh.clone()).await?;
    blocking(move || {
        index.close()?;
        swap(&fresh, &home.folder, &aside)
    })
    .await?;
    Ok((products, true))
}
