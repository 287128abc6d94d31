//! Invoices as data: every text and amount that is printed. The account page and the PDF both render
//! it, so they cannot differ.

use platform::{Money, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Order, OrderDetails, OrderLine, OrderReturn, OrderStatus, ReturnState};
use crate::payments::PaymentState;
use crate::settings::ShopProfile;

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    pub seller: Seller,
    pub billed_to: BilledTo,
    /// The invoice, and a credit note for each refund.
    pub documents: Vec<InvoiceDocument>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Seller {
    pub name: String,
    pub address: String,
    pub email: String,
    pub phone: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BilledTo {
    pub name: String,
    pub address: String,
    pub phone: String,
    pub email: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceDocument {
    pub title: String,
    pub number: String,
    /// Why nothing is to be paid; null unless the order is cancelled.
    #[schema(required)]
    pub cancelled: Option<String>,
    pub facts: Vec<InvoiceFact>,
    pub items: Vec<InvoiceItem>,
    pub sums: Vec<InvoiceSum>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InvoiceFact {
    pub name: &'static str,
    pub value: String,
}

/// A line; amounts are in the order's currency at its rate.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InvoiceItem {
    pub name: String,
    pub sku: String,
    pub quantity: i64,
    pub price: String,
    pub amount: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InvoiceSum {
    pub name: &'static str,
    pub amount: String,
    /// Whether it is the sum of the amounts above.
    pub total: bool,
}

impl OrderDetails {
    pub fn invoice(&self, shop: &ShopProfile) -> Invoice {
        let Order { name, email, phone, address, .. } = &self.order;
        Invoice {
            seller: Seller {
                name: shop.shop_name.clone(),
                address: shop.address.clone(),
                email: shop.email.clone(),
                phone: shop.phone.clone(),
            },
            billed_to: BilledTo {
                name: name.clone(),
                address: address.clone(),
                phone: phone.clone(),
                email: email.clone(),
            },
            documents: self.documents(),
        }
    }

    fn documents(&self) -> Vec<InvoiceDocument> {
        let refunded = self.returns.iter().filter(|one| one.state == ReturnState::Refunded);
        let notes = refunded.enumerate().map(|(count, one)| self.credit_note(count + 1, one));
        std::iter::once(self.invoice_document()).chain(notes).collect()
    }

    fn credit_note(&self, count: usize, back: &OrderReturn) -> InvoiceDocument {
        let number = &self.order.number;
        let of_line = |line: &OrderLine| {
            let returned = back.lines.iter().find(|one| one.product == line.product)?;
            Some(self.item(line, returned.quantity))
        };
        let given = back.credit + back.paid;
        let adjusted = given - back.goods - back.vat;
        let mut sums = vec![self.sum("Sub Total", back.goods), self.sum("Vat", back.vat)];
        if adjusted != Money::ZERO {
            sums.push(self.sum("Adjustment", adjusted));
        }
        sums.push(InvoiceSum { total: true, ..self.sum("Given back", given) });
        for (name, amount) in [("As store credit", back.credit), ("Paid back", back.paid)] {
            if amount > Money::ZERO {
                sums.push(self.sum(name, amount));
            }
        }
        let credit_note = format!("CN-{number}-{count}");
        InvoiceDocument {
            title: "Credit note".into(),
            number: credit_note.clone(),
            cancelled: None,
            facts: facts([
                ("Credit note number", credit_note),
                ("Invoice number", format!("INV-{number}")),
                ("Date", day(back.settled_at.unwrap_or(back.requested_at))),
            ]),
            items: self.order.lines.iter().filter_map(of_line).collect(),
            sums,
        }
    }

    fn invoice_document(&self) -> InvoiceDocument {
        let Order { number, created_at, lines, .. } = &self.order;
        let invoice = format!("INV-{number}");
        InvoiceDocument {
            title: "Invoice".into(),
            number: invoice.clone(),
            cancelled: self.why_cancelled(),
            facts: facts([
                ("Invoice number", invoice),
                ("Order number", number.to_string()),
                ("Date", day(*created_at)),
                ("Payment method", self.payment.provider.title().to_owned()),
                ("Payment", paid(self.payment.state).to_owned()),
            ]),
            items: lines.iter().map(|line| self.item(line, line.quantity)).collect(),
            sums: self.sums(),
        }
    }

    fn why_cancelled(&self) -> Option<String> {
        let event = self.history.iter().find(|event| event.status == OrderStatus::Cancelled)?;
        Some(format!("Cancelled on {}. Nothing is to be paid.", day(event.at)))
    }

    fn item(&self, line: &OrderLine, quantity: i64) -> InvoiceItem {
        InvoiceItem {
            name: line.name.clone(),
            sku: line.sku.clone(),
            quantity,
            price: self.shown(line.price),
            amount: self.shown(line.price * quantity),
        }
    }

    fn sums(&self) -> Vec<InvoiceSum> {
        let Order { sub_total, shipping, vat, total, credit, .. } = self.order;
        let mut sums = vec![
            self.sum("Sub Total", sub_total),
            self.sum("Shipping", shipping),
            self.sum("Vat", vat),
            InvoiceSum { total: true, ..self.sum("Invoice total", total) },
        ];
        if credit > Money::ZERO {
            let amount = format!("−{}", self.shown(credit));
            sums.push(InvoiceSum { name: "Store credit", amount, total: false });
        }
        let cancelled = self.status == OrderStatus::Cancelled;
        if credit > Money::ZERO || cancelled {
            let to_pay = if cancelled { Money::ZERO } else { self.order.to_pay() };
            sums.push(InvoiceSum { total: true, ..self.sum("To pay", to_pay) });
        }
        sums
    }

    fn sum(&self, name: &'static str, amount: Money) -> InvoiceSum {
        InvoiceSum { name, amount: self.shown(amount), total: false }
    }

    fn shown(&self, amount: Money) -> String {
        let less = if amount < Money::ZERO { "−" } else { "" };
        let amount = if amount < Money::ZERO { Money::ZERO - amount } else { amount };
        format!("{less}{}", self.order.format(amount))
    }
}

fn facts<const N: usize>(facts: [(&'static str, String); N]) -> Vec<InvoiceFact> {
    facts.map(|(name, value)| InvoiceFact { name, value }).into()
}

fn paid(state: PaymentState) -> &'static str {
    match state {
        PaymentState::Captured => "Paid",
        PaymentState::Refunded => "Paid back",
        PaymentState::Voided => "Nothing to pay",
        PaymentState::Pending | PaymentState::Authorised | PaymentState::Failed => "Unpaid",
    }
}

/// The date part of the timestamp.
fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}
