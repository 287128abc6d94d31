//! Pictures that are part of the program: the demo shop's. They are masters already, known to be sound,
//! so a shop that opens with them lists them from their index and decodes none.

use std::collections::{BTreeMap, HashMap};

use ::picture::{Form, Looks, Master};
use axum::body::Bytes;
use serde::{Deserialize, Serialize};

use crate::{PictureId, Taken, hash, store};

/// What the index says of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub id: PictureId,
    pub width: u32,
    pub height: u32,
    pub colour: String,
    pub placeholder: String,
}

/// By file name.
pub type Index = BTreeMap<String, Entry>;

impl Entry {
    /// What an index has to say of a file, which is read for it.
    pub fn of(file: &[u8]) -> Result<Self, String> {
        let id = hash(file).parse().map_err(|why| format!("{why}"))?;
        let Looks { width, height, colour, placeholder } = Master::open(file)?.looks()?;
        Ok(Self { id, width, height, colour, placeholder })
    }
}

#[derive(Default)]
pub struct BuiltIn {
    by_name: BTreeMap<String, Taken>,
    /// By their names in the store.
    masters: HashMap<String, Bytes>,
}

impl BuiltIn {
    /// From the index and the files that it lists, each with its name.
    pub fn new(
        index: &[u8],
        files: impl IntoIterator<Item = (String, Bytes)>,
    ) -> Result<Self, String> {
        let index: Index = serde_json::from_slice(index).map_err(|why| why.to_string())?;
        let mut built_in = Self::default();
        for (name, file) in files {
            let Some(Entry { id, width, height, colour, placeholder }) = index.get(&name).cloned()
            else {
                continue;
            };
            let (kind, bytes, source) = (Form::Webp.name(), file.len(), id.to_string());
            built_in.masters.insert(store::master(&id), file);
            let taken = Taken { id, width, height, kind, colour, placeholder, bytes, source };
            built_in.by_name.insert(name, taken);
        }
        Ok(built_in)
    }

    pub fn get(&self, name: &str) -> Option<&Taken> {
        self.by_name.get(name)
    }

    pub fn all(&self) -> impl Iterator<Item = &Taken> {
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
