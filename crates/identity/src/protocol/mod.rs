//! HTTP: the protocol's paths, and our own for devices and for the links in e-mails.

mod devices;
mod email_action;
mod http;
mod operations;

pub use email_action::router as email_action_router;
pub use http::{emulator_router, router};
pub use operations::operation_paths;
