//! Invoices as data: every text and amount that is printed. The account page and the PDF both render
//! it, the page in the visitor's language and the PDF in that of the order.

use messages::{Messages, format};
use platform::{Language, Money, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Order, OrderDetails, OrderLine, OrderReturn, OrderStatus, ReturnState, TaxRows};
use crate::payments::{PaymentProvider, PaymentState};
use crate::settings::ShopProfile;

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    /// Of the texts.
    #[serde(skip)]
    pub language: Language,
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
    pub name: String,
    pub value: String,
}

/// A line; amounts are in the order's currency.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InvoiceItem {
    pub name: String,
    /// The values of the chosen options: `Chalk, M`; empty where there are none.
    pub options: String,
    pub sku: String,
    pub quantity: i64,
    pub price: String,
    pub amount: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InvoiceSum {
    pub name: String,
    pub amount: String,
    /// Whether it is the sum of the amounts above.
    pub total: bool,
}

impl OrderDetails {
    pub fn invoice(&self, shop: &ShopProfile, language: Language) -> Invoice {
        let Order { name, email, phone, address, .. } = &self.order;
        Invoice {
            language,
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
            documents: InvoiceWriter { details: self, language }.documents(),
        }
    }
}

/// Writes the documents of an order in a language.
struct InvoiceWriter<'o> {
    details: &'o OrderDetails,
    language: Language,
}

impl InvoiceWriter<'_> {
    fn documents(&self) -> Vec<InvoiceDocument> {
        let returns = &self.details.returns;
        let refunded = returns.iter().filter(|one| one.state == ReturnState::Refunded);
        let notes = refunded.enumerate().map(|(count, one)| self.credit_note(count + 1, one));
        std::iter::once(self.invoice_document()).chain(notes).collect()
    }

    fn credit_note(&self, count: usize, back: &OrderReturn) -> InvoiceDocument {
        let Order { number, lines, .. } = &self.details.order;
        let mut returned: Vec<(&OrderLine, i64, Money)> = Vec::new();
        for line in lines {
            if let Some(units) = back.lines.iter().find(|one| one.variant == line.variant) {
                let total = line.price.saturating_mul(units.quantity).min(line.total);
                returned.push((line, units.quantity, total));
            }
        }
        let sub_total =
            Money::sum(returned.iter().map(|(.., total)| *total), back.goods.currency());
        let items = returned.into_iter().map(|(line, units, total)| self.item(line, units, total));
        let given = back.given_back();
        let adjusted = given - back.goods - back.vat;
        let mut sums = vec![self.sum("server.subTotal", sub_total)];
        // What these units were reduced by when they were bought.
        if sub_total != back.goods && self.details.order.discount.is_positive() {
            sums.push(self.sum("server.discount", back.goods - sub_total));
        }
        sums.push(self.sum("server.vat", back.vat));
        if !adjusted.is_zero() {
            sums.push(self.sum("pdf.adjustment", adjusted));
        }
        sums.push(InvoiceSum { total: true, ..self.sum("pdf.givenBack", given) });
        let parts = [
            ("pdf.toGiftCard", back.gift_cards),
            ("pdf.asStoreCredit", back.credit),
            ("pdf.paidBack", back.paid),
        ];
        for (key, amount) in parts {
            if amount.is_positive() {
                sums.push(self.sum(key, amount));
            }
        }
        let credit_note = format!("CN-{number}-{count}");
        InvoiceDocument {
            title: self.text("pdf.creditNote"),
            number: credit_note.clone(),
            cancelled: None,
            facts: vec![
                self.fact("pdf.creditNoteNumber", credit_note),
                self.fact("pdf.invoiceNumber", format!("INV-{number}")),
                self.fact("pdf.date", self.date(back.settled_at.unwrap_or(back.requested_at))),
            ],
            items: items.collect(),
            sums,
        }
    }

    fn invoice_document(&self) -> InvoiceDocument {
        let OrderDetails { order, payment, .. } = self.details;
        let Order { number, created_at, lines, .. } = order;
        let invoice = format!("INV-{number}");
        InvoiceDocument {
            title: self.text("pdf.invoice"),
            number: invoice.clone(),
            cancelled: self.why_cancelled(),
            facts: vec![
                self.fact("pdf.invoiceNumber", invoice),
                self.fact("pdf.orderNumber", number.to_string()),
                self.fact("pdf.date", self.date(*created_at)),
                self.fact("pdf.paymentMethod", self.payment_method(payment.provider)),
                self.fact("pdf.payment", self.text(payment_state(payment.state))),
            ],
            items: lines.iter().map(|line| self.item(line, line.quantity, line.total)).collect(),
            sums: self.sums(),
        }
    }

    fn payment_method(&self, provider: PaymentProvider) -> String {
        match provider {
            PaymentProvider::CashOnDelivery => self.text("server.cashOnDelivery"),
            PaymentProvider::Card => self.text("pdf.card"),
            PaymentProvider::StoreCredit => self.text("server.storeCredit"),
            PaymentProvider::GiftCard => self.text("server.giftCard"),
            // Names of companies.
            PaymentProvider::Paypal | PaymentProvider::GooglePay => provider.title().to_owned(),
        }
    }

    fn why_cancelled(&self) -> Option<String> {
        let mut history = self.details.history.iter();
        let event = history.find(|event| event.status == OrderStatus::Cancelled)?;
        let date = self.date(event.at);
        Some(Messages::text(self.language, "pdf.cancelled", &[("date", &date)]))
    }

    fn item(&self, line: &OrderLine, quantity: i64, amount: Money) -> InvoiceItem {
        InvoiceItem {
            name: line.name.clone(),
            options: line.options.text(),
            sku: line.sku.clone(),
            quantity,
            price: self.amount(line.price),
            amount: self.amount(amount),
        }
    }

    fn sums(&self) -> Vec<InvoiceSum> {
        let Order { sub_total, shipping, payment_fee, total, credit, .. } = self.details.order;
        let discounts = self.details.order.discounts(self.language);
        let discount = |(name, amount): (String, Money)| InvoiceSum {
            name,
            amount: self.amount(amount),
            total: false,
        };
        let mut sums = vec![self.sum("server.subTotal", sub_total)];
        sums.extend(discounts.into_iter().map(discount));
        sums.push(InvoiceSum {
            name: self.details.order.shipping_label(self.language),
            amount: self.amount(shipping),
            total: false,
        });
        if !payment_fee.is_zero() {
            sums.push(self.sum("server.cashOnDelivery", payment_fee));
        }
        let TaxRows { added, included } = self.details.order.tax_rows(self.language);
        let tax = |(name, amount): (String, Money)| InvoiceSum {
            name,
            amount: self.amount(amount),
            total: false,
        };
        sums.extend(added.into_iter().map(tax));
        sums.push(InvoiceSum { total: true, ..self.sum("pdf.invoiceTotal", total) });
        sums.extend(included.into_iter().map(tax));
        let gift_card = self.text("server.giftCard");
        sums.extend(self.details.order.gift_cards.iter().map(|card| InvoiceSum {
            name: format!("{gift_card} {}", card.masked()),
            amount: self.amount(-card.amount),
            total: false,
        }));
        if credit.is_positive() {
            sums.push(self.sum("server.storeCredit", -credit));
        }
        let cancelled = self.details.status == OrderStatus::Cancelled;
        if self.details.order.has_tender() || cancelled {
            let to_pay = self.details.order.to_pay();
            let to_pay = if cancelled { Money::zero(to_pay.currency()) } else { to_pay };
            sums.push(InvoiceSum { total: true, ..self.sum("server.toPay", to_pay) });
        }
        sums
    }

    fn sum(&self, key: &str, amount: Money) -> InvoiceSum {
        InvoiceSum { name: self.text(key), amount: self.amount(amount), total: false }
    }

    fn fact(&self, key: &str, value: String) -> InvoiceFact {
        InvoiceFact { name: self.text(key), value }
    }

    fn amount(&self, amount: Money) -> String {
        match amount.is_negative() {
            true => format!("−{}", format::money(self.language, -amount)),
            false => format::money(self.language, amount),
        }
    }

    fn date(&self, at: Timestamp) -> String {
        format::date(self.language, at)
    }

    fn text(&self, key: &str) -> String {
        Messages::text(self.language, key, &[])
    }
}

fn payment_state(state: PaymentState) -> &'static str {
    match state {
        PaymentState::Captured => "pdf.paid",
        PaymentState::Refunded => "pdf.paidBack",
        PaymentState::Voided => "pdf.nothingToPay",
        PaymentState::Pending | PaymentState::Authorised | PaymentState::Failed => "pdf.unpaid",
    }
}
