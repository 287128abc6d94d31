//! Opens the provider's session of a payment, again with another provider after a decline, and lets the shopper give up.

use axum::http::StatusCode;
use messages::Messages;
use payment_providers::{CustomerDetails, Gateway, GatewayError, OpenRequest};
use platform::{Error, Language, Result};

use super::{NextPage, Settlement};
use crate::orders::{Order, OrderStatus, OrderStore, Step};
use crate::payments::{
    self, Charge, EventSource, NewEvent, Payment, PaymentEventKind, PaymentProvider, PaymentState,
    Verb,
};

/// More attempts to pay one order are refused.
const MAX_PAYMENTS: usize = 20;
/// A new attempt gets at least this part of the hold.
const SHARE_OF_RETRY: u32 = 4;

impl Settlement {
    /// Where a shopper goes on after placing an order: to the provider's page or, where the provider cannot be reached, to
    /// our own; `None` where nothing is to be paid elsewhere.
    pub async fn next_step(&self, order: &Order) -> Result<Option<NextPage>> {
        let found = self.orders.by_id_with_status(&order.id).await?;
        if !found.is_some_and(|(_, status)| status == OrderStatus::AwaitingPayment) {
            return Ok(None);
        }
        let payments = self.recorder.store.of_order(&order.id).await?;
        let opened = match payments.last().filter(|latest| latest.is_open()) {
            Some(payment) => self.open(order, payment).await,
            None => Ok(self.page(order)),
        };
        let page = opened.unwrap_or_else(|why| {
            tracing::warn!(%why, number = %order.number, "a payment could not be opened");
            self.page(order)
        });
        Ok(Some(self.next_page(order, page)))
    }

    /// The address of our own page, in the order's language.
    pub(super) fn page(&self, order: &Order) -> String {
        let path = self.orders.pay_links.path(order).unwrap_or_default();
        format!("{}{}", self.origin, self.profiles.localize(self.language(order), &path))
    }

    pub(super) fn language(&self, order: &Order) -> Language {
        self.profiles.language(order.language)
    }

    /// The provider's page of a payment.
    async fn open(&self, order: &Order, payment: &Payment) -> Result<String> {
        if !payment.redirect.is_empty() {
            return Ok(payment.redirect.clone());
        }
        let gateway = self.recorder.gateways.of(payment.provider);
        let gateway = gateway.ok_or_else(|| payments::unavailable(payment.provider))?;
        let now = self.orders.clock.now();
        let expires_at = self.orders.held_until(&order.id).await?.unwrap_or(now.plus(self.hold));
        let language = self.language(order);
        let shop = &self.profiles.of(language).shop_name;
        let number = order.number.to_string();
        let title =
            Messages::text(language, "server.orderOf", &[("shop", shop), ("number", &number)]);
        let key = self.orders.pay_links.key(&order.id).unwrap_or_default();
        // What providers need is in the path, because some add a query to the address as if it had none.
        let kind = gateway.kind();
        let return_url =
            format!("{}/payments/return/{}/{key}?from={kind}", self.origin, payment.id);
        let webhook_url = format!("{}/webhooks/payments/{kind}", self.origin);
        let request = OpenRequest {
            payment: payment.id.as_str(),
            order_number: &number,
            amount: payment.amount,
            title: &title,
            language,
            customer: customer(order),
            return_url: &return_url,
            webhook_url: &webhook_url,
            expires_at,
            now,
            reserve_only: self.reserve && gateway.can_reserve(),
        };
        match gateway.open(&request).await {
            Ok(opened) if self.is_known_page(gateway, &opened.redirect) => {
                let (reference, redirect) = (&opened.reference, &opened.redirect);
                self.recorder.store.set_session(&payment.id, reference, redirect).await?;
                // Of two requests at once the first has set it, and its session is the one that is asked about.
                let stored = self.recorder.store.find(&payment.id).await?;
                Ok(stored.map_or(opened.redirect, |stored| stored.redirect))
            }
            Ok(_) => Err(Error::internal("a provider's page is not at a known address")),
            Err(GatewayError::Unavailable(why)) => Err(Error::Unavailable(why.into())),
            Err(GatewayError::Refused { code, message }) => {
                tracing::error!(gateway = %gateway.kind(), code, message, "a payment was refused before it began");
                self.fail(payment, &code).await?;
                let message = "The payment provider has refused this payment.";
                Err(Error::conflict("payment_refused", message))
            }
        }
    }

    /// Whether a provider's page is at one of its own addresses or, as in a demo, at the shop's.
    fn is_known_page(&self, gateway: &Gateway, url: &str) -> bool {
        let origins = gateway.page_origins();
        origins
            .iter()
            .map(String::as_str)
            .chain([&*self.origin])
            .any(|origin| url.strip_prefix(origin).is_some_and(|rest| rest.starts_with(['/', '?'])))
    }

    /// Writes that a payment could not even be opened.
    async fn fail(&self, payment: &Payment, code: &str) -> Result<()> {
        let mut tx = self.orders.db.begin().await?;
        let kind = PaymentEventKind::Failed;
        let event = NewEvent::new(kind, payment.amount, payment.id.as_str());
        let event = NewEvent { code: code.to_owned(), ..event };
        let now = self.orders.clock.now();
        if let Some(payment) = payments::lock(&mut tx, &payment.id).await? {
            payments::append(&mut tx, &payment, [event], EventSource::Order, now).await?;
        }
        tx.commit().await
    }

    /// Begins another payment of an order that awaits one, or goes on with the open one. Answers the provider's page.
    pub async fn pay_again(&self, order: &Order, provider: PaymentProvider) -> Result<String> {
        self.recorder.gateways.check(provider, order.to_pay())?;
        if provider.gateway().is_none() {
            return Err(payments::unavailable(provider));
        }
        self.settle_open(order).await?;
        let payments = self.recorder.store.of_order(&order.id).await?;
        if payments.iter().any(|one| one.state == PaymentState::Processing) {
            let message = "A payment of this order is being processed.";
            return Err(Error::conflict("payment_processing", message));
        }
        let latest = payments.last().filter(|latest| latest.is_open());
        if let Some(latest) = latest.filter(|latest| latest.provider == provider) {
            self.begin_retry(order, None).await?;
            return self.open(order, latest).await;
        }
        let payment = self.begin_retry(order, Some(provider)).await?;
        let payment = payment.ok_or_else(not_awaiting_payment)?;
        self.open(order, &payment).await
    }

    /// Asks about the payments that may have been paid meanwhile. An outage is no reason not to try another provider: what is
    /// paid twice goes back.
    async fn settle_open(&self, order: &Order) -> Result<()> {
        for payment in self.recorder.store.of_order(&order.id).await? {
            if payment.is_open()
                && let Err(why) = self.settle(&payment.id, EventSource::Return).await
            {
                tracing::warn!(%why, payment = %payment.id, "a payment could not be asked about");
            }
        }
        Ok(())
    }

    /// Holds the goods a little longer and, with a provider, adds a payment and cancels those that are open.
    async fn begin_retry(
        &self,
        order: &Order,
        provider: Option<PaymentProvider>,
    ) -> Result<Option<Payment>> {
        let OrderStore { db, clock, random, .. } = &self.orders;
        let now = clock.now();
        let mut tx = db.begin().await?;
        let status = self.orders.lock_status(&mut tx, &order.id).await?;
        if status != Some(OrderStatus::AwaitingPayment) {
            return Err(not_awaiting_payment());
        }
        // Bounded, so that nobody holds goods for ever.
        let longest = order.created_at.plus(self.hold * 2);
        let until = now.plus(self.hold / SHARE_OF_RETRY).min(longest);
        self.orders.extend_hold(&mut tx, &order.id, until).await?;
        let Some(provider) = provider else {
            tx.commit().await?;
            return Ok(None);
        };
        let payments = payments::lock_of_order(&mut tx, &order.id).await?;
        if payments.len() >= MAX_PAYMENTS {
            return Err(Error::RateLimited("Too many attempts to pay this order."));
        }
        for payment in payments.iter().filter(|one| one.is_open()) {
            let calls = payments::calls_of(&mut tx, &payment.id).await?;
            if !calls.iter().any(|call| call.verb == Verb::Cancel) {
                let verb = Verb::Cancel;
                payments::request(&mut tx, (clock, random), payment, verb, payment.amount)?;
            }
        }
        let place = payments.last().map_or(0, |latest| latest.place + 1);
        let number = order.number.to_string();
        let charge = Charge { order: &order.id, number: &number, amount: order.to_pay() };
        let id = payments::start(&mut tx, (clock, random), provider, place, &charge);
        tx.commit().await?;
        self.recorder.store.find(&id).await
    }

    /// The shopper gives up an order that awaits payment.
    pub async fn give_up(&self, order: &Order) -> Result<()> {
        // What was paid meanwhile is not cancelled unseen.
        self.settle_open(order).await?;
        let found = self.orders.by_id_with_status(&order.id).await?;
        match found.map(|(_, status)| status) {
            Some(OrderStatus::AwaitingPayment) => {
                self.orders.apply(&order.number, Step::CustomerCancel, "").await.map(drop)
            }
            _ => Ok(()),
        }
    }
}

pub(super) fn not_awaiting_payment() -> Error {
    let message = "This order does not await payment (any more).";
    Error::refused(StatusCode::CONFLICT, "not_awaiting_payment", message)
}

fn customer(order: &Order) -> CustomerDetails<'_> {
    let parts = order.postal_address.as_deref();
    CustomerDetails {
        name: &order.name,
        email: &order.email,
        phone: &order.phone,
        address: &order.address,
        city: parts.map_or("", |parts| &parts.city),
        postcode: parts.map_or("", |parts| &parts.postcode),
        country: parts.map_or("", |parts| parts.country.as_str()),
    }
}
