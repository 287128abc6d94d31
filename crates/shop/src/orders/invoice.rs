//! An order's invoice on paper, in the look of the shop: all its words and places are here.

use base::{Money, Timestamp};
use paper::{Face, HEIGHT, Ink, NoPdf, Sheet, Style, WIDTH};

use super::{Order, OrderLine, OrderNow};
use crate::content::Facts;
use crate::payments::PaymentState;

const INK: Ink = Ink(0x1c, 0x1b, 0x19);
const MUTED: Ink = Ink(0x6b, 0x66, 0x5e);
const LINE: Ink = Ink(0xe8, 0xe2, 0xd8);
const BRAND: Ink = Ink(0x0b, 0x5d, 0x46);

const NAME: Style = Style::new(Face::Display, 28.0, BRAND);
const TITLE: Style = Style::new(Face::Display, 28.0, INK);
const TEXT: Style = Style::new(Face::Text, 9.5, INK);
const QUIET: Style = Style::new(Face::Text, 9.5, MUTED);
const SMALL: Style = Style::new(Face::Text, 8.0, MUTED);
const STRONG: Style = Style::new(Face::Strong, 9.5, INK);
const SUM: Style = Style::new(Face::Strong, 13.0, INK);

const LEFT: f32 = 56.0;
const RIGHT: f32 = WIDTH - 56.0;
const BOTTOM: f32 = HEIGHT - 84.0;
const LEADING: f32 = 14.0;
/// Where the columns of amounts end, and how wide a product's name may be.
const QUANTITY: f32 = 350.0;
const PRICE: f32 = 445.0;
const NAME_WIDTH: f32 = 250.0;

impl OrderNow {
    pub fn invoice(&self, shop: &Facts) -> Result<Vec<u8>, NoPdf> {
        let mut pages = Pages::default();
        let Order { number, .. } = &self.order;
        head(&mut pages, shop);
        self.parties(&mut pages);
        self.items(&mut pages);
        self.sums(&mut pages);
        paper::pdf(&format!("Invoice INV-{number}"), &shop.name, &pages.finish(shop))
    }

    /// Who pays, and for what.
    fn parties(&self, pages: &mut Pages) {
        let Order { number, name, email, phone, address, created_at, .. } = &self.order;
        let top = pages.y;
        pages.line(LEFT, "Billed to", SMALL);
        for text in [name, address, phone, email] {
            for line in TEXT.wrap(text, 220.0) {
                pages.line(LEFT, line, if text == name { STRONG } else { TEXT });
            }
        }
        let below = pages.y;
        pages.y = top;
        let paid = match self.payment.state {
            PaymentState::Captured => "Paid",
            PaymentState::Refunded => "Refunded",
            PaymentState::Voided => "Nothing to pay",
            PaymentState::Pending | PaymentState::Authorised | PaymentState::Failed => "Unpaid",
        };
        for (what, says) in [
            ("Invoice", format!("INV-{number}")),
            ("Order", number.to_string()),
            ("Date", day(*created_at)),
            ("Payment", self.payment.provider.title().to_owned()),
            ("State", paid.to_owned()),
        ] {
            pages.put(330.0, what, QUIET);
            pages.put_to(RIGHT, says, TEXT);
            pages.y += LEADING + 2.0;
        }
        pages.y = pages.y.max(below) + 28.0;
    }

    fn items(&self, pages: &mut Pages) {
        columns(pages);
        for OrderLine { name, sku, price, quantity, .. } in &self.order.lines {
            let lines = TEXT.wrap(name, NAME_WIDTH);
            let height = LEADING * (lines.len().max(1) as f32 + 1.0) + 10.0;
            if pages.y + height > BOTTOM {
                pages.turn();
                columns(pages);
            }
            pages.put_to(QUANTITY, quantity.to_string(), TEXT);
            pages.put_to(PRICE, self.shown(*price), TEXT);
            pages.put_to(RIGHT, self.shown(*price * *quantity), TEXT);
            for line in lines {
                pages.line(LEFT, line, TEXT);
            }
            pages.line(LEFT, sku, SMALL);
            pages.rule(LEFT, 0.5, LINE);
            pages.y += 16.0;
        }
    }

    fn sums(&self, pages: &mut Pages) {
        let Order { sub_total, shipping, vat, total, credit, .. } = &self.order;
        if pages.y + 160.0 > BOTTOM {
            pages.turn();
        }
        pages.y += 4.0;
        for (what, amount) in [("Sub Total", sub_total), ("Shipping", shipping), ("Vat", vat)] {
            pages.put(330.0, what, QUIET);
            pages.put_to(RIGHT, self.shown(*amount), TEXT);
            pages.y += LEADING + 3.0;
        }
        pages.rule(330.0, 0.75, INK);
        pages.y += 14.0;
        pages.put(330.0, "Total", SUM);
        pages.put_to(RIGHT, self.shown(*total), SUM);
        if *credit == Money::ZERO {
            return;
        }
        pages.y += LEADING + 10.0;
        pages.put(330.0, "Store credit", QUIET);
        pages.put_to(RIGHT, format!("−{}", self.shown(*credit)), TEXT);
        pages.y += LEADING + 3.0;
        pages.put(330.0, "To pay", STRONG);
        pages.put_to(RIGHT, self.shown(self.order.to_pay()), STRONG);
    }

    fn shown(&self, amount: Money) -> String {
        amount.shown_in(self.order.currency, self.order.rate)
    }
}

/// The sheets so far, and where on the last of them the next line stands.
struct Pages {
    sheets: Vec<Sheet>,
    last: Sheet,
    y: f32,
}

impl Default for Pages {
    fn default() -> Self {
        Self { sheets: Vec::new(), last: Sheet::default(), y: 84.0 }
    }
}

impl Pages {
    fn turn(&mut self) {
        self.sheets.push(std::mem::take(&mut self.last));
        self.y = 72.0;
    }

    fn put(&mut self, x: f32, text: impl Into<String>, style: Style) {
        self.last.text(x, self.y, text, style);
    }

    /// What ends at `x`.
    fn put_to(&mut self, x: f32, text: impl Into<String>, style: Style) {
        self.last.text_to(x, self.y, text, style);
    }

    fn line(&mut self, x: f32, text: impl Into<String>, style: Style) {
        self.put(x, text, style);
        self.y += LEADING;
    }

    /// From `x` to the right edge, just above the next line.
    fn rule(&mut self, x: f32, thick: f32, ink: Ink) {
        self.last.fill(x, self.y - 6.0, RIGHT - x, thick, ink);
    }

    /// Every sheet with its number and with where the shop can be asked.
    fn finish(mut self, shop: &Facts) -> Vec<Sheet> {
        self.turn();
        let count = self.sheets.len();
        for (place, sheet) in self.sheets.iter_mut().enumerate() {
            let y = HEIGHT - 48.0;
            sheet.fill(LEFT, y - 16.0, RIGHT - LEFT, 0.5, LINE);
            let asked = [shop.name.as_str(), &shop.email, &shop.phone];
            let asked: Vec<&str> = asked.into_iter().filter(|part| !part.is_empty()).collect();
            sheet.text(LEFT, y, asked.join("  ·  "), SMALL);
            sheet.text_to(RIGHT, y, format!("{} of {count}", place + 1), SMALL);
        }
        self.sheets
    }
}

fn head(pages: &mut Pages, shop: &Facts) {
    pages.put(LEFT, shop.name.as_str(), NAME);
    pages.put_to(RIGHT, "Invoice", TITLE);
    pages.y += 22.0;
    for line in QUIET.wrap(&shop.address, 300.0) {
        pages.line(LEFT, line, QUIET);
    }
    pages.y += 32.0;
}

fn columns(pages: &mut Pages) {
    pages.put(LEFT, "Item", SMALL);
    pages.put_to(QUANTITY, "Qty", SMALL);
    pages.put_to(PRICE, "Price", SMALL);
    pages.put_to(RIGHT, "Total", SMALL);
    pages.y += LEADING;
    pages.rule(LEFT, 0.75, LINE);
    pages.y += 12.0;
}

/// As the account lists it: the first ten characters.
fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}
