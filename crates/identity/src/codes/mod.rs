//! One-time codes that are sent by e-mail and text message.

pub mod email;
pub mod phone;
