//! The HTTP server: connections, and the middleware around every request. A crate of its own, because what
//! every request passes is optimised in every profile.

mod allowed_hosts;
mod known_requests;
mod metrics;
mod negotiation;
mod serve;
mod service;

pub use allowed_hosts::AllowedHosts;
pub use known_requests::{KnownRequests, set_server_time};
pub use metrics::{RequestMetrics, RouteLabel};
pub use negotiation::{Negotiated, PageFormat};
pub use serve::{HttpSettings, serve};
pub use service::{Application, HttpService, MAX_BODY_BYTES, ResponseFuture, ServiceSettings};

/// Here, so that its calls are optimised too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
