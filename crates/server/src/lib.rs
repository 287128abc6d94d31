//! The program: routes, pages and their rendering. The files of the storefront come in as a value
//! (`Assets`), so that this library, from which the browser's types are made, does not depend on them.

pub mod api;
pub mod app;
pub mod assets;
pub mod demo;
pub mod dev;
pub mod document;
pub mod door;
pub mod feeds;
pub mod forms;
pub mod found;
pub mod host;
pub mod hosted;
pub mod listen;
pub mod metrics;
pub mod pages;
pub mod personal;
pub mod route;
mod same_origin;
pub mod ssr;
pub mod storefront;

/// Reads a setting that is an origin: a scheme and a host, without a path.
pub fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let plain = |host: &str| {
        !host.is_empty()
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
    };
    match host.map(|host| host.trim_end_matches('/')) {
        Some(host) if plain(host) => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err("an address like https://shop.example, without a path".into()),
    }
}
