//! Pictures of the content. Those in a shopkeeper's directory are imported at start-up; known ones are
//! recognized by their hash and not decoded again.

use std::collections::{BTreeSet, HashMap};

use platform::jobs::{self, Job};
use platform::{Clock, Db, Id, Result};

use media::{self, BuiltIn, EncodeSizes, InvalidPicture, Picture, PictureStore};

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
        let source = media::hash(&bytes);
        if let Some(id) = media::find_by_source(db, &source).await? {
            addresses.insert(name, media::picture_url(&id));
            continue;
        }
        let (picture, master) =
            match tokio::task::spawn_blocking(move || media::import_picture(&bytes)).await? {
                Ok(imported) => imported,
                Err(InvalidPicture(why)) => {
                    tracing::warn!(name, "a picture of the content {why}");
                    continue;
                }
            };
        media::store_master(store, &picture, master).await?;
        let (mut tx, now) = (db.begin().await?, clock.now());
        if media::insert_picture(&mut tx, clock, &picture).await? {
            let id = Id::from_name(&format!("{} {}", EncodeSizes::NAME, picture.id));
            let job = EncodeSizes { picture: picture.id.clone() };
            jobs::enqueue(&mut tx, id, &job, now, now)?;
        }
        tx.commit().await?;
        addresses.insert(name, media::picture_url(&picture.id));
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
