//! The shop's nouns against real databases.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod cart;
mod catalog;
mod media;
mod orders;
mod oversell;
mod pictures;
mod search;
