//! Proving who somebody is at Google, Facebook or any OpenID Connect provider. `providers` asks them,
//! `popup` is the window in which a visitor does, `repeat` answers its callback twice alike, `stand_in` plays them in a demo shop. `sign_in` decides
//! what follows for an account.

mod facebook;
mod oidc;
mod popup;
mod providers;
mod repeat;
mod settings;
mod sign_in;
mod stand_in;

pub use popup::redeem;
pub use providers::{Profile, Proof, Providers};
pub use settings::Settings;
pub use stand_in::{StandIn, router as stand_in_router};

pub(crate) use popup::router as popup_router;
pub(crate) use sign_in::sign_in;
