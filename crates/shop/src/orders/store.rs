//! The orders' SQL. An order is written once, and moved by one guarded update alone.

use std::collections::HashMap;

use base::db::{Query, Value, again, one_of, write};
use base::revisions::{self, Scope};
use base::{Clock, Cursor, Db, Money, Random, Result, Timestamp, Tx, mail};

use super::plan::Plan;
use super::return_store::{self, Settled};
use super::returns::returnable;
use super::{
    Back, News, Number, Order, OrderEvent, OrderId, OrderLine, OrderNow, Restock, Sender, SentBack,
    Settings, Status, Step, return_until, transition,
};
use crate::catalog::{self, ProductId};
use crate::credit::{self, Kind, NewEntry};
use crate::customers;
use crate::payments::{self, PAYMENT};
use crate::reviews;

const ORDER: &str = "id, number, customer, email, name, phone, address, currency, rate, sub_total,
    shipping, vat, total, credit, created_at";

/// The book that orders are written in, and who writes to customers what stands in it.
#[derive(Clone)]
pub struct Book {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub sender: Sender,
}

/// What is known when an order is placed, beside the order itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// Whether the e-mail address is known to be the customer's.
    pub proven_email: bool,
    /// When it is cancelled unless somebody confirms it.
    pub release_at: Option<Timestamp>,
}

/// Which orders a list holds.
#[derive(Clone, Debug, Default)]
pub struct Filter<'f> {
    pub customer: Option<&'f str>,
    pub status: Option<Status>,
    /// The one that this `Idempotency-Key` of its customer has placed.
    pub key: Option<&'f str>,
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    Done(Status),
    /// It cannot be taken from here.
    NotNow(Status),
    NoSuchOrder,
    /// More is to be given back than is left of what was paid, which is this.
    TooMuch(Money),
    /// It is to be returned, and was not bought, or is back already.
    NotReturnable,
    /// It is to be given back as store credit, and its customer has gone.
    NobodysOrder,
}

/// The orders by which a customer ($1) has bought a product ($2): those that arrived, and those that are
/// paid and not called off. To place one is not enough, because that costs nothing where one pays later.
pub(crate) const BOUGHT: &str = "select o.id from orders o join order_lines l on l.order_id = o.id
    left join payments p on p.order_id = o.id
    where o.customer = $1 and l.product = $2
      and (o.status in ('delivered', 'return_requested', 'returned', 'partly_refunded', 'refunded')
        or (o.status <> 'cancelled' and p.state = 'captured'))";

/// Whether this customer has paid for this product or received it.
pub async fn has_bought(db: &Db, customer: &str, product: &ProductId) -> Result<bool> {
    is_bought(db.query(BOUGHT), customer, product).await
}

/// The same in somebody else's transaction. Who holds the product is told the truth: no order with it is
/// called off meanwhile.
pub async fn has_surely_bought(tx: &mut Tx, customer: &str, product: &ProductId) -> Result<bool> {
    is_bought(tx.query(BOUGHT), customer, product).await
}

async fn is_bought(query: Query<'_>, customer: &str, product: &ProductId) -> Result<bool> {
    let found: Option<(OrderId,)> = query.bind(customer).bind(product).optional().await?;
    Ok(found.is_some())
}

#[derive(sqlx::FromRow)]
struct Row {
    #[sqlx(flatten)]
    order: Order,
    #[sqlx(try_from = "String")]
    status: Status,
}

impl Book {
    /// The newest orders that pass `filter`, from `after` on, with where each stands.
    pub async fn list(
        &self,
        filter: &Filter<'_>,
        after: Option<&Cursor<Order>>,
        limit: i64,
    ) -> Result<Vec<(Order, Status)>> {
        let (mut conditions, mut values) = (Vec::new(), Vec::<Value>::new());
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
        if let Some(after) = after {
            values.extend([after.created_at.into(), Value::from(&after.id)]);
            conditions.push(format!(
                "(created_at, id) < (${}, ${})",
                values.len() - 1,
                values.len()
            ));
        }
        let all = if conditions.is_empty() { "1 = 1".to_owned() } else { conditions.join(" and ") };
        let sql = format!(
            "select {ORDER}, status from orders where {all}
             order by created_at desc, id desc limit ${}",
            values.len() + 1
        );
        let rows: Vec<Row> = self.db.query(sql).bind_all(values).bind(limit).all().await?;
        self.with_lines(rows).await
    }

    pub async fn by_number(&self, number: &Number) -> Result<Option<(Order, Status)>> {
        self.one("number", number.into()).await
    }

    pub(crate) async fn by_id(&self, id: &OrderId) -> Result<Option<Order>> {
        Ok(self.one("id", id.into()).await?.map(|(order, _)| order))
    }

    async fn one(&self, column: &'static str, value: Value) -> Result<Option<(Order, Status)>> {
        let sql = format!("select {ORDER}, status from orders where {column} = $1");
        let rows: Vec<Row> = self.db.query(sql).bind_all([value]).all().await?;
        Ok(self.with_lines(rows).await?.pop())
    }

    async fn with_lines(&self, rows: Vec<Row>) -> Result<Vec<(Order, Status)>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        #[derive(sqlx::FromRow)]
        struct Belonging {
            order_id: OrderId,
            #[sqlx(flatten)]
            line: OrderLine,
        }
        let places: Vec<String> = (1..=rows.len()).map(|place| format!("${place}")).collect();
        let sql = format!(
            "select order_id, product, name, sku, picture, price, quantity from order_lines
             where order_id in ({}) order by order_id, place",
            places.join(", ")
        );
        let ids = rows.iter().map(|row| Value::from(&row.order.id));
        let lines: Vec<Belonging> = self.db.query(sql).bind_all(ids).all().await?;
        let mut of: HashMap<OrderId, Vec<OrderLine>> = HashMap::new();
        for Belonging { order_id, line } in lines {
            of.entry(order_id).or_default().push(line);
        }
        let filled = rows.into_iter().map(|Row { mut order, status }| {
            order.lines = of.remove(&order.id).unwrap_or_default();
            (order, status)
        });
        Ok(filled.collect())
    }

    /// What was paid for each of these orders so far, with store credit too, less what was refunded. A
    /// refund as store credit counts like any other: the credit is paid with the order that it is spent on.
    pub(super) async fn spent(&self, orders: &[OrderId]) -> Result<HashMap<OrderId, Money>> {
        let sql = format!(
            "select o.id, cast(case o.status when 'cancelled' then 0 else
                 o.credit + case when p.state in ('captured', 'refunded') then p.amount else 0 end
                 - coalesce((select sum(r.credit + r.paid) from order_returns r
                             where r.order_id = o.id and r.state = 'refunded'), 0)
               end as bigint) as spent
             from orders o join payments p on p.order_id = o.id where {}",
            one_of("o.id", 1, orders.len())
        );
        let rows: Vec<(OrderId, Money)> =
            self.db.query(sql).bind_all(orders.iter().map(Value::from)).all().await?;
        Ok(rows.into_iter().collect())
    }

    /// An order with what has become of it.
    pub async fn now(&self, order: Order, settings: &Settings) -> Result<OrderNow> {
        let history = self.history(&order.id).await?;
        let sql = format!("select {PAYMENT} from payments where order_id = $1");
        let payment = self.db.query(sql).bind(&order.id).one().await?;
        let status = history.last().map_or(Status::Placed, |event| event.status);
        let returns = return_store::of_order(&self.db, &order.id).await?;
        let return_until = return_until(status, &history, settings.window())
            .filter(|until| *until > self.clock.now());
        Ok(OrderNow {
            can_cancel: transition(status, Step::Withdraw, SentBack::default()).is_some(),
            return_until,
            returnable: match return_until {
                Some(_) => returnable(&order, &returns),
                None => Vec::new(),
            },
            returns,
            order,
            status,
            history,
            payment,
        })
    }

    async fn history(&self, id: &OrderId) -> Result<Vec<OrderEvent>> {
        self.db
            .query("select status, at, note from order_events where order_id = $1 order by place")
            .bind(id)
            .all()
            .await
    }

    /// How an order has gone, for whoever knows its number and its e-mail address. The same question is
    /// asked of the database whether there is such an order or not.
    pub(super) async fn tracked(&self, number: &str, email: &str) -> Result<Vec<OrderEvent>> {
        self.db
            .query(
                "select e.status, e.at, e.note from orders o join order_events e on e.order_id = o.id
                 where o.number = $1 and o.email = $2 and o.email <> '' order by e.place",
            )
            .bind(number)
            .bind(email)
            .all()
            .await
    }

    /// Takes a step of an order's life with all that belongs to it, or nothing of it.
    pub async fn take(&self, number: &Number, step: Step<'_>, note: &str) -> Result<Taken> {
        loop {
            let Some((order, from)) = self.by_number(number).await? else {
                return Ok(Taken::NoSuchOrder);
            };
            let returns = return_store::of_order(&self.db, &order.id).await?;
            let plan = match Plan::new(&order, &returns, from, step) {
                Ok(plan) => plan,
                Err(refused) => return Ok(refused),
            };
            // Somebody else may have moved it meanwhile: then it is looked at anew.
            if again(|| self.move_on(&plan, note)).await? {
                return Ok(Taken::Done(plan.next.to));
            }
        }
    }

    async fn move_on(&self, plan: &Plan<'_>, note: &str) -> Result<bool> {
        let Plan { order, from, next, .. } = plan;
        let now = self.clock.now();
        let mut tx = self.db.begin().await?;
        let moved = tx
            .query("update orders set status = $3 where id = $1 and status = $2")
            .bind(&order.id)
            .bind(*from)
            .bind(next.to)
            .execute()
            .await?;
        if moved == 0 {
            return Ok(false);
        }
        let back = self.give_credit(&mut tx, plan).await?;
        if !move_return(&mut tx, plan, now, back).await? {
            return Ok(false);
        }
        let note = match next.refund {
            Some(_) => with_back(note, order, back),
            None => note.to_owned(),
        };
        add_event(&mut tx, &order.id, next.to, now, &note);
        let scopes = restock(&mut tx, plan).await?;
        if let Some(deed) = next.payment {
            payments::settle(&mut tx, now, &order.id, deed, back.paid).await?;
        }
        if next.letter {
            let (customer, email) = (&order.customer, &order.email);
            let proven = customers::is_proven(&mut tx, customer, email).await?;
            let (from, status) = (Some(*from), next.to);
            let news = News { from, status, back, proven, released_in: None };
            self.post_letter(&mut tx, order, &news, &plan.returned())?;
        }
        if !scopes.is_empty() {
            revisions::changed(&mut tx, scopes).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Gives back as store credit what a step gives back so, and says what is given back in all. Before
    /// any goods, as a placing does: an account that has gone takes nothing.
    async fn give_credit(&self, tx: &mut Tx, plan: &Plan<'_>) -> Result<Back> {
        let Plan { order, next, back, .. } = plan;
        if back.credit == Money::ZERO {
            return Ok(*back);
        }
        let as_credit = next.refund.is_some_and(|refund| refund.as_credit);
        let entry = NewEntry {
            customer: &order.customer,
            kind: if as_credit { Kind::Refund } else { Kind::Returned },
            amount: back.credit,
            order: Some(&order.id),
            return_place: plan.open.map_or(0, |open| open.place),
            note: "",
        };
        let given = credit::enter(tx, &self.clock, &self.random, &entry).await?;
        Ok(if given { *back } else { Back { credit: Money::ZERO, ..*back } })
    }

    /// Posts the letter that says where an order stands.
    fn post_letter(
        &self,
        tx: &mut Tx,
        order: &Order,
        news: &News,
        returned: &[OrderLine],
    ) -> Result<()> {
        match self.sender.letter(order, news, returned) {
            Some(letter) => mail::post(tx, &self.clock, &self.random, &letter),
            None => Ok(()),
        }
    }

    /// Writes a new order, and posts its e-mails. By chance its number may be another order's, which is
    /// told when the transaction ends.
    pub(crate) fn put(&self, tx: &mut Tx, order: &Order, placed: &Placed) -> Result<()> {
        let Placed { proven_email: proven, release_at } = *placed;
        put_order(tx, order, release_at);
        put_lines(tx, order);
        begin_history(tx, order);
        let released_in = release_at.map(|at| at.since(order.created_at).as_secs() / 3600);
        let (status, back) = (Status::Placed, Back::default());
        let news = News { from: None, status, back, proven, released_in };
        self.post_letter(tx, order, &news, &[])?;
        self.post_notice(tx, order, proven)
    }
}

/// Begins a return or moves the one that is under way, where the step does; says no where somebody else was
/// faster.
async fn move_return(tx: &mut Tx, plan: &Plan<'_>, now: Timestamp, back: Back) -> Result<bool> {
    let id = &plan.order.id;
    match (plan.next.return_state, plan.open) {
        (None, _) => Ok(true),
        (Some(to), Some(open)) => {
            let settled = Settled { to, worth: plan.worth, back };
            return_store::settle(tx, id, open, now, &settled).await
        }
        (Some(_), None) => return_store::put(tx, id, plan.new_place, now, &plan.lines).await,
    }
}

/// Puts goods back into stock, where the step does, and says what pages have to show anew.
async fn restock(tx: &mut Tx, plan: &Plan<'_>) -> Result<Vec<Scope>> {
    let order = plan.order;
    let mut goods: Vec<(&ProductId, i64)> = match plan.next.restock {
        Restock::None => return Ok(Vec::new()),
        Restock::Order => order.lines.iter().map(|line| (&line.product, line.quantity)).collect(),
        Restock::Return => plan.lines.iter().map(|line| (&line.product, line.quantity)).collect(),
    };
    goods.sort();
    let mut scopes = Vec::new();
    for (product, quantity) in &goods {
        scopes.extend(catalog::return_stock(tx, product, *quantity).await?);
    }
    // Who called an order off has bought nothing; who sent it back has.
    if plan.next.restock == Restock::Order {
        for (product, _) in goods {
            scopes.extend(reviews::not_bought_any_more(tx, &order.customer, product).await?);
        }
    }
    Ok(scopes)
}

fn put_order(tx: &mut Tx, order: &Order, release_at: Option<Timestamp>) {
    tx.later(
        write(
            "insert into orders (id, number, customer, email, name, phone, address, currency, rate,
               sub_total, shipping, vat, total, credit, created_at, status, release_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
        )
        .bind(&order.id)
        .bind(&order.number)
        .bind(order.customer.as_str())
        .bind(order.email.as_str())
        .bind(order.name.as_str())
        .bind(order.phone.as_str())
        .bind(order.address.as_str())
        .bind(order.currency)
        .bind(order.rate)
        .bind(order.sub_total)
        .bind(order.shipping)
        .bind(order.vat)
        .bind(order.total)
        .bind(order.credit)
        .bind(order.created_at)
        .bind(Status::Placed)
        .bind(release_at),
    );
}

fn put_lines(tx: &mut Tx, order: &Order) {
    const COLUMNS: usize = 8;
    let mut values: Vec<Value> = Vec::with_capacity(order.lines.len() * COLUMNS);
    let mut rows = Vec::with_capacity(order.lines.len());
    for (place, line) in order.lines.iter().enumerate() {
        let first = values.len() + 1;
        let places: Vec<String> = (first..first + COLUMNS).map(|n| format!("${n}")).collect();
        rows.push(format!("({})", places.join(", ")));
        values.extend([
            Value::from(&order.id),
            Value::from(place as i64),
            Value::from(&line.product),
            Value::from(line.name.as_str()),
            Value::from(line.sku.as_str()),
            Value::from(line.picture.as_str()),
            Value::from(line.price),
            Value::from(line.quantity),
        ]);
    }
    let sql = format!(
        "insert into order_lines (order_id, place, product, name, sku, picture, price, quantity)
         values {}",
        rows.join(", ")
    );
    tx.later(write(sql).bind_all(values));
}

fn begin_history(tx: &mut Tx, order: &Order) {
    tx.later(
        write("insert into order_events (order_id, place, status, at, note) values ($1, 0, $2, $3, '')")
            .bind(&order.id)
            .bind(Status::Placed)
            .bind(order.created_at),
    );
}

/// The history says how much was given back, and how.
fn with_back(note: &str, order: &Order, Back { credit, paid }: Back) -> String {
    let shown = |amount: Money| amount.shown_in(order.currency, order.rate);
    let credit = (credit > Money::ZERO).then(|| format!("{} as store credit", shown(credit)));
    let paid = (paid > Money::ZERO).then(|| format!("{} paid back", shown(paid)));
    let said = (!note.is_empty()).then(|| note.to_owned());
    [credit, paid, said].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn add_event(tx: &mut Tx, id: &OrderId, status: Status, at: Timestamp, note: &str) {
    tx.later(
        write(
            "insert into order_events (order_id, place, status, at, note)
             select $1, count(*), $2, $3, $4 from order_events where order_id = $1",
        )
        .bind(id)
        .bind(status)
        .bind(at)
        .bind(note),
    );
}
