//! Subscribers of order changes: the gift cards, store credit, stock, reviews and payment of an order change in the
//! transaction of its step. Registered here only, so that `orders` calls none of them (decision 021).

use std::collections::BTreeSet;

use platform::{Clock, Db, Money, Random, Result, Tx};

use crate::catalog::ProductId;
use crate::credit::{self, CreditKind, NewEntry};
use crate::orders::{
    InvoiceSettings, Order, OrderChange, OrderEmailSender, OrderStatus, OrderStore,
    OrderSubscriber, PayLinks,
};
use crate::{cart, catalog, gift_cards, payments, promotions, reviews};

/// In the lock order of checkout (decision 012): the step has locked the order; then come the gift cards, the credit
/// account, the promotions, the variants and their products, each in the order of ids, the reviews of those products, and the payment.
/// A gift card that the order bought is newer than those that paid for it, so its id is greater.
const SUBSCRIBERS: &[OrderSubscriber] = &[
    |orders, tx, change| Box::pin(refund_gift_cards(orders, tx, change)),
    |orders, tx, change| Box::pin(void_sold_gift_cards(orders, tx, change)),
    |orders, tx, change| Box::pin(refund_credit(orders, tx, change)),
    |_, tx, change| Box::pin(give_promotions_back(tx, change)),
    |orders, tx, change| Box::pin(restock(orders, tx, change)),
    |_, tx, change| Box::pin(requeue_reviews(tx, change)),
    |orders, tx, change| Box::pin(update_payments(orders, tx, change)),
    |_, tx, change| Box::pin(remove_from_cart(tx, change)),
    |orders, tx, change| Box::pin(issue_sold_gift_cards(orders, tx, change)),
];

/// The store of orders, with all subscribers.
pub fn order_store(
    db: Db,
    clock: Clock,
    random: Random,
    sender: OrderEmailSender,
    invoices: InvoiceSettings,
    pay_links: PayLinks,
) -> OrderStore {
    OrderStore { db, clock, random, sender, invoices, pay_links, subscribers: SUBSCRIBERS }
}

/// Gives the part of gift cards back to them, also after the customer's account is deleted: whoever has the code can spend it.
async fn refund_gift_cards(
    OrderStore { clock, random, .. }: &OrderStore,
    tx: &mut Tx,
    change: &mut OrderChange<'_>,
) -> Result<()> {
    let of_return = (&change.order.id, change.return_place);
    gift_cards::give_back(tx, (clock, random), of_return, change.gift_cards.clone()).await
}

/// Takes back the gift cards that a cancelled order bought, or that are returned. Refused where one was spent.
async fn void_sold_gift_cards(
    OrderStore { clock, random, .. }: &OrderStore,
    tx: &mut Tx,
    change: &mut OrderChange<'_>,
) -> Result<()> {
    let order = &change.order.id;
    if change.to == OrderStatus::Cancelled {
        gift_cards::void_sold(tx, (clock, random), order).await?;
    }
    if !change.received.is_empty() {
        let of_return = (order, change.return_place);
        gift_cards::void_returned(tx, (clock, random), of_return, &change.received).await?;
    }
    Ok(())
}

/// Issues the gift cards that the order bought, once its payment is captured.
async fn issue_sold_gift_cards(
    OrderStore { clock, random, .. }: &OrderStore,
    tx: &mut Tx,
    change: &mut OrderChange<'_>,
) -> Result<()> {
    let order = change.order;
    if change.is_paid && payments::is_paid(tx, &order.id).await? {
        gift_cards::issue_sold(tx, (clock, random), &order.id, order.base.currency).await?;
    }
    Ok(())
}

/// Refunds the store credit part. A deleted account gets nothing.
async fn refund_credit(
    OrderStore { clock, random, .. }: &OrderStore,
    tx: &mut Tx,
    change: &mut OrderChange<'_>,
) -> Result<()> {
    // A very small part of a refund may be worth nothing in the base currency.
    if change.store_credit.is_zero() {
        return Ok(());
    }
    let kind = if change.as_credit { CreditKind::Refund } else { CreditKind::Returned };
    let entry = NewEntry {
        order: Some(&change.order.id),
        return_place: change.return_place,
        ..NewEntry::new(&change.order.customer, kind, change.store_credit)
    };
    if !credit::add_entry(tx, clock, random, &entry).await? {
        change.refund.credit = Money::zero(change.order.currency);
    }
    Ok(())
}

/// What a cancelled order used can be used again; a returned one has had it.
async fn give_promotions_back(tx: &mut Tx, change: &mut OrderChange<'_>) -> Result<()> {
    match change.to {
        OrderStatus::Cancelled => promotions::give_back(tx, &change.order.id).await,
        _ => Ok(()),
    }
}

async fn restock(
    OrderStore { clock, random, .. }: &OrderStore,
    tx: &mut Tx,
    change: &mut OrderChange<'_>,
) -> Result<()> {
    for returned in &change.restocked {
        let order = &change.order.id;
        let tags = catalog::return_stock(tx, (clock, random), order, *returned).await?;
        change.tags.extend(tags);
    }
    if !change.restocked.is_empty() {
        catalog::recount_popularity(tx, &products_of(change)).await?;
    }
    Ok(())
}

fn products_of<'c>(change: &OrderChange<'c>) -> BTreeSet<&'c ProductId> {
    change.order.lines.iter().map(|line| &line.product).collect()
}

/// A cancelled order is no purchase; a returned one still is.
async fn requeue_reviews(tx: &mut Tx, change: &mut OrderChange<'_>) -> Result<()> {
    if change.to == OrderStatus::Cancelled {
        for product in products_of(change) {
            // A review is written with its product locked, so that it sees the order or is seen here.
            catalog::lock_product(tx, product).await?;
            let customer = &change.order.customer;
            change.tags.extend(reviews::requeue_unpurchased(tx, customer, product).await?);
        }
    }
    Ok(())
}

async fn update_payments(
    OrderStore { clock, random, .. }: &OrderStore,
    tx: &mut Tx,
    change: &OrderChange<'_>,
) -> Result<()> {
    match change.payment {
        Some(action) => {
            let (order, back) = (&change.order.id, change.refund.paid);
            payments::apply(tx, (clock, random), order, action, back).await
        }
        None => Ok(()),
    }
}

/// What was ordered leaves the cart when the order stands, so that a shopper who does not pay keeps it.
async fn remove_from_cart(tx: &mut Tx, change: &OrderChange<'_>) -> Result<()> {
    let Order { customer, lines, .. } = change.order;
    if change.from == OrderStatus::AwaitingPayment && change.to == OrderStatus::Placed {
        let bought: Vec<_> = lines.iter().map(|line| &line.variant).collect();
        cart::remove_lines(tx, customer, &bought);
    }
    Ok(())
}
