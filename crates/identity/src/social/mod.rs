//! Social sign-in (OAuth 2.0 and OpenID Connect) with Google, Facebook or any OpenID Connect provider.
//! `providers` verifies their credentials, `popup` is the window that leads to them,
//! `callback_idempotency` handles repeated callbacks, `demo_provider` simulates them in a demo shop,
//! `sign_in` finds or creates the account.

mod callback_idempotency;
mod demo_provider;
mod facebook;
mod oidc;
mod popup;
mod providers;
mod settings;
mod sign_in;

pub use demo_provider::{DemoProvider, router as demo_provider_router};
pub use popup::redeem_code;
pub use providers::{IdpProfile, IdpTokens, Providers};
pub use settings::Settings;

pub(crate) use popup::router as popup_router;
pub(crate) use sign_in::sign_in;
