//! Accounts: the user record, its linked providers and second factors, and their SQL.

mod account;
mod factor;
mod store;

pub use account::{Account, AccountId, LinkedProvider};
pub use factor::{Factor, UsedFactor};
pub use store::{
    SortOrder, bump_revision, count, delete, delete_factor, delete_unused, find_by_email,
    find_by_id, find_by_phone_number, find_by_provider, find_by_provider_email, find_id_by_email,
    insert_factor, list_page, list_sorted, mark_factors_replaced, record_refresh, record_totp_step,
    replace_factors, save, save_providers, token_generation,
};
