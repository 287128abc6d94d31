//! The house's parts against real databases.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod cache;
mod client;
mod db;
mod jobs;
mod mail;
mod sms;
