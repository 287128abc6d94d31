//! Integration tests of the platform on SQLite and PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod db;
mod http_client;
mod jobs;
mod rate_limit;
