//! SQL of orders. An order is inserted once; its status changes by one guarded update.

use std::collections::HashMap;

use email::sms;
use messages::{Messages, format};
use platform::db::{Json, Query, SqlValue, in_list, retry_on_conflict, statement, value_rows};
use platform::{
    Clock, Cursor, Db, Error, Language, MinorUnits, Money, Page, PageRequest, Random, Result,
    Timestamp, Tx, revisions,
};
use postal_address::Country;

use super::issued;
use super::pay_links::PayLinks;
use super::plan::StepPlan;
use super::return_store::{self, ReturnUpdate};
use super::returns::{returnable, without_spent};
use super::rows::{AdjustmentRow, GiftCardRow, LineRow, ORDER, OrderRow, RowOfOrder, TaxRow};
use super::shop_notices::PAID;
use super::{
    InvoiceSettings, Order, OrderChange, OrderDetails, OrderEmailSender, OrderEvent, OrderGiftCard,
    OrderId, OrderLine, OrderNumber, OrderSettings, OrderStatus, OrderSubscriber, OrderUpdate,
    RefundSplit, ReturnProgress, Step, return_until, transition,
};
use crate::addresses::StoredParts;
use crate::catalog::{self, ChosenOptions, OptionTexts, ProductId, VariantId};
use crate::customers::{self, Verified};
use crate::gift_cards;
use crate::ids::OrderMarker;
use crate::payments;
use crate::pricing::{Adjustment, TaxLine, TaxRelief};
use crate::promotions::{PromotionCode, PromotionId};
use crate::settings::duration_of_days;

/// Reads and writes orders, and enqueues e-mails about them.
#[derive(Clone)]
pub struct OrderStore {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub sender: OrderEmailSender,
    pub invoices: InvoiceSettings,
    pub pay_links: PayLinks,
    /// Called in this order (`order_subscribers`).
    pub(crate) subscribers: &'static [OrderSubscriber],
}

/// What a new order needs besides the order itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacementTerms {
    pub verified: Verified,
    /// `Placed`, or `AwaitingPayment`.
    pub status: OrderStatus,
    /// When it is cancelled automatically unless it is confirmed or paid.
    pub release_at: Option<Timestamp>,
}

/// Conditions of an order list.
#[derive(Clone, Debug, Default)]
pub struct OrderFilter<'f> {
    pub customer: Option<&'f str>,
    pub status: Option<OrderStatus>,
    /// The `Idempotency-Key` that the order was placed with.
    pub key: Option<&'f str>,
}

/// What shows to whom an order may be shown.
#[derive(sqlx::FromRow)]
pub(crate) struct TrackedOrder {
    pub id: OrderId,
    #[sqlx(try_from = "String")]
    pub number: OrderNumber,
    #[sqlx(try_from = "String")]
    pub status: OrderStatus,
    pub customer: String,
    /// Empty where there is none.
    pub email: String,
    pub phone: String,
    postal_address: Option<Json<StoredParts>>,
}

impl TrackedOrder {
    pub fn country(&self) -> Option<Country> {
        self.postal_address.as_ref().map(|parts| parts.country)
    }
}

/// Result of applying a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepOutcome {
    Done(OrderStatus),
    /// Not allowed in this status.
    NotAllowed(OrderStatus),
    OrderNotFound,
    /// The refund is more than what is left of the amount paid, which is this.
    ExceedsPaid(Money),
    /// More than was bought, or already returned.
    NotReturnable,
    /// The refund is to be store credit, but the order has no account, or a deleted one.
    NoAccount,
}

/// The purchases of a product ($2) by a customer ($1): orders that were delivered, or are paid and not
/// cancelled. A placed order is not enough, because it costs nothing until it is delivered.
pub(crate) const PURCHASES_SQL: &str =
    "select l.options from orders o join order_lines l on l.order_id = o.id
    where o.customer = $1 and l.product = $2
      and (o.status in ('delivered', 'return_requested', 'returned', 'partly_refunded', 'refunded')
        or (o.status not in ('cancelled', 'awaiting_payment') and exists
          (select 1 from payments p where p.order_id = o.id and p.state in ('captured', 'partly_refunded'))))";

/// Whether the customer has paid for the product or received it.
pub async fn has_bought(db: &Db, customer: &str, product: &ProductId) -> Result<bool> {
    let bought = latest_purchase(db.query(latest_purchase_sql()), customer, product).await?;
    Ok(bought.is_some())
}

/// The options of the product that the customer paid for or received last. Reliable in a transaction that has locked the
/// product: then no order with it can be cancelled meanwhile.
pub async fn purchase_in_tx(
    tx: &mut Tx,
    customer: &str,
    product: &ProductId,
) -> Result<Option<Json<ChosenOptions>>> {
    latest_purchase(tx.query(latest_purchase_sql()), customer, product).await
}

fn latest_purchase_sql() -> String {
    format!("{PURCHASES_SQL} order by o.created_at desc limit 1")
}

async fn latest_purchase(
    query: Query<'_>,
    customer: &str,
    product: &ProductId,
) -> Result<Option<Json<ChosenOptions>>> {
    let found: Option<(Json<ChosenOptions>,)> =
        query.bind(customer).bind(product).optional().await?;
    Ok(found.map(|(options,)| options))
}

impl OrderStore {
    /// A page of the newest orders that match `filter`, with their statuses.
    pub async fn list(
        &self,
        filter: &OrderFilter<'_>,
        request: &PageRequest<OrderMarker>,
    ) -> Result<Page<(Order, OrderStatus), OrderMarker>> {
        let (mut conditions, mut values) = (Vec::new(), Vec::<SqlValue>::new());
        if let Some(customer) = filter.customer {
            values.push(customer.into());
            conditions.push(format!("customer = ${}", values.len()));
        }
        if let Some(status) = filter.status {
            values.push(status.into());
            conditions.push(format!("status = ${}", values.len()));
        }
        if let Some(key) = filter.key {
            values.push(key.into());
            conditions.push(format!(
                "id in (select order_id from placings p
                        where p.customer = orders.customer and p.key = ${})",
                values.len()
            ));
        }
        conditions.extend(request.condition("orders", &mut values));
        let all = if conditions.is_empty() { "1 = 1".to_owned() } else { conditions.join(" and ") };
        let sql = format!(
            "select {ORDER}, status from orders where {all}
             order by created_at desc, id desc limit ${}",
            values.len() + 1
        );
        let rows = self.db.query(sql).bind_all(values).bind(request.rows()).all().await?;
        let cursor = |row: &OrderRow| Cursor::new(row.created_at, &row.id);
        let page = request.page(rows, cursor);
        Ok(Page { items: self.with_lines(page.items).await?, next: page.next })
    }

    pub async fn by_number(&self, number: &OrderNumber) -> Result<Option<(Order, OrderStatus)>> {
        self.one("number", number.into()).await
    }

    pub(crate) async fn by_id(&self, id: &OrderId) -> Result<Option<Order>> {
        Ok(self.by_id_with_status(id).await?.map(|(order, _)| order))
    }

    pub(crate) async fn by_id_with_status(
        &self,
        id: &OrderId,
    ) -> Result<Option<(Order, OrderStatus)>> {
        self.one("id", id.into()).await
    }

    /// The status of an order, whose row is locked until the end of the transaction.
    pub(crate) async fn lock_status(
        &self,
        tx: &mut Tx,
        id: &OrderId,
    ) -> Result<Option<OrderStatus>> {
        let sql = "update orders set status = status where id = $1 returning status";
        let found: Option<(String,)> = tx.query(sql).bind(id).optional().await?;
        found.map(|(status,)| status.parse().map_err(Error::internal)).transpose()
    }

    /// Until when an order that awaits payment is held; the end of the hold is never moved to an earlier time.
    pub(crate) async fn extend_hold(
        &self,
        tx: &mut Tx,
        id: &OrderId,
        until: Timestamp,
    ) -> Result<()> {
        let sql =
            "update orders set release_at = $2 where id = $1 and status = $3 and release_at < $2";
        let update = tx.query(sql).bind(id).bind(until).bind(OrderStatus::AwaitingPayment);
        update.execute().await.map(drop)
    }

    /// Until when an order is held.
    pub(crate) async fn held_until(&self, id: &OrderId) -> Result<Option<Timestamp>> {
        let sql = "select release_at from orders where id = $1";
        let found: Option<(Option<Timestamp>,)> = self.db.query(sql).bind(id).optional().await?;
        Ok(found.and_then(|(at,)| at))
    }

    /// Orders that await payment, and whose hold is over.
    pub(crate) async fn unpaid_in_time(&self, limit: i64) -> Result<Vec<OrderId>> {
        let sql = "select id from orders where status = $1 and release_at <= $2 order by release_at limit $3";
        let rows: Vec<(OrderId,)> = self
            .db
            .query(sql)
            .bind(OrderStatus::AwaitingPayment)
            .bind(self.clock.now())
            .bind(limit)
            .all()
            .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    pub(super) async fn by_ids(&self, ids: &[&OrderId]) -> Result<HashMap<OrderId, Order>> {
        let sql =
            format!("select {ORDER}, status from orders where {}", in_list("id", 1, ids.len()));
        let ids = ids.iter().map(|id| SqlValue::from(*id));
        let rows: Vec<OrderRow> = self.db.query(sql).bind_all(ids).all().await?;
        let orders = self.with_lines(rows).await?.into_iter();
        Ok(orders.map(|(order, _)| (order.id.clone(), order)).collect())
    }

    async fn one(&self, column: &str, value: SqlValue) -> Result<Option<(Order, OrderStatus)>> {
        let sql = format!("select {ORDER}, status from orders where {column} = $1");
        let rows: Vec<OrderRow> = self.db.query(sql).bind_all([value]).all().await?;
        Ok(self.with_lines(rows).await?.pop())
    }

    async fn with_lines(&self, rows: Vec<OrderRow>) -> Result<Vec<(Order, OrderStatus)>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let mut lines = self.rows_of::<LineRow>(rows.iter()).await?;
        let reduced = rows.iter().filter(|row| row.discount > MinorUnits(0));
        let mut adjustments = self.rows_of::<AdjustmentRow>(reduced).await?;
        let taxed = rows.iter().filter(|row| row.has_taxes);
        let mut taxes = self.rows_of::<TaxRow>(taxed).await?;
        let paid = rows.iter().filter(|row| row.gift_cards > MinorUnits(0));
        let mut gift_cards = self.rows_of::<GiftCardRow>(paid).await?;
        let filled = rows.into_iter().map(|row| {
            let lines = lines.remove(&row.id).unwrap_or_default();
            let adjustments = adjustments.remove(&row.id).unwrap_or_default();
            let gift_cards = gift_cards.remove(&row.id).unwrap_or_default();
            let taxes = taxes.remove(&row.id).unwrap_or_default();
            row.order(lines, adjustments, taxes, gift_cards)
        });
        Ok(filled.collect())
    }

    /// The rows of one kind of these orders, in their order.
    async fn rows_of<R: RowOfOrder>(
        &self,
        orders: impl Iterator<Item = &OrderRow>,
    ) -> Result<HashMap<OrderId, Vec<R>>> {
        let ids: Vec<SqlValue> = orders.map(|row| SqlValue::from(&row.id)).collect();
        let mut by_order: HashMap<OrderId, Vec<R>> = HashMap::new();
        if ids.is_empty() {
            return Ok(by_order);
        }
        let (columns, of_them) = (R::COLUMNS, in_list("order_id", 1, ids.len()));
        let sql = format!("select order_id, {columns} where {of_them} order by order_id, place");
        let found: Vec<R> = self.db.query(sql).bind_all(ids).all().await?;
        for row in found {
            by_order.entry(row.order().clone()).or_default().push(row);
        }
        Ok(by_order)
    }

    /// Replaces the names of lines by those in this language at the time of the order; `None` is the default
    /// language, in which they are stored.
    pub async fn translate_lines<'o>(
        &self,
        orders: impl IntoIterator<Item = &'o mut Order>,
        language: Option<Language>,
    ) -> Result<()> {
        let mut orders: Vec<&mut Order> = orders.into_iter().collect();
        let Some(language) = language.filter(|_| !orders.is_empty()) else { return Ok(()) };
        #[derive(sqlx::FromRow)]
        struct LineTranslationRow {
            order_id: OrderId,
            variant: VariantId,
            name: String,
            #[sqlx(flatten)]
            options: OptionTexts,
        }
        let sql = format!(
            "select order_id, variant, name, option_names, option_values from order_line_translations
             where language = $1 and {}",
            in_list("order_id", 2, orders.len())
        );
        let ids = orders.iter().map(|order| SqlValue::from(&order.id));
        let rows: Vec<LineTranslationRow> =
            self.db.query(sql).bind(language).bind_all(ids).all().await?;
        let mut texts: HashMap<_, _> = rows
            .into_iter()
            .map(|row| ((row.order_id.clone(), row.variant.clone()), row))
            .collect();
        for order in &mut orders {
            for line in &mut order.lines {
                if let Some(row) = texts.remove(&(order.id.clone(), line.variant.clone())) {
                    translate_line(line, &row.name, &row.options);
                }
            }
        }
        Ok(())
    }

    /// A new order with the names of its lines in its language.
    async fn with_translated_names(&self, tx: &mut Tx, order: &Order) -> Result<Order> {
        let mut order = order.clone();
        let language = self.sender.profiles.translation(self.sender.language(&order));
        let Some(language) = language else { return Ok(order) };
        let products = order.lines.iter().map(|line| &line.product);
        let texts = catalog::translated_texts(tx, language, products).await?;
        for line in &mut order.lines {
            if let Some(texts) = texts.get(&line.product) {
                translate_line(line, &texts.name, &texts.options);
            }
        }
        Ok(order)
    }

    /// The amounts paid for these orders so far, including gift cards and store credit, less all refunds, in the currency of
    /// each order. A refund as store credit counts too: the credit is counted with the order that it is spent on.
    pub(super) async fn spent(
        &self,
        orders: impl IntoIterator<Item = &Order>,
    ) -> Result<HashMap<OrderId, Money>> {
        let orders: Vec<&Order> = orders.into_iter().collect();
        let sql = format!(
            "select o.id, cast(case o.status when 'cancelled' then 0 else
                 o.gift_cards + o.credit
                 + coalesce((select sum(p.captured) from payments p where p.order_id = o.id), 0)
                 - coalesce((select sum(r.gift_cards + r.credit + r.paid) from order_returns r
                             where r.order_id = o.id and r.state = 'refunded'), 0)
               end as bigint) as spent
             from orders o where {}",
            in_list("o.id", 1, orders.len())
        );
        let ids = orders.iter().map(|order| SqlValue::from(&order.id));
        let rows: Vec<(OrderId, MinorUnits)> = match orders.is_empty() {
            true => Vec::new(),
            false => self.db.query(sql).bind_all(ids).all().await?,
        };
        let mut spent: HashMap<OrderId, MinorUnits> = rows.into_iter().collect();
        let in_currency = |order: &Order| {
            let spent = spent.remove(&order.id).unwrap_or_default();
            (order.id.clone(), spent.of(order.currency))
        };
        Ok(orders.into_iter().map(in_currency).collect())
    }

    /// An order with its status, history, payment and returns.
    pub async fn details(&self, order: Order, settings: &OrderSettings) -> Result<OrderDetails> {
        let history = self.history(&order.id).await?;
        let status = history.last().map_or(OrderStatus::Placed, |event| event.status);
        let is_cancelled = status == OrderStatus::Cancelled;
        let paid = payments::of_order(&self.db, &order.id, order.to_pay(), is_cancelled).await?;
        let payment = paid.current().cloned();
        let payment = payment.ok_or_else(|| Error::internal("an order without a payment"))?;
        let awaits = status == OrderStatus::AwaitingPayment;
        let returns = return_store::list_returns(&self.db, &order).await?;
        let invoices = issued::of_order(&self.db, &order.id).await?;
        let sold_gift_cards = gift_cards::sold_with(&self.db, &order.id).await?;
        let return_until =
            return_until(status, &history, duration_of_days(settings.return_window.into()))
                .filter(|until| *until > self.clock.now());
        Ok(OrderDetails {
            can_cancel: transition(status, Step::CustomerCancel, ReturnProgress::default())
                .is_some()
                && !sold_gift_cards.iter().any(|card| card.is_spent),
            return_until,
            returnable: match return_until {
                Some(_) => without_spent(returnable(&order, &returns), &sold_gift_cards),
                None => Vec::new(),
            },
            returns,
            invoices,
            status,
            history,
            pay_url: self.pay_links.path(&order).filter(|_| awaits),
            payment,
            payments: paid.all,
            payment_status: paid.status,
            order,
            sold_gift_cards,
        })
    }

    pub(super) async fn history(&self, id: &OrderId) -> Result<Vec<OrderEvent>> {
        self.db
            .query("select status, at, note from order_events where order_id = $1 order by place")
            .bind(id)
            .all()
            .await
    }

    pub(super) async fn tracked(&self, number: &str) -> Result<Option<TrackedOrder>> {
        let sql = "select id, number, status, customer, email, phone, postal_address from orders
                   where number = $1";
        self.db.query(sql).bind(number).optional().await
    }

    /// Applies a step with all its side effects in one transaction.
    pub async fn apply(
        &self,
        number: &OrderNumber,
        step: Step<'_>,
        note: &str,
    ) -> Result<StepOutcome> {
        loop {
            let Some((mut order, from)) = self.by_number(number).await? else {
                return Ok(StepOutcome::OrderNotFound);
            };
            // For the e-mail to the customer.
            let language = self.sender.profiles.translation(self.sender.language(&order));
            self.translate_lines([&mut order], language).await?;
            let returns = return_store::list_returns(&self.db, &order).await?;
            let sold_cards = gift_cards::sold_with(&self.db, &order.id).await?;
            let plan = match StepPlan::new(&order, &returns, &sold_cards, from, step) {
                Ok(plan) => plan,
                Err(refused) => return Ok(refused),
            };
            // When the order was changed concurrently, plan the step again.
            if retry_on_conflict(|| self.apply_plan(&plan, note)).await? {
                return Ok(StepOutcome::Done(plan.next.to));
            }
        }
    }

    async fn apply_plan(&self, plan: &StepPlan<'_>, note: &str) -> Result<bool> {
        let StepPlan { order, from, next, .. } = plan;
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        let moved = tx
            .query(
                "update orders set status = $3, release_at = case when status = $4 then null else release_at end
                 where id = $1 and status = $2",
            )
            .bind(&order.id)
            .bind(*from)
            .bind(next.to)
            .bind(OrderStatus::AwaitingPayment)
            .execute()
            .await?;
        if moved == 0 {
            return Ok(false);
        }
        let mut change = plan.change(now);
        for subscriber in self.subscribers {
            subscriber(self, &mut tx, &mut change).await?;
        }
        let OrderChange { refund: back, tags, .. } = change;
        if !update_return(&mut tx, plan, now, back).await? {
            return Ok(false);
        }
        let note = match next.refund {
            Some(_) => refund_note(note, back, self.sender.language(order)),
            None => note.to_owned(),
        };
        add_event(&mut tx, &order.id, next.to, now, &note);
        if next.notify_customer {
            let (customer, email) = (&order.customer, &order.email);
            let verified = customers::is_email_verified(&mut tx, customer, email).await?;
            let (from, status) = (Some(*from), next.to);
            let is_paid = payments::is_paid(&mut tx, &order.id).await?;
            let cancelled_in_hours = None;
            let update =
                OrderUpdate { from, status, back, verified, is_paid, cancelled_in_hours, note };
            self.notify_customer(&mut tx, order, &update, &plan.returned()).await?;
            if next.to == OrderStatus::Placed {
                self.notify_shop(&mut tx, order, PAID)?;
            }
        }
        self.issue_documents(&mut tx, plan, now).await?;
        if !tags.is_empty() {
            revisions::bump(&mut tx, tags).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Enqueues the e-mail about an order's new status or, where there is no address, the text message.
    async fn notify_customer(
        &self,
        tx: &mut Tx,
        order: &Order,
        update: &OrderUpdate,
        returned: &[OrderLine],
    ) -> Result<()> {
        let (sender, clock, random) = (&self.sender, &self.clock, &self.random);
        if let Some(email) = sender.status_email(order, update, returned) {
            return email::enqueue(tx, clock, random, &email);
        }
        let Some(text) = sender.status_text(order, update) else { return Ok(()) };
        // Nobody of the shop may have seen an order that was never confirmed.
        let is_unseen = update
            .from
            .is_none_or(|from| matches!(from, OrderStatus::Placed | OrderStatus::AwaitingPayment));
        match &sender.sms_limits {
            Some(limits)
                if is_unseen && !limits.allow_notice(tx, clock.now(), &text.to).await? =>
            {
                Ok(())
            }
            _ => sms::enqueue_notice(tx, clock, random, &text),
        }
    }

    /// Inserts a new order and enqueues its e-mails. When its random number is taken, the statement that
    /// sends the insert fails.
    pub(crate) async fn insert(
        &self,
        tx: &mut Tx,
        order: &Order,
        terms: &PlacementTerms,
    ) -> Result<()> {
        let PlacementTerms { verified, status, release_at } = *terms;
        let Verified { email: verified, phone } = verified;
        insert_order(tx, order, (status, release_at));
        insert_lines(tx, order);
        insert_adjustments(tx, order);
        insert_taxes(tx, order);
        insert_gift_cards(tx, order);
        insert_line_translations(tx, order);
        insert_first_event(tx, order, status);
        if status == OrderStatus::AwaitingPayment {
            // Nobody is told before it is paid.
            return Ok(());
        }
        let cancelled_in_hours = release_at.map(|at| at.since(order.created_at).as_secs() / 3600);
        let back = RefundSplit::none(order.currency);
        let note = String::new();
        let is_paid = false;
        let update =
            OrderUpdate { from: None, status, back, verified, is_paid, cancelled_in_hours, note };
        let shown = self.with_translated_names(tx, order).await?;
        self.notify_customer(tx, &shown, &update, &[]).await?;
        let proof = match (order.is_guest(), phone) {
            (true, false) => "guest",
            (true, true) => "provenGuest",
            (false, _) if verified => "email",
            (false, _) => "none",
        };
        self.notify_shop(tx, order, proof)
    }
}

/// An empty name is not translated.
fn translate_line(line: &mut OrderLine, name: &str, options: &OptionTexts) {
    if !name.is_empty() {
        name.clone_into(&mut line.name);
    }
    options.translate_chosen(&mut line.options.0);
}

/// Inserts a return or updates the open one, if the step does; false after a concurrent change.
async fn update_return(
    tx: &mut Tx,
    plan: &StepPlan<'_>,
    now: Timestamp,
    back: RefundSplit,
) -> Result<bool> {
    let id = &plan.order.id;
    match (plan.next.return_state, plan.open) {
        (None, _) => Ok(true),
        (Some(to), Some(open)) => {
            let settled = ReturnUpdate { to, worth: plan.worth, back };
            return_store::update(tx, id, open, now, &settled).await
        }
        (Some(_), None) => return_store::insert(tx, id, plan.new_place, now, &plan.lines).await,
    }
}

fn insert_order(
    tx: &mut Tx,
    order: &Order,
    (status, release_at): (OrderStatus, Option<Timestamp>),
) {
    let base = &order.base;
    tx.defer(
        statement(
            "insert into orders (id, number, customer, email, name, phone, address, currency, exchange_rate,
               sub_total, shipping, vat, total, credit, created_at, status, release_at, language,
               base_currency, base_sub_total, base_shipping, base_vat, base_total, base_credit, discount, base_discount,
               postal_address, delivery, gift_cards, base_gift_cards, payment_fee, base_payment_fee, has_taxes,
               tax_number)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
               $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34)",
        )
        .bind(&order.id)
        .bind(&order.number)
        .bind(order.customer.as_str())
        .bind(order.email.as_str())
        .bind(order.name.as_str())
        .bind(order.phone.as_str())
        .bind(order.address.as_str())
        .bind(order.currency)
        .bind(base.rate)
        .bind(order.sub_total)
        .bind(order.shipping)
        .bind(order.vat)
        .bind(order.total)
        .bind(order.credit)
        .bind(order.created_at)
        .bind(status)
        .bind(release_at)
        .bind(order.language)
        .bind(base.currency)
        .bind(base.sub_total)
        .bind(base.shipping)
        .bind(base.vat)
        .bind(base.total)
        .bind(base.credit)
        .bind(order.discount)
        .bind(base.discount)
        .bind(order.postal_address.as_ref().map_or(SqlValue::Text(None), SqlValue::from))
        .bind(order.delivery.as_ref().map_or(SqlValue::Text(None), SqlValue::from))
        .bind(order.gift_card_sum())
        .bind(base.gift_cards)
        .bind(order.payment_fee)
        .bind(base.payment_fee)
        .bind(!order.taxes.is_empty())
        .bind(order.tax_number.as_str()),
    );
}

fn insert_gift_cards(tx: &mut Tx, order: &Order) {
    for (place, OrderGiftCard { card, last_four, amount, base_amount }) in
        order.gift_cards.iter().enumerate()
    {
        tx.defer(
            statement(
                "insert into order_gift_cards (order_id, place, card, last_four, amount, base_amount)
                 values ($1, $2, $3, $4, $5, $6)",
            )
            .bind(&order.id)
            .bind(place as i64)
            .bind(card)
            .bind(last_four.as_str())
            .bind(*amount)
            .bind(*base_amount),
        );
    }
}

fn insert_adjustments(tx: &mut Tx, order: &Order) {
    const COLUMNS: usize = 8;
    const ROWS: usize = 500;
    let row = |(place, one): (usize, &Adjustment)| -> [SqlValue; COLUMNS] {
        [
            (&order.id).into(),
            (place as i64).into(),
            one.kind.into(),
            one.label.as_str().into(),
            one.amount.into(),
            one.line.as_ref().map(|line| line.to_string()).into(),
            one.promotion.as_ref().map_or("", PromotionId::as_str).into(),
            one.code.as_ref().map_or("", PromotionCode::as_str).into(),
        ]
    };
    let rows: Vec<[SqlValue; COLUMNS]> = order.adjustments.iter().enumerate().map(row).collect();
    for rows in rows.chunks(ROWS) {
        let sql = format!(
            "insert into order_adjustments (order_id, place, kind, label, amount, variant, promotion, code)
             values {}",
            value_rows(rows.len(), COLUMNS)
        );
        tx.defer(statement(sql).bind_all(rows.iter().flatten().cloned()));
    }
}

fn insert_taxes(tx: &mut Tx, order: &Order) {
    const COLUMNS: usize = 9;
    const ROWS: usize = 500;
    let row = |(place, tax): (usize, &TaxLine)| -> [SqlValue; COLUMNS] {
        [
            (&order.id).into(),
            (place as i64).into(),
            tax.label.as_str().into(),
            tax.percent.thousandths().into(),
            tax.line.as_ref().map(|line| line.to_string()).into(),
            tax.net.into(),
            tax.amount.into(),
            tax.included.into(),
            tax.relief.map_or("", TaxRelief::as_str).into(),
        ]
    };
    let rows: Vec<[SqlValue; COLUMNS]> = order.taxes.iter().enumerate().map(row).collect();
    for rows in rows.chunks(ROWS) {
        let sql = format!(
            "insert into order_taxes (order_id, place, label, percent, variant, net, amount, included, relief)
             values {}",
            value_rows(rows.len(), COLUMNS)
        );
        tx.defer(statement(sql).bind_all(rows.iter().flatten().cloned()));
    }
}

fn insert_lines(tx: &mut Tx, order: &Order) {
    const COLUMNS: usize = 12;
    let values = order.lines.iter().enumerate().flat_map(|(place, line)| -> [SqlValue; COLUMNS] {
        [
            (&order.id).into(),
            (place as i64).into(),
            (&line.variant).into(),
            (&line.product).into(),
            (&line.options).into(),
            line.name.as_str().into(),
            line.sku.as_str().into(),
            line.picture.as_str().into(),
            line.price.into(),
            line.quantity.into(),
            line.total.into(),
            line.base_total.into(),
        ]
    });
    let sql = format!(
        "insert into order_lines
           (order_id, place, variant, product, options, name, sku, picture, price, quantity, total, base_total)
         values {}",
        value_rows(order.lines.len(), COLUMNS)
    );
    tx.defer(statement(sql).bind_all(values));
}

/// Stores the lines' texts in other languages, as they are now.
fn insert_line_translations(tx: &mut Tx, order: &Order) {
    let variants = order.lines.iter().map(|line| SqlValue::from(&line.variant));
    let sql = format!(
        "insert into order_line_translations
           (order_id, variant, language, name, option_names, option_values)
         select $1, variants.id, language, name, option_names, option_values
         from product_translations join variants on variants.product = product_translations.product
         where (name <> '' or option_values <> '{{}}') and {}",
        in_list("variants.id", 2, order.lines.len())
    );
    tx.defer(statement(sql).bind(&order.id).bind_all(variants));
}

fn insert_first_event(tx: &mut Tx, order: &Order, status: OrderStatus) {
    tx.defer(
        statement("insert into order_events (order_id, place, status, at, note) values ($1, 0, $2, $3, '')")
            .bind(&order.id)
            .bind(status)
            .bind(order.created_at),
    );
}

/// The history note about a refund's amounts.
fn refund_note(note: &str, back: RefundSplit, language: Language) -> String {
    let part = |key, amount: Money| {
        let shown = format::money(language, amount);
        amount.is_positive().then(|| Messages::text(language, key, &[("amount", &shown)]))
    };
    let gift_cards = part("server.refundedToGiftCard", back.gift_cards);
    let credit = part("server.refundedAsCredit", back.credit);
    let paid = part("server.refundedPaid", back.paid);
    let text = (!note.is_empty()).then(|| note.to_owned());
    [gift_cards, credit, paid, text].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn add_event(tx: &mut Tx, id: &OrderId, status: OrderStatus, at: Timestamp, note: &str) {
    tx.defer(
        statement(
            "insert into order_events (order_id, place, status, at, note)
             select $1, count(*), $2, $3, $4 from order_events where order_id = $1",
        )
        .bind(id)
        .bind(status)
        .bind(at)
        .bind(note),
    );
}
