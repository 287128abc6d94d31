//! The pictures that a file names: beside it on the disk, or at an address. They are read, checked and
//! kept before any row is written; one that is not fit refuses the row that names it.

use std::collections::HashMap;
use std::path::{Component, Path};

use base::client::Client;
use base::{Db, Result};

use super::Import;
use super::faults::Faults;
use media::{self, BuiltIn, MOST_BYTES, Store, Unfit};

/// Where pictures come from and go to.
pub struct Pictures<'a> {
    pub db: &'a Db,
    pub store: &'a Store,
    pub client: Client,
    /// The folder that the import's file stands in.
    pub beside: &'a Path,
}

/// Whether an entry of `img` is an address of the shop already.
pub fn settled(entry: &str) -> bool {
    entry.starts_with('/') && !entry.starts_with("//")
}

fn remote(entry: &str) -> bool {
    entry.starts_with("https://") || entry.starts_with("http://")
}

/// Whether an entry of `img` can be a picture.
pub fn plausible(entry: &str) -> bool {
    let inside = |entry: &str| {
        Path::new(entry).components().all(|part| matches!(part, Component::Normal(_)))
            && !entry.contains([':', '\\'])
    };
    settled(entry) || remote(entry) || inside(entry)
}

impl Import {
    /// Takes in every picture that the rows name, and puts its address in the name's place.
    pub async fn take_pictures(&mut self, from: &Pictures<'_>) -> Result<()> {
        let mut addresses = HashMap::new();
        let (mut taken, mut faults) = (Vec::new(), Faults::default());
        for (number, entries) in self.entries().into_iter().enumerate() {
            for entry in entries.into_iter().filter(|entry| !settled(entry)) {
                if addresses.contains_key(&entry) {
                    continue;
                }
                let one = match from.take(&entry).await? {
                    Ok(one) => one,
                    Err(Unfit(why)) => {
                        let why = format!("{entry:?} {why}");
                        faults.push(match number.checked_sub(self.categories.len()) {
                            None => self.fault(&self.categories[number], "img", &why),
                            Some(number) => self.fault(&self.products[number], "img", &why),
                        });
                        continue;
                    }
                };
                addresses.insert(entry, one.address);
                taken.extend(one.new);
            }
        }
        faults.check()?;
        self.settle(&addresses);
        self.pictures = taken;
        Ok(())
    }

    /// Puts in their names' place the addresses of pictures that are part of the program, in the folder
    /// `pictures`.
    pub fn take_built_in(&mut self, built_in: &BuiltIn) {
        let address = |entry: String| {
            let taken = built_in.get(entry.strip_prefix("pictures/")?)?;
            Some((entry, media::address(&taken.id)))
        };
        let addresses = self.entries().into_iter().flatten().filter_map(address).collect();
        self.settle(&addresses);
    }

    /// What each row names as its pictures, categories first.
    fn entries(&self) -> Vec<Vec<String>> {
        let categories = self.categories.iter().map(|row| vec![row.value.img.clone()]);
        let products = self
            .products
            .iter()
            .map(|row| row.value.img.iter().map(|photo| photo.src.clone()).collect());
        categories.chain(products).collect()
    }

    fn settle(&mut self, addresses: &HashMap<String, String>) {
        let settle = |entry: &mut String| {
            if let Some(address) = addresses.get(entry) {
                entry.clone_from(address);
            }
        };
        for row in &mut self.categories {
            settle(&mut row.value.img);
        }
        for row in &mut self.products {
            let photos = &mut row.value.img.0;
            photos.iter_mut().for_each(|photo| settle(&mut photo.src));
            // Two files may hold the same picture.
            let mut seen = Vec::new();
            photos.retain(|photo| {
                let new = !seen.contains(&photo.src);
                seen.push(photo.src.clone());
                new
            });
        }
    }
}

struct One {
    address: String,
    /// What is to be listed, unless it is already.
    new: Option<media::Taken>,
}

impl Pictures<'_> {
    async fn take(&self, entry: &str) -> Result<Result<One, Unfit>> {
        let bytes = match self.read(entry).await {
            Ok(bytes) => bytes,
            Err(why) => return Ok(Err(why)),
        };
        if let Some(id) = media::known(self.db, &media::hash(&bytes)).await? {
            return Ok(Ok(One { address: media::address(&id), new: None }));
        }
        let took = tokio::task::spawn_blocking(move || media::take(&bytes)).await?;
        let (taken, master) = match took {
            Ok(took) => took,
            Err(why) => return Ok(Err(why)),
        };
        media::store_master(self.store, &taken, master).await?;
        Ok(Ok(One { address: media::address(&taken.id), new: Some(taken) }))
    }

    async fn read(&self, entry: &str) -> Result<Vec<u8>, Unfit> {
        if remote(entry) {
            let fetched = self.client.get_bytes(entry, &[], MOST_BYTES).await;
            return fetched.map(Vec::from).map_err(|why| Unfit(format!("cannot be had: {why}")));
        }
        let path = self.beside.join(entry);
        let read = tokio::task::spawn_blocking(move || {
            let length = std::fs::metadata(&path)?.len();
            if length > MOST_BYTES as u64 {
                return Ok(None);
            }
            std::fs::read(&path).map(Some)
        });
        match read.await.map_err(|why| Unfit(why.to_string()))? {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(Unfit(format!("is larger than {} MiB", MOST_BYTES >> 20))),
            Err(why) => Err(Unfit(format!("cannot be read: {why}"))),
        }
    }
}
