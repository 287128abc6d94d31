//! Fetches and stores the pictures that an import file names, from the file's directory or from a URL,
//! before any row is written. A picture that is not usable is an error of its row.

use std::collections::HashMap;
use std::path::{Component, Path};

use platform::http_client::HttpClient;
use platform::{Db, Result};

use super::Import;
use super::errors::ImportErrors;
use media::{self, BuiltIn, InvalidPicture, MAX_PICTURE_BYTES, PictureStore, StoredPicture};

/// Where pictures are read from and stored.
pub struct PictureSource<'a> {
    pub db: &'a Db,
    pub store: &'a PictureStore,
    pub client: HttpClient,
    /// The directory of the import file, for relative paths.
    pub base_dir: &'a Path,
}

/// Whether an entry of `img` already is a path on this shop.
pub fn is_shop_path(entry: &str) -> bool {
    entry.starts_with('/') && !entry.starts_with("//")
}

fn is_url(entry: &str) -> bool {
    entry.starts_with("https://") || entry.starts_with("http://")
}

/// Whether an entry of `img` is a shop path, a URL, or a relative path without `..`.
pub fn is_valid_source(entry: &str) -> bool {
    let inside = |entry: &str| {
        Path::new(entry).components().all(|part| matches!(part, Component::Normal(_)))
            && !entry.contains([':', '\\'])
    };
    is_shop_path(entry) || is_url(entry) || inside(entry)
}

impl Import {
    /// Stores every picture that the rows name, and replaces its name by its path on this shop.
    pub async fn import_pictures(&mut self, from: &PictureSource<'_>) -> Result<()> {
        let mut addresses = HashMap::new();
        let (mut stored, mut errors) = (Vec::new(), ImportErrors::default());
        for (number, entries) in self.entries().into_iter().enumerate() {
            for entry in entries.into_iter().filter(|entry| !is_shop_path(entry)) {
                if addresses.contains_key(&entry) {
                    continue;
                }
                let one = match from.import(&entry).await? {
                    Ok(one) => one,
                    Err(InvalidPicture(why)) => {
                        let why = format!("{entry:?} {why}");
                        errors.push(match number.checked_sub(self.categories.len()) {
                            None => self.error(&self.categories[number], "img", &why),
                            Some(number) => self.error(&self.products[number], "img", &why),
                        });
                        continue;
                    }
                };
                addresses.insert(entry, one.url);
                stored.extend(one.new);
            }
        }
        errors.check()?;
        self.replace_sources(&addresses);
        self.pictures = stored;
        Ok(())
    }

    /// Replaces names under `pictures/` by the paths of the pictures embedded in the binary.
    pub fn resolve_built_in(&mut self, built_in: &BuiltIn) {
        let address = |entry: String| {
            let picture = built_in.get(entry.strip_prefix("pictures/")?)?;
            Some((entry, media::picture_url(&picture.id)))
        };
        let addresses = self.entries().into_iter().flatten().filter_map(address).collect();
        self.replace_sources(&addresses);
    }

    /// The picture entries of each row, categories first.
    fn entries(&self) -> Vec<Vec<String>> {
        let categories = self.categories.iter().map(|row| vec![row.value.img.clone()]);
        let products = self
            .products
            .iter()
            .map(|row| row.value.img.iter().map(|photo| photo.src.clone()).collect());
        categories.chain(products).collect()
    }

    fn replace_sources(&mut self, addresses: &HashMap<String, String>) {
        let replace = |entry: &mut String| {
            if let Some(address) = addresses.get(entry) {
                entry.clone_from(address);
            }
        };
        for row in &mut self.categories {
            replace(&mut row.value.img);
        }
        for row in &mut self.products {
            let photos = &mut row.value.img.0;
            photos.iter_mut().for_each(|photo| replace(&mut photo.src));
            let variants = row.value.variants.iter_mut().flatten();
            variants.filter_map(|variant| variant.img.as_mut()).for_each(replace);
            for translation in row.value.translations.values_mut() {
                let renamed = std::mem::take(&mut translation.alts).into_iter();
                translation.alts.extend(renamed.map(|(mut src, alt)| {
                    replace(&mut src);
                    (src, alt)
                }));
            }
            // Two files may contain the same picture.
            let mut seen = Vec::new();
            photos.retain(|photo| {
                let new = !seen.contains(&photo.src);
                seen.push(photo.src.clone());
                new
            });
        }
    }
}

impl PictureSource<'_> {
    async fn import(&self, entry: &str) -> Result<Result<StoredPicture, InvalidPicture>> {
        match self.read(entry).await {
            Ok(file) => media::store_picture(self.db, self.store, file).await,
            Err(why) => Ok(Err(why)),
        }
    }

    async fn read(&self, entry: &str) -> Result<Vec<u8>, InvalidPicture> {
        if is_url(entry) {
            let fetched = self.client.get_bytes(entry, MAX_PICTURE_BYTES).await;
            return fetched
                .map(Vec::from)
                .map_err(|why| InvalidPicture(format!("cannot be fetched: {why}")));
        }
        let path = self.base_dir.join(entry);
        let read = tokio::task::spawn_blocking(move || {
            let length = std::fs::metadata(&path)?.len();
            if length > MAX_PICTURE_BYTES as u64 {
                return Ok(None);
            }
            std::fs::read(&path).map(Some)
        });
        match read.await.map_err(|why| InvalidPicture(why.to_string()))? {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => {
                Err(InvalidPicture(format!("is larger than {} MiB", MAX_PICTURE_BYTES >> 20)))
            }
            Err(why) => Err(InvalidPicture(format!("cannot be read: {why}"))),
        }
    }
}
