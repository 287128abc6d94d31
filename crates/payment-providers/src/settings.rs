//! Settings of the payment providers. A provider is offered once all of its keys are set.

use platform::secret::Secret;
use platform::{Clock, Db};

use crate::{Bkash, Gateway, Paypal, SecretText, Sslcommerz, Stripe};

const HEADING: &str = "Payments";

#[derive(Clone, Debug, Default, clap::Args)]
#[group(id = "payments")]
pub struct PaymentSettings {
    /// Stripe: the secret key, sk_live_… or sk_test_…, for cards, Google Pay and Apple Pay
    #[arg(long, env = "HAAT_STRIPE_SECRET_KEY", value_name = "KEY", hide_env_values = true, help_heading = HEADING)]
    pub stripe_secret_key: Option<SecretText>,
    /// Stripe: the signing secret of the webhook endpoint, whsec_…; several, separated by commas, while one replaces another
    #[arg(long, env = "HAAT_STRIPE_WEBHOOK_SECRET", value_name = "SECRET", value_delimiter = ',', hide_env_values = true, help_heading = HEADING)]
    pub stripe_webhook_secret: Vec<SecretText>,
    /// Stripe: the address of the API [default: https://api.stripe.com]
    #[arg(long, env = "HAAT_STRIPE_URL", value_name = "URL", help_heading = HEADING)]
    pub stripe_url: Option<String>,
    /// Stripe: when the money is taken: when the order is placed, or reserved then and taken when it is shipped
    #[arg(long, env = "HAAT_STRIPE_CAPTURE", value_enum, default_value_t, help_heading = HEADING)]
    pub stripe_capture: Capture,
    /// SSLCommerz: the store's id
    #[arg(long, env = "HAAT_SSLCOMMERZ_STORE_ID", value_name = "ID", help_heading = HEADING)]
    pub sslcommerz_store_id: Option<String>,
    /// SSLCommerz: the store's password for the API
    #[arg(long, env = "HAAT_SSLCOMMERZ_STORE_PASSWORD", value_name = "PASSWORD", hide_env_values = true, help_heading = HEADING)]
    pub sslcommerz_store_password: Option<SecretText>,
    /// SSLCommerz: the address of the API [default: https://securepay.sslcommerz.com]
    #[arg(long, env = "HAAT_SSLCOMMERZ_URL", value_name = "URL", help_heading = HEADING)]
    pub sslcommerz_url: Option<String>,
    /// bKash: the user name of tokenized checkout
    #[arg(long, env = "HAAT_BKASH_USERNAME", value_name = "NAME", help_heading = HEADING)]
    pub bkash_username: Option<String>,
    /// bKash: the password
    #[arg(long, env = "HAAT_BKASH_PASSWORD", value_name = "PASSWORD", hide_env_values = true, help_heading = HEADING)]
    pub bkash_password: Option<SecretText>,
    /// bKash: the app key
    #[arg(long, env = "HAAT_BKASH_APP_KEY", value_name = "KEY", hide_env_values = true, help_heading = HEADING)]
    pub bkash_app_key: Option<SecretText>,
    /// bKash: the app secret
    #[arg(long, env = "HAAT_BKASH_APP_SECRET", value_name = "SECRET", hide_env_values = true, help_heading = HEADING)]
    pub bkash_app_secret: Option<SecretText>,
    /// bKash: the address of the API [default: https://tokenized.pay.bka.sh]
    #[arg(long, env = "HAAT_BKASH_URL", value_name = "URL", help_heading = HEADING)]
    pub bkash_url: Option<String>,
    /// PayPal: the app's client id
    #[arg(long, env = "HAAT_PAYPAL_CLIENT_ID", value_name = "ID", help_heading = HEADING)]
    pub paypal_client_id: Option<String>,
    /// PayPal: the app's client secret
    #[arg(long, env = "HAAT_PAYPAL_CLIENT_SECRET", value_name = "SECRET", hide_env_values = true, help_heading = HEADING)]
    pub paypal_client_secret: Option<SecretText>,
    /// PayPal: the id of the webhook, from the app's page
    #[arg(long, env = "HAAT_PAYPAL_WEBHOOK_ID", value_name = "ID", help_heading = HEADING)]
    pub paypal_webhook_id: Option<String>,
    /// PayPal: the address of the API [default: https://api-m.paypal.com]
    #[arg(long, env = "HAAT_PAYPAL_URL", value_name = "URL", help_heading = HEADING)]
    pub paypal_url: Option<String>,
}

/// When money is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Capture {
    /// When the order is placed
    #[default]
    Placing,
    /// When the order is shipped
    Shipping,
}

impl PaymentSettings {
    /// Whether no provider is set up.
    pub fn is_empty(&self) -> bool {
        let keys = [
            self.stripe_secret_key.is_some(),
            !self.stripe_webhook_secret.is_empty(),
            self.sslcommerz_store_id.is_some(),
            self.sslcommerz_store_password.is_some(),
            self.bkash_username.is_some(),
            self.bkash_password.is_some(),
            self.bkash_app_key.is_some(),
            self.bkash_app_secret.is_some(),
            self.paypal_client_id.is_some(),
            self.paypal_client_secret.is_some(),
            self.paypal_webhook_id.is_some(),
        ];
        !keys.contains(&true)
    }

    /// The providers whose settings are complete. An error names the setting that is missing or wrong.
    pub fn gateways(
        &self,
        db: &Db,
        clock: &Clock,
        secret: &Secret,
    ) -> Result<Vec<Gateway>, String> {
        let gateways = [
            Stripe::new(self)?.map(|one| Gateway::Stripe(one.into())),
            Sslcommerz::new(self, db, clock)?.map(|one| Gateway::Sslcommerz(one.into())),
            Bkash::new(self, db, clock, secret)?.map(|one| Gateway::Bkash(one.into())),
            Paypal::new(self, clock)?.map(|one| Gateway::Paypal(one.into())),
        ];
        Ok(gateways.into_iter().flatten().collect())
    }
}

/// The address of an API without a slash at its end. Anything but HTTPS is for this machine only.
pub fn base_url(name: &str, set: Option<&str>, default: &str) -> Result<String, String> {
    let url = set.unwrap_or(default).trim().trim_end_matches('/');
    let rest = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
        (Some(rest), _) => rest,
        (None, Some(rest)) => {
            let authority = rest.split('/').next().unwrap_or_default();
            let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
            match host {
                "127.0.0.1" | "localhost" | "[::1]" => rest,
                _ => return Err(format!("{name}: https:// is required")),
            }
        }
        _ => return Err(format!("{name}: an address that begins with https:// is required")),
    };
    match rest.is_empty() || rest.contains(['?', '#', '@']) || rest.contains(char::is_whitespace) {
        true => Err(format!("{name}: not an address of an API")),
        false => Ok(url.to_owned()),
    }
}
