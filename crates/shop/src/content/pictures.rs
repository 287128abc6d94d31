//! The pictures that content names. A shop's own are taken in as an import's are: one that came before is known by the
//! hash of its file, so that a second start decodes nothing.

use std::collections::{BTreeSet, HashMap};

use base::jobs::{self, Job};
use base::{Clock, Db, Id, Result};

use media::{self, BuiltIn, MAKE_SIZES, MakeSizes, Picture, Store, Unfit};

/// Takes in pictures, each under its name. One that is not fit is left out, with a word in the log:
/// a page is better without a picture than not at all.
pub async fn take_pictures(
    db: &Db,
    clock: &Clock,
    store: &Store,
    files: Vec<(String, Vec<u8>)>,
) -> Result<HashMap<String, Picture>> {
    let mut addresses = HashMap::new();
    for (name, bytes) in files {
        let source = media::hash(&bytes);
        if let Some(id) = media::known(db, &source).await? {
            addresses.insert(name, media::address(&id));
            continue;
        }
        let (taken, master) = match tokio::task::spawn_blocking(move || media::take(&bytes)).await?
        {
            Ok(took) => took,
            Err(Unfit(why)) => {
                tracing::warn!(name, "a picture of the content {why}");
                continue;
            }
        };
        media::store_master(store, &taken, master).await?;
        let (mut tx, now) = (db.begin().await?, clock.now());
        if media::put(&mut tx, clock, &taken).await? {
            let id = Id::<Job>::named(&format!("{MAKE_SIZES} {}", taken.id));
            let job = MakeSizes { picture: taken.id.clone() };
            jobs::enqueue(&mut tx, id, MAKE_SIZES, &job, now, now)?;
        }
        tx.commit().await?;
        addresses.insert(name, media::address(&taken.id));
    }
    at(db, addresses).await
}

/// The pictures of these names that are part of the program, where the shop was opened with them.
pub async fn listed_pictures(
    db: &Db,
    names: &BTreeSet<String>,
    built_in: &BuiltIn,
) -> Result<HashMap<String, Picture>> {
    let address = |name: &String| {
        let taken = built_in.get(&format!("{name}.webp"))?;
        Some((name.clone(), media::address(&taken.id)))
    };
    at(db, names.iter().filter_map(address).collect()).await
}

/// What pages need of the pictures at these addresses, by their names.
async fn at(db: &Db, addresses: HashMap<String, String>) -> Result<HashMap<String, Picture>> {
    let pictures = media::pictures_of(db, addresses.values()).await?;
    let known = |address: &String| pictures.get(address).filter(|picture| picture.width.is_some());
    Ok(addresses
        .into_iter()
        .filter_map(|(name, address)| Some((name, known(&address)?.clone())))
        .collect())
}
