//! Renders an invoice as PDF: the layout of an A4 page.

use messages::{Messages, format};
use pdf::{Color, Face, HEIGHT, PdfMetadata, PdfPage, Style, WIDTH};
use platform::Language;

use super::invoice::{
    BilledTo, Invoice, InvoiceDocument, InvoiceFact, InvoiceItem, InvoiceSum, Seller,
};
use super::invoice_taxes::InvoiceTax;

pub(super) const INK: Color = Color(0x1c, 0x1b, 0x19);
pub(super) const MUTED: Color = Color(0x6b, 0x66, 0x5e);
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
pub(super) const BOTTOM: f32 = HEIGHT - 84.0;
const TOP: f32 = 84.0;
const LEADING: f32 = 14.0;
/// Left edge of the right half: facts at the top, sums at the bottom.
const MIDDLE: f32 = 330.0;
/// Right edges of the number columns, and the width of the name column; the column of rates takes a part of it.
const QUANTITY: f32 = 350.0;
const PRICE: f32 = 445.0;
const NAME_WIDTH: f32 = 250.0;
const RATE: f32 = 308.0;
const RATE_WIDTH: f32 = 64.0;
/// Of the addresses, up to the facts beside them.
const ADDRESS_WIDTH: f32 = MIDDLE - LEFT - 16.0;

impl Invoice {
    pub fn pdf(&self) -> Result<Vec<u8>, pdf::PdfError> {
        let mut pages = PdfPages::new(self.language);
        for document in &self.documents {
            match &document.mushak {
                Some(form) => form.write_to(&mut pages),
                None => {
                    head(&mut pages, document);
                    parties(&mut pages, &self.billed_to, document);
                    items(&mut pages, document);
                    sums(&mut pages, document);
                    taxes(&mut pages, document);
                }
            }
            pages.end_document(&document.seller);
        }
        let first = self.documents.first();
        let title = first.map_or_else(String::new, |one| format!("{} {}", one.title, one.number));
        let author = first.map_or("", |one| one.seller.name.as_str());
        let language = self.language.as_str();
        pdf::write(&PdfMetadata { title: &title, author, language }, &pages.finish())
    }
}

fn head(pages: &mut PdfPages, document: &InvoiceDocument) {
    let seller = &document.seller;
    pages.put(LEFT, seller.name.as_str(), NAME);
    pages.put_to(RIGHT, document.title.as_str(), TITLE);
    pages.y += 22.0;
    for line in QUIET.wrap(&seller.address, 300.0) {
        pages.line(LEFT, line, QUIET);
    }
    if !seller.tax_number.is_empty() {
        let tax_number = format!("{}: {}", pages.text("pdf.taxNumber"), seller.tax_number);
        for line in QUIET.wrap(&tax_number, 300.0) {
            pages.line(LEFT, line, QUIET);
        }
    }
    pages.y += 32.0;
    if let Some(why) = &document.cancelled {
        pages.line(LEFT, why.as_str(), MARK);
        pages.y += 18.0;
    }
}

fn parties(pages: &mut PdfPages, billed_to: &BilledTo, document: &InvoiceDocument) {
    let BilledTo { name, address, phone, email, tax_number } = billed_to;
    let tax_number = match tax_number.as_str() {
        "" => String::new(),
        number => format!("{}: {number}", pages.text("pdf.taxNumber")),
    };
    let texts =
        [(name, STRONG), (address, TEXT), (phone, TEXT), (email, TEXT), (&tax_number, TEXT)];
    let top = pages.y;
    pages.line(LEFT, pages.text("pdf.billedTo"), SMALL);
    for (text, style) in texts {
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
    let has_rates = document.items.iter().any(|item| !item.tax_rate.is_empty());
    let name_width = if has_rates { NAME_WIDTH - RATE_WIDTH } else { NAME_WIDTH };
    columns(pages, has_rates);
    for InvoiceItem { name, options, sku, quantity, tax_rate, price, amount } in &document.items {
        let lines = TEXT.wrap(name, name_width);
        // One more for the options, which may be long.
        let height = LEADING * (lines.len().max(1) as f32 + 2.0) + 10.0;
        if pages.y + height > BOTTOM {
            pages.turn();
            columns(pages, has_rates);
        }
        pages.put_to(RATE, tax_rate.as_str(), TEXT);
        pages.put_to(QUANTITY, format::digits(pages.language, quantity), TEXT);
        pages.put_to(PRICE, price.as_str(), TEXT);
        pages.put_to(RIGHT, amount.as_str(), TEXT);
        for line in lines {
            pages.line(LEFT, line, TEXT);
        }
        let details =
            if options.is_empty() { sku.clone() } else { format!("{options}  ·  {sku}") };
        for line in SMALL.wrap(&details, name_width) {
            pages.line(LEFT, line, SMALL);
        }
        pages.rule(LEFT, 0.5, LINE);
        pages.y += 16.0;
    }
}

fn columns(pages: &mut PdfPages, has_rates: bool) {
    pages.put(LEFT, pages.text("pdf.item"), SMALL);
    if has_rates {
        pages.put_to(RATE, pages.text("pdf.tax"), SMALL);
    }
    pages.put_to(QUANTITY, pages.text("pdf.quantity"), SMALL);
    pages.put_to(PRICE, pages.text("pdf.price"), SMALL);
    pages.put_to(RIGHT, pages.text("pdf.amount"), SMALL);
    pages.y += LEADING;
    pages.rule(LEFT, 0.75, LINE);
    pages.y += 12.0;
}

fn sums(pages: &mut PdfPages, document: &InvoiceDocument) {
    let height = document.sums.iter().map(|sum| if sum.total { 38.0 } else { 17.0 });
    pages.keep(4.0 + height.sum::<f32>());
    pages.y += 4.0;
    for InvoiceSum { name, amount, total } in &document.sums {
        if *total {
            pages.rule(MIDDLE, 0.75, INK);
            pages.y += 14.0;
        }
        let (label, figure) = if *total { (SUM, SUM) } else { (QUIET, TEXT) };
        pages.put_to(RIGHT, amount.as_str(), figure);
        let width = RIGHT - MIDDLE - figure.width(amount) - 12.0;
        for line in label.wrap(name, width) {
            pages.line(MIDDLE, line, label);
        }
        pages.y += if *total { 10.0 } else { 3.0 };
    }
}

/// The taxes by rate, and what is said about them.
fn taxes(pages: &mut PdfPages, document: &InvoiceDocument) {
    if !document.taxes.is_empty() {
        pages.keep(40.0 + document.taxes.len() as f32 * 22.0);
        pages.y += 22.0;
        pages.put(LEFT, pages.text("pdf.taxTable"), SMALL);
        pages.put_to(QUANTITY, pages.text("pdf.net"), SMALL);
        pages.put_to(PRICE, pages.text("pdf.tax"), SMALL);
        pages.put_to(RIGHT, pages.text("pdf.gross"), SMALL);
        pages.y += LEADING;
        pages.rule(LEFT, 0.75, LINE);
        pages.y += 12.0;
        for InvoiceTax { name, net, tax, gross } in &document.taxes {
            pages.put_to(QUANTITY, net.as_str(), TEXT);
            pages.put_to(PRICE, tax.as_str(), TEXT);
            pages.put_to(RIGHT, gross.as_str(), TEXT);
            let width = QUANTITY - LEFT - TEXT.width(net) - 12.0;
            for line in TEXT.wrap(name, width) {
                pages.line(LEFT, line, TEXT);
            }
            pages.y += 3.0;
        }
    }
    let width = RIGHT - LEFT;
    for note in &document.notes {
        let lines = QUIET.wrap(note, width);
        pages.keep(LEADING * lines.len() as f32 + 14.0);
        pages.y += 6.0;
        for line in lines {
            pages.line(LEFT, line, QUIET);
        }
    }
}

/// The pages so far, and the position of the next line.
pub(super) struct PdfPages {
    language: Language,
    finished: Vec<PdfPage>,
    /// How many of them have their numbers.
    numbered: usize,
    pub last: PdfPage,
    pub y: f32,
}

impl PdfPages {
    fn new(language: Language) -> Self {
        Self { language, finished: Vec::new(), numbered: 0, last: PdfPage::default(), y: TOP }
    }

    fn text(&self, key: &str) -> String {
        Messages::text(self.language, key, &[])
    }

    /// Begins a new page where this much does not fit on this one.
    pub fn keep(&mut self, height: f32) {
        if self.y + height > BOTTOM {
            self.turn();
        }
    }

    pub fn turn(&mut self) {
        self.finished.push(std::mem::take(&mut self.last));
        self.y = 72.0;
    }

    pub fn put(&mut self, x: f32, text: impl Into<String>, style: Style) {
        self.last.text(x, self.y, text, style);
    }

    /// Right-aligned text that ends at `x`.
    pub fn put_to(&mut self, x: f32, text: impl Into<String>, style: Style) {
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

    /// Adds the seller's contact and page numbers to the pages of a document, and begins the next one.
    fn end_document(&mut self, seller: &Seller) {
        self.turn();
        self.y = TOP;
        let count = self.finished.len() - self.numbered;
        for (place, page) in self.finished.iter_mut().skip(self.numbered).enumerate() {
            let y = HEIGHT - 48.0;
            page.fill(LEFT, y - 16.0, RIGHT - LEFT, 0.5, LINE);
            let contact = [seller.name.as_str(), &seller.email, &seller.phone];
            let contact: Vec<&str> = contact.into_iter().filter(|part| !part.is_empty()).collect();
            page.text(LEFT, y, contact.join("  ·  "), SMALL);
            let number = place + 1;
            let number =
                Messages::text(self.language, "pdf.page", &[("page", &number), ("count", &count)]);
            page.text_ending_at(RIGHT, y, number, SMALL);
        }
        self.numbered = self.finished.len();
    }

    fn finish(self) -> Vec<PdfPage> {
        self.finished
    }
}
