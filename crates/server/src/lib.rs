//! The HTTP server: router, middleware, page loaders and server-side rendering. The built storefront is passed
//! in (`Assets`), so that this library, which generates the browser's types, does not depend on it.

pub mod api;
pub mod app;
pub mod assets;
pub mod builder;
pub mod buying_terms;
mod csrf;
pub mod demo;
pub mod dev_mailbox;
pub mod document;
pub mod external_identity;
pub mod feeds;
pub mod forms;
pub mod metrics;
pub mod pages;
pub mod privacy;
pub mod props;
pub mod render;
pub mod route;
pub mod routes;
pub mod seo;
pub mod ssr;

/// Parses a setting that is an origin: a scheme and a host, without a path.
pub fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let plain = |host: &str| {
        !host.is_empty()
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
    };
    match host.map(|host| host.trim_end_matches('/')) {
        Some(host) if plain(host) => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err("expected a URL like https://shop.example, without a path".into()),
    }
}
