//! SQL of payments. Events are added with their payment's row locked, and its state and sums are written with them.

use std::collections::HashMap;

use platform::db::{SqlValue, in_list, statement};
use platform::{
    Clock, Currency, Cursor, Db, Id, MinorUnits, Money, Page, PageRequest, Random, Result,
    Timestamp, Tx,
};

use super::{
    Charge, EventSource, Ledger, NewEvent, OrderPayment, OrderPayments, Payment, PaymentEvent,
    PaymentEventKind, PaymentId, PaymentProvider, PaymentState, payment_status,
};
use crate::ids::OrderId;

/// Reads and writes payments.
#[derive(Clone)]
pub struct PaymentStore {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
}

/// Conditions of a list of payments.
#[derive(Clone, Copy, Debug, Default)]
pub struct PaymentFilter {
    pub state: Option<PaymentState>,
    pub provider: Option<PaymentProvider>,
}

const PAYMENT: &str = "p.id, p.order_id, p.place, p.provider, p.amount, p.state, p.authorised, p.captured, p.refunded,
    p.disputed, p.reference, p.redirect, p.created_at, p.changed_at, o.currency
    from payments p join orders o on o.id = p.order_id";

#[derive(sqlx::FromRow)]
struct PaymentRow {
    id: PaymentId,
    order_id: OrderId,
    place: i64,
    #[sqlx(try_from = "String")]
    provider: PaymentProvider,
    amount: MinorUnits,
    #[sqlx(try_from = "String")]
    state: PaymentState,
    authorised: MinorUnits,
    captured: MinorUnits,
    refunded: MinorUnits,
    disputed: bool,
    reference: String,
    redirect: String,
    created_at: Timestamp,
    changed_at: Timestamp,
    #[sqlx(try_from = "String")]
    currency: Currency,
}

impl From<PaymentRow> for Payment {
    fn from(row: PaymentRow) -> Self {
        let of = |amount: MinorUnits| amount.of(row.currency);
        Self {
            amount: of(row.amount),
            authorised: of(row.authorised),
            captured: of(row.captured),
            refunded: of(row.refunded),
            id: row.id,
            order: row.order_id,
            place: row.place,
            provider: row.provider,
            state: row.state,
            disputed: row.disputed,
            reference: row.reference,
            redirect: row.redirect,
            created_at: row.created_at,
            changed_at: row.changed_at,
        }
    }
}

#[derive(sqlx::FromRow)]
struct EventRow {
    #[sqlx(try_from = "String")]
    kind: PaymentEventKind,
    amount: MinorUnits,
    reference: String,
    code: String,
    #[sqlx(try_from = "String")]
    source: EventSource,
    at: Timestamp,
}

impl EventRow {
    fn of(self, currency: Currency) -> PaymentEvent {
        let Self { kind, amount, reference, code, source, at } = self;
        PaymentEvent { kind, amount: amount.of(currency), reference, code, source, at }
    }
}

const EVENTS: &str = "select kind, amount, reference, code, source, at from payment_events
    where payment_id = $1 order by place";

impl PaymentStore {
    pub async fn find(&self, id: &PaymentId) -> Result<Option<Payment>> {
        let sql = format!("select {PAYMENT} where p.id = $1");
        let row: Option<PaymentRow> = self.db.query(sql).bind(id).optional().await?;
        Ok(row.map(Payment::from))
    }

    /// The payment with this id, or with this reference of the provider's session or of one of its events.
    pub async fn find_by_reference(&self, reference: &str) -> Result<Option<Payment>> {
        if reference.is_empty() {
            return Ok(None);
        }
        let sql = format!(
            "select {PAYMENT} where p.id = $1 or p.reference = $1
               or p.id in (select payment_id from payment_events where reference = $1)
             order by p.created_at desc limit 1"
        );
        let row: Option<PaymentRow> = self.db.query(sql).bind(reference).optional().await?;
        Ok(row.map(Payment::from))
    }

    /// The oldest first.
    pub async fn of_order(&self, order: &OrderId) -> Result<Vec<Payment>> {
        let sql = format!("select {PAYMENT} where p.order_id = $1 order by p.place");
        let rows: Vec<PaymentRow> = self.db.query(sql).bind(order).all().await?;
        Ok(rows.into_iter().map(Payment::from).collect())
    }

    pub async fn events(&self, payment: &Payment) -> Result<Vec<PaymentEvent>> {
        let rows: Vec<EventRow> = self.db.query(EVENTS).bind(&payment.id).all().await?;
        let currency = payment.amount.currency();
        Ok(rows.into_iter().map(|row| row.of(currency)).collect())
    }

    /// The reference of what was captured last or, without that, reserved: what captures and refunds are of.
    pub async fn charge(&self, id: &PaymentId) -> Result<Option<String>> {
        let sql = "select reference from payment_events
                   where payment_id = $1 and kind in ('captured', 'authorised')
                   order by case kind when 'captured' then 0 else 1 end, place desc limit 1";
        let found: Option<(String,)> = self.db.query(sql).bind(id).optional().await?;
        Ok(found.map(|(reference,)| reference))
    }

    /// A page of the newest payments that match, without those that have no amount.
    pub async fn list(
        &self,
        filter: PaymentFilter,
        request: &PageRequest<Payment>,
    ) -> Result<Page<Payment, Payment>> {
        let (mut conditions, mut values) =
            (vec!["p.amount > 0".to_owned()], Vec::<SqlValue>::new());
        if let Some(state) = filter.state {
            values.push(state.into());
            conditions.push(format!("p.state = ${}", values.len()));
        }
        if let Some(provider) = filter.provider {
            values.push(provider.into());
            conditions.push(format!("p.provider = ${}", values.len()));
        }
        conditions.extend(request.condition("p", &mut values));
        let sql = format!(
            "select {PAYMENT} where {} order by p.created_at desc, p.id desc limit ${}",
            conditions.join(" and "),
            values.len() + 1
        );
        let rows: Vec<PaymentRow> =
            self.db.query(sql).bind_all(values).bind(request.rows()).all().await?;
        let page = request.page(rows, |row: &PaymentRow| Cursor::new(row.created_at, &row.id));
        Ok(Page { items: page.items.into_iter().map(Payment::from).collect(), next: page.next })
    }

    /// How many payments at a provider are neither paid nor over.
    pub async fn count_open(db: &Db) -> Result<i64> {
        let sql = "select count(*) from payments where state in ('pending', 'processing')";
        let (count,): (i64,) = db.query(sql).one().await?;
        Ok(count)
    }

    /// Payments at a provider that were last asked about before `before`: those in these states.
    pub async fn to_be_asked(
        &self,
        states: &[PaymentState],
        before: Timestamp,
        limit: i64,
    ) -> Result<Vec<PaymentId>> {
        let sql = format!(
            "select p.id from payments p
             where p.checked_at < $1 and p.created_at < $1 and {} and {}
             order by p.checked_at limit $2",
            in_list("p.state", 3, states.len()),
            in_list("p.provider", 3 + states.len(), gateway_providers().count()),
        );
        let states = states.iter().map(|state| SqlValue::from(*state));
        let rows: Vec<(PaymentId,)> = self
            .db
            .query(sql)
            .bind(before)
            .bind(limit)
            .bind_all(states)
            .bind_all(gateway_providers().map(SqlValue::from))
            .all()
            .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Payments at a provider to which something happened in a period.
    pub async fn changed_between(
        &self,
        from: Timestamp,
        to: Timestamp,
        after: &str,
        limit: i64,
    ) -> Result<Vec<Payment>> {
        let sql = format!(
            "select {PAYMENT} where p.id > $1 and p.id in
               (select payment_id from payment_events where at >= $2 and at < $3) and {}
             order by p.id limit $4",
            in_list("p.provider", 5, gateway_providers().count()),
        );
        let rows: Vec<PaymentRow> = self
            .db
            .query(sql)
            .bind(after)
            .bind(from)
            .bind(to)
            .bind(limit)
            .bind_all(gateway_providers().map(SqlValue::from))
            .all()
            .await?;
        Ok(rows.into_iter().map(Payment::from).collect())
    }

    /// When the provider was last asked about a payment.
    pub async fn asked_at(&self, id: &PaymentId) -> Result<Timestamp> {
        let sql = "select checked_at from payments where id = $1";
        let found: Option<(Timestamp,)> = self.db.query(sql).bind(id).optional().await?;
        Ok(found.map_or(Timestamp(0), |(at,)| at))
    }

    pub async fn mark_asked(&self, id: &PaymentId) -> Result<()> {
        let sql = "update payments set checked_at = $2 where id = $1";
        self.db.query(sql).bind(id).bind(self.clock.now()).execute().await.map(drop)
    }

    /// Keeps the provider's session of a payment, unless there is one.
    pub async fn set_session(&self, id: &PaymentId, reference: &str, redirect: &str) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let sql =
            "update payments set reference = $2, redirect = $3 where id = $1 and reference = ''";
        let set = tx.query(sql).bind(id).bind(reference).bind(redirect).execute().await?;
        if set == 1
            && let Some(payment) = lock(&mut tx, id).await?
        {
            let opened = NewEvent::new(PaymentEventKind::Opened, payment.amount, reference);
            append(&mut tx, &payment, [opened], EventSource::Order, self.clock.now()).await?;
        }
        tx.commit().await
    }
}

fn gateway_providers() -> impl Iterator<Item = PaymentProvider> {
    PaymentProvider::ALL.into_iter().filter(|one| one.gateway().is_some())
}

/// Adds a payment to an order, in the transaction that places it or with the order's row locked. What nobody is to be
/// asked about is authorised at once: cash is to be collected, and gift cards and store credit are debited with the order.
pub(crate) fn start(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    provider: PaymentProvider,
    place: i64,
    charge: &Charge<'_>,
) -> PaymentId {
    let id = PaymentId::new(clock, random);
    let (now, zero) = (clock.now(), Money::zero(charge.amount.currency()));
    let kind = match provider {
        PaymentProvider::CashOnDelivery => Some(PaymentEventKind::Authorised),
        PaymentProvider::StoreCredit | PaymentProvider::GiftCard => {
            Some(PaymentEventKind::Captured)
        }
        _ => None,
    };
    let reference = if kind.is_some() { charge.number } else { "" };
    let first = kind.map(|kind| PaymentEvent {
        kind,
        amount: charge.amount,
        reference: reference.to_owned(),
        code: String::new(),
        source: EventSource::Order,
        at: now,
    });
    let ledger = Ledger::of(&first, zero.currency());
    tx.defer(
        statement(
            "insert into payments (id, order_id, place, provider, amount, state, authorised, captured, refunded, disputed,
               reference, redirect, checked_at, created_at, changed_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '', 0, $12, $12)",
        )
        .bind(&id)
        .bind(charge.order)
        .bind(place)
        .bind(provider)
        .bind(charge.amount)
        .bind(ledger.state)
        .bind(ledger.authorised)
        .bind(ledger.captured)
        .bind(ledger.refunded)
        .bind(ledger.disputed)
        .bind(reference)
        .bind(now),
    );
    if let Some(event) = first {
        insert_event(tx, &id, 0, &event);
    }
    id
}

fn insert_event(tx: &mut Tx, payment: &PaymentId, place: i64, event: &PaymentEvent) {
    tx.defer(
        statement(
            "insert into payment_events (payment_id, place, kind, amount, reference, code, source, at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(payment)
        .bind(place)
        .bind(event.kind)
        .bind(event.amount)
        .bind(event.reference.as_str())
        .bind(event.code.as_str())
        .bind(event.source)
        .bind(event.at),
    );
}

/// A payment, locked until the end of the transaction.
pub(crate) async fn lock(tx: &mut Tx, id: &PaymentId) -> Result<Option<Payment>> {
    let sql = "update payments set changed_at = changed_at where id = $1";
    tx.query(sql).bind(id).execute().await?;
    let sql = format!("select {PAYMENT} where p.id = $1");
    let row: Option<PaymentRow> = tx.query(sql).bind(id).optional().await?;
    Ok(row.map(Payment::from))
}

/// An order's payments, the oldest first, locked until the end of the transaction.
pub(crate) async fn lock_of_order(tx: &mut Tx, order: &OrderId) -> Result<Vec<Payment>> {
    let sql = "update payments set changed_at = changed_at where order_id = $1";
    tx.query(sql).bind(order).execute().await?;
    let sql = format!("select {PAYMENT} where p.order_id = $1 order by p.place");
    let rows: Vec<PaymentRow> = tx.query(sql).bind(order).all().await?;
    Ok(rows.into_iter().map(Payment::from).collect())
}

/// Adds events to a payment that is locked, and writes what follows from all of them. Events that are there are left out;
/// answers the payment as it is then, or `None` where nothing was new.
pub(crate) async fn append(
    tx: &mut Tx,
    payment: &Payment,
    events: impl IntoIterator<Item = NewEvent>,
    source: EventSource,
    now: Timestamp,
) -> Result<Option<Payment>> {
    let currency = payment.amount.currency();
    let rows: Vec<EventRow> = tx.query(EVENTS).bind(&payment.id).all().await?;
    let mut known: Vec<PaymentEvent> = rows.into_iter().map(|row| row.of(currency)).collect();
    let before = known.len();
    for NewEvent { kind, amount, reference, code } in events {
        if known.iter().any(|one| one.kind == kind && one.reference == reference) {
            continue;
        }
        let event = PaymentEvent { kind, amount, reference, code, source, at: now };
        insert_event(tx, &payment.id, known.len() as i64, &event);
        known.push(event);
    }
    if known.len() == before {
        return Ok(None);
    }
    let Ledger { state, authorised, captured, refunded, disputed } = Ledger::of(&known, currency);
    tx.query(
        "update payments set state = $2, authorised = $3, captured = $4, refunded = $5, disputed = $6, changed_at = $7
         where id = $1",
    )
    .bind(&payment.id)
    .bind(state)
    .bind(authorised)
    .bind(captured)
    .bind(refunded)
    .bind(disputed)
    .bind(now)
    .execute()
    .await?;
    let payment = payment.clone();
    Ok(Some(Payment {
        state,
        authorised,
        captured,
        refunded,
        disputed,
        changed_at: now,
        ..payment
    }))
}

/// Whether what is to be paid of an order is captured.
pub(crate) async fn is_paid(tx: &mut Tx, order: &OrderId) -> Result<bool> {
    let sql = "select o.total - o.gift_cards - o.credit
                 - cast((select coalesce(sum(captured), 0) from payments where order_id = o.id) as bigint)
               from orders o where o.id = $1";
    let found: Option<(i64,)> = tx.query(sql).bind(order).optional().await?;
    Ok(found.is_some_and(|(left,)| left <= 0))
}

/// What an order's customer sees of its payments.
pub(crate) async fn of_order(
    db: &Db,
    order: &OrderId,
    to_pay: Money,
    is_cancelled: bool,
) -> Result<OrderPayments> {
    let orders = [(order, to_pay, is_cancelled)];
    let mut found = of_orders(db, &orders).await?;
    let empty = || OrderPayments { all: Vec::new(), status: super::PaymentStatus::Unpaid };
    Ok(found.remove(order).unwrap_or_else(empty))
}

/// The same of several orders, each with what is to be paid and whether it is cancelled.
pub(crate) async fn of_orders(
    db: &Db,
    orders: &[(&OrderId, Money, bool)],
) -> Result<HashMap<OrderId, OrderPayments>> {
    if orders.is_empty() {
        return Ok(HashMap::new());
    }
    let ids = || orders.iter().map(|(id, ..)| SqlValue::from(*id));
    let of_them = in_list("p.order_id", 1, orders.len());
    let sql = format!("select {PAYMENT} where {of_them} order by p.order_id, p.place");
    let rows: Vec<PaymentRow> = db.query(sql).bind_all(ids()).all().await?;
    let may_have_failed = [PaymentState::Pending, PaymentState::Failed];
    let failed = rows.iter().any(|row| may_have_failed.contains(&row.state));
    let mut codes: HashMap<PaymentId, String> = HashMap::new();
    if failed {
        let sql = format!(
            "select e.payment_id, e.code from payment_events e join payments p on p.id = e.payment_id
             where e.kind in ('declined', 'failed') and p.state in ('pending', 'failed') and {of_them}
             order by e.payment_id, e.place"
        );
        let rows: Vec<(PaymentId, String)> = db.query(sql).bind_all(ids()).all().await?;
        codes = rows.into_iter().collect();
    }
    let mut by_order: HashMap<OrderId, Vec<Payment>> = HashMap::new();
    for payment in rows.into_iter().map(Payment::from) {
        by_order.entry(payment.order.clone()).or_default().push(payment);
    }
    let seen = |(id, to_pay, is_cancelled): &(&OrderId, Money, bool)| {
        let payments = by_order.remove(*id).unwrap_or_default();
        let status = payment_status(*to_pay, *is_cancelled, &payments);
        let shown = |one: Payment| OrderPayment {
            code: codes.remove(&one.id).unwrap_or_default(),
            provider: one.provider,
            state: one.state,
            amount: one.amount,
            refunded: one.refunded,
            changed_at: one.changed_at,
            disputed: one.disputed,
        };
        let all = payments.into_iter().map(shown).collect();
        ((*id).clone(), OrderPayments { all, status })
    };
    Ok(orders.iter().map(seen).collect())
}

/// A new id for something that has no reference of a provider.
pub(super) fn own_reference(clock: &Clock, random: &Random) -> String {
    Id::<PaymentEvent>::new(clock, random).to_string()
}
