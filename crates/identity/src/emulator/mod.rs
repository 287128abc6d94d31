//! Emulator mode (`haat identity --emulator`): a replacement for Google's Firebase Auth emulator, for
//! test suites. It verifies nothing, signs nothing and lists every code.

mod http;
mod projects;
mod widget;

pub use http::router;
pub use projects::Projects;
