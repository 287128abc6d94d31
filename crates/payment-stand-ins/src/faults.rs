//! Fault injection: calls that fail before or after their work is done, and webhooks that are lost, late, repeated or
//! forged. Off unless a test sets it.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use platform::Random;

/// How often something fails. Nothing does by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultRates {
    /// Per cent of API calls that answer 500 and do nothing.
    pub fail_before_percent: u8,
    /// Per cent of API calls that do their work and then answer 500 or 504, or break off.
    pub fail_after_percent: u8,
    /// A webhook is delivered once and up to this many times more.
    pub webhook_repeats: u8,
    /// Each delivery waits for up to this long, so that webhooks overtake each other.
    pub webhook_delay: Duration,
    /// Per cent of webhooks that are never delivered.
    pub webhook_lost_percent: u8,
    /// Per cent of webhooks that come with a copy whose signature is wrong.
    pub webhook_forged_percent: u8,
}

/// What goes wrong with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It answers 500 and does nothing.
    Before,
    /// It does its work, and then answers 500 or 504, or breaks off.
    After,
}

/// Can be changed while the stand-ins run. Clones share the same settings.
#[derive(Clone)]
pub struct Faults {
    settings: Arc<Mutex<Settings>>,
    random: Random,
}

#[derive(Default)]
struct Settings {
    rates: FaultRates,
    next: Option<(Fault, u32)>,
}

/// What happens to one webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeliveryPlan {
    /// The delay of each delivery; empty when the webhook is lost.
    pub delays: Vec<Duration>,
    pub forged: bool,
}

impl Faults {
    pub(crate) fn new(random: Random) -> Self {
        Self { settings: Arc::default(), random }
    }

    pub fn set(&self, rates: FaultRates) {
        self.with(|settings| settings.rates = rates);
    }

    pub fn rates(&self) -> FaultRates {
        self.with(|settings| settings.rates)
    }

    /// The next API calls, of any provider, fail in this way.
    pub fn fail_next(&self, fault: Fault, calls: u32) {
        self.with(|settings| settings.next = Some((fault, calls)));
    }

    /// Wraps the routes of an API, but not those of pages.
    pub(crate) fn wrap(&self, api: Router) -> Router {
        api.layer(middleware::from_fn_with_state(self.clone(), inject))
    }

    pub(crate) fn plan_delivery(&self) -> DeliveryPlan {
        let rates = self.rates();
        if self.happens(rates.webhook_lost_percent) {
            return DeliveryPlan { delays: Vec::new(), forged: false };
        }
        let longest = u64::try_from(rates.webhook_delay.as_millis()).unwrap_or(u64::MAX);
        let delay = |_| Duration::from_millis(self.up_to(longest));
        DeliveryPlan {
            delays: (0..=self.up_to(rates.webhook_repeats.into())).map(delay).collect(),
            forged: self.happens(rates.webhook_forged_percent),
        }
    }

    fn fault_of_call(&self) -> Option<Fault> {
        let (rates, next) = self.with(|settings| {
            let next = settings.next.filter(|(_, calls)| *calls > 0);
            settings.next = next.map(|(fault, calls)| (fault, calls - 1));
            (settings.rates, next)
        });
        match next {
            Some((fault, _)) => Some(fault),
            None if self.happens(rates.fail_before_percent) => Some(Fault::Before),
            None if self.happens(rates.fail_after_percent) => Some(Fault::After),
            None => None,
        }
    }

    fn happens(&self, percent: u8) -> bool {
        percent > 0 && self.up_to(99) < percent.into()
    }

    /// From 0 to `most`.
    fn up_to(&self, most: u64) -> u64 {
        match most {
            0 => 0,
            most => u64::from_le_bytes(self.random.bytes::<8>()) % most.saturating_add(1),
        }
    }

    fn with<T>(&self, change: impl FnOnce(&mut Settings) -> T) -> T {
        change(&mut self.settings.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn inject(State(faults): State<Faults>, request: Request, next: Next) -> Response {
    match faults.fault_of_call() {
        None => next.run(request).await,
        Some(Fault::Before) => failure(StatusCode::INTERNAL_SERVER_ERROR),
        Some(Fault::After) => {
            let _ = next.run(request).await;
            match faults.up_to(2) {
                0 => failure(StatusCode::INTERNAL_SERVER_ERROR),
                1 => failure(StatusCode::GATEWAY_TIMEOUT),
                _ => broken_off(),
            }
        }
    }
}

/// As a load balancer answers, in no provider's format.
fn failure(status: StatusCode) -> Response {
    (status, [(CONTENT_TYPE, "text/html")], "<h1>An injected fault</h1>").into_response()
}

/// The connection is closed in the middle of the response.
fn broken_off() -> Response {
    let error = async { Err::<Bytes, _>(io::Error::other("an injected fault")) };
    Body::from_stream(futures_util::stream::once(error)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_fails_unless_it_is_set() {
        let faults = Faults::new(Random::seeded(1));
        assert_eq!(faults.fault_of_call(), None);
        assert_eq!(
            faults.plan_delivery(),
            DeliveryPlan { delays: vec![Duration::ZERO], forged: false }
        );
        faults.fail_next(Fault::After, 2);
        let calls = [faults.fault_of_call(), faults.fault_of_call(), faults.fault_of_call()];
        assert_eq!(calls, [Some(Fault::After), Some(Fault::After), None]);
    }

    #[test]
    fn rates_are_kept_roughly() {
        let faults = Faults::new(Random::seeded(1));
        faults.set(FaultRates {
            fail_before_percent: 20,
            webhook_repeats: 3,
            ..Default::default()
        });
        let failed = (0..1000).filter(|_| faults.fault_of_call() == Some(Fault::Before)).count();
        assert!((150..250).contains(&failed), "{failed}");
        let deliveries: Vec<_> = (0..100).map(|_| faults.plan_delivery().delays.len()).collect();
        assert_eq!((deliveries.iter().min(), deliveries.iter().max()), (Some(&1), Some(&4)));
    }
}
