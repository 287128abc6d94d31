//! Where a list goes on that starts with the newest.

use crate::{Error, Id, Result, Timestamp};

/// A place in a list: everything after this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor<T> {
    pub created_at: Timestamp,
    pub id: Id<T>,
}

impl<T> Cursor<T> {
    /// From the text that an answer gave out.
    pub fn parse(text: &str) -> Result<Self> {
        let parts = text.split_once('.').and_then(|(time, id)| {
            Some(Self { created_at: Timestamp(time.parse().ok()?), id: id.parse().ok()? })
        });
        parts.ok_or_else(|| Error::invalid("cursor", "not one that this shop gave out"))
    }

    pub fn text(&self) -> String {
        format!("{}.{}", self.created_at.0, self.id)
    }
}
