//! Social sign-in (OAuth 2.0 and OpenID Connect) with Google, Facebook or any OpenID Connect provider.
//! `providers` verifies their credentials, `demo_provider` simulates providers in a demo shop. The window
//! that leads to a provider is in `popup`.

mod demo_provider;
mod facebook;
mod oidc;
mod providers;
mod settings;

pub use demo_provider::{DemoProvider, router as demo_provider_router};
pub use providers::{IdpProfile, IdpTokens, Providers};
pub use settings::SocialSettings;

pub(crate) use oidc::invalid_idp;
pub(crate) use providers::AuthParams;
pub(crate) use settings::{FACEBOOK, GOOGLE};
