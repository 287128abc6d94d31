//! The tax invoice (Mushak 6.3) and the credit note (Mushak 6.7) of the National Board of Revenue of Bangladesh. Their wording
//! is prescribed, in Bangla, so it is here and not among the translated messages (decision 035).

use messages::format;
use platform::{Currency, Language, Money, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::invoice::InvoiceFact;
use super::issued::{IssueTerms, IssuedDocument};
use super::returns::return_taxes;
use super::{Order, OrderLine, OrderReturn};
use crate::pricing::TaxLine;

const GOVERNMENT: &str = "গণপ্রজাতন্ত্রী বাংলাদেশ সরকার, জাতীয় রাজস্ব বোর্ড";
const INVOICE_COLUMNS: [&str; 11] = [
    "ক্রমিক",
    "পণ্য বা সেবার বর্ণনা (প্রযোজ্য ক্ষেত্রে ব্র্যান্ড নামসহ)",
    "সরবরাহের একক",
    "পরিমাণ",
    "একক মূল্য¹ (টাকায়)",
    "মোট মূল্য¹ (টাকায়)",
    "সম্পূরক শুল্কের হার",
    "সম্পূরক শুল্কের পরিমাণ (টাকায়)",
    "মূল্য সংযোজন করের হার/ সুনির্দিষ্ট কর",
    "মূল্য সংযোজন কর/ সুনির্দিষ্ট কর এর পরিমাণ (টাকায়)",
    "সকল প্রকার শুল্ক ও করসহ মূল্য",
];
const NOTE_COLUMNS: [&str; 11] = [
    "ক্রমিক নং",
    "কর চালানপত্রের নম্বর ও তারিখ",
    "ক্রেডিট নোট ইস্যুর কারণ",
    "চালানপত্রে উল্লিখিত সরবরাহের মূল্য¹",
    "চালানপত্রে উল্লিখিত সরবরাহের পরিমাণ",
    "চালানপত্রে উল্লিখিত সরবরাহের মূল্য সংযোজন করের পরিমাণ",
    "চালানপত্রে উল্লিখিত সরবরাহের সম্পূরক শুল্কের পরিমাণ",
    "হ্রাসকারী সমন্বয়ের সহিত সংশ্লিষ্ট মূল্য¹",
    "হ্রাসকারী সমন্বয়ের সহিত সংশ্লিষ্ট পরিমাণ",
    "হ্রাসকারী সমন্বয়ের সহিত সংশ্লিষ্ট মূল্য সংযোজন করের পরিমাণ",
    "সমন্বয়যোগ্য সম্পূরক শুল্কের পরিমাণ",
];
/// Names of the supplementary duty; other taxes are in the columns of VAT.
const DUTY_NAMES: [&str; 3] = ["sd", "supplementary duty", "সম্পূরক শুল্ক"];

/// A form with its prescribed texts, in Bangla.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MushakForm {
    /// Its number, such as `মূসক-৬.৩`.
    pub number: String,
    pub government: String,
    pub title: String,
    /// The rule that prescribes it.
    pub rule: String,
    pub seller: Vec<InvoiceFact>,
    pub buyer: Vec<InvoiceFact>,
    pub issue: Vec<InvoiceFact>,
    pub columns: Vec<MushakColumn>,
    pub rows: Vec<Vec<String>>,
    /// A cell for each column.
    pub totals: Vec<String>,
    pub signatory: Vec<InvoiceFact>,
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MushakColumn {
    pub name: String,
    /// Whether it has amounts, quantities and rates, or text.
    pub numeric: bool,
}

/// Amounts of a line: `price` is without any tax.
#[derive(Clone, Copy)]
struct Amounts {
    price: Money,
    duty: Money,
    vat: Money,
}

impl Amounts {
    fn none(currency: Currency) -> Self {
        let zero = Money::zero(currency);
        Self { price: zero, duty: zero, vat: zero }
    }

    /// Of what was charged, without the taxes that are added to it.
    fn new<'t>(charged: Money, taxes: impl Iterator<Item = &'t TaxLine>) -> Self {
        let mut amounts = Self { price: charged, ..Self::none(charged.currency()) };
        for tax in taxes {
            if tax.included {
                amounts.price = amounts.price - tax.amount;
            }
            match is_duty(tax) {
                true => amounts.duty = amounts.duty + tax.amount,
                false => amounts.vat = amounts.vat + tax.amount,
            }
        }
        amounts
    }

    fn with_taxes(self) -> Money {
        self.price + self.duty + self.vat
    }

    fn plus(self, other: Self) -> Self {
        Self {
            price: self.price + other.price,
            duty: self.duty + other.duty,
            vat: self.vat + other.vat,
        }
    }
}

fn is_duty(tax: &TaxLine) -> bool {
    let name = tax.label.trim().to_lowercase();
    DUTY_NAMES.contains(&name.as_str())
}

/// Writes the forms of an order.
pub(super) struct MushakWriter<'o> {
    pub order: &'o Order,
    /// What the delivery is called.
    pub delivery: String,
    pub notes: Vec<String>,
}

impl MushakWriter<'_> {
    pub fn invoice(&self, issued: &IssuedDocument, terms: &IssueTerms) -> MushakForm {
        let order = self.order;
        let mut rows = Vec::new();
        let mut sum = Amounts::none(order.currency);
        for line in &order.lines {
            let amounts = Amounts::new(order.paid_for(line), order.taxes_of(line));
            let rates = Rates::of(order.taxes_of(line));
            let row = (line.title(), "টি", line.quantity);
            rows.push(invoice_row(rows.len() + 1, row, amounts, rates));
            sum = sum.plus(amounts);
        }
        let of_delivery = || order.taxes.iter().filter(|tax| tax.line.is_none());
        let reductions = order.adjustments.iter().filter(|one| one.line.is_none());
        let charged = reductions
            .fold(order.shipping + order.payment_fee, |charged, one| charged + one.amount);
        let amounts = Amounts::new(charged, of_delivery());
        if amounts.with_taxes().is_positive() {
            let row = (self.delivery.clone(), "সেবা", 1);
            rows.push(invoice_row(rows.len() + 1, row, amounts, Rates::of(of_delivery())));
            sum = sum.plus(amounts);
        }
        if order.taxes.is_empty() {
            sum.vat = order.vat;
        }
        let mut totals = vec![String::new(); INVOICE_COLUMNS.len()];
        totals[1] = "সর্বমোট".to_owned();
        totals[5] = taka(sum.price);
        totals[7] = taka(sum.duty);
        totals[9] = taka(sum.vat);
        totals[10] = taka(sum.with_taxes());
        let [number, date, time] = self.issue(issued);
        MushakForm {
            number: "মূসক-৬.৩".to_owned(),
            government: GOVERNMENT.to_owned(),
            title: "কর চালানপত্র".to_owned(),
            rule: "[বিধি ৪০ এর উপ-বিধি (১) এর দফা (গ) ও দফা (চ) দ্রষ্টব্য]".to_owned(),
            seller: self.seller(terms, "চালানপত্র ইস্যুর ঠিকানা"),
            buyer: vec![
                fact("ক্রেতার নাম", &order.name),
                fact("ক্রেতার বিআইএন", &order.tax_number),
                fact("ক্রেতার ঠিকানা", &order.address),
                fact("সরবরাহের গন্তব্যস্থল", &self.destination()),
                fact("যানবাহনের প্রকৃতি ও নম্বর", ""),
            ],
            issue: vec![
                fact("চালানপত্র নম্বর", &number),
                fact("ইস্যুর তারিখ", &date),
                fact("ইস্যুর সময়", &time),
            ],
            columns: columns(INVOICE_COLUMNS, |place| place > 2),
            rows,
            totals,
            signatory: signatory(terms),
            notes: self.with_notes("¹ সকল প্রকার কর ব্যতীত মূল্য।"),
        }
    }

    pub fn credit_note(
        &self,
        issued: &IssuedDocument,
        terms: &IssueTerms,
        invoice: Option<&IssuedDocument>,
        (returns, back): (&[OrderReturn], &OrderReturn),
    ) -> MushakForm {
        let order = self.order;
        let taxes = return_taxes(order, returns, back);
        let reference = invoice.map_or_else(String::new, |invoice| {
            let [number, date, _] = self.issue(invoice);
            format!("{number}, {date}")
        });
        let mut rows = Vec::new();
        let mut sum = Amounts::none(order.currency);
        for line in &order.lines {
            let Some(units) = back.lines.iter().find(|one| one.variant == line.variant) else {
                continue;
            };
            let sold = Amounts::new(order.paid_for(line), order.taxes_of(line));
            let of_line = taxes.iter().filter(|tax| tax.line.as_ref() == Some(&line.variant));
            let refunded = order.paid_for_return(line, returns, back);
            let returned = Amounts::new(refunded, of_line);
            rows.push(vec![
                bangla(rows.len() + 1),
                reference.clone(),
                format!("পণ্য ফেরত: {}", line.title()),
                taka(sold.with_taxes()),
                bangla(line.quantity),
                taka(sold.vat),
                taka(sold.duty),
                taka(returned.with_taxes()),
                bangla(units.quantity),
                taka(returned.vat),
                taka(returned.duty),
            ]);
            sum = sum.plus(returned);
        }
        if order.taxes.is_empty() {
            sum.vat = back.vat;
        }
        let mut totals = vec![String::new(); NOTE_COLUMNS.len()];
        totals[2] = "সর্বমোট".to_owned();
        totals[7] = taka(sum.with_taxes());
        totals[9] = taka(sum.vat);
        totals[10] = taka(sum.duty);
        let [number, date, time] = self.issue(issued);
        let mut notes = self.with_notes("¹ পণ্য/সেবার মূসক ও সম্পূরক শুল্কসহ মূল্য।");
        let given = back.given_back();
        if given != sum.with_taxes() {
            notes.push(format!("ফেরত দেওয়া অর্থ (টাকায়): {}", taka(given)));
        }
        MushakForm {
            number: "মূসক-৬.৭".to_owned(),
            government: GOVERNMENT.to_owned(),
            title: "ক্রেডিট নোট".to_owned(),
            rule: "[বিধি ৪০ এর উপ-বিধি (১) এর দফা (ছ) দ্রষ্টব্য]".to_owned(),
            seller: self.seller(terms, "নিবন্ধিত ব্যক্তির ঠিকানা"),
            buyer: vec![
                fact("ক্রেতা/গ্রহীতার নাম", &order.name),
                fact("ক্রেতা/গ্রহীতার বিআইএন", &order.tax_number),
                fact("ঠিকানা", &order.address),
                fact("যানবাহনের প্রকৃতি ও নম্বর", ""),
            ],
            issue: vec![
                fact("ক্রেডিট নোট নম্বর", &number),
                fact("ইস্যুর তারিখ", &date),
                fact("ইস্যুর সময়", &time),
            ],
            columns: columns(NOTE_COLUMNS, |place| place > 2),
            rows,
            totals,
            signatory: signatory(terms),
            notes,
        }
    }

    fn seller(&self, terms: &IssueTerms, address: &str) -> Vec<InvoiceFact> {
        let Some(seller) = terms.seller(bengali()) else { return Vec::new() };
        vec![
            fact("নিবন্ধিত ব্যক্তির নাম", &seller.name),
            fact("নিবন্ধিত ব্যক্তির বিআইএন", &seller.tax_number),
            fact(address, &seller.address),
        ]
    }

    /// Number, date and time.
    fn issue(&self, issued: &IssuedDocument) -> [String; 3] {
        let [date, time] = date_and_time(issued.local_time());
        [issued.number.clone(), date, time]
    }

    fn destination(&self) -> String {
        let delivery = self.order.delivery.as_ref();
        let pickup = delivery.and_then(|delivery| delivery.pickup.as_ref());
        pickup.map_or_else(|| self.order.address.clone(), |pickup| pickup.address.clone())
    }

    fn with_notes(&self, first: &str) -> Vec<String> {
        [first.to_owned()].into_iter().chain(self.notes.iter().cloned()).collect()
    }
}

impl Order {
    /// What was paid for the units of a line that a return refunds: those of all returns add up to what was paid for it.
    fn paid_for_return(
        &self,
        line: &OrderLine,
        returns: &[OrderReturn],
        of: &OrderReturn,
    ) -> Money {
        let units = |upto: i64| -> i64 {
            let refunded = returns.iter().filter(|one| one.is_refunded() && one.place < upto);
            let lines = refunded.flat_map(|one| &one.lines);
            lines.filter(|one| one.variant == line.variant).map(|one| one.quantity).sum()
        };
        let paid = self.paid_for(line);
        let worth = |units: i64| match units == line.quantity {
            true => paid,
            false => self.worth_of_units(line, units),
        };
        worth(units(of.place + 1)) - worth(units(of.place))
    }
}

/// The rates of duty and VAT, as they are printed.
struct Rates {
    duty: String,
    vat: String,
}

impl Rates {
    fn of<'t>(taxes: impl Iterator<Item = &'t TaxLine>) -> Self {
        let (mut duty, mut vat) = (Vec::new(), Vec::new());
        for tax in taxes {
            let rates = if is_duty(tax) { &mut duty } else { &mut vat };
            let rate = format!("{}%", bangla(tax.percent));
            if !rates.contains(&rate) {
                rates.push(rate);
            }
        }
        Self { duty: duty.join(", "), vat: vat.join(", ") }
    }
}

fn invoice_row(
    place: usize,
    (name, unit, quantity): (String, &str, i64),
    amounts: Amounts,
    rates: Rates,
) -> Vec<String> {
    let Amounts { price, duty, vat } = amounts;
    let each = Money::new(price.minor() / quantity.max(1), price.currency());
    vec![
        bangla(place),
        name,
        unit.to_owned(),
        bangla(quantity),
        taka(each),
        taka(price),
        rates.duty,
        taka(duty),
        rates.vat,
        taka(vat),
        taka(amounts.with_taxes()),
    ]
}

fn columns<const N: usize>(names: [&str; N], numeric: impl Fn(usize) -> bool) -> Vec<MushakColumn> {
    let column = |(place, name): (usize, &str)| MushakColumn {
        name: name.to_owned(),
        numeric: numeric(place),
    };
    names.into_iter().enumerate().map(column).collect()
}

/// `Name, designation`.
fn signatory(terms: &IssueTerms) -> Vec<InvoiceFact> {
    let (name, designation) = terms.signatory.split_once(',').unwrap_or((&terms.signatory, ""));
    vec![
        fact("প্রতিষ্ঠান কর্তৃপক্ষের দায়িত্বপ্রাপ্ত ব্যক্তির নাম", name.trim()),
        fact("পদবি", designation.trim()),
        fact("স্বাক্ষর", ""),
        fact("সিল", ""),
    ]
}

fn fact(name: &str, value: &str) -> InvoiceFact {
    InvoiceFact { name: name.to_owned(), value: value.to_owned() }
}

fn bengali() -> Language {
    "bn".parse().unwrap_or_default()
}

pub(super) fn bangla(value: impl std::fmt::Display) -> String {
    format::digits(bengali(), value)
}

/// The columns say that amounts are in taka; those in another currency say which.
fn taka(amount: Money) -> String {
    let written = format::money(bengali(), amount);
    match amount.currency() == Currency::BDT {
        true => written.replace('৳', ""),
        false => written,
    }
}

/// `২০/১১/২০২৬` and `১৫:০৪`.
fn date_and_time(local: Timestamp) -> [String; 2] {
    let text = local.to_string();
    let part = |range| text.get(range).unwrap_or_default();
    let date = format!("{}/{}/{}", part(8..10), part(5..7), part(0..4));
    [bangla(date), bangla(part(11..16))]
}
