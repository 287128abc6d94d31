//! Pictures of the content. Those in a shopkeeper's directory are imported at start-up; known ones are
//! recognized by their hash and not decoded again.

use std::collections::{BTreeSet, HashMap};

use media::{self, BuiltIn, InvalidPicture, Picture, PictureStore, StoredPicture};
use platform::{Clock, Db, Result};

/// Imports pictures by name. An unusable one is logged and left out, because a page without it is
/// better than none.
pub async fn import_pictures(
    db: &Db,
    clock: &Clock,
    store: &PictureStore,
    files: Vec<(String, Vec<u8>)>,
) -> Result<HashMap<String, Picture>> {
    let mut addresses = HashMap::new();
    for (name, bytes) in files {
        let StoredPicture { url, new } = match media::store_picture(db, store, bytes).await? {
            Ok(stored) => stored,
            Err(InvalidPicture(why)) => {
                tracing::warn!(name, "a picture of the content {why}");
                continue;
            }
        };
        if let Some(new) = new {
            let mut tx = db.begin().await?;
            media::insert_picture(&mut tx, clock, &new).await?;
            tx.commit().await?;
        }
        addresses.insert(name, url);
    }
    at(db, addresses).await
}

/// Pictures of these names that are embedded in the binary.
pub async fn built_in_pictures(
    db: &Db,
    names: &BTreeSet<String>,
    built_in: &BuiltIn,
) -> Result<HashMap<String, Picture>> {
    let address = |name: &String| {
        let picture = built_in.get(&format!("{name}.webp"))?;
        Some((name.clone(), media::picture_url(&picture.id)))
    };
    at(db, names.iter().filter_map(address).collect()).await
}

/// Looks up the pictures at these URLs, by name.
async fn at(db: &Db, addresses: HashMap<String, String>) -> Result<HashMap<String, Picture>> {
    let pictures = media::find_pictures(db, addresses.values()).await?;
    let known = |address: &String| pictures.get(address).filter(|picture| picture.width.is_some());
    Ok(addresses
        .into_iter()
        .filter_map(|(name, address)| Some((name, known(&address)?.clone())))
        .collect())
}
