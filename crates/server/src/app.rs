//! The application state.

use std::sync::Arc;

use axum::http::HeaderValue;
use http_server::Negotiated;
use media::Media;
use platform::jobs::JobCounters;
use platform::{Context, Language};
use response_cache::Cache;
use shop::contact_messages::ContactMessages;
use shop::gift_cards::GiftCardSender;
use shop::newsletter::Newsletter;
use shop::settlement::Settlement;
use shop::stock_alerts::StockAlerts;

use crate::assets::Assets;
use crate::metrics::{Metrics, MetricsAccess};
use crate::pages::Pages;
use crate::privacy::Privacy;
use crate::ssr::Renderer;

/// The state of the storefront, which handlers share as `Arc<App>`.
pub struct App {
    pub context: Context,
    pub cache: Cache,
    pub media: Media,
    pub renderer: Renderer,
    pub assets: Assets,
    pub metrics: Metrics,
    pub metrics_access: MetricsAccess,
    /// The page loaders of the default language.
    pub pages: Pages,
    /// The page loaders of the other languages.
    pub translations: Vec<Pages>,
    pub over_tls: bool,
    pub policy: HeaderValue,
    pub policy_with_map: HeaderValue,
    pub policy_with_payment: HeaderValue,
    pub contact_messages: ContactMessages,
    pub newsletter: Newsletter,
    pub stock_alerts: StockAlerts,
    pub gift_cards: GiftCardSender,
    pub settlement: Settlement,
    pub privacy: Privacy,
    pub urls_per_sitemap: i64,
    pub jobs: Arc<JobCounters>,
}

impl App {
    /// The page loaders of a language and a currency.
    pub fn pages_of(&self, Negotiated { language, currency, .. }: Negotiated) -> Pages {
        self.pages_in(language).in_currency(currency)
    }

    /// The page loaders of a language, in the base currency.
    pub fn pages_in(&self, language: Language) -> &Pages {
        let translated = self.translations.iter().find(|pages| pages.language == language);
        translated.unwrap_or(&self.pages)
    }
}
