//! Social sign-in (OAuth 2.0 and OpenID Connect) with Google, Facebook or any OpenID Connect provider.
//! `providers` verifies their credentials, `popup` is the window that leads to them,
//! `callback_idempotency` handles repeated callbacks, `codes` connects the popup with the sign-in,
//! `demo_provider` simulates providers in a demo shop.

mod callback_idempotency;
mod codes;
mod demo_provider;
mod facebook;
mod oidc;
mod popup;
mod providers;
mod settings;

pub use demo_provider::{DemoProvider, router as demo_provider_router};
pub use providers::{IdpProfile, IdpTokens, Providers};
pub use settings::Settings;

pub(crate) use callback_idempotency::Callbacks;
pub(crate) use codes::{CODE_PREFIX, SocialCodes};
pub(crate) use popup::{Popup, router as popup_router};
pub(crate) use settings::{FACEBOOK, GOOGLE};
