//! The shop's nouns against real databases.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod anonymous;
mod cart;
mod catalog;
mod credit;
mod media;
mod notices;
mod orders;
mod oversell;
mod pictures;
mod placing;
mod returns;
mod reviews;
mod stand;
mod stock;
mod wishlist;
