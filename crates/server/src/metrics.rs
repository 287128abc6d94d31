//! What Prometheus reads at `/metrics`.

use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use axum::http::HeaderMap;
use base::auth::bearer;
use base::cache::Cache;
use base::http::Peer;
use base::jobs::{self, Tally};
use base::{Db, Error, Result};
use media::Media;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::ssr::Renderer;

/// Who may read them: they tell how much a shop sells and how busy it is.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(id = "metrics")]
pub struct Settings {
    /// Where /metrics answers, instead of where shoppers come: 127.0.0.1:9100
    #[arg(long, env = "HAAT_METRICS_LISTEN", value_name = "HOST:PORT")]
    pub metrics_listen: Option<String>,
    /// What whoever reads /metrics has to send as its Bearer token
    #[arg(long, env = "HAAT_METRICS_TOKEN", value_name = "TEXT", hide_env_values = true)]
    pub metrics_token: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Access {
    token: Option<String>,
    /// Whether they are answered elsewhere.
    apart: bool,
    /// Whether strangers come by a proxy, so that all seem to be on this machine.
    fronted: bool,
}

impl Access {
    pub fn new(settings: &Settings, fronted: bool) -> Self {
        let token = settings.metrics_token.clone().filter(|token| !token.is_empty());
        Self { token, apart: settings.metrics_listen.is_some(), fronted }
    }

    /// Where shoppers come: with the token, or, where there is none, from this machine.
    pub fn check(&self, peer: Option<Peer>, headers: &HeaderMap) -> Result<()> {
        if self.apart {
            return Err(Error::NotFound("address"));
        }
        if self.token.is_some() {
            return self.check_apart(headers);
        }
        let forwarded =
            ["forwarded", "x-forwarded-for"].iter().any(|name| headers.contains_key(*name));
        let local = peer.is_none_or(|Peer(address)| address.to_canonical().is_loopback());
        if self.fronted || forwarded || !local {
            const WHY: &str = "The metrics are read from this machine, without a proxy. For others \
                               set metrics_listen or metrics_token.";
            return Err(Error::Forbidden(WHY));
        }
        Ok(())
    }

    /// At an address of their own: with the token, where there is one.
    pub fn check_apart(&self, headers: &HeaderMap) -> Result<()> {
        let Some(token) = &self.token else { return Ok(()) };
        let sent = bearer(headers).unwrap_or_default();
        verify_slices_are_equal(sent.as_bytes(), token.as_bytes())
            .map_err(|_| Error::Unauthenticated("The metrics want their token."))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answer {
    route: &'static str,
    status: u16,
}

/// Counted as requests are answered; the rest is read when somebody asks.
pub struct Metrics {
    registry: Registry,
    requests: Family<Answer, Histogram>,
    panics: Counter,
    names: Mutex<HashSet<&'static str>>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("haat");
        let requests = Family::<Answer, Histogram>::new_with_constructor(|| {
            Histogram::new(exponential_buckets(0.000_1, 3.0, 11))
        });
        let panics = Counter::default();
        registry.register("http_request_seconds", "Requests and their time", requests.clone());
        registry.register("http_panics", "Requests that panicked", panics.clone());
        Self { registry, requests, panics, names: Mutex::default() }
    }
}

impl Metrics {
    pub fn answered(&self, route: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&Answer { route, status }).observe(took.as_secs_f64());
    }

    /// A route's name for good: there are as many as the program has routes, and counting a request
    /// copies none of them.
    pub fn name(&self, route: &str) -> &'static str {
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

    pub fn panicked(&self) {
        self.panics.inc();
    }

    pub async fn text(
        &self,
        db: &Db,
        cache: &Cache,
        media: &Media,
        renderer: &Renderer,
        jobs_done: &Arc<Tally>,
    ) -> Result<String> {
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(base::Error::internal)?;
        let ended = text.trim_end().len() - "# EOF".len();
        text.truncate(ended);

        let mut write = |kind: &str, name: &str, help: &str, value: f64| {
            let total = if kind == "counter" { "_total" } else { "" };
            text.push_str(&format!(
                "# HELP haat_{name} {help}\n# TYPE haat_{name} {kind}\nhaat_{name}{total} {value}\n"
            ));
        };
        let kept = cache.counts();
        write("counter", "cache_hits", "Answers from the cache", kept.hits as f64);
        write("counter", "cache_misses", "Answers that had to be made", kept.misses as f64);
        write("gauge", "cache_entries", "Answers in the cache", kept.entries as f64);
        write("gauge", "cache_bytes", "Bytes in the cache", kept.bytes as f64);
        let pictures = media.counts();
        write("counter", "picture_hits", "Pictures from memory", pictures.hits as f64);
        write("counter", "pictures_made", "Sizes of pictures made", pictures.made as f64);
        write("counter", "picture_seconds", "Time of makings", pictures.making_seconds);
        write("counter", "picture_refusals", "Pictures not made in time", pictures.busy as f64);
        write("gauge", "picture_queue", "Sizes that wait to be made", pictures.waiting as f64);
        write("gauge", "picture_bytes", "Bytes of pictures in memory", pictures.bytes as f64);
        let decoding = pictures.decoding as f64;
        write("gauge", "photos_decoding", "Customers' photos that are being decoded", decoding);
        let counts = renderer.counts();
        let rendered = counts.rendered.load(Relaxed) as f64;
        let seconds = counts.micros.load(Relaxed) as f64 / 1e6;
        let (waiting, busy) = renderer.load();
        write("counter", "renders", "Pages rendered", rendered);
        write("counter", "render_cpu_seconds", "CPU time of renders", seconds);
        write(
            "counter",
            "render_failures",
            "Renders that failed",
            counts.failed.load(Relaxed) as f64,
        );
        write("counter", "render_refusals", "Renders refused", counts.refused.load(Relaxed) as f64);
        write(
            "counter",
            "render_replacements",
            "Stuck threads replaced",
            counts.replaced.load(Relaxed) as f64,
        );
        write("gauge", "render_queue", "Pages that wait for a thread", waiting as f64);
        write("gauge", "render_busy", "Threads that render", busy as f64);
        let (queued, failed) = jobs::depth(db).await?;
        write("gauge", "jobs_queued", "Jobs that wait", queued as f64);
        write("gauge", "jobs_failed", "Jobs moved aside after the last try", failed as f64);
        write("counter", "jobs_done", "Jobs done", jobs_done.done.load(Relaxed) as f64);
        write(
            "counter",
            "jobs_retried",
            "Jobs to be tried again",
            jobs_done.retried.load(Relaxed) as f64,
        );
        write(
            "counter",
            "emails_dropped",
            "E-mails over the limit of their mailbox, not sent",
            jobs_done.dropped.load(Relaxed) as f64,
        );
        text.push_str("# EOF\n");
        Ok(text)
    }
}
