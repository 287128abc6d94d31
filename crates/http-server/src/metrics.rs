//! Metrics of requests.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// A response extension: the route's label in the metrics.
#[derive(Clone, Copy)]
pub struct RouteLabel(pub &'static str);

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: &'static str,
    status: u16,
}

/// Cheap to clone.
#[derive(Clone)]
pub struct RequestMetrics {
    requests: Family<RequestLabels, Histogram>,
    panics: Counter,
}

impl Default for RequestMetrics {
    fn default() -> Self {
        let requests = Family::new_with_constructor(new_histogram as fn() -> Histogram);
        Self { requests, panics: Counter::default() }
    }
}

fn new_histogram() -> Histogram {
    Histogram::new(exponential_buckets(0.000_1, 3.0, 11))
}

impl RequestMetrics {
    pub fn register(&self, registry: &mut Registry) {
        let (requests, panics) = (self.requests.clone(), self.panics.clone());
        registry.register("http_request_seconds", "Requests and their time", requests);
        registry.register("http_panics", "Requests that panicked", panics);
    }

    pub(crate) fn record(&self, route: &'static str, status: u16, duration: Duration) {
        let histogram = self.requests.get_or_create(&RequestLabels { route, status });
        histogram.observe(duration.as_secs_f64());
    }

    pub(crate) fn record_panic(&self) {
        self.panics.inc();
    }
}
