//! A shopper on the pages of the payment providers: who pays and comes back, never comes back, is declined, pays in two
//! tabs, gives up, or pays when it is too late.

use std::time::Duration;

use platform::Random;
use serde_json::json;

use super::Trial;
use super::buyer::Known;
use crate::BenchResult;
use crate::load_shop::{Connection, HttpAnswer};

const GOOD_CARD: &str = "4242424242424242";
const DECLINED_CARD: &str = "4000000000000002";
/// Its bank asks for authentication.
const SECURE_CARD: &str = "4000002500003155";
/// SSLCommerz takes no less, in poisha; the others take less.
const LEAST: i64 = 1_000;
/// How often a shopper tries where the provider cannot be reached.
const TRIES: usize = 20;
/// While the provider's session for the first tab may still be opened.
const BETWEEN_TABS: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    Cash,
    Card,
    Paypal,
    Bkash,
    Sslcommerz,
}

impl Payment {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cash => "cash_on_delivery",
            Self::Card => "card",
            Self::Paypal => "paypal",
            Self::Bkash => "bkash",
            Self::Sslcommerz => "sslcommerz",
        }
    }

    /// A taka is a dollar here, so that all amounts are the same.
    pub fn currency(self) -> &'static str {
        match self {
            Self::Bkash | Self::Sslcommerz => "BDT",
            Self::Cash | Self::Card | Self::Paypal => "USD",
        }
    }

    /// About a third of the orders are not paid in cash.
    pub fn random(random: &Random) -> Self {
        match random.bytes::<1>()[0] % 20 {
            0..4 => Self::Card,
            4..7 => Self::Paypal,
            7 => Self::Bkash,
            8 => Self::Sslcommerz,
            _ => Self::Cash,
        }
    }

    /// This, or cash where it does not take so little.
    pub fn for_amount(self, to_pay: i64) -> Self {
        if to_pay < LEAST { Self::Cash } else { self }
    }

    /// Another one for the same order.
    fn other(self) -> Self {
        match self {
            Self::Card => Self::Paypal,
            Self::Bkash => Self::Sslcommerz,
            _ => Self::Card,
        }
    }
}

/// What a shopper does with an order that is to be paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conduct {
    PaysAndComesBack,
    PaysAndLeaves,
    IsDeclined,
    /// Pays in two ways, in two tabs.
    PaysTwice,
    /// Asks for the page in two tabs at the same moment, and pays on both.
    PaysTwiceAtOnce,
    /// Gives the order up, and pays all the same on the page that is still open.
    GivesUp,
    NeverPays,
    /// Pays when the order's time is over.
    PaysLate,
}

impl Conduct {
    fn random(random: &Random) -> Self {
        match random.bytes::<1>()[0] % 20 {
            0..8 => Self::PaysAndComesBack,
            8..11 => Self::PaysAndLeaves,
            11..13 => Self::IsDeclined,
            13 => Self::PaysTwice,
            14..16 => Self::PaysTwiceAtOnce,
            16 => Self::GivesUp,
            17 => Self::NeverPays,
            _ => Self::PaysLate,
        }
    }

    /// Whether the shopper is on the shop's page at the end.
    fn comes_back(self) -> bool {
        !matches!(self, Self::PaysAndLeaves | Self::NeverPays | Self::PaysLate)
    }
}

/// A page of a provider.
#[derive(Clone, Debug)]
pub struct Page {
    payment: Payment,
    url: String,
}

/// The way back to the shop.
struct WayBack {
    method: &'static str,
    url: String,
}

/// Whoever pays an order.
struct Shopper<'t> {
    trial: &'t Trial,
    buyer: usize,
    number: &'t str,
    /// `/api/pay/NUMBER`, and the key of the link to it.
    path: String,
    key: String,
}

impl Trial {
    /// Pays an order, or does not. `keeps`: whether the order is to stand. Answers what the shopper knows of it then.
    pub fn pay(
        &self,
        buyer: usize,
        (number, next): (&str, &str),
        payment: Payment,
        keeps: bool,
    ) -> BenchResult<Known> {
        let random = Random::system();
        let Some(shopper) = Shopper::new(self, buyer, number)? else {
            return Ok(Known::Unknown);
        };
        let first = match next.starts_with(&self.providers.origin) {
            true => Some(Page { payment, url: next.to_owned() }),
            // The provider could not be reached.
            false => shopper.page(payment)?,
        };
        let Some(first) = first else { return shopper.ends(false, true, keeps) };
        let mut conduct = Conduct::random(&random);
        // Few can wait for long: their goods are held, and the others are to have some to compete for.
        let waits = matches!(conduct, Conduct::PaysLate | Conduct::NeverPays);
        if waits && !self.may_stay_open() {
            conduct = Conduct::PaysAndComesBack;
        }
        match conduct {
            Conduct::PaysAndComesBack => shopper.pay_and_come_back(&first)?,
            Conduct::PaysAndLeaves => drop(self.agree(&first)?),
            Conduct::IsDeclined => shopper.pay_after_decline(&first)?,
            Conduct::PaysTwice => shopper.pay_twice(&first)?,
            Conduct::PaysTwiceAtOnce => shopper.pay_twice_at_once(&first)?,
            Conduct::GivesUp => return shopper.give_up(&first),
            Conduct::NeverPays => return Ok(Known::Unpaid),
            Conduct::PaysLate => {
                self.late().push(first);
                return Ok(Known::Unknown);
            }
        }
        shopper.ends(true, conduct.comes_back(), keeps)
    }

    /// Agrees to a payment, until the provider answers. Answers the way back, where the page shows one.
    fn agree(&self, page: &Page) -> BenchResult<Option<WayBack>> {
        let (url, query) = page.url.split_once('?').unwrap_or((&page.url, ""));
        match page.payment {
            Payment::Card => self.agree_by_card(url),
            Payment::Paypal => self.submit(url, &format!("{query}&choice=balance")),
            Payment::Bkash => {
                let wallet = "wallet=01700000000&otp=123456&pin=12121&choice=pay";
                self.submit(url, &format!("{query}&{wallet}"))
            }
            Payment::Sslcommerz => self.submit(url, "choice=card"),
            Payment::Cash => Ok(None),
        }
    }

    /// With one of two cards.
    fn agree_by_card(&self, url: &str) -> BenchResult<Option<WayBack>> {
        let card = match Random::system().bytes::<1>()[0] % 4 {
            0 => SECURE_CARD,
            _ => GOOD_CARD,
        };
        let back = self.submit(url, &format!("card={card}"))?;
        match back {
            Some(next) if next.url.ends_with("/authenticate") => {
                self.submit(&next.url, "authentication=complete")
            }
            back => Ok(back),
        }
    }

    fn submit(&self, url: &str, form: &str) -> BenchResult<Option<WayBack>> {
        let HttpAnswer { status, location, body } = self.exchange("POST", url, form)?;
        match status {
            303 => Ok(Some(WayBack { method: "GET", url: location })),
            // A page, from which a form leads to the shop.
            200 => Ok(form_to_shop(&String::from_utf8_lossy(&body), &self.origin)),
            // What is over cannot be paid.
            404 | 409 => Ok(None),
            _ => Err(format!("{url} answered {status}").into()),
        }
    }

    /// Sends a form until there is an answer.
    fn exchange(&self, method: &str, url: &str, form: &str) -> BenchResult<HttpAnswer> {
        let (_, rest) = url.split_once("://").ok_or_else(|| format!("no address: {url}"))?;
        let (address, path) = rest.split_once('/').unwrap_or((rest, ""));
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        for _ in 0..TRIES * 10 {
            let connection = Connection::open(address);
            let sent = connection
                .and_then(|mut open| open.exchange(method, &format!("/{path}"), &headers, form));
            match sent {
                Ok(answer) if answer.status < 500 => return Ok(answer),
                _ => std::thread::sleep(PAUSE),
            }
        }
        Err(format!("no answer of {url}").into())
    }

    /// Those who wait until it is too late pay now, and do not come back.
    pub fn pay_late(&self) -> BenchResult<usize> {
        let late = std::mem::take(&mut *self.late());
        for page in &late {
            self.agree(page)?;
        }
        Ok(late.len())
    }
}

impl<'t> Shopper<'t> {
    /// `None` where the order does not await payment any more.
    fn new(trial: &'t Trial, buyer: usize, number: &'t str) -> BenchResult<Option<Self>> {
        let path = format!("/api/orders/{number}");
        let (status, order) = trial.send(buyer, ("GET", &path), "", "")?;
        let link = order["payUrl"].as_str();
        let key = link.and_then(|link| link.split_once("key=")).map(|(_, key)| key.to_owned());
        match (status, key) {
            (200, Some(key)) => {
                let path = format!("/api/pay/{number}");
                Ok(Some(Self { trial, buyer, number, path, key }))
            }
            (200, None) => Ok(None),
            _ => Err(format!("looking at an order: {status} {order}").into()),
        }
    }

    /// The provider's page to pay in this way; `None` where it cannot be paid so now.
    fn page(&self, payment: Payment) -> BenchResult<Option<Page>> {
        let path = format!("{}?key={}", self.path, self.key);
        let body = json!({ "payment": payment.as_str() }).to_string();
        for turn in 0..TRIES {
            let sent = self.trial.send_once((self.buyer, turn), ("POST", &path), "", &body);
            match sent {
                Ok((200, body)) => {
                    let url = body["redirect"].as_str().ok_or("no page of the provider")?;
                    return Ok(Some(Page { payment, url: url.to_owned() }));
                }
                Ok((409 | 429, _)) => return Ok(None),
                Ok((503, _)) | Err(_) => std::thread::sleep(PAUSE),
                Ok((status, body)) => return Err(format!("paying: {status} {body}").into()),
            }
        }
        Ok(None)
    }

    fn pay_and_come_back(&self, page: &Page) -> BenchResult {
        match self.trial.agree(page)? {
            Some(way) => self.come_back(&way),
            None => Ok(()),
        }
    }

    fn come_back(&self, WayBack { method, url }: &WayBack) -> BenchResult {
        if !url.starts_with(&self.trial.origin) {
            // A page of the provider.
            return Ok(());
        }
        let answer = self.trial.exchange(method, url, "")?;
        match answer.status {
            303 => Ok(()),
            status => Err(format!("coming back by {method} {url}: {status}").into()),
        }
    }

    /// Declined at first, where the provider's page can do that; then in another way.
    fn pay_after_decline(&self, page: &Page) -> BenchResult {
        let (url, query) = page.url.split_once('?').unwrap_or((&page.url, ""));
        let declined = match page.payment {
            Payment::Card => self.trial.submit(url, &format!("card={DECLINED_CARD}"))?,
            Payment::Paypal => self.trial.submit(url, &format!("{query}&choice=declined"))?,
            Payment::Bkash => self.trial.submit(url, &format!("{query}&choice=no_funds"))?,
            Payment::Sslcommerz => self.trial.submit(url, "choice=fail")?,
            Payment::Cash => None,
        };
        if let Some(way) = declined {
            self.come_back(&way)?;
        }
        match self.page(page.payment.other())? {
            Some(other) => self.pay_and_come_back(&other),
            None => Ok(()),
        }
    }

    fn pay_twice(&self, page: &Page) -> BenchResult {
        let other = self.page(page.payment.other())?;
        let first = self.trial.agree(page)?;
        if let Some(other) = other {
            self.pay_and_come_back(&other)?;
        }
        match first {
            Some(way) => self.come_back(&way),
            None => Ok(()),
        }
    }

    fn pay_twice_at_once(&self, page: &Page) -> BenchResult {
        let other = page.payment.other();
        let tab = |tab: u32| -> Result<(), String> {
            std::thread::sleep(BETWEEN_TABS * tab);
            let page = self.page(other).map_err(|why| why.to_string())?;
            let Some(page) = page else { return Ok(()) };
            self.pay_and_come_back(&page).map_err(|why| why.to_string())
        };
        std::thread::scope(|scope| -> BenchResult {
            let tabs = [0, 1].map(|which| scope.spawn(move || tab(which)));
            for tab in tabs {
                tab.join().map_err(|_| "a tab panicked")??;
            }
            Ok(())
        })?;
        // The first page is still open, in a third tab.
        self.pay_and_come_back(page)
    }

    fn give_up(&self, page: &Page) -> BenchResult<Known> {
        let path = format!("{}/cancel?key={}", self.path, self.key);
        let (status, body) = self.trial.send(self.buyer, ("POST", &path), "", "")?;
        if status != 200 || body["status"] != "cancelled" {
            return Err(format!("giving up: {status} {body}").into());
        }
        self.trial.agree(page)?;
        Ok(Known::Cancelled)
    }

    /// What the shopper sees at the end, or cancels. `agreed`: whether something may be paid.
    fn ends(&self, agreed: bool, comes_back: bool, keeps: bool) -> BenchResult<Known> {
        if !keeps && (comes_back || !self.trial.may_stay_open()) {
            self.trial.cancel(self.buyer, self.number)?;
            return Ok(Known::Cancelled);
        }
        if !comes_back {
            return Ok(Known::Unknown);
        }
        let path = format!("{}?key={}", self.path, self.key);
        let (status, body) = self.trial.send(self.buyer, ("GET", &path), "", "")?;
        match (status, body["status"].as_str()) {
            (200, Some("placed")) => Ok(Known::Stands),
            (200, Some("cancelled")) => Ok(Known::Cancelled),
            (200, Some("awaiting_payment")) if !agreed => Ok(Known::Unpaid),
            (200, Some("awaiting_payment")) => Ok(Known::Unknown),
            _ => Err(format!("looking at a payment: {status} {body}").into()),
        }
    }
}

/// The form of a page that leads to the shop.
fn form_to_shop(page: &str, shop: &str) -> Option<WayBack> {
    let forms = page.split("action=\"").skip(1);
    let mut addresses = forms.filter_map(|rest| rest.split('"').next());
    let url = addresses.find(|address| address.starts_with(shop))?;
    Some(WayBack { method: "POST", url: url.replace("&amp;", "&") })
}
