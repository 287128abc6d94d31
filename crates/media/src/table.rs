//! The pictures' SQL.

use std::collections::HashMap;

use base::db::Value;
use base::{Clock, Db, Result, Tx};

use crate::{Picture, PictureId, Taken, id_of};

/// What is known of a picture.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Row {
    pub id: PictureId,
    pub width: i64,
    pub height: i64,
    pub colour: String,
    pub placeholder: String,
    /// Whether it is a person's own.
    pub personal: bool,
}

const ROW: &str = "id, width, height, colour, placeholder, personal";

pub async fn find(db: &Db, id: &PictureId) -> Result<Option<Row>> {
    db.query(format!("select {ROW} from pictures where id = $1")).bind(id).optional().await
}

/// The picture that a file became when it came before, by the hash of its bytes.
pub async fn known(db: &Db, source: &str) -> Result<Option<PictureId>> {
    let known: Option<(PictureId,)> = db
        .query("select picture from picture_sources where hash = $1")
        .bind(source)
        .optional()
        .await?;
    Ok(known.map(|(id,)| id))
}

/// Lists a picture whose master is in the store; says whether it is new.
pub async fn put(tx: &mut Tx, clock: &Clock, taken: &Taken) -> Result<bool> {
    let added = tx
        .query(
            "insert into pictures (id, width, height, kind, bytes, colour, placeholder, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing",
        )
        .bind(&taken.id)
        .bind(i64::from(taken.width))
        .bind(i64::from(taken.height))
        .bind(taken.kind)
        .bind(taken.bytes as i64)
        .bind(taken.colour.as_str())
        .bind(taken.placeholder.as_str())
        .bind(clock.now())
        .execute()
        .await?;
    tx.query(
        "insert into picture_sources (hash, picture) values ($1, $2) on conflict (hash) do nothing",
    )
    .bind(taken.source.as_str())
    .bind(&taken.id)
    .execute()
    .await?;
    Ok(added == 1)
}

/// Lists a person's own picture.
pub async fn put_personal(tx: &mut Tx, clock: &Clock, taken: &Taken) -> Result<()> {
    tx.query(
        "insert into pictures
           (id, width, height, kind, bytes, colour, placeholder, created_at, personal)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&taken.id)
    .bind(i64::from(taken.width))
    .bind(i64::from(taken.height))
    .bind(taken.kind)
    .bind(taken.bytes as i64)
    .bind(taken.colour.as_str())
    .bind(taken.placeholder.as_str())
    .bind(clock.now())
    .bind(true)
    .execute()
    .await
    .map(drop)
}

/// Takes a person's own picture off the list; says how wide it was, if it was there.
pub async fn remove_personal(tx: &mut Tx, id: &PictureId) -> Result<Option<i64>> {
    let gone: Option<(i64,)> = tx
        .query("delete from pictures where id = $1 and personal = $2 returning width")
        .bind(id)
        .bind(true)
        .optional()
        .await?;
    Ok(gone.map(|(width,)| width))
}

/// Lists many that are new, without a question for each.
pub async fn put_all(tx: &mut Tx, clock: &Clock, taken: &[&Taken]) -> Result<()> {
    let now = clock.now();
    let places = |row: usize, columns: usize| {
        let places: Vec<String> =
            (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
        format!("({})", places.join(", "))
    };
    // SQLite takes some thousands of values in a statement.
    for some in taken.chunks(200) {
        let rows = |columns: usize| -> String {
            let rows: Vec<String> = (0..some.len()).map(|row| places(row, columns)).collect();
            rows.join(", ")
        };
        let pictures = some.iter().flat_map(|taken| {
            [
                Value::from(&taken.id),
                i64::from(taken.width).into(),
                i64::from(taken.height).into(),
                taken.kind.into(),
                (taken.bytes as i64).into(),
                taken.colour.as_str().into(),
                taken.placeholder.as_str().into(),
                now.into(),
            ]
        });
        let sql = "insert into pictures
             (id, width, height, kind, bytes, colour, placeholder, created_at)";
        tx.query(format!("{sql} values {} on conflict (id) do nothing", rows(8)))
            .bind_all(pictures)
            .execute()
            .await?;
        let sources = some.iter().flat_map(|one| [one.source.as_str().into(), (&one.id).into()]);
        let sql = "insert into picture_sources (hash, picture)";
        tx.query(format!("{sql} values {} on conflict (hash) do nothing", rows(2)))
            .bind_all(sources)
            .execute()
            .await?;
    }
    Ok(())
}

/// What pages need of the pictures at these addresses, by address. Those that are not ours have only
/// that.
pub async fn pictures_of<'a>(
    db: &Db,
    addresses: impl Iterator<Item = &'a String>,
) -> Result<HashMap<String, Picture>> {
    let addresses: Vec<&String> = addresses.collect();
    let mut ids: Vec<PictureId> = addresses.iter().filter_map(|src| id_of(src)).collect();
    ids.sort();
    ids.dedup();
    let mut rows: HashMap<PictureId, Row> = HashMap::new();
    // SQLite takes some thousands of values in a statement.
    for some in ids.chunks(500) {
        let places: Vec<String> = (1..=some.len()).map(|place| format!("${place}")).collect();
        let sql = format!("select {ROW} from pictures where id in ({})", places.join(", "));
        let found: Vec<Row> = db.query(sql).bind_all(some.iter().map(Value::from)).all().await?;
        rows.extend(found.into_iter().map(|row| (row.id.clone(), row)));
    }
    let picture = |src: &String| {
        let row = id_of(src).and_then(|id| rows.get(&id));
        Picture {
            src: src.clone(),
            width: row.map(|row| row.width),
            height: row.map(|row| row.height),
            colour: row.map(|row| row.colour.clone()),
            placeholder: row.map(|row| row.placeholder.clone()),
            ..Picture::default()
        }
    };
    Ok(addresses.into_iter().map(|src| (src.clone(), picture(src))).collect())
}
