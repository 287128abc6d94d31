//! Placing an order: one transaction that takes the stock, prices what it took, and writes the order with
//! all that belongs to it; or nothing at all. Alone writes `placings`.

mod http;

use std::collections::HashMap;

use base::db::again;
use base::revisions::Scope;
use base::{Currency, Id, Money, Result, Tx, revisions};
use serde::Serialize;

use crate::cart;
use crate::catalog::{self, ProductCard, ProductId};
use crate::orders::{Book, Number, Order, OrderId, OrderLine, Orders};
use crate::payments::{self, Charge, Provider};
use crate::quote::{Change, Quote, Wanted, goods, quote};

pub use http::router;

/// An order that somebody wants to place, with nothing left in it that could be malformed.
pub struct Placing {
    /// The account, and its e-mail address in small letters.
    customer: String,
    email: String,
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
}

/// What one try came to, before anything is looked up for the answer.
enum Try {
    Placed(Box<Order>),
    Before(OrderId),
    KeyReused,
    Short,
    OtherPrice,
}

impl Orders {
    pub async fn place(&self, placing: &Placing) -> Result<Outcome> {
        Ok(match again(|| self.try_to_place(placing)).await? {
            Try::Placed(order) => Outcome::Placed(*order),
            Try::KeyReused => Outcome::KeyReused,
            Try::Before(id) => {
                let order = self.book.by_id(&id).await?;
                Outcome::Before(
                    order.ok_or_else(|| base::Error::internal("a placing lost its order"))?,
                )
            }
            Try::Short => {
                let (fresh, unknown) = self.fresh_quote(placing).await?;
                let changed = if unknown { Changed::Gone } else { Changed::Stock };
                Outcome::Changed(changed, fresh)
            }
            Try::OtherPrice => Outcome::Changed(Changed::Price, self.fresh_quote(placing).await?.0),
        })
    }

    /// The locks come in one order, so that no two placings wait for each other: the key, the products
    /// by their ids, the revisions.
    async fn try_to_place(&self, placing: &Placing) -> Result<Try> {
        let Book { db, clock, random, .. } = &self.book;
        let (now, id) = (clock.now(), OrderId::new(clock, random));
        let mut tx = db.begin().await?;
        if let Some(key) = &placing.key
            && let Some(before) = claim(&mut tx, placing, key, &id).await?
        {
            return Ok(before);
        }
        let Some(Basket { goods, skus, moved }) = fill(&mut tx, now, &placing.asked).await? else {
            return Ok(Try::Short);
        };
        let bill = quote(&placing.asked.wanted(), &goods, &self.charges, now);
        if bill.total != placing.asked.total {
            return Ok(Try::OtherPrice);
        }
        let mut order = self.order(placing, id, bill, skus);
        self.book.put(&mut tx, &mut order).await?;
        let charge = Charge { number: &order.number, amount: order.total };
        payments::open(&mut tx, clock, random, &order.id, placing.asked.payment, &charge).await?;
        let bought: Vec<&ProductId> = order.lines.iter().map(|line| &line.product).collect();
        cart::take_out(&mut tx, &placing.customer, &bought).await?;
        if !moved.is_empty() {
            revisions::changed(&mut tx, moved).await?;
        }
        tx.commit().await?;
        Ok(Try::Placed(Box::new(order)))
    }

    fn order(
        &self,
        placing: &Placing,
        id: OrderId,
        bill: Quote,
        mut skus: HashMap<ProductId, String>,
    ) -> Order {
        let Asked { name, phone, address, currency, .. } = &placing.asked;
        let lines = bill.lines.into_iter().map(|line| OrderLine {
            sku: skus.remove(&line.id).unwrap_or_default(),
            product: line.id,
            name: line.name,
            picture: line.img,
            price: line.buy_price,
            quantity: line.qtn,
        });
        Order {
            id,
            number: Number::new(&self.book.random),
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
            created_at: self.book.clock.now(),
            lines: lines.collect(),
        }
    }

    /// What the cart costs now, and whether there is something in it that the shop does not know.
    async fn fresh_quote(&self, placing: &Placing) -> Result<(Quote, bool)> {
        let (wanted, now) = (placing.asked.wanted(), self.book.clock.now());
        let goods = goods(&self.book.db, now, &wanted).await?;
        let unknown = wanted.iter().any(|wanted| !goods.contains_key(&wanted.id));
        Ok((quote(&wanted, &goods, &self.charges, now), unknown))
    }
}

/// Takes the key for this order. Whoever else holds it is waited for; when that came to an order, this
/// is nothing but a repetition.
async fn claim(tx: &mut Tx, placing: &Placing, key: &str, order: &OrderId) -> Result<Option<Try>> {
    let hash = placing.asked.hash()?;
    let claimed = tx
        .query(
            "insert into placings (customer, key, hash, order_id) values ($1, $2, $3, $4)
             on conflict (customer, key) do nothing",
        )
        .bind(placing.customer.as_str())
        .bind(key)
        .bind(&hash)
        .bind(order)
        .execute()
        .await?;
    if claimed == 1 {
        return Ok(None);
    }
    let (before, order): (Id<Asked>, OrderId) = tx
        .query("select hash, order_id from placings where customer = $1 and key = $2")
        .bind(placing.customer.as_str())
        .bind(key)
        .one()
        .await?;
    Ok(Some(if before == hash { Try::Before(order) } else { Try::KeyReused }))
}

/// Goods that were taken from the shelf.
struct Basket {
    goods: HashMap<ProductId, ProductCard>,
    skus: HashMap<ProductId, String>,
    moved: Vec<Scope>,
}

/// Takes everything, or says that something is not there.
async fn fill(tx: &mut Tx, now: base::Timestamp, asked: &Asked) -> Result<Option<Basket>> {
    let mut basket = Basket { goods: HashMap::new(), skus: HashMap::new(), moved: Vec::new() };
    let mut lines: Vec<&(ProductId, i64)> = asked.lines.iter().collect();
    lines.sort();
    for (id, quantity) in lines {
        let Some(sold) = catalog::take_stock(tx, now, id, *quantity).await? else {
            return Ok(None);
        };
        basket.goods.insert(id.clone(), sold.card);
        basket.skus.insert(id.clone(), sold.sku);
        basket.moved.extend(sold.moved);
    }
    Ok(Some(basket))
}

impl Changed {
    pub fn code(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Stock => "stock",
            Self::Price => "price",
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
        }
    }
}
