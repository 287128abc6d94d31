//! The platform that all other crates use: database, cache, job queue, e-mail, authentication, errors, ids,
//! money, clock and configuration. Knows nothing of products, pages or accounts.

pub mod auth;
pub mod clock;
pub mod config;
pub mod context;
pub mod currency;
pub mod data_dir;
pub mod db;
pub mod email_address;
pub mod error;
pub mod exchange;
pub mod file_lock;
pub mod html;
pub mod http;
pub mod http_client;
pub mod id;
pub mod jobs;
pub mod language;
pub mod money;
pub mod pagination;
pub mod rate_limit;
pub mod revisions;
pub mod secret;
pub mod text;
pub mod time_zone;

pub use clock::{Clock, Random, Timestamp};
pub use context::Context;
pub use currency::Currency;
pub use db::{Db, Tx};
pub use email_address::EmailAddress;
pub use error::{Error, Result, ResultFuture};
pub use exchange::{Currencies, Exchange, ExchangeRate};
pub use id::Id;
pub use language::{Language, Languages};
pub use money::{Amount, MinorUnits, Money};
pub use pagination::{Cursor, Page, PageRequest};
