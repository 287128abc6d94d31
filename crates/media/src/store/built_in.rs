//! Built-in pictures: the demo shop's, embedded in the program. They are masters already, so their metadata
//! comes from an index, and none is decoded at the start.

use std::collections::{BTreeMap, HashMap};

use ::picture::{InputFormat, Master, PictureMetadata};
use axum::body::Bytes;
use serde::{Deserialize, Serialize};

use super::master;
use crate::{ImportedPicture, PictureId};

/// The metadata of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexEntry {
    pub id: PictureId,
    pub width: u32,
    pub height: u32,
    pub colour: String,
    pub placeholder: String,
}

/// By file name.
pub type PictureIndex = BTreeMap<String, IndexEntry>;

impl IndexEntry {
    /// Decodes the file; for the test that keeps the index up to date.
    pub fn read(file: &[u8]) -> Result<Self, String> {
        let PictureMetadata { width, height, colour, placeholder } =
            Master::open(file)?.metadata()?;
        Ok(Self { id: PictureId::from_content(file), width, height, colour, placeholder })
    }
}

#[derive(Default)]
pub struct BuiltIn {
    by_name: BTreeMap<String, ImportedPicture>,
    /// By name in the store.
    masters: HashMap<String, Bytes>,
}

impl BuiltIn {
    /// Ignores files that are not in the index.
    pub fn new(
        index: &[u8],
        files: impl IntoIterator<Item = (String, Bytes)>,
    ) -> Result<Self, String> {
        let mut index: PictureIndex =
            serde_json::from_slice(index).map_err(|why| why.to_string())?;
        let mut built_in = Self::default();
        for (name, file) in files {
            let Some(entry) = index.remove(&name) else { continue };
            let IndexEntry { id, width, height, colour, placeholder } = entry;
            let metadata = PictureMetadata { width, height, colour, placeholder };
            let (kind, bytes, source) = (InputFormat::Webp.name(), file.len(), id.to_string());
            built_in.masters.insert(master(&id), file);
            built_in.by_name.insert(name, ImportedPicture { id, metadata, kind, bytes, source });
        }
        Ok(built_in)
    }

    pub fn get(&self, name: &str) -> Option<&ImportedPicture> {
        self.by_name.get(name)
    }

    pub fn all(&self) -> impl Iterator<Item = &ImportedPicture> {
        self.by_name.values()
    }

    /// Each master and its name in the store.
    pub fn masters(&self) -> impl Iterator<Item = (&String, &Bytes)> {
        self.masters.iter()
    }

    pub fn master(&self, name: &str) -> Option<&Bytes> {
        self.masters.get(name)
    }
}
