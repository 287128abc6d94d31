//! Prometheus metrics at `/metrics`, and who may read them.

use std::collections::HashSet;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use aws_lc_rs::constant_time::verify_slices_are_equal;
use axum::http::HeaderMap;
use http_server::RequestMetrics;
use media::Media;
use platform::auth::bearer_token;
use platform::http::ClientIp;
use platform::jobs::{self, JobCounters};
use platform::{Db, Error, Result};
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use response_cache::Cache;
use shop::payments::{PaymentStore, alerts};

use crate::ssr::Renderer;

/// Metrics are not public: they show how much a shop sells.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Metrics")]
#[group(id = "metrics")]
pub struct MetricsSettings {
    /// A separate address to serve /metrics at, instead of the shop's own: 127.0.0.1:9100
    #[arg(long, env = "HAAT_METRICS_LISTEN", value_name = "HOST:PORT")]
    pub metrics_listen: Option<String>,
    /// The Bearer token that is required to read /metrics
    #[arg(long, env = "HAAT_METRICS_TOKEN", value_name = "TEXT", hide_env_values = true)]
    pub metrics_token: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct MetricsAccess {
    token: Option<String>,
    /// Whether they are served at a separate address.
    separate: bool,
    /// Whether there is a reverse proxy, behind which all clients seem to be on this machine.
    behind_proxy: bool,
}

impl MetricsAccess {
    pub fn new(settings: &MetricsSettings, behind_proxy: bool) -> Self {
        let token = settings.metrics_token.clone().filter(|token| !token.is_empty());
        Self { token, separate: settings.metrics_listen.is_some(), behind_proxy }
    }

    /// At the shop's address: with the token or, if none is set, from this machine.
    pub fn check(&self, peer: Option<ClientIp>, headers: &HeaderMap) -> Result<()> {
        if self.separate {
            return Err(Error::NotFound("address"));
        }
        if self.token.is_some() {
            return self.check_token(headers);
        }
        let forwarded =
            ["forwarded", "x-forwarded-for"].iter().any(|name| headers.contains_key(*name));
        let local = peer.is_none_or(|ClientIp(address)| address.to_canonical().is_loopback());
        if self.behind_proxy || forwarded || !local {
            const WHY: &str = "The metrics can be read from this machine only, without a proxy. For \
                               other machines set metrics_listen or metrics_token.";
            return Err(Error::Forbidden(WHY));
        }
        Ok(())
    }

    /// At a separate address: with the token, if one is set.
    pub fn check_token(&self, headers: &HeaderMap) -> Result<()> {
        let Some(token) = &self.token else { return Ok(()) };
        let sent = bearer_token(headers).unwrap_or_default();
        verify_slices_are_equal(sent.as_bytes(), token.as_bytes())
            .map_err(|_| Error::Unauthenticated("The metrics require their token."))
    }
}

/// Request metrics are recorded as they happen; the rest is read at each scrape.
pub struct Metrics {
    registry: Registry,
    pub requests: RequestMetrics,
    names: Mutex<HashSet<&'static str>>,
}

impl Default for Metrics {
    fn default() -> Self {
        let (mut registry, requests) = (Registry::with_prefix("haat"), RequestMetrics::default());
        requests.register(&mut registry);
        Self { registry, requests, names: Mutex::default() }
    }
}

impl Metrics {
    /// Interns a route's name, so that recording a request allocates nothing. There are only as many as routes.
    pub fn intern_route(&self, route: &str) -> &'static str {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        match names.get(route) {
            Some(name) => name,
            None => {
                let name = Box::leak(Box::from(route));
                names.insert(name);
                name
            }
        }
    }

    pub async fn text(
        &self,
        db: &Db,
        cache: &Cache,
        media: &Media,
        renderer: &Renderer,
        job_counters: &Arc<JobCounters>,
    ) -> Result<String> {
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(platform::Error::internal)?;
        let ended = text.trim_end().len() - "# EOF".len();
        text.truncate(ended);

        let mut write = |kind: &str, name: &str, help: &str, value: f64| {
            let total = if kind == "counter" { "_total" } else { "" };
            text.push_str(&format!(
                "# HELP haat_{name} {help}\n# TYPE haat_{name} {kind}\nhaat_{name}{total} {value}\n"
            ));
        };
        let load = |counter: &AtomicU64| counter.load(Relaxed) as f64;
        let pages = cache.stats();
        write("counter", "cache_hits", "Responses from the page cache", pages.hits as f64);
        write("counter", "cache_misses", "Responses to render", pages.misses as f64);
        write("gauge", "cache_entries", "Entries in the page cache", pages.entries as f64);
        write("gauge", "cache_bytes", "Bytes in the page cache", pages.bytes as f64);
        let pictures = media.stats();
        write("counter", "picture_hits", "Pictures from memory", pictures.hits as f64);
        write("counter", "pictures_made", "Picture sizes encoded", pictures.made as f64);
        write("counter", "picture_seconds", "Encoding time", pictures.making_seconds);
        write("counter", "picture_refusals", "Pictures not encoded in time", pictures.busy as f64);
        write("gauge", "picture_queue", "Sizes waiting to be encoded", pictures.waiting as f64);
        write("gauge", "picture_bytes", "Bytes of pictures in memory", pictures.bytes as f64);
        write("gauge", "photos_decoding", "Photos being decoded", pictures.decoding as f64);
        let counts = renderer.counts();
        let seconds = load(&counts.micros) / 1e6;
        let (waiting, busy) = renderer.load();
        write("counter", "renders", "Pages rendered", load(&counts.rendered));
        write("counter", "render_cpu_seconds", "CPU time of renders", seconds);
        write("counter", "render_failures", "Renders that failed", load(&counts.failed));
        write("counter", "render_refusals", "Renders refused", load(&counts.refused));
        write(
            "counter",
            "render_replacements",
            "Stuck render threads replaced",
            load(&counts.replaced),
        );
        write("gauge", "render_queue", "Pages waiting to render", waiting as f64);
        write("gauge", "render_busy", "Busy render threads", busy as f64);
        let (queued, failed) = jobs::queue_depth(db).await?;
        write("gauge", "jobs_queued", "Jobs in the queue", queued as f64);
        write("gauge", "jobs_failed", "Jobs that failed for good", failed as f64);
        write("counter", "jobs_done", "Jobs done", load(&job_counters.done));
        write("counter", "jobs_retried", "Jobs retried", load(&job_counters.retried));
        let alerts = alerts::count_open(db).await?;
        write("gauge", "payment_alerts", "Open alerts of payments", alerts as f64);
        let open = PaymentStore::count_open(db).await?;
        write("gauge", "payments_open", "Payments that providers work on", open as f64);
        write(
            "counter",
            "emails_dropped",
            "E-mails over the mailbox limit",
            load(&job_counters.dropped),
        );
        text.push_str("# EOF\n");
        Ok(text)
    }
}
