//! Invoices as data: every text and amount that is printed. The account page and the PDF both render
//! it, the page in the visitor's language and the PDF in that of the order.

use messages::{Messages, format};
use platform::{Language, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::invoice_taxes::{DocumentTaxes, InvoiceTax};
use super::issued::IssueTerms;
use super::mushak::{MushakForm, MushakWriter};
use super::tax_rows::tax_rows;
use super::{
    DocumentKind, IssuedDocument, Order, OrderDetails, OrderLine, OrderReturn, OrderStatus,
    ReturnState, TaxRows, return_taxes,
};
use crate::payments::{PaymentProvider, PaymentState};
use crate::pricing::TaxLine;
use crate::settings::ShopProfile;
use crate::string_enum::string_enum;

string_enum! {
    /// What invoices look like.
    #[derive(Default)]
    pub enum InvoiceForm {
        #[default]
        Standard = "standard",
        /// The form of the National Board of Revenue of Bangladesh.
        Mushak = "mushak-6.3",
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    /// Of the texts.
    #[serde(skip)]
    pub language: Language,
    pub billed_to: BilledTo,
    /// The invoice, and a credit note for each refund.
    pub documents: Vec<InvoiceDocument>,
}

/// The shop: of an issued document as of its issue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Seller {
    pub name: String,
    pub address: String,
    pub email: String,
    pub phone: String,
    /// May be empty.
    pub tax_number: String,
}

impl From<&ShopProfile> for Seller {
    fn from(shop: &ShopProfile) -> Self {
        Self {
            name: shop.shop_name.clone(),
            address: shop.address.clone(),
            email: shop.email.clone(),
            phone: shop.phone.clone(),
            tax_number: shop.tax_number.clone(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BilledTo {
    pub name: String,
    pub address: String,
    pub phone: String,
    pub email: String,
    /// That of a customer who is exempt from taxes; may be empty.
    pub tax_number: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceDocument {
    pub title: String,
    /// That of the order until the invoice is issued.
    pub number: String,
    pub seller: Seller,
    /// Why nothing is to be paid; null unless the order is cancelled.
    #[schema(required)]
    pub cancelled: Option<String>,
    pub facts: Vec<InvoiceFact>,
    pub items: Vec<InvoiceItem>,
    pub sums: Vec<InvoiceSum>,
    /// By rate; none in a shop without rates.
    pub taxes: Vec<InvoiceTax>,
    /// Why no tax is charged, and the tax in the base currency.
    pub notes: Vec<String>,
    /// The same as the form of Bangladesh; null for the standard form.
    #[schema(required)]
    pub mushak: Option<MushakForm>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InvoiceFact {
    pub name: String,
    pub value: String,
}

/// A line; amounts are in the order's currency.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceItem {
    pub name: String,
    /// The values of the chosen options: `Chalk, M`; empty where there are none.
    pub options: String,
    pub sku: String,
    pub quantity: i64,
    /// The rates of its taxes: `15%`; empty where there are none.
    pub tax_rate: String,
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
        let Order { name, email, phone, address, tax_number, .. } = &self.order;
        Invoice {
            language,
            billed_to: BilledTo {
                name: name.clone(),
                address: address.clone(),
                phone: phone.clone(),
                email: email.clone(),
                tax_number: tax_number.clone(),
            },
            documents: InvoiceWriter { details: self, shop, language }.documents(),
        }
    }
}

/// Writes the documents of an order in a language.
struct InvoiceWriter<'o> {
    details: &'o OrderDetails,
    /// The seller of documents that are not issued, or were by an earlier version.
    shop: &'o ShopProfile,
    language: Language,
}

impl InvoiceWriter<'_> {
    fn documents(&self) -> Vec<InvoiceDocument> {
        let returns = &self.details.returns;
        let refunded = returns.iter().filter(|one| one.state == ReturnState::Refunded);
        let notes = refunded.enumerate().map(|(count, one)| self.credit_note(count + 1, one));
        std::iter::once(self.invoice_document()).chain(notes).collect()
    }

    fn issued(&self, kind: DocumentKind, return_place: i64) -> Option<&IssuedDocument> {
        let of_it = |one: &&IssuedDocument| one.kind == kind && one.return_place == return_place;
        self.details.invoices.iter().find(of_it)
    }

    fn seller(&self, issued: Option<&IssuedDocument>) -> Seller {
        let terms = issued.and_then(|issued| issued.terms.as_ref());
        let then = terms.and_then(|terms| terms.seller(self.language));
        then.cloned().unwrap_or_else(|| self.shop.into())
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
        let returned_taxes = return_taxes(&self.details.order, &self.details.returns, back);
        let taxes = self.taxes(&returned_taxes, back.vat);
        let items: Vec<InvoiceItem> = returned
            .into_iter()
            .map(|(line, units, total)| self.item(line, units, total, &taxes))
            .collect();
        let given = back.given_back();
        let adjusted = given - back.goods - back.vat;
        let mut sums = vec![self.sum("server.subTotal", sub_total)];
        // What these units were reduced by when they were bought.
        if sub_total != back.goods && self.details.order.discount.is_positive() {
            sums.push(self.sum("server.discount", back.goods - sub_total));
        }
        let TaxRows { added, included } = tax_rows(&returned_taxes, back.vat, self.language);
        sums.extend(added.into_iter().map(|(name, amount)| self.row(name, amount)));
        if !adjusted.is_zero() {
            sums.push(self.sum("pdf.adjustment", adjusted));
        }
        sums.push(InvoiceSum { total: true, ..self.sum("pdf.givenBack", given) });
        sums.extend(included.into_iter().map(|(name, amount)| self.row(name, amount)));
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
        let issued = self.issued(DocumentKind::CreditNote, back.place);
        // An earlier version that still runs beside this one numbers by orders.
        let credit_note =
            issued.map_or_else(|| format!("CN-{number}-{count}"), |issued| issued.number.clone());
        let at = issued
            .map_or(back.settled_at.unwrap_or(back.requested_at), |issued| issued.local_time());
        let mut facts = vec![
            self.fact("pdf.creditNoteNumber", credit_note.clone()),
            self.fact("pdf.date", self.date(at)),
        ];
        if let Some(invoice) = self.issued(DocumentKind::Invoice, 0) {
            facts.push(self.fact("pdf.invoiceNumber", invoice.number.clone()));
            facts.push(self.fact("pdf.invoiceDate", self.date(invoice.local_time())));
        }
        facts.push(self.fact("pdf.orderNumber", number.to_string()));
        InvoiceDocument {
            title: self.text("pdf.creditNote"),
            number: credit_note,
            seller: self.seller(issued),
            cancelled: None,
            facts,
            items,
            sums,
            taxes: taxes.table(|amount| self.amount(amount)),
            notes: taxes.notes(),
            mushak: self.mushak(issued, &taxes, |writer, issued, terms| {
                let invoice = self.issued(DocumentKind::Invoice, 0);
                writer.credit_note(issued, terms, invoice, (&self.details.returns, back))
            }),
        }
    }

    fn invoice_document(&self) -> InvoiceDocument {
        let OrderDetails { order, payment, .. } = self.details;
        let Order { number, created_at, lines, .. } = order;
        let issued = self.issued(DocumentKind::Invoice, 0);
        let ordered = self.date(*created_at);
        let mut facts = Vec::new();
        if let Some(issued) = issued {
            facts.push(self.fact("pdf.invoiceNumber", issued.number.clone()));
            facts.push(self.fact("pdf.date", self.date(issued.local_time())));
        }
        facts.push(self.fact("pdf.orderNumber", number.to_string()));
        let date = if issued.is_some() { "pdf.orderDate" } else { "pdf.date" };
        facts.push(self.fact(date, ordered));
        facts.push(self.fact("pdf.paymentMethod", self.payment_method(payment.provider)));
        facts.push(self.fact("pdf.payment", self.text(payment_state(payment.state))));
        let title = if issued.is_some() { "pdf.invoice" } else { "pdf.proForma" };
        let taxes = self.taxes(&order.taxes, order.vat);
        let item = |line: &OrderLine| self.item(line, line.quantity, line.total, &taxes);
        InvoiceDocument {
            title: self.text(title),
            number: issued.map_or_else(|| number.to_string(), |issued| issued.number.clone()),
            seller: self.seller(issued),
            cancelled: self.why_cancelled(),
            facts,
            items: lines.iter().map(item).collect(),
            sums: self.sums(),
            taxes: taxes.table(|amount| self.amount(amount)),
            notes: taxes.notes(),
            mushak: self
                .mushak(issued, &taxes, |writer, issued, terms| writer.invoice(issued, terms)),
        }
    }

    fn taxes<'t>(&'t self, taxes: &'t [TaxLine], flat: Money) -> DocumentTaxes<'t> {
        DocumentTaxes { order: &self.details.order, taxes, flat, language: self.language }
    }

    /// The document in the form of Bangladesh, if it was issued in that form.
    fn mushak(
        &self,
        issued: Option<&IssuedDocument>,
        taxes: &DocumentTaxes<'_>,
        write: impl FnOnce(&MushakWriter<'_>, &IssuedDocument, &IssueTerms) -> MushakForm,
    ) -> Option<MushakForm> {
        let (issued, terms) = issued.and_then(|issued| Some((issued, issued.terms.as_ref()?)))?;
        let order = &self.details.order;
        let delivery = order.shipping_label(self.language);
        let writer = MushakWriter { order, delivery, notes: taxes.notes() };
        (terms.form == InvoiceForm::Mushak).then(|| write(&writer, issued, terms))
    }

    fn payment_method(&self, provider: PaymentProvider) -> String {
        match provider {
            PaymentProvider::CashOnDelivery => self.text("server.cashOnDelivery"),
            PaymentProvider::Card => self.text("pdf.card"),
            PaymentProvider::StoreCredit => self.text("server.storeCredit"),
            PaymentProvider::GiftCard => self.text("server.giftCard"),
            // Names of companies.
            PaymentProvider::Paypal
            | PaymentProvider::GooglePay
            | PaymentProvider::Bkash
            | PaymentProvider::Sslcommerz => provider.title().to_owned(),
        }
    }

    fn why_cancelled(&self) -> Option<String> {
        let mut history = self.details.history.iter();
        let event = history.find(|event| event.status == OrderStatus::Cancelled)?;
        let date = self.date(event.at);
        Some(Messages::text(self.language, "pdf.cancelled", &[("date", &date)]))
    }

    fn item(
        &self,
        line: &OrderLine,
        quantity: i64,
        amount: Money,
        taxes: &DocumentTaxes<'_>,
    ) -> InvoiceItem {
        InvoiceItem {
            name: line.name.clone(),
            options: line.options.text(),
            sku: line.sku.clone(),
            quantity,
            tax_rate: taxes.rates(&line.variant),
            price: self.amount(line.price),
            amount: self.amount(amount),
        }
    }

    fn sums(&self) -> Vec<InvoiceSum> {
        let Order { sub_total, shipping, payment_fee, total, credit, .. } = self.details.order;
        let discounts = self.details.order.discounts(self.language);
        let row = |(name, amount): (String, Money)| self.row(name, amount);
        let mut sums = vec![self.sum("server.subTotal", sub_total)];
        sums.extend(discounts.into_iter().map(row));
        sums.push(InvoiceSum {
            name: self.details.order.shipping_label(self.language),
            amount: self.amount(shipping),
            total: false,
        });
        if !payment_fee.is_zero() {
            sums.push(self.sum("server.cashOnDelivery", payment_fee));
        }
        let TaxRows { added, included } = self.details.order.tax_rows(self.language);
        sums.extend(added.into_iter().map(row));
        sums.push(InvoiceSum { total: true, ..self.sum("pdf.invoiceTotal", total) });
        sums.extend(included.into_iter().map(row));
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

    fn row(&self, name: String, amount: Money) -> InvoiceSum {
        InvoiceSum { name, amount: self.amount(amount), total: false }
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
        PaymentState::Captured | PaymentState::PartlyRefunded => "pdf.paid",
        PaymentState::Refunded => "pdf.paidBack",
        PaymentState::Voided => "pdf.nothingToPay",
        PaymentState::Pending
        | PaymentState::Processing
        | PaymentState::Authorised
        | PaymentState::Failed => "pdf.unpaid",
    }
}
