//! Renders an invoice as PDF: the layout of an A4 page.

use messages::{Messages, format};
use pdf::{Color, Face, HEIGHT, PdfMetadata, PdfPage, Style, WIDTH};
use platform::Language;

use super::invoice::{
    BilledTo, Invoice, InvoiceDocument, InvoiceFact, InvoiceItem, InvoiceSum, Seller,
};

const INK: Color = Color(0x1c, 0x1b, 0x19);
const MUTED: Color = Color(0x6b, 0x66, 0x5e);
const LINE: Color = Color(0xe8, 0xe2, 0xd8);
const BRAND: Color = Color(0x0b, 0x5d, 0x46);
const DANGER: Color = Color(0xb3, 0x26, 0x1e);

const NAME: Style = Style::new(Face::Display, 28.0, BRAND);
const TITLE: Style = Style::new(Face::Display, 28.0, INK);
const TEXT: Style = Style::new(Face::Text, 9.5, INK);
const QUIET: Style = Style::new(Face::Text, 9.5, MUTED);
const SMALL: Style = Style::new(Face::Text, 8.0, MUTED);
const STRONG: Style = Style::new(Face::Strong, 9.5, INK);
const SUM: Style = Style::new(Face::Strong, 13.0, INK);
const MARK: Style = Style::new(Face::Strong, 13.0, DANGER);

const LEFT: f32 = 56.0;
const RIGHT: f32 = WIDTH - 56.0;
const BOTTOM: f32 = HEIGHT - 84.0;
const TOP: f32 = 84.0;
const LEADING: f32 = 14.0;
/// Left edge of the right half: facts at the top, sums at the bottom.
const MIDDLE: f32 = 330.0;
/// Right edges of the number columns, and the width of the name column.
const QUANTITY: f32 = 350.0;
const PRICE: f32 = 445.0;
const NAME_WIDTH: f32 = 250.0;
/// Of the addresses, up to the facts beside them.
const ADDRESS_WIDTH: f32 = MIDDLE - LEFT - 16.0;

impl Invoice {
    pub fn pdf(&self) -> Result<Vec<u8>, pdf::PdfError> {
        let mut pages = PdfPages::new(self.language);
        for (place, document) in self.documents.iter().enumerate() {
            if place > 0 {
                pages.turn();
                pages.y = TOP;
            }
            head(&mut pages, &self.seller, document);
            parties(&mut pages, &self.billed_to, document);
            items(&mut pages, document);
            sums(&mut pages, document);
        }
        let first = self.documents.first();
        let title = first.map_or_else(String::new, |one| format!("{} {}", one.title, one.number));
        let (author, language) = (self.seller.name.as_str(), self.language.as_str());
        pdf::write(&PdfMetadata { title: &title, author, language }, &pages.finish(&self.seller))
    }
}

fn head(pages: &mut PdfPages, seller: &Seller, document: &InvoiceDocument) {
    pages.put(LEFT, seller.name.as_str(), NAME);
    pages.put_to(RIGHT, document.title.as_str(), TITLE);
    pages.y += 22.0;
    for line in QUIET.wrap(&seller.address, 300.0) {
        pages.line(LEFT, line, QUIET);
    }
    pages.y += 32.0;
    if let Some(why) = &document.cancelled {
        pages.line(LEFT, why.as_str(), MARK);
        pages.y += 18.0;
    }
}

fn parties(pages: &mut PdfPages, billed_to: &BilledTo, document: &InvoiceDocument) {
    let BilledTo { name, address, phone, email } = billed_to;
    let top = pages.y;
    pages.line(LEFT, pages.text("pdf.billedTo"), SMALL);
    for (text, style) in [(name, STRONG), (address, TEXT), (phone, TEXT), (email, TEXT)] {
        for line in style.wrap(text, ADDRESS_WIDTH) {
            pages.line(LEFT, line, style);
        }
    }
    let below = pages.y;
    pages.y = top;
    for InvoiceFact { name, value } in &document.facts {
        pages.put(MIDDLE, name.as_str(), QUIET);
        pages.put_to(RIGHT, value.as_str(), TEXT);
        pages.y += LEADING + 2.0;
    }
    pages.y = pages.y.max(below) + 28.0;
}

fn items(pages: &mut PdfPages, document: &InvoiceDocument) {
    columns(pages);
    for InvoiceItem { name, options, sku, quantity, price, amount } in &document.items {
        let lines = TEXT.wrap(name, NAME_WIDTH);
        // One more for the options, which may be long.
        let height = LEADING * (lines.len().max(1) as f32 + 2.0) + 10.0;
        if pages.y + height > BOTTOM {
            pages.turn();
            columns(pages);
        }
        pages.put_to(QUANTITY, format::digits(pages.language, quantity), TEXT);
        pages.put_to(PRICE, price.as_str(), TEXT);
        pages.put_to(RIGHT, amount.as_str(), TEXT);
        for line in lines {
            pages.line(LEFT, line, TEXT);
        }
        let details =
            if options.is_empty() { sku.clone() } else { format!("{options}  ·  {sku}") };
        for line in SMALL.wrap(&details, NAME_WIDTH) {
            pages.line(LEFT, line, SMALL);
        }
        pages.rule(LEFT, 0.5, LINE);
        pages.y += 16.0;
    }
}

fn columns(pages: &mut PdfPages) {
    pages.put(LEFT, pages.text("pdf.item"), SMALL);
    pages.put_to(QUANTITY, pages.text("pdf.quantity"), SMALL);
    pages.put_to(PRICE, pages.text("pdf.price"), SMALL);
    pages.put_to(RIGHT, pages.text("pdf.amount"), SMALL);
    pages.y += LEADING;
    pages.rule(LEFT, 0.75, LINE);
    pages.y += 12.0;
}

fn sums(pages: &mut PdfPages, document: &InvoiceDocument) {
    if pages.y + 190.0 > BOTTOM {
        pages.turn();
    }
    pages.y += 4.0;
    for InvoiceSum { name, amount, total } in &document.sums {
        if *total {
            pages.rule(MIDDLE, 0.75, INK);
            pages.y += 14.0;
        }
        pages.put(MIDDLE, name.as_str(), if *total { SUM } else { QUIET });
        pages.put_to(RIGHT, amount.as_str(), if *total { SUM } else { TEXT });
        pages.y += LEADING + if *total { 10.0 } else { 3.0 };
    }
}

/// The pages so far, and the position of the next line.
struct PdfPages {
    language: Language,
    finished: Vec<PdfPage>,
    last: PdfPage,
    y: f32,
}

impl PdfPages {
    fn new(language: Language) -> Self {
        Self { language, finished: Vec::new(), last: PdfPage::default(), y: TOP }
    }

    fn text(&self, key: &str) -> String {
        Messages::text(self.language, key, &[])
    }

    fn turn(&mut self) {
        self.finished.push(std::mem::take(&mut self.last));
        self.y = 72.0;
    }

    fn put(&mut self, x: f32, text: impl Into<String>, style: Style) {
        self.last.text(x, self.y, text, style);
    }

    /// Right-aligned text that ends at `x`.
    fn put_to(&mut self, x: f32, text: impl Into<String>, style: Style) {
        self.last.text_ending_at(x, self.y, text, style);
    }

    fn line(&mut self, x: f32, text: impl Into<String>, style: Style) {
        self.put(x, text, style);
        self.y += LEADING;
    }

    /// A rule from `x` to the right margin, just above the next line.
    fn rule(&mut self, x: f32, thick: f32, color: Color) {
        self.last.fill(x, self.y - 6.0, RIGHT - x, thick, color);
    }

    /// Adds page numbers and the shop's contact to every page.
    fn finish(mut self, shop: &Seller) -> Vec<PdfPage> {
        self.turn();
        let count = self.finished.len();
        for (place, page) in self.finished.iter_mut().enumerate() {
            let y = HEIGHT - 48.0;
            page.fill(LEFT, y - 16.0, RIGHT - LEFT, 0.5, LINE);
            let asked = [shop.name.as_str(), &shop.email, &shop.phone];
            let asked: Vec<&str> = asked.into_iter().filter(|part| !part.is_empty()).collect();
            page.text(LEFT, y, asked.join("  ·  "), SMALL);
            let number = place + 1;
            let number =
                Messages::text(self.language, "pdf.page", &[("page", &number), ("count", &count)]);
            page.text_ending_at(RIGHT, y, number, SMALL);
        }
        self.finished
    }
}
