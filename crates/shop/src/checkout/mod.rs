//! Placing an order: one transaction that takes the stock, prices what it took, and writes the order with
//! all that belongs to it; or nothing at all. Alone writes `placings`.

mod http;

use base::db::{again, is_taken, write};
use base::http::Peer;
use base::revisions::Scope;
use base::{Currency, Error, Id, Money, Result, Timestamp, Tx, revisions};
use serde::Serialize;

use crate::cart;
use crate::catalog::{self, ProductId, Shelved};
use crate::credit::{self, Kind, NewEntry};
use crate::customers::Proof;
use crate::orders::{Book, Number, Order, OrderId, OrderLine, Orders, Placed};
use crate::payments::{self, Charge, Provider};
use crate::quote::{Change, Quote, QuotedLine, Wanted, goods, quote};

pub use http::router;

/// An order that somebody wants to place, with nothing left in it that could be malformed.
pub struct Placing {
    /// The account, and its e-mail address in small letters.
    customer: String,
    email: String,
    /// What their token says is proven of them.
    proof: Proof,
    /// Where it comes from.
    peer: Option<Peer>,
    /// The customer's own name for this attempt.
    key: Option<String>,
    asked: Asked,
}

/// What the same key must stand for when it comes again.
#[derive(Debug, Serialize)]
struct Asked {
    name: String,
    phone: String,
    address: String,
    /// Each product once, with how many of it.
    lines: Vec<(ProductId, i64)>,
    /// What the customer was told that it costs.
    total: Money,
    currency: Currency,
    payment: Provider,
    /// What of the total is to be paid with store credit. Left out of the hash where it is nothing, so
    /// that keys from before there was any still stand for their orders.
    #[serde(skip_serializing_if = "is_nothing")]
    credit: Money,
}

fn is_nothing(amount: &Money) -> bool {
    *amount == Money::ZERO
}

impl Asked {
    fn hash(&self) -> Result<Id<Self>> {
        Ok(Id::named(&serde_json::to_string(self)?))
    }

    fn wanted(&self) -> Vec<Wanted> {
        self.lines.iter().map(|(id, qtn)| Wanted { id: id.clone(), qtn: *qtn }).collect()
    }
}

/// What came of it.
pub enum Outcome {
    Placed(Order),
    /// The key has placed this order before.
    Before(Order),
    /// The key has placed another one.
    KeyReused,
    /// The cart is not what it was; this is what it is now.
    Changed(Changed, Quote),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// A product is not sold any more.
    Gone,
    /// There is less than was asked for.
    Stock,
    /// It costs something else.
    Price,
    /// There is less store credit than was to be spent.
    Credit,
}

/// What one try came to, before anything is looked up for the answer.
enum Try {
    Placed(Box<Order>),
    /// The key is taken.
    Before,
    Short,
    OtherPrice,
    LessCredit,
    /// The customer may not have so much without paying.
    Refused(Error),
    /// The goods changed in the middle of it.
    Stale,
}

/// Goods changing in the middle of it so often in a row means that something is wrong.
const TRIES: usize = 10;

impl Orders {
    pub async fn place(&self, placing: &Placing) -> Result<Outcome> {
        let Book { db, clock, .. } = &self.book;
        let (limits, customer) = (&self.settings.limits, &placing.customer);
        if let Err(why) = limits.count((db, clock), "orders", customer, placing.peer).await {
            return self.before(placing).await?.ok_or(why);
        }
        let ids: Vec<&ProductId> = placing.asked.lines.iter().map(|(id, _)| id).collect();
        let mut remembered = self.shelf.remembered(&ids);
        for _ in 0..TRIES {
            let guessed = remembered.is_some();
            let seen = match remembered.take() {
                Some(seen) => seen,
                None => self.shelf.look(&self.book.db, &ids).await?,
            };
            let refused = match again(|| self.try_to_place(placing, &seen)).await {
                Ok(Try::Placed(order)) => return Ok(Outcome::Placed(*order)),
                // Nobody is refused for a guess.
                Ok(Try::Short | Try::OtherPrice) if guessed => continue,
                Ok(Try::Stale) => continue,
                // By chance a number may be another order's.
                Err(why) if is_taken(&why, "number") => continue,
                refused => refused?,
            };
            // What was placed before stays placed, whatever there is to be had by now.
            if let Some(before) = self.before(placing).await? {
                return Ok(before);
            }
            match refused {
                Try::Short => {
                    let (fresh, unknown) = self.fresh_quote(placing).await?;
                    let changed = if unknown { Changed::Gone } else { Changed::Stock };
                    return Ok(Outcome::Changed(changed, fresh));
                }
                Try::OtherPrice => {
                    let (fresh, _) = self.fresh_quote(placing).await?;
                    return Ok(Outcome::Changed(Changed::Price, fresh));
                }
                Try::LessCredit => {
                    let (fresh, _) = self.fresh_quote(placing).await?;
                    return Ok(Outcome::Changed(Changed::Credit, fresh));
                }
                Try::Refused(why) => return Err(why),
                _ => {}
            }
        }
        Err(Error::Unavailable("an order could not be placed for all its changes".into()))
    }

    /// Writes the order that the goods make as they were `seen`, and takes them with the same breath: what
    /// others want is held for as short as can be. Where the goods that were taken make another order,
    /// nothing has happened.
    ///
    /// The products are locked by the order of their ids and the revisions last, so that no two placings
    /// wait for each other. Two with one key, of which one alone spends store credit, might: then one is
    /// given up, and tried again.
    async fn try_to_place(&self, placing: &Placing, seen: &[Shelved]) -> Result<Try> {
        let Book { db, clock, random, .. } = &self.book;
        let (asked, now) = (&placing.asked, clock.now());
        let bill = self.bill(asked, seen, now);
        if bill.short {
            return Ok(Try::Short);
        }
        if bill.total != asked.total {
            return Ok(Try::OtherPrice);
        }
        let order = self.order(placing, now, bill);

        let mut tx = db.begin().await?;
        let proof = match self.settings.limits.check_unpaid(&mut tx, &order, placing.proof).await {
            Ok(proof) => proof,
            Err(why @ Error::Refused { .. }) => {
                tx.leave().await?;
                return Ok(Try::Refused(why));
            }
            Err(why) => return Err(why),
        };
        self.book.put(&mut tx, &order, &self.placed(&order, proof))?;
        if let Some(key) = &placing.key {
            claim(&mut tx, placing, key, &order.id)?;
        }
        let charge = Charge { number: &order.number, amount: order.to_pay() };
        payments::open(&mut tx, clock, random, &order.id, asked.payment, &charge)?;
        let bought: Vec<&ProductId> = order.lines.iter().map(|line| &line.product).collect();
        cart::take_out(&mut tx, &placing.customer, &bought);
        let refused = match self.take(&mut tx, asked, &order).await {
            Ok(Taken::All(taken, moved)) => {
                let bill = self.bill(asked, &taken, now);
                if bill.lines == order.lines && bill.total == order.total {
                    if !moved.is_empty() {
                        revisions::changed(&mut tx, moved).await?;
                    }
                    tx.commit().await?;
                    return Ok(Try::Placed(Box::new(order)));
                }
                Try::Stale
            }
            Ok(Taken::Short) => Try::Short,
            Ok(Taken::LessCredit) => Try::LessCredit,
            Err(why) if is_taken(&why, "placings") => Try::Before,
            Err(why) => return Err(why),
        };
        tx.leave().await?;
        Ok(refused)
    }

    /// What is known of a new order. Unless it is paid, it waits for a while only for a customer of whom
    /// nothing is proven.
    fn placed(&self, order: &Order, proof: Proof) -> Placed {
        let waits = order.to_pay() > Money::ZERO && !proof.any();
        let wait = self.settings.limits.released_after().filter(|_| waits);
        Placed {
            proven_email: proof.email,
            release_at: wait.map(|wait| order.created_at.plus(wait)),
        }
    }

    /// Takes the store credit and everything else, or says what is not there.
    async fn take(&self, tx: &mut Tx, asked: &Asked, order: &Order) -> Result<Taken> {
        let Book { clock, random, .. } = &self.book;
        if order.credit > Money::ZERO {
            let entry = NewEntry {
                customer: &order.customer,
                kind: Kind::Spent,
                amount: Money::ZERO - order.credit,
                order: Some(&order.id),
                return_place: 0,
                note: "",
            };
            if !credit::enter(tx, clock, random, &entry).await? {
                return Ok(Taken::LessCredit);
            }
        }
        Ok(match catalog::take_stock(tx, &asked.lines).await? {
            Some((goods, moved)) => Taken::All(goods, moved),
            None => Taken::Short,
        })
    }

    /// What `goods` make of the cart.
    fn bill(&self, asked: &Asked, goods: &[Shelved], now: Timestamp) -> Bill {
        let cards = goods.iter().map(|Shelved { card, .. }| (card.id.clone(), card.clone()));
        let cards = cards.collect();
        let sku = |id: &ProductId| {
            let shelved = goods.iter().find(|Shelved { card, .. }| card.id == *id);
            shelved.map_or_else(String::new, |shelved| shelved.sku.clone())
        };
        let Quote { lines, sub_total, shipping, vat, total, .. } =
            quote(&asked.wanted(), &cards, &self.charges, now);
        let short = lines.iter().any(|line| line.change.is_some());
        let line = |line: QuotedLine| OrderLine {
            sku: sku(&line.id),
            product: line.id,
            name: line.name,
            picture: line.img,
            price: line.buy_price,
            quantity: line.qtn,
        };
        Bill {
            lines: lines.into_iter().map(line).collect(),
            sub_total,
            shipping,
            vat,
            total,
            short,
        }
    }

    fn order(&self, placing: &Placing, now: Timestamp, bill: Bill) -> Order {
        let Book { clock, random, .. } = &self.book;
        let Asked { name, phone, address, currency, .. } = &placing.asked;
        Order {
            id: OrderId::new(clock, random),
            number: Number::new(random),
            customer: placing.customer.clone(),
            email: placing.email.clone(),
            name: name.clone(),
            phone: phone.clone(),
            address: address.clone(),
            currency: *currency,
            rate: self.rate,
            sub_total: bill.sub_total,
            shipping: bill.shipping,
            vat: bill.vat,
            total: bill.total,
            credit: placing.asked.credit,
            created_at: now,
            lines: bill.lines,
        }
    }

    /// What the key stands for already.
    async fn before(&self, placing: &Placing) -> Result<Option<Outcome>> {
        let Some(key) = &placing.key else { return Ok(None) };
        let found: Option<(Id<Asked>, OrderId)> = self
            .book
            .db
            .query("select hash, order_id from placings where customer = $1 and key = $2")
            .bind(placing.customer.as_str())
            .bind(key.as_str())
            .optional()
            .await?;
        let Some((hash, order)) = found else { return Ok(None) };
        if hash != placing.asked.hash()? {
            return Ok(Some(Outcome::KeyReused));
        }
        let order = self.book.by_id(&order).await?;
        let order = order.ok_or_else(|| Error::internal("a placing lost its order"))?;
        Ok(Some(Outcome::Before(order)))
    }

    /// What the cart costs now, and whether there is something in it that the shop does not know.
    async fn fresh_quote(&self, placing: &Placing) -> Result<(Quote, bool)> {
        let (wanted, now) = (placing.asked.wanted(), self.book.clock.now());
        let goods = goods(&self.book.db, now, &wanted).await?;
        let unknown = wanted.iter().any(|wanted| !goods.contains_key(&wanted.id));
        Ok((quote(&wanted, &goods, &self.charges, now), unknown))
    }
}

/// An order's lines and amounts.
struct Bill {
    lines: Vec<OrderLine>,
    sub_total: Money,
    shipping: Money,
    vat: Money,
    total: Money,
    /// Whether not everything is to be had.
    short: bool,
}

/// What came of taking all that an order takes.
enum Taken {
    /// The goods, and what pages have to show anew.
    All(Vec<Shelved>, Vec<Scope>),
    Short,
    LessCredit,
}

/// Takes the key for this order. Whoever else holds it is waited for, and when that came to an order, this
/// fails.
fn claim(tx: &mut Tx, placing: &Placing, key: &str, order: &OrderId) -> Result<()> {
    tx.later(
        write("insert into placings (customer, key, hash, order_id) values ($1, $2, $3, $4)")
            .bind(placing.customer.as_str())
            .bind(key)
            .bind(&placing.asked.hash()?)
            .bind(order),
    );
    Ok(())
}

/// Forgets under which keys a customer placed orders.
pub fn forget(tx: &mut Tx, customer: &str) {
    tx.later(write("delete from placings where customer = $1").bind(customer));
}

impl Changed {
    pub fn code(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Stock => "stock",
            Self::Price => "price",
            Self::Credit => "credit",
        }
    }

    /// What the shopper reads.
    fn message(self, quote: &Quote) -> String {
        let short = quote.lines.iter().find(|line| line.change.is_some());
        match (self, short) {
            (Self::Gone, _) => "Something in your cart is not sold any more.".into(),
            (Self::Stock, Some(line)) if line.change == Some(Change::Gone) => {
                format!("{} is sold out.", line.name)
            }
            (Self::Stock, Some(line)) => format!("Only {} of {} are left.", line.stock, line.name),
            (Self::Stock, None) => "Somebody else was faster. Please look at your cart.".into(),
            (Self::Price, _) => "The price has changed. Please look at the new total.".into(),
            (Self::Credit, _) => "You have less store credit than that by now.".into(),
        }
    }
}
