//! Accounts: the user record, its linked providers and second factors, and their SQL.

mod account;
mod factor;
mod store;

pub use account::{Account, AccountId, LinkedProvider};
pub use factor::{Factor, UsedFactor};
pub use store::*;
