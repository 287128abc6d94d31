//! Imports pictures: stores the master of a file, and inserts the picture's row.

use platform::jobs::{self, Job};
use platform::{Clock, Db, Id, Result, Tx};

use crate::serve::{EncodeSizes, store_master};
use crate::store::PictureStore;
use crate::{ImportedPicture, InvalidPicture, hash, import_picture, picture_url, table};

/// A picture whose master is stored.
pub struct StoredPicture {
    pub url: String,
    /// For the caller to insert; none where the same file was imported before.
    pub new: Option<ImportedPicture>,
}

/// Stores a file as a picture. A file that was imported before is recognized by its hash.
pub async fn store_picture(
    db: &Db,
    store: &PictureStore,
    file: Vec<u8>,
) -> Result<Result<StoredPicture, InvalidPicture>> {
    if let Some(id) = table::find_by_source(db, &hash(&file)).await? {
        return Ok(Ok(StoredPicture { url: picture_url(&id), new: None }));
    }
    let (new, master) = match tokio::task::spawn_blocking(move || import_picture(&file)).await? {
        Ok(imported) => imported,
        Err(why) => return Ok(Err(why)),
    };
    store_master(store, &new, master).await?;
    Ok(Ok(StoredPicture { url: picture_url(&new.id), new: Some(new) }))
}

/// Inserts a picture whose master is stored. When it is new, a job encodes its sizes.
pub async fn insert_picture(tx: &mut Tx, clock: &Clock, new: &ImportedPicture) -> Result<()> {
    if table::insert_pictures(tx, clock, &[new]).await? == 0 {
        return Ok(());
    }
    let (job, now) = (EncodeSizes { picture: new.id.clone() }, clock.now());
    let id = Id::from_name(&format!("{} {}", EncodeSizes::NAME, new.id));
    jobs::enqueue(tx, id, &job, now, now)
}
