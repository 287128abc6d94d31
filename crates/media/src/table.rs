//! SQL of the tables `pictures` and `picture_sources`.

use std::collections::HashMap;

use platform::db::{SqlValue, in_list, value_rows};
use platform::{Clock, Db, Result, Tx};

use crate::{ImportedPicture, Picture, PictureId, id_in_url};

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct PictureRow {
    pub id: PictureId,
    pub width: i64,
    pub height: i64,
    pub colour: String,
    pub placeholder: String,
    /// Whether it is an avatar.
    pub personal: bool,
}

const COLUMNS: &str = "id, width, height, colour, placeholder, personal";

pub async fn find(db: &Db, id: &PictureId) -> Result<Option<PictureRow>> {
    db.query(format!("select {COLUMNS} from pictures where id = $1")).bind(id).optional().await
}

/// The picture that was imported from the same file, by the file's hash.
pub async fn find_by_source(db: &Db, source: &str) -> Result<Option<PictureId>> {
    let known: Option<(PictureId,)> = db
        .query("select picture from picture_sources where hash = $1")
        .bind(source)
        .optional()
        .await?;
    Ok(known.map(|(id,)| id))
}

/// Inserts an avatar.
pub async fn insert_personal(tx: &mut Tx, clock: &Clock, new: &ImportedPicture) -> Result<()> {
    insert_rows(tx, clock, &[new], true).await.map(drop)
}

/// Deletes an avatar's row; answers its width.
pub async fn remove_personal(tx: &mut Tx, id: &PictureId) -> Result<Option<i64>> {
    let deleted: Option<(i64,)> = tx
        .query("delete from pictures where id = $1 and personal = $2 returning width")
        .bind(id)
        .bind(true)
        .optional()
        .await?;
    Ok(deleted.map(|(width,)| width))
}

/// Inserts many pictures in batches; answers how many are new.
pub async fn insert_pictures(tx: &mut Tx, clock: &Clock, new: &[&ImportedPicture]) -> Result<u64> {
    let mut added = 0;
    // SQLite limits the number of bound values.
    for batch in new.chunks(200) {
        added += insert_rows(tx, clock, batch, false).await?;
        let sources = batch.iter().flat_map(|one| [one.source.as_str().into(), (&one.id).into()]);
        let sql = "insert into picture_sources (hash, picture)";
        tx.query(format!(
            "{sql} values {} on conflict (hash) do nothing",
            value_rows(batch.len(), 2)
        ))
        .bind_all(sources)
        .execute()
        .await?;
    }
    Ok(added)
}

async fn insert_rows(
    tx: &mut Tx,
    clock: &Clock,
    batch: &[&ImportedPicture],
    personal: bool,
) -> Result<u64> {
    let now = clock.now();
    let pictures = batch.iter().flat_map(|new| {
        [
            SqlValue::from(&new.id),
            i64::from(new.metadata.width).into(),
            i64::from(new.metadata.height).into(),
            new.kind.into(),
            (new.bytes as i64).into(),
            new.metadata.colour.as_str().into(),
            new.metadata.placeholder.as_str().into(),
            now.into(),
            personal.into(),
        ]
    });
    let sql = "insert into pictures
         (id, width, height, kind, bytes, colour, placeholder, created_at, personal)";
    tx.query(format!("{sql} values {} on conflict (id) do nothing", value_rows(batch.len(), 9)))
        .bind_all(pictures)
        .execute()
        .await
}

/// The pictures at these URLs, by URL. Those that the shop does not store have nothing but the URL.
pub async fn find_pictures<'a>(
    db: &Db,
    urls: impl Iterator<Item = &'a String>,
) -> Result<HashMap<String, Picture>> {
    let urls: Vec<&String> = urls.collect();
    let mut ids: Vec<PictureId> = urls.iter().filter_map(|url| id_in_url(url)).collect();
    ids.sort();
    ids.dedup();
    let mut rows: HashMap<PictureId, PictureRow> = HashMap::new();
    // SQLite limits the number of bound values.
    for batch in ids.chunks(500) {
        let sql = format!("select {COLUMNS} from pictures where {}", in_list("id", 1, batch.len()));
        let found: Vec<PictureRow> =
            db.query(sql).bind_all(batch.iter().map(SqlValue::from)).all().await?;
        rows.extend(found.into_iter().map(|row| (row.id.clone(), row)));
    }
    let picture = |url: &String| {
        let row = id_in_url(url).and_then(|id| rows.get(&id));
        Picture {
            src: url.clone(),
            width: row.map(|row| row.width),
            height: row.map(|row| row.height),
            colour: row.map(|row| row.colour.clone()),
            placeholder: row.map(|row| row.placeholder.clone()),
            ..Picture::default()
        }
    };
    Ok(urls.into_iter().map(|url| (url.clone(), picture(url))).collect())
}
