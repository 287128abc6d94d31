//! The program: routes, pages and their rendering. The files of the storefront come in as a value
//! (`Assets`), so that this library, from which the browser's types are made, does not depend on them.

pub mod api;
pub mod app;
pub mod assets;
pub mod dev;
pub mod document;
pub mod door;
pub mod listen;
pub mod metrics;
pub mod pages;
pub mod route;
pub mod ssr;
pub mod storefront;
