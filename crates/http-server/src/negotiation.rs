//! Content negotiation: the variant of a page that a request wants.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::ACCEPT;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use platform::{Currency, Language, Languages};

/// The negotiated variant of a page: format, currency and language. With the URL it is the cache key. As an
/// extractor it is the request extension that the middleware sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Negotiated {
    pub format: PageFormat,
    pub currency: Currency,
    pub language: Language,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageFormat {
    #[default]
    Html,
    Json,
}

impl Negotiated {
    pub fn new(url: &Uri, headers: &HeaderMap, languages: &Languages, currency: Currency) -> Self {
        let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or("");
        let data = accept.contains("application/json") && !accept.contains("text/html");
        Self {
            format: if data { PageFormat::Json } else { PageFormat::Html },
            currency,
            language: languages.of_request(url, headers),
        }
    }

    pub fn cache_key(self, url: &str) -> String {
        format!("{:?} {:?} {} {url}", self.format, self.currency, self.language)
    }
}

impl<S: Sync> FromRequestParts<S> for Negotiated {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}
