//! Checkout: places an order in one transaction that deducts the stock, prices it, and writes the order
//! with its payment and e-mails. Alone adds idempotency keys (table `placings`).

mod gift_card_recipients;
mod guests;
mod http;
mod tender;

use std::sync::Arc;

use platform::db::{Json, is_unique_violation, retry_on_conflict, statement};
use platform::http::ClientIp;
use platform::revisions::CacheTag;
use platform::{Currency, Error, Exchange, Id, Language, Money, Result, Timestamp, Tx, revisions};
use postal_address::Destination;
use serde::Serialize;

use crate::addresses::StoredParts;
use crate::cart;
use crate::catalog::{self, CatalogView, StockedVariant, VariantId};
use crate::credit::{self, CreditKind, NewEntry};
use crate::customers::Verified;
use crate::delivery::{DeliveryZone, MethodId, OrderDelivery};
use crate::gift_cards::{self, CodeHash, NewSoldGiftCard};
use crate::orders::{
    BaseAmounts, Order, OrderGiftCard, OrderId, OrderLine, OrderNumber, OrderSettings, OrderStatus,
    OrderStore, Orders, PlacementTerms, is_guest,
};
use crate::payments::{self, Charge, PaymentProvider};
use crate::pricing::{
    Adjustment, LineChange, PaymentTerms, PricingRules, Quote, QuotedLine, Shipment, TaxLine,
    TaxRelief, TaxTerms, load_variants, quote,
};
use crate::promotions::{self, Buyer, CodeList, Redemption, ShopperPromotions};
use crate::string_enum::string_enum;
use crate::taxes::TaxTable;

use gift_card_recipients::GiftCardRecipient;
pub use http::router;

/// A validated request to place an order.
pub struct OrderRequest {
    /// The account id, or what stands for a guest's; and the e-mail address in lower case, empty where there is none.
    customer: String,
    email: String,
    /// What the customer's token, or a guest's code, says is verified.
    verified: Verified,
    /// The account's.
    verified_phone: Option<String>,
    peer: Option<ClientIp>,
    /// The language of the shop as the customer saw it.
    language: Language,
    /// From the base currency to that of the order.
    to: Exchange,
    /// The `Idempotency-Key`.
    key: Option<String>,
    content: OrderContent,
}

/// The content of the request. A repeated idempotency key must come with the same content.
#[derive(Debug, Serialize)]
struct OrderContent {
    name: String,
    phone: String,
    address: String,
    /// Skipped where only the text is known, like the credit.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Json<StoredParts>>,
    /// Variants and quantities, each variant once.
    lines: Vec<(VariantId, i64)>,
    /// The total that the customer saw.
    total: Money,
    currency: Currency,
    payment: PaymentProvider,
    /// The part of the total to pay with store credit. Skipped when zero, so that fingerprints from
    /// before store credit existed still match.
    #[serde(skip_serializing_if = "is_zero")]
    credit: Money,
    /// The gift cards to spend before it, by the hashes of their codes, and what each pays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gift_cards: Vec<(CodeHash, Money)>,
    /// Skipped when there are none, like the credit.
    #[serde(skip_serializing_if = "CodeList::is_empty")]
    codes: CodeList,
    /// The delivery method that the customer chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery: Option<MethodId>,
    /// A guest's, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    guest_email: Option<String>,
    /// To whom gift cards in the cart are sent, where it is said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gift_card_recipients: Vec<GiftCardRecipient>,
}

fn is_zero(amount: &Money) -> bool {
    amount.is_zero()
}

impl OrderContent {
    fn fingerprint(&self) -> Result<Id<Self>> {
        Ok(Id::from_name(&serde_json::to_string(self)?))
    }
}

pub enum PlaceOutcome {
    Placed(Order),
    /// The key placed this order before.
    AlreadyPlaced(Order),
    /// The key was used for a different order.
    KeyReused,
    /// The cart has changed; this is its current quote.
    CartChanged(CartChange, Quote),
}

string_enum! {
    pub enum CartChange {
        /// A variant is not sold any more.
        Gone = "gone",
        /// Too little stock.
        Stock = "stock",
        /// The total is different.
        Price = "price",
        /// Too little store credit.
        Credit = "credit",
        /// A gift card cannot pay that: it is used up, expired or unknown.
        GiftCard = "gift_card",
        /// Nothing is delivered to the address, or not by this method.
        Delivery = "delivery",
    }
}

/// Result of one attempt, before a new quote is computed.
enum Attempt {
    Placed(Box<Order>),
    /// The idempotency key exists.
    DuplicateKey,
    Changed(CartChange),
    /// Above the limits for unpaid orders.
    Refused(Error),
    /// A variant changed during the attempt.
    Stale,
    /// A promotion cannot be used any more.
    PromotionGone,
}

/// So many concurrent changes in a row mean that something is wrong.
const MAX_ATTEMPTS: usize = 10;

impl OrderRequest {
    fn is_guest(&self) -> bool {
        is_guest(&self.customer)
    }

    fn buyer(&self) -> Buyer<'_> {
        if self.is_guest() {
            return Buyer::GUEST;
        }
        let verified_email = Some(self.email.as_str()).filter(|_| self.verified.email);
        let verified_phone = self.verified_phone.as_deref();
        Buyer { customer: &self.customer, verified_email, verified_phone, is_guest: false }
    }
}

impl Orders {
    pub async fn place(&self, request: &OrderRequest) -> Result<PlaceOutcome> {
        let OrderStore { db, clock, .. } = &self.store;
        if let Err(why) = self.count(request).await {
            return self.previous_outcome(request).await?.ok_or(why);
        }
        let mut rules = self.rules(request).await?;
        rules.gift_cards = match self.gift_cards(request).await {
            Err(why @ Error::RateLimited(_)) => {
                return self.previous_outcome(request).await?.ok_or(why);
            }
            found => found?,
        };
        let ids: Vec<&VariantId> = request.content.lines.iter().map(|(id, _)| id).collect();
        let mut cached = self.stock_cache.get_all(&ids);
        for _ in 0..MAX_ATTEMPTS {
            let from_cache = cached.is_some();
            let seen = match cached.take() {
                Some(seen) => seen,
                None => self.stock_cache.load(db, &ids).await?,
            };
            let refused = match retry_on_conflict(|| self.try_place(request, &seen, &rules)).await {
                Ok(Attempt::Placed(order)) => return Ok(PlaceOutcome::Placed(*order)),
                // The cached variants may be stale: try again with fresh ones.
                Ok(Attempt::Changed(
                    CartChange::Stock | CartChange::Price | CartChange::Delivery,
                )) if from_cache => {
                    continue;
                }
                Ok(Attempt::Stale) => continue,
                // It may have become a gift card.
                Ok(Attempt::Refused(_))
                    if from_cache && !request.content.gift_card_recipients.is_empty() =>
                {
                    continue;
                }
                // A promotion has ended or was used up meanwhile: the total without it is another one.
                Ok(Attempt::PromotionGone) => {
                    self.promotions.reload(db, clock.now()).await?;
                    rules = CheckoutRules {
                        gift_cards: rules.gift_cards,
                        ..self.rules(request).await?
                    };
                    continue;
                }
                // The random order number is taken.
                Err(why) if is_unique_violation(&why, "number") => continue,
                refused => refused?,
            };
            // An order that the key placed before is returned whatever the stock is now.
            if let Some(before) = self.previous_outcome(request).await? {
                return Ok(before);
            }
            match refused {
                Attempt::Changed(change) => {
                    let (fresh, unknown) = self.requote(request).await?;
                    let gone = unknown && change == CartChange::Stock;
                    let change = if gone { CartChange::Gone } else { change };
                    return Ok(PlaceOutcome::CartChanged(change, fresh));
                }
                Attempt::Refused(why) => return Err(why),
                _ => {}
            }
        }
        Err(Error::Unavailable(
            "an order could not be placed because its variants kept changing".into(),
        ))
    }

    /// Counts the order against the hourly limits.
    async fn count(&self, OrderRequest { customer, email, peer, .. }: &OrderRequest) -> Result<()> {
        let (at, OrderSettings { limits, guests, .. }) =
            ((&self.store.db, &self.store.clock), &self.settings);
        match is_guest(customer) {
            true => guests.count(at, customer, email, *peer).await,
            false => limits.count(at, "orders", customer, *peer).await,
        }
    }

    /// Inserts the order as priced from `seen`, and deducts the stock at the end of the transaction, so
    /// that its rows are locked for as short as possible. Rolls back when the deducted variants result
    /// in a different order.
    ///
    /// Gift cards and variants are locked in the order of their ids and the revisions last, so that two checkouts
    /// never deadlock. Two requests with the same key, only one of which spends gift cards or store credit, may:
    /// then one is aborted and retried.
    async fn try_place(
        &self,
        request: &OrderRequest,
        seen: &[StockedVariant],
        rules: &CheckoutRules,
    ) -> Result<Attempt> {
        let OrderStore { db, clock, random, .. } = &self.store;
        let (content, now) = (&request.content, clock.now());
        let priced = self.price_cart(request, seen, rules, now);
        if priced.short {
            return Ok(Attempt::Changed(CartChange::Stock));
        }
        let other_method = content.delivery.as_ref().is_some_and(|wanted| {
            priced.delivery.as_ref().is_none_or(|delivery| delivery.method != *wanted)
        });
        if priced.undeliverable || (other_method && !rules.zones.is_empty()) {
            return Ok(Attempt::Changed(CartChange::Delivery));
        }
        if priced.total != content.total {
            return Ok(Attempt::Changed(CartChange::Price));
        }
        if rules.gift_cards.len() != content.gift_cards.len() {
            return Ok(Attempt::Changed(CartChange::GiftCard));
        }
        let sold_cards = match self.sold_gift_cards(request, seen, now) {
            Ok(cards) => cards,
            Err(why) => return Ok(Attempt::Refused(why)),
        };
        let redemptions = priced.redemptions.clone();
        let order = self.order(request, now, priced);
        if let Some(why) = self.needs_code(request, &order) {
            return Ok(Attempt::Refused(why));
        }

        let mut tx = db.begin().await?;
        let pays_online = content.payment.gateway().is_some();
        let limits = &self.settings.limits;
        let verified =
            match limits.check_unpaid(&mut tx, &order, request.verified, pays_online).await {
                Ok(verified) => verified,
                Err(why @ Error::Refused { .. }) => {
                    tx.rollback().await?;
                    return Ok(Attempt::Refused(self.for_guest(request, why)));
                }
                Err(why) => return Err(why),
            };
        let terms = self.placement_terms(&order, verified, pays_online);
        self.store.insert(&mut tx, &order, &terms).await?;
        if let Some(key) = &request.key {
            insert_key(&mut tx, request, key, &order.id)?;
        }
        let number = order.number.to_string();
        let charge = Charge { order: &order.id, number: &number, amount: order.to_pay() };
        payments::start(&mut tx, (clock, random), content.payment, 0, &charge);
        if terms.status == OrderStatus::Placed {
            let bought: Vec<&VariantId> = order.lines.iter().map(|line| &line.variant).collect();
            cart::remove_lines(&mut tx, &request.customer, &bought);
        }
        let uses = (redemptions.as_slice(), sold_cards.as_slice());
        let refused = match self.reserve(&mut tx, request, &order, uses).await {
            Ok(Ok((taken, tags))) => {
                let priced = self.price_cart(request, &taken, rules, now);
                let same = priced.lines == order.lines
                    && priced.adjustments == order.adjustments
                    && priced.taxes == order.taxes;
                let delivery = priced.delivery.map(Json);
                let same = same && self.sold_gift_cards(request, &taken, now)? == sold_cards;
                if same && priced.total == order.total && delivery == order.delivery {
                    if !tags.is_empty() {
                        revisions::bump(&mut tx, tags).await?;
                    }
                    tx.commit().await?;
                    return Ok(Attempt::Placed(Box::new(order)));
                }
                Attempt::Stale
            }
            Ok(Err(refused)) => refused,
            Err(why) if is_unique_violation(&why, "placings") => Attempt::DuplicateKey,
            Err(why) => return Err(why),
        };
        tx.rollback().await?;
        Ok(refused)
    }

    /// What is paid elsewhere awaits the payment. An unpaid order of an unverified customer is cancelled after a while.
    fn placement_terms(
        &self,
        order: &Order,
        verified: Verified,
        pays_online: bool,
    ) -> PlacementTerms {
        if pays_online {
            let release_at = Some(order.created_at.plus(self.settings.payment_hold()));
            return PlacementTerms { verified, status: OrderStatus::AwaitingPayment, release_at };
        }
        let waits = order.to_pay().is_positive() && !verified.any();
        let wait = self.settings.limits.auto_cancel_after().filter(|_| waits);
        let release_at = wait.map(|wait| order.created_at.plus(wait));
        PlacementTerms { verified, status: OrderStatus::Placed, release_at }
    }

    /// Debits the gift cards and the store credit, counts the uses of promotions, writes the gift cards that are bought and
    /// deducts the stock. Returns the variants, and the cache
    /// tags to bump.
    async fn reserve(
        &self,
        tx: &mut Tx,
        request: &OrderRequest,
        order: &Order,
        (redemptions, sold_cards): (&[Redemption], &[NewSoldGiftCard]),
    ) -> Result<Result<(Vec<StockedVariant>, Vec<CacheTag>), Attempt>> {
        let OrderStore { clock, random, .. } = &self.store;
        let cards = order.gift_cards.iter().map(|one| (&one.card, one.base_amount)).collect();
        if !gift_cards::spend(tx, (clock, random), &order.id, cards).await? {
            return Ok(Err(Attempt::Changed(CartChange::GiftCard)));
        }
        if order.credit.is_positive() {
            let entry = NewEntry::new(&order.customer, CreditKind::Spent, -order.base.credit);
            let entry = NewEntry { order: Some(&order.id), ..entry };
            if !credit::add_entry(tx, clock, random, &entry).await? {
                return Ok(Err(Attempt::Changed(CartChange::Credit)));
            }
        }
        let keys = self.promotions.customer_keys(request.buyer());
        if !promotions::redeem(tx, &order.id, &keys, redemptions, order.created_at).await? {
            return Ok(Err(Attempt::PromotionGone));
        }
        if !self.insert_sold_gift_cards(tx, order, sold_cards).await? {
            return Ok(Err(Attempt::Refused(gift_card_recipients::too_many())));
        }
        let (journal, lines) = ((clock, random), &request.content.lines);
        let taken = catalog::deduct_stock(tx, journal, &order.id, lines).await?;
        Ok(taken.ok_or(Attempt::Changed(CartChange::Stock)))
    }

    /// Writes the gift cards that an order buys, and issues those of an order that is paid already; false where too many go
    /// to one mailbox.
    async fn insert_sold_gift_cards(
        &self,
        tx: &mut Tx,
        order: &Order,
        cards: &[NewSoldGiftCard],
    ) -> Result<bool> {
        let OrderStore { clock, random, .. } = &self.store;
        if cards.is_empty() {
            return Ok(true);
        }
        if !gift_cards::insert_sold(tx, order.created_at, &order.id, cards).await? {
            return Ok(false);
        }
        if payments::is_paid(tx, &order.id).await? {
            gift_cards::issue_sold(tx, (clock, random), &order.id, order.base.currency).await?;
        }
        Ok(true)
    }

    /// Prices the cart with these variants.
    fn price_cart(
        &self,
        request: &OrderRequest,
        goods: &[StockedVariant],
        rules: &CheckoutRules,
        now: Timestamp,
    ) -> PricedCart {
        let variants = goods.iter().map(|one| (one.line.id.clone(), one.line.clone())).collect();
        let OrderRequest { content, to, .. } = request;
        let destination = self.destination(content);
        let pricing = self.pricing(rules, &destination, (request, now));
        let priced = quote(&content.lines, &variants, pricing, (*to, now));
        let is_exempt = priced.taxes.iter().any(|tax| tax.relief == Some(TaxRelief::Exempt));
        let tax_number = pricing.taxes.tax_number().filter(|_| is_exempt).unwrap_or_default();
        let delivery = pricing.shipment.zone.zip(priced.chosen_delivery()).map(|(zone, option)| {
            OrderDelivery {
                zone: zone.id.clone(),
                method: option.id.clone(),
                name: option.name.clone(),
                earliest: option.earliest,
                latest: option.latest,
                pickup: option.pickup.clone(),
            }
        });
        let Quote { undeliverable, lines, sub_total, adjustments, discount, .. } = priced;
        let Quote { shipping, payment_fee, vat, taxes, total, redemptions, .. } = priced;
        let short = lines.iter().any(|line| line.change.is_some());
        let line = |line: QuotedLine| OrderLine {
            sku: goods
                .iter()
                .find(|stocked| stocked.line.id == line.id)
                .map_or_else(String::new, |stocked| stocked.sku.clone()),
            variant: line.id,
            product: line.product,
            options: Json(line.options),
            name: line.name,
            picture: line.img,
            price: line.buy_price,
            quantity: line.qtn,
            total: line.total,
            base_total: Money::default(),
        };
        let mut lines: Vec<OrderLine> = lines.into_iter().map(line).collect();
        let mut books = RunningTotal::new(*to);
        for line in &mut lines {
            line.base_total = books.add(line.total);
        }
        PricedCart {
            base: BaseAmounts {
                currency: to.base,
                rate: to.rate,
                sub_total: books.in_base,
                discount: -books.add(-discount),
                shipping: books.add(shipping),
                payment_fee: books.add(payment_fee),
                vat: books.add(vat),
                total: books.in_base,
                gift_cards: Money::sum(rules.gift_cards.iter().map(|one| one.base_amount), to.base),
                credit: to.debit(content.credit),
            },
            gift_cards: rules.gift_cards.clone(),
            lines,
            sub_total,
            adjustments,
            discount,
            shipping,
            payment_fee,
            vat,
            taxes,
            tax_number: tax_number.to_owned(),
            total,
            redemptions,
            delivery,
            undeliverable,
            short,
        }
    }

    fn order(&self, request: &OrderRequest, now: Timestamp, priced: PricedCart) -> Order {
        let OrderStore { clock, random, .. } = &self.store;
        let OrderContent { name, phone, address, parts, currency, .. } = &request.content;
        Order {
            id: OrderId::new(clock, random),
            number: OrderNumber::new(random),
            customer: request.customer.clone(),
            email: request.email.clone(),
            name: name.clone(),
            phone: phone.clone(),
            address: address.clone(),
            postal_address: parts.clone(),
            currency: *currency,
            base: priced.base,
            language: Some(request.language),
            sub_total: priced.sub_total,
            adjustments: priced.adjustments,
            discount: priced.discount,
            shipping: priced.shipping,
            delivery: priced.delivery.map(Json),
            payment_fee: priced.payment_fee,
            vat: priced.vat,
            taxes: priced.taxes,
            tax_number: priced.tax_number,
            total: priced.total,
            gift_cards: priced.gift_cards,
            credit: request.content.credit,
            created_at: now,
            lines: priced.lines,
        }
    }

    /// The outcome of an earlier request with this key.
    async fn previous_outcome(&self, request: &OrderRequest) -> Result<Option<PlaceOutcome>> {
        let Some(key) = &request.key else { return Ok(None) };
        let found: Option<(Id<OrderContent>, OrderId)> = self
            .store
            .db
            .query("select hash, order_id from placings where customer = $1 and key = $2")
            .bind(request.customer.as_str())
            .bind(key.as_str())
            .optional()
            .await?;
        let Some((hash, order)) = found else { return Ok(None) };
        if hash != request.content.fingerprint()? {
            return Ok(Some(PlaceOutcome::KeyReused));
        }
        let order = self.store.by_id(&order).await?;
        let order = order.ok_or_else(|| Error::internal("an idempotency key without its order"))?;
        Ok(Some(PlaceOutcome::AlreadyPlaced(order)))
    }

    /// The current quote, and whether a variant is unknown.
    async fn requote(&self, request: &OrderRequest) -> Result<(Quote, bool)> {
        let (lines, now) = (&request.content.lines, self.store.clock.now());
        let language = self.languages.translation(request.language);
        // Quotes show no prices before reductions.
        let view = CatalogView { now, to: request.to, language, lowest_price_days: 0 };
        let goods = load_variants(&self.store.db, view, lines).await?;
        let unknown = lines.iter().any(|(id, _)| !goods.contains_key(id));
        let rules = self.rules(request).await?;
        let destination = self.destination(&request.content);
        let pricing = self.pricing(&rules, &destination, (request, now));
        Ok((quote(lines, &goods, pricing, (request.to, now)), unknown))
    }

    /// What decides which promotions this customer gets, and where is delivered.
    async fn rules(&self, request: &OrderRequest) -> Result<CheckoutRules> {
        let language = self.languages.translation(request.language);
        let at = (language, self.store.clock.now());
        let (buyer, codes, db) = (request.buyer(), &request.content.codes, &self.store.db);
        let shopper = self.promotions.shopper(db, buyer, codes, at).await?;
        let (zones, taxes) = (self.zones.get(db).await?, self.taxes.get(db).await?);
        Ok(CheckoutRules { shopper, zones, taxes, gift_cards: Vec::new() })
    }

    /// The gift cards that are to pay; none where one of them is unknown.
    async fn gift_cards(&self, request: &OrderRequest) -> Result<Vec<OrderGiftCard>> {
        let OrderRequest { content: OrderContent { gift_cards, .. }, to, peer, .. } = request;
        let hashes: Vec<&CodeHash> = gift_cards.iter().map(|(hash, _)| hash).collect();
        let source = (&self.store.db, &self.store.clock);
        let found = gift_cards::find_for_order(source, *peer, &hashes).await?.unwrap_or_default();
        let paid = found.into_iter().zip(gift_cards);
        let card = |((card, last_four), (_, amount)): (_, &(CodeHash, Money))| OrderGiftCard {
            card,
            last_four,
            amount: *amount,
            base_amount: to.debit(*amount),
        };
        Ok(paid.map(card).collect())
    }

    /// Where the order goes: somewhere in the shop's own country where the address is a text.
    fn destination(&self, content: &OrderContent) -> Option<Destination> {
        let known = content.parts.as_ref().map(|parts| parts.destination());
        known.or_else(|| self.countries.own().map(Destination::of_country))
    }

    fn pricing<'r>(
        &'r self,
        rules: &'r CheckoutRules,
        destination: &'r Option<Destination>,
        (request, now): (&'r OrderRequest, Timestamp),
    ) -> PricingRules<'r> {
        let OrderRequest { content, customer, .. } = request;
        let OrderContent { delivery, payment, gift_cards, credit, currency, .. } = content;
        let by_cards = Money::sum(gift_cards.iter().map(|(_, amount)| *amount), *currency);
        let zones = (&*rules.zones, &self.zones.time_zone);
        let day = self.taxes.time_zone.day(now);
        PricingRules {
            charges: &self.charges,
            shipment: Shipment::new(zones, destination.as_ref(), delivery.as_ref()),
            shopper: &rules.shopper,
            taxes: TaxTerms::new(&rules.taxes, customer, self.countries.own(), day),
            payment: PaymentTerms { provider: *payment, tender: by_cards + *credit },
        }
    }
}

/// The rules by which a request is priced, as of its start.
struct CheckoutRules {
    shopper: ShopperPromotions,
    zones: Arc<[DeliveryZone]>,
    taxes: Arc<TaxTable>,
    /// What gift cards are to pay; fewer than requested where one is unknown.
    gift_cards: Vec<OrderGiftCard>,
}

/// Adds up amounts in the base currency. Each is the difference of two rounded sums, so that they add up to the rounded
/// total.
struct RunningTotal {
    to: Exchange,
    shown: Money,
    in_base: Money,
}

impl RunningTotal {
    fn new(to: Exchange) -> Self {
        Self { to, shown: Money::zero(to.currency), in_base: Money::zero(to.base) }
    }

    /// What an amount adds to the total in the base currency.
    fn add(&mut self, amount: Money) -> Money {
        self.shown = self.shown.saturating_add(amount);
        let before = std::mem::replace(&mut self.in_base, self.to.to_base(self.shown));
        self.in_base - before
    }
}

/// An order's lines and amounts.
struct PricedCart {
    base: BaseAmounts,
    lines: Vec<OrderLine>,
    sub_total: Money,
    adjustments: Vec<Adjustment>,
    discount: Money,
    shipping: Money,
    payment_fee: Money,
    vat: Money,
    taxes: Vec<TaxLine>,
    tax_number: String,
    total: Money,
    redemptions: Vec<Redemption>,
    delivery: Option<OrderDelivery>,
    gift_cards: Vec<OrderGiftCard>,
    undeliverable: bool,
    /// Whether something is out of stock.
    short: bool,
}

/// Inserts the idempotency key. Waits for a concurrent transaction with the same key, and fails when
/// that one committed.
fn insert_key(tx: &mut Tx, request: &OrderRequest, key: &str, order: &OrderId) -> Result<()> {
    tx.defer(
        statement("insert into placings (customer, key, hash, order_id) values ($1, $2, $3, $4)")
            .bind(request.customer.as_str())
            .bind(key)
            .bind(&request.content.fingerprint()?)
            .bind(order),
    );
    Ok(())
}

/// Deletes a customer's idempotency keys.
pub fn erase(tx: &mut Tx, customer: &str) {
    tx.defer(statement("delete from placings where customer = $1").bind(customer));
}

impl CartChange {
    /// The text for the shopper.
    fn message(self, quote: &Quote) -> String {
        let short = quote.lines.iter().find(|line| line.change.is_some());
        match (self, short) {
            (Self::Gone, _) => "Something in your cart is not sold any more.".into(),
            (Self::Stock, Some(line)) if line.change == Some(LineChange::Gone) => {
                format!("{} is sold out.", line.options.title(&line.name))
            }
            (Self::Stock, Some(line)) => {
                format!("Only {} of {} are left.", line.stock, line.options.title(&line.name))
            }
            (Self::Stock, None) => "Somebody else was faster. Please look at your cart.".into(),
            (Self::Price, _) => "The price has changed. Please look at the new total.".into(),
            (Self::Delivery, _) => "We do not deliver to this address in this way.".into(),
            (Self::Credit, _) => "You have less store credit than that by now.".into(),
            (Self::GiftCard, _) => "A gift card cannot pay that any more.".into(),
        }
    }
}
