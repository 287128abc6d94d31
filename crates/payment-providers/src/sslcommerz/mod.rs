//! SSLCommerz v4: cards, wallets and banks of Bangladesh, on its hosted page.
//!
//! Its API has no idempotency keys. A payment is known by our own id (`tran_id`), under which there can be several
//! attempts, and a refund by the `refund_trans_id` that we give it. The store's password stands in the query of calls,
//! which is why errors never contain one.

mod ipn;
mod refund;
mod transactions;

use axum::http::{HeaderMap, Method};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use platform::http_client::HttpClient;
use platform::{Clock, Currency, Db, Money, Timestamp};

use crate::api::{self, Answer};
use crate::attempts::Attempts;
use crate::settings::{PaymentSettings, base_url};
use crate::{
    CustomerDetails, Fact, GatewayError, GatewayResult, ListedCharge, OpenRequest, Opened,
    SecretText, SessionRef, Snapshot, WebhookError, WebhookEvent,
};

const NAME: &str = "sslcommerz";
const LIVE: &str = "https://securepay.sslcommerz.com";
/// The live API answers addresses of these hosts besides its own.
const LIVE_PAGES: [&str; 3] = [
    "https://epay-gw.sslcommerz.com",
    "https://epay.sslcommerz.com",
    "https://seamless-epay.sslcommerz.com",
];

const SESSION_PATH: &str = "/gwprocess/v4/api.php";
const VALIDATION_PATH: &str = "/validator/api/validationserverAPI.php";
/// Queries of transactions and of refunds, and refunds: its parameters say which.
const TRANSACTION_PATH: &str = "/validator/api/merchantTransIDvalidationAPI.php";

/// The provider requires the field, and we do not know it.
const UNKNOWN: &str = "N/A";

pub struct Sslcommerz {
    store_id: String,
    password: SecretText,
    base_url: String,
    client: HttpClient,
    attempts: Attempts,
}

impl Sslcommerz {
    /// `None` where no key is set.
    pub fn new(settings: &PaymentSettings, db: &Db, clock: &Clock) -> Result<Option<Self>, String> {
        let keys = (&settings.sslcommerz_store_id, &settings.sslcommerz_store_password);
        let (store_id, password) = match keys {
            (None, None) => return Ok(None),
            (Some(store_id), Some(password)) => (store_id.clone(), password.clone()),
            (None, _) => return Err("sslcommerz_store_id: it is required, too".to_owned()),
            (_, None) => return Err("sslcommerz_store_password: it is required, too".to_owned()),
        };
        let base_url = base_url("sslcommerz_url", settings.sslcommerz_url.as_deref(), LIVE)?;
        let attempts = Attempts::new(NAME, db, clock);
        Ok(Some(Self { store_id, password, base_url, client: api::client(), attempts }))
    }

    /// Other currencies are converted by the provider, and its limits are in taka: what they come to is not known
    /// before.
    pub fn range(&self, currency: Currency) -> Option<(Money, Money)> {
        let taka = |amount: i64| Money::new(amount * currency.minor_per_unit(), currency);
        (currency == Currency::BDT).then(|| (taka(10), taka(500_000)))
    }

    pub fn page_origins(&self) -> Vec<String> {
        let own = origin(&self.base_url);
        let others: &[&str] = if own == LIVE { &LIVE_PAGES } else { &[] };
        [own].iter().chain(others).map(|origin| (*origin).to_owned()).collect()
    }

    /// Repeated for the same payment, it answers a session more. The provider has no call to close the first, so that
    /// both can be paid: then `fetch` answers two captures, and the shop pays one back.
    pub async fn open(&self, request: &OpenRequest<'_>) -> GatewayResult<Opened> {
        let url = format!("{}{SESSION_PATH}", self.base_url);
        let fields = self.session_fields(request);
        let sent = self.client.exchange(Method::POST, &url, |post| post.form(&fields)).await;
        let answer = Answer::read(sent)?;
        let page = answer.text("/GatewayPageURL");
        match answer.text("/status").to_ascii_uppercase().as_str() {
            "SUCCESS" if is_page(page, &self.base_url) => {
                Ok(Opened { reference: request.payment.to_owned(), redirect: page.to_owned() })
            }
            "FAILED" => {
                Err(GatewayError::refused("FAILED", shortened(answer.text("/failedreason"), 200)))
            }
            _ => Err(unexpected(&answer)),
        }
    }

    fn session_fields<'r>(&'r self, request: &'r OpenRequest<'_>) -> Vec<(&'static str, String)> {
        let outcome = |outcome: &str| format!("{}&outcome={outcome}", request.return_url);
        let CustomerDetails { name, email, phone, address, city, postcode, country } =
            request.customer;
        let customer = [
            ("cus_name", known(name, 50)),
            ("cus_email", receipt_address(email, request.return_url)),
            ("cus_phone", known(phone, 20)),
            ("cus_add1", known(address, 50)),
            ("cus_city", known(city, 50)),
            ("cus_postcode", known(postcode, 30)),
            ("cus_country", known(country_name(country), 50)),
        ];
        let others = [
            ("store_id", self.store_id.clone()),
            ("store_passwd", self.password.expose().to_owned()),
            ("total_amount", request.amount.plain()),
            ("currency", request.amount.currency().to_string()),
            ("tran_id", request.payment.to_owned()),
            ("success_url", outcome("success")),
            ("fail_url", outcome("fail")),
            ("cancel_url", outcome("cancel")),
            ("ipn_url", request.webhook_url.to_owned()),
            ("emi_option", "0".to_owned()),
            ("product_name", known(request.title, 255)),
            ("product_category", "general".to_owned()),
            ("product_profile", "general".to_owned()),
            // The shop ships itself; with NO the address of the shipment is not asked for.
            ("shipping_method", "NO".to_owned()),
            ("num_of_item", "1".to_owned()),
            ("value_a", shortened(request.order_number, 255)),
        ];
        others.into_iter().chain(customer).collect()
    }

    pub async fn fetch(&self, session: SessionRef<'_>) -> GatewayResult<Snapshot> {
        let mut snapshot = self.snapshot(session).await?;
        snapshot.facts.extend(self.refund_facts(session).await?);
        Ok(snapshot)
    }

    /// The provider takes the money when the shopper agrees.
    pub async fn complete(&self, _: SessionRef<'_>) -> GatewayResult<()> {
        Ok(())
    }

    pub async fn capture(&self, _: SessionRef<'_>, _: Money, _: &str) -> GatewayResult<Fact> {
        Err(GatewayError::refused("unsupported", "SSLCommerz does not reserve money"))
    }

    pub async fn refund(
        &self,
        session: SessionRef<'_>,
        amount: Money,
        key: &str,
    ) -> GatewayResult<Fact> {
        self.refund_once(session, amount, key).await
    }

    /// The provider has no such call: a session expires by itself.
    pub async fn cancel(&self, _: SessionRef<'_>, _: &str) -> GatewayResult<()> {
        Ok(())
    }

    pub async fn webhook(
        &self,
        _: &HeaderMap,
        body: &[u8],
        _: Timestamp,
    ) -> Result<WebhookEvent, WebhookError> {
        ipn::verify(&self.password, body)
    }

    pub async fn list(
        &self,
        _: Timestamp,
        _: Timestamp,
    ) -> GatewayResult<Option<Vec<ListedCharge>>> {
        Ok(None)
    }

    pub async fn check(&self) -> GatewayResult<()> {
        self.ask(TRANSACTION_PATH, &[("tran_id", "haat-check")]).await.map(drop)
    }

    /// A call by GET, with the store's id and password.
    async fn ask(&self, path: &str, fields: &[(&str, &str)]) -> GatewayResult<Answer> {
        let credentials = [
            ("store_id", self.store_id.as_str()),
            ("store_passwd", self.password.expose()),
            ("v", "1"),
            ("format", "json"),
        ];
        let pairs = fields.iter().chain(&credentials);
        let query: Vec<String> = pairs
            .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)))
            .collect();
        let url = format!("{}{path}?{}", self.base_url, query.join("&"));
        let sent = self.client.exchange(Method::GET, &url, |request| request).await;
        let answer = Answer::read(sent)?;
        match answer.text("/APIConnect") {
            _ if !answer.status.is_success() => Err(unexpected(&answer)),
            "DONE" => Ok(answer),
            "FAILED" => Err(GatewayError::refused("FAILED", "the store's id or password is wrong")),
            "INACTIVE" => Err(GatewayError::refused("INACTIVE", "the store is not active")),
            "INVALID_REQUEST" => Err(GatewayError::refused(
                "INVALID_REQUEST",
                shortened(answer.text("/errorReason"), 200),
            )),
            _ => Err(unexpected(&answer)),
        }
    }
}

fn unexpected(answer: &Answer) -> GatewayError {
    GatewayError::Unavailable(format!("an unexpected answer with status {}", answer.status))
}

/// Where the shopper is sent must be a page of the web, and of HTTPS where the API is.
fn is_page(url: &str, base_url: &str) -> bool {
    url.starts_with("https://") || (base_url.starts_with("http://") && url.starts_with("http://"))
}

fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or(url, |end| &url[..host + end])
}

/// Longer texts are refused.
fn shortened(text: &str, most: usize) -> String {
    text.trim().chars().take(most).collect()
}

fn known(text: &str, most: usize) -> String {
    match shortened(text, most) {
        empty if empty.is_empty() => UNKNOWN.to_owned(),
        text => text,
    }
}

/// The provider sends its receipt here. Not every customer has an address, and one that was cut off is somebody else's:
/// then it is one of the shop's host that says so.
fn receipt_address(email: &str, return_url: &str) -> String {
    const MOST: usize = 50;
    match email.trim() {
        email if !email.is_empty() && email.chars().count() <= MOST => email.to_owned(),
        _ => {
            let host = origin(return_url).rsplit("://").next().unwrap_or_default();
            let host = host.split(':').next().unwrap_or_default();
            let address = format!("no-reply@{host}");
            if address.len() <= MOST { address } else { "no-reply@example.com".to_owned() }
        }
    }
}

/// What is expected in this field is a name; the code of another country is understood as well.
fn country_name(code: &str) -> &str {
    if code == "BD" { "Bangladesh" } else { code }
}

#[cfg(test)]
mod tests {
    use platform::Language;

    use super::*;

    const SANDBOX: &str = "https://sandbox.sslcommerz.com";
    const RETURN_URL: &str = "https://shop.example:8443/payments/return?payment=P";

    async fn sslcommerz(settings: PaymentSettings) -> Result<Option<Sslcommerz>, String> {
        let dir = tempfile::tempdir().unwrap();
        let db =
            Db::open(&format!("sqlite://{}", dir.path().join("a.db").display())).await.unwrap();
        Sslcommerz::new(&settings, &db, &Clock::system())
    }

    fn settings() -> PaymentSettings {
        PaymentSettings {
            sslcommerz_store_id: Some("store".into()),
            sslcommerz_store_password: Some(SecretText::new("hidden")),
            ..Default::default()
        }
    }

    #[tokio::test]
    async fn both_keys_are_required() {
        assert!(sslcommerz(PaymentSettings::default()).await.unwrap().is_none());
        let without_id = PaymentSettings { sslcommerz_store_id: None, ..settings() };
        let without_password = PaymentSettings { sslcommerz_store_password: None, ..settings() };
        let error = |why: Result<Option<Sslcommerz>, String>| why.err().unwrap();
        assert!(error(sslcommerz(without_id).await).starts_with("sslcommerz_store_id:"));
        assert!(
            error(sslcommerz(without_password).await).starts_with("sslcommerz_store_password:")
        );
        let wrong_url =
            PaymentSettings { sslcommerz_url: Some("ftp://a.example".into()), ..settings() };
        assert!(error(sslcommerz(wrong_url).await).starts_with("sslcommerz_url:"));
    }

    #[tokio::test]
    async fn the_range_and_the_pages() {
        let live = sslcommerz(settings()).await.unwrap().unwrap();
        let (least, most) = live.range(Currency::BDT).unwrap();
        assert_eq!((least.minor(), most.minor()), (1_000, 50_000_000));
        assert_eq!(live.range(Currency::USD), None);
        assert!(live.page_origins().contains(&"https://epay-gw.sslcommerz.com".to_owned()));
        for (url, pages) in [
            (SANDBOX, [SANDBOX]),
            ("http://127.0.0.1:80/dev/payments/sslcommerz", ["http://127.0.0.1:80"]),
        ] {
            let settings = PaymentSettings { sslcommerz_url: Some(url.into()), ..settings() };
            assert_eq!(sslcommerz(settings).await.unwrap().unwrap().page_origins(), pages);
        }
    }

    #[tokio::test]
    async fn mandatory_fields_are_never_empty_nor_too_long() {
        let one = sslcommerz(settings()).await.unwrap().unwrap();
        let long = "ঠিকানা".repeat(60);
        let full = CustomerDetails {
            name: &long,
            email: "a@b.example",
            phone: "+8801700000000",
            address: &long,
            city: &long,
            postcode: &long,
            country: "BD",
        };
        for customer in [CustomerDetails::default(), full] {
            let request = OpenRequest {
                payment: "01234567890123456789012345",
                order_number: "H-1",
                amount: Money::new(125_050, Currency::BDT),
                title: &long,
                language: Language::ENGLISH,
                customer,
                return_url: RETURN_URL,
                webhook_url: "https://shop.example/webhooks/payments/sslcommerz",
                expires_at: Timestamp(0),
                now: Timestamp(0),
                reserve_only: false,
            };
            let fields = one.session_fields(&request);
            let field = |name: &str| &fields.iter().find(|(key, _)| *key == name).unwrap().1;
            for (name, most) in [
                ("cus_name", 50),
                ("cus_email", 50),
                ("cus_phone", 20),
                ("cus_add1", 50),
                ("cus_city", 50),
                ("cus_postcode", 30),
                ("cus_country", 50),
                ("product_name", 255),
                ("product_category", 100),
                ("product_profile", 100),
                ("shipping_method", 50),
                ("tran_id", 30),
                ("success_url", 255),
            ] {
                let length = field(name).chars().count();
                assert!((1..=most).contains(&length), "{name}: {}", field(name));
            }
            assert_eq!(field("total_amount"), "1250.50");
            assert_eq!(*field("cancel_url"), format!("{RETURN_URL}&outcome=cancel"));
        }
    }

    #[test]
    fn an_address_for_receipts_is_whole_or_the_shops() {
        let long = format!("{}@b.example", "a".repeat(60));
        assert_eq!(receipt_address("a@b.example", RETURN_URL), "a@b.example");
        assert_eq!(receipt_address("", RETURN_URL), "no-reply@shop.example");
        assert_eq!(receipt_address(&long, RETURN_URL), "no-reply@shop.example");
    }
}
