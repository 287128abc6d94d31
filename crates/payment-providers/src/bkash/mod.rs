//! bKash tokenized checkout, without agreements: the shopper agrees on bKash's page, and the money moves when we
//! execute the payment, which works once and within 24 hours.

mod call;
mod refund;
mod status;
mod token;

use std::time::Duration;

use axum::http::HeaderMap;
use platform::http_client::HttpClient;
use platform::secret::Secret;
use platform::{Clock, Currency, Db, Money, Timestamp};
use serde_json::json;

use self::status::{PaymentStatus, Progress};
use self::token::Tokens;
use crate::api::{self, Answer};
use crate::attempts::Attempts;
use crate::settings::{PaymentSettings, base_url};
use crate::{
    Fact, FactKind, GatewayError, GatewayResult, ListedCharge, OpenRequest, Opened, SecretText,
    SessionRef, SessionStatus, Snapshot, WebhookError, WebhookEvent,
};

const NAME: &str = "bkash";
const LIVE: &str = "https://tokenized.pay.bka.sh";
const SANDBOX: &str = "https://tokenized.sandbox.bka.sh";
const LIVE_PAGE: &str = "https://payment.bkash.com";
const SANDBOX_PAGE: &str = "https://sandbox.payment.bkash.com";

/// Below the API's address, as is `refund::PATH`.
const PATH: &str = "/v1.2.0-beta/tokenized/checkout";
/// A payment without an agreement.
const MODE: &str = "0011";
/// So long a payment can be executed.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);

const INVALID_PAYMENT_ID: &str = "2002";

/// What follows from the refusal of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// It has taken place, or does now.
    ExecutedBefore,
    /// The keys are wrong, or the payment is in another state than it said: it can be executed later, or not at all.
    NotNow,
    /// For example without funds. A payment is executed once, so that this one is over.
    Final,
}

impl Refusal {
    fn of(code: &str) -> Self {
        match code {
            "2062" | "2068" | "2117" => Self::ExecutedBefore,
            "2001" | INVALID_PAYMENT_ID | "2056" => Self::NotNow,
            code if code.len() == 4 && code.starts_with('2') => Self::Final,
            // Of the gateway in front: bKash has not seen the call.
            _ => Self::NotNow,
        }
    }
}

pub struct Bkash {
    base_url: String,
    app_key: SecretText,
    client: HttpClient,
    clock: Clock,
    tokens: Tokens,
    attempts: Attempts,
}

/// The keys of the merchant's app.
struct Credentials {
    username: String,
    password: SecretText,
    app_key: SecretText,
    app_secret: SecretText,
}

impl Credentials {
    /// `None` where none is set.
    fn new(settings: &PaymentSettings) -> Result<Option<Self>, String> {
        let PaymentSettings {
            bkash_username, bkash_password, bkash_app_key, bkash_app_secret, ..
        } = settings;
        let set = [
            ("bkash_username", bkash_username.is_some()),
            ("bkash_password", bkash_password.is_some()),
            ("bkash_app_key", bkash_app_key.is_some()),
            ("bkash_app_secret", bkash_app_secret.is_some()),
        ];
        match (bkash_username, bkash_password, bkash_app_key, bkash_app_secret) {
            (Some(username), Some(password), Some(app_key), Some(app_secret)) => Ok(Some(Self {
                username: username.clone(),
                password: password.clone(),
                app_key: app_key.clone(),
                app_secret: app_secret.clone(),
            })),
            (None, None, None, None) => Ok(None),
            _ => {
                let missing = set.iter().find(|(_, is_set)| !is_set).map_or("", |(name, _)| *name);
                Err(format!("{missing}: it is required, too"))
            }
        }
    }
}

impl Bkash {
    /// `None` where no key is set.
    pub fn new(
        settings: &PaymentSettings,
        db: &Db,
        clock: &Clock,
        secret: &Secret,
    ) -> Result<Option<Self>, String> {
        let Some(credentials) = Credentials::new(settings)? else { return Ok(None) };
        let base_url = base_url("bkash_url", settings.bkash_url.as_deref(), LIVE)?;
        let app_key = credentials.app_key.clone();
        let tokens = Tokens::new(credentials, &base_url, db, clock, secret);
        let attempts = Attempts::new(NAME, db, clock);
        let (client, clock) = (api::client(), clock.clone());
        Ok(Some(Self { base_url, app_key, client, clock, tokens, attempts }))
    }

    /// From bKash's table of limits: a payment is one taka or more. No account can hold more than half a million.
    pub fn range(&self, currency: Currency) -> Option<(Money, Money)> {
        let taka = |amount: i64| Money::new(amount * currency.minor_per_unit(), currency);
        (currency == Currency::BDT).then(|| (taka(1), taka(500_000)))
    }

    pub fn page_origins(&self) -> Vec<String> {
        let origin = match self.base_url.as_str() {
            LIVE => LIVE_PAGE,
            SANDBOX => SANDBOX_PAGE,
            url => origin(url),
        };
        vec![origin.to_owned()]
    }

    /// Repeated for the same payment, it makes another one at bKash. The first is never executed, so no money moves by
    /// it.
    pub async fn open(&self, request: &OpenRequest<'_>) -> GatewayResult<Opened> {
        let body = json!({
            "mode": MODE,
            "payerReference": payer_reference(request),
            "callbackURL": request.return_url,
            "amount": request.amount.plain(),
            "currency": request.amount.currency().code(),
            "intent": "sale",
            "merchantInvoiceNumber": request.payment,
        });
        let answer = self.call("create", &body).await?;
        let (id, page) = (answer.text("/paymentID"), answer.text("/bkashURL"));
        match !id.is_empty() && is_page(page, &self.base_url) {
            true => Ok(Opened { reference: id.to_owned(), redirect: page.to_owned() }),
            false => Err(unexpected(&answer)),
        }
    }

    pub async fn fetch(&self, session: SessionRef<'_>) -> GatewayResult<Snapshot> {
        let status = self.status(session).await?;
        let failed = |code: &str| Fact {
            kind: FactKind::Failed,
            reference: session.reference.to_owned(),
            amount: session.amount,
            code: code.to_owned(),
        };
        Ok(match status.progress(self.clock.now()) {
            Progress::Paid { trx_id, amount } => {
                let (kind, code) = (FactKind::Captured, String::new());
                let captured = Fact { kind, reference: trx_id.clone(), amount, code };
                let refunds = match status.is_unrefunded(amount) {
                    true => Vec::new(),
                    false => self.refund_facts(session.reference, &trx_id, amount).await,
                };
                let facts = [captured].into_iter().chain(refunds).collect();
                Snapshot { status: SessionStatus::Closed, facts }
            }
            Progress::Over(code) => {
                Snapshot { status: SessionStatus::Closed, facts: vec![failed(&code)] }
            }
            Progress::Working => Snapshot { status: SessionStatus::Processing, facts: Vec::new() },
            unpaid @ (Progress::Waiting | Progress::Approved) => {
                // bKash shows such a payment as it was before.
                if let Some(code) = self.attempts.refused_execution(session.reference).await? {
                    return Ok(Snapshot {
                        status: SessionStatus::Closed,
                        facts: vec![failed(&code)],
                    });
                }
                let status = match unpaid {
                    Progress::Approved => SessionStatus::Approved,
                    _ => SessionStatus::Open,
                };
                Snapshot { status, facts: Vec::new() }
            }
        })
    }

    async fn status(&self, session: SessionRef<'_>) -> GatewayResult<PaymentStatus> {
        let body = json!({ "paymentID": session.reference });
        let answer = self.call("payment/status", &body).await?;
        PaymentStatus::read(&answer, session.payment)
    }

    /// Executes a payment that the shopper has approved and that was not executed before. After an unclear answer it is
    /// not executed again: its status is asked. What has become of it is for `fetch` to say, also after a refusal.
    pub async fn complete(&self, session: SessionRef<'_>) -> GatewayResult<()> {
        let status = self.status(session).await?;
        let is_refused = self.attempts.refused_execution(session.reference).await?.is_some();
        if is_refused || status.progress(self.clock.now()) != Progress::Approved {
            return Ok(());
        }
        let executed = self.call("execute", &json!({ "paymentID": session.reference })).await;
        match executed {
            Ok(_) => Ok(()),
            Err(GatewayError::Refused { code, message }) => match Refusal::of(&code) {
                Refusal::ExecutedBefore => self.expect_paid(session, "it is being executed").await,
                Refusal::NotNow => Err(GatewayError::Refused { code, message }),
                Refusal::Final => {
                    self.attempts.refuse_execution(session.reference, &code).await?;
                    Err(GatewayError::Refused { code, message })
                }
            },
            Err(GatewayError::Unavailable(why)) => self.expect_paid(session, &why).await,
        }
    }

    async fn expect_paid(&self, session: SessionRef<'_>, otherwise: &str) -> GatewayResult<()> {
        match self.status(session).await?.progress(self.clock.now()) {
            Progress::Paid { .. } => Ok(()),
            _ => Err(GatewayError::Unavailable(otherwise.to_owned())),
        }
    }

    pub async fn capture(&self, _: SessionRef<'_>, _: Money, _: &str) -> GatewayResult<Fact> {
        Err(GatewayError::refused("unsupported", "bKash does not reserve money here"))
    }

    pub async fn refund(
        &self,
        session: SessionRef<'_>,
        amount: Money,
        key: &str,
    ) -> GatewayResult<Fact> {
        self.refund_once(session, amount, key).await
    }

    /// bKash has no such call. A payment that is not executed takes no money.
    pub async fn cancel(&self, _: SessionRef<'_>, _: &str) -> GatewayResult<()> {
        Ok(())
    }

    /// bKash sends notifications of completed payments through Amazon SNS. Their signature proves only that some topic
    /// of Amazon's has sent them, which anybody can have: whose topic it is could be told by its name, which bKash
    /// gives to the merchant. Nothing depends on them, as no payment is completed but by our own execution. So none is
    /// accepted.
    pub async fn webhook(
        &self,
        _: &HeaderMap,
        _: &[u8],
        _: Timestamp,
    ) -> Result<WebhookEvent, WebhookError> {
        Err(WebhookError::Unverified("webhooks of bKash are not used"))
    }

    pub async fn list(
        &self,
        _: Timestamp,
        _: Timestamp,
    ) -> GatewayResult<Option<Vec<ListedCharge>>> {
        Ok(None)
    }

    pub async fn check(&self) -> GatewayResult<()> {
        let body = json!({ "paymentID": "TR0000000000000000000" });
        match self.call("payment/status", &body).await {
            Err(GatewayError::Refused { code, .. }) if code == INVALID_PAYMENT_ID => Ok(()),
            answer => answer.map(drop),
        }
    }
}

fn unexpected(answer: &Answer) -> GatewayError {
    GatewayError::Unavailable(format!("an unexpected answer with status {}", answer.status))
}

/// bKash fills the number of a wallet into its page; anything else is for the merchant's records alone.
fn payer_reference<'r>(request: &'r OpenRequest<'_>) -> &'r str {
    let phone = request.customer.phone.trim_start_matches("+88");
    let is_mobile = phone.len() == 11
        && phone.starts_with("01")
        && phone.bytes().all(|byte| byte.is_ascii_digit());
    if is_mobile { phone } else { request.payment }
}

/// Where the shopper is sent must be a page of the web, and of HTTPS where the API is.
fn is_page(url: &str, base_url: &str) -> bool {
    url.starts_with("https://") || (base_url.starts_with("http://") && url.starts_with("http://"))
}

fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or(url, |end| &url[..host + end])
}

#[cfg(test)]
mod tests {
    use platform::Language;

    use super::*;
    use crate::CustomerDetails;

    async fn bkash(settings: PaymentSettings) -> Result<Option<Bkash>, String> {
        let dir = tempfile::tempdir().unwrap();
        let db =
            Db::open(&format!("sqlite://{}", dir.path().join("a.db").display())).await.unwrap();
        Bkash::new(&settings, &db, &Clock::system(), &Secret::new(&"s".repeat(32)).unwrap())
    }

    fn settings() -> PaymentSettings {
        PaymentSettings {
            bkash_username: Some("user".into()),
            bkash_password: Some(SecretText::new("password")),
            bkash_app_key: Some(SecretText::new("key")),
            bkash_app_secret: Some(SecretText::new("secret")),
            ..Default::default()
        }
    }

    #[tokio::test]
    async fn all_keys_are_required() {
        assert!(bkash(PaymentSettings::default()).await.unwrap().is_none());
        let error = |why: Result<Option<Bkash>, String>| why.err().unwrap();
        let without = [
            ("bkash_username", PaymentSettings { bkash_username: None, ..settings() }),
            ("bkash_password", PaymentSettings { bkash_password: None, ..settings() }),
            ("bkash_app_key", PaymentSettings { bkash_app_key: None, ..settings() }),
            ("bkash_app_secret", PaymentSettings { bkash_app_secret: None, ..settings() }),
            (
                "bkash_url",
                PaymentSettings { bkash_url: Some("http://a.example".into()), ..settings() },
            ),
        ];
        for (name, settings) in without {
            assert!(error(bkash(settings).await).starts_with(&format!("{name}:")), "{name}");
        }
    }

    #[tokio::test]
    async fn the_range_and_the_pages() {
        let live = bkash(settings()).await.unwrap().unwrap();
        let (least, most) = live.range(Currency::BDT).unwrap();
        assert_eq!((least.minor(), most.minor()), (100, 50_000_000));
        assert_eq!(live.range(Currency::USD), None);
        for (url, page) in [
            (LIVE, LIVE_PAGE),
            (SANDBOX, SANDBOX_PAGE),
            ("http://127.0.0.1:80/dev/payments/bkash", "http://127.0.0.1:80"),
        ] {
            let settings = PaymentSettings { bkash_url: Some(url.into()), ..settings() };
            assert_eq!(bkash(settings).await.unwrap().unwrap().page_origins(), [page]);
        }
    }

    #[test]
    fn only_bkashs_own_refusals_end_a_payment() {
        for (code, refusal) in [
            ("2023", Refusal::Final),
            ("2029", Refusal::Final),
            ("2056", Refusal::NotNow),
            ("2062", Refusal::ExecutedBefore),
            ("2117", Refusal::ExecutedBefore),
            ("401", Refusal::NotNow),
            ("403", Refusal::NotNow),
            ("", Refusal::NotNow),
        ] {
            assert_eq!(Refusal::of(code), refusal, "{code}");
        }
    }

    #[test]
    fn only_mobile_numbers_are_filled_into_the_page() {
        for (phone, reference) in [
            ("+8801712345678", "01712345678"),
            ("01712345678", "01712345678"),
            ("+441712345678", "P"),
            ("0171234567<", "P"),
            ("", "P"),
        ] {
            let request = OpenRequest {
                payment: "P",
                order_number: "H-1",
                amount: Money::new(100, Currency::BDT),
                title: "",
                language: Language::ENGLISH,
                customer: CustomerDetails { phone, ..Default::default() },
                return_url: "",
                webhook_url: "",
                expires_at: Timestamp(0),
                now: Timestamp(0),
                reserve_only: false,
            };
            assert_eq!(payer_reference(&request), reference, "{phone}");
        }
    }
}
