//! Content negotiation: the variant of a page that a request wants.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, COOKIE};
use platform::Currency;

/// The negotiated variant of a page: format and currency. With the URL it is the cache key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Negotiated {
    pub format: PageFormat,
    pub currency: Currency,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageFormat {
    Html,
    Json,
}

impl Negotiated {
    pub fn from_headers(headers: &HeaderMap) -> Self {
        let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or("");
        let data = accept.contains("application/json") && !accept.contains("text/html");
        let cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';'));
        let chosen = pairs.find_map(|pair| pair.trim().strip_prefix("currency=")?.parse().ok());
        Self {
            format: if data { PageFormat::Json } else { PageFormat::Html },
            currency: chosen.unwrap_or_default(),
        }
    }

    pub fn cache_key(self, url: &str) -> String {
        format!("{:?} {:?} {url}", self.format, self.currency)
    }
}
