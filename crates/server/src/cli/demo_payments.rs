//! The stand-ins of the payment providers in a demo shop without keys: they answer at `/dev/payments`, and the shop calls
//! them over HTTP like the real ones.

use std::path::Path;

use axum::Router;
use payment_providers::{PaymentSettings, SecretText};
use payment_stand_ins::{StandInOptions, StandIns, bkash, paypal, sslcommerz, stripe};
use platform::{Clock, Random};

const PATH: &str = "/dev/payments";

/// The routes of the stand-ins, and the settings that lead to them. `here` is for the server, `origin` for browsers.
pub fn open(
    data_dir: &Path,
    (here, origin): (&str, &str),
    (clock, random): (&Clock, &Random),
    set: PaymentSettings,
) -> Result<(Router, PaymentSettings), String> {
    let folder = data_dir.join("demo-payments");
    let stand_ins = StandIns::open(StandInOptions {
        base_url: format!("{origin}{PATH}"),
        webhook_url: format!("{here}/webhooks/payments"),
        clock: clock.clone(),
        random: random.clone(),
        folder: Some(folder.clone()),
    });
    let stand_ins = stand_ins.map_err(|why| format!("{}: {why}", folder.display()))?;
    let secret = |text: &str| Some(SecretText::new(text));
    let url = |provider: &str| Some(format!("{here}{PATH}/{provider}"));
    let settings = PaymentSettings {
        stripe_secret_key: secret(stripe::SECRET_KEY),
        stripe_webhook_secret: vec![SecretText::new(stripe::WEBHOOK_SECRET)],
        stripe_url: url("stripe"),
        sslcommerz_store_id: Some(sslcommerz::STORE_ID.into()),
        sslcommerz_store_password: secret(sslcommerz::STORE_PASSWORD),
        sslcommerz_url: url("sslcommerz"),
        bkash_username: Some(bkash::USERNAME.into()),
        bkash_password: secret(bkash::PASSWORD),
        bkash_app_key: secret(bkash::APP_KEY),
        bkash_app_secret: secret(bkash::APP_SECRET),
        bkash_url: url("bkash"),
        paypal_client_id: Some(paypal::CLIENT_ID.into()),
        paypal_client_secret: secret(paypal::CLIENT_SECRET),
        paypal_webhook_id: Some(paypal::WEBHOOK_ID.into()),
        paypal_url: url("paypal"),
        ..set
    };
    Ok((Router::new().nest(PATH, stand_ins.router()), settings))
}
