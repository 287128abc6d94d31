//! The operations of the protocol, one module per way to sign in or to change an account.

pub mod account;
pub mod account_deletion;
pub mod account_json;
pub mod admin;
pub mod call;
pub mod email_actions;
mod emails;
pub mod import;
pub mod phone;
pub mod project;
pub mod second_factor;
pub mod sign_in;
pub mod social;
