//! Pagination cursors for lists that start with the newest item.

use crate::{Error, Id, Result, Timestamp};

/// The last item of a page; the next page starts after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor<T> {
    pub created_at: Timestamp,
    pub id: Id<T>,
}

impl<T> Cursor<T> {
    /// From the text of an earlier response.
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
