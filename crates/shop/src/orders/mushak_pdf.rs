//! Renders the forms of the National Board of Revenue of Bangladesh as PDF: a table with borders over the width of an A4 page.

use pdf::{Face, Style, WIDTH};

use super::invoice::InvoiceFact;
use super::invoice_pdf::{BOTTOM, INK, MUTED, PdfPages};
use super::mushak::MushakForm;

const HEADING: Style = Style::new(Face::Text, 10.0, INK);
const TITLE: Style = Style::new(Face::Strong, 14.0, INK);
const NUMBER: Style = Style::new(Face::Strong, 10.0, INK);
const LABEL: Style = Style::new(Face::Text, 8.5, MUTED);
const VALUE: Style = Style::new(Face::Text, 8.5, INK);
const COLUMN: Style = Style::new(Face::Strong, 6.0, INK);
const CELL: Style = Style::new(Face::Text, 7.0, INK);
const TOTAL: Style = Style::new(Face::Strong, 7.0, INK);
const NOTE: Style = Style::new(Face::Text, 7.5, MUTED);

const LEFT: f32 = 30.0;
const RIGHT: f32 = WIDTH - 30.0;
/// Where the facts of the issue begin, beside the buyer.
const ISSUE: f32 = 362.0;
const LEADING: f32 = 12.5;
const PADDING: f32 = 3.0;
const BORDER: f32 = 0.5;

/// Shares of the table's width: the texts are wider than the numbers.
const INVOICE_COLUMNS: [f32; 11] =
    [26.0, 100.0, 36.0, 30.0, 52.0, 58.0, 36.0, 46.0, 42.0, 50.0, 57.0];
const NOTE_COLUMNS: [f32; 11] = [26.0, 66.0, 92.0, 52.0, 36.0, 44.0, 42.0, 52.0, 36.0, 46.0, 43.0];

impl MushakForm {
    pub(super) fn write_to(&self, pages: &mut PdfPages) {
        pages.y = 56.0;
        self.write_head(pages);
        let table = Table::new(self);
        table.head(pages);
        for row in &self.rows {
            table.row(pages, row, CELL);
        }
        table.row(pages, &self.totals, TOTAL);
        self.write_foot(pages);
    }

    fn write_head(&self, pages: &mut PdfPages) {
        let (width, top) = (NUMBER.width(&self.number), pages.y);
        outline(pages, (RIGHT - width - 14.0, top - 14.0), (width + 14.0, 21.0));
        pages.put(RIGHT - width - 7.0, self.number.as_str(), NUMBER);
        for (text, style, leading) in [
            (&self.government, HEADING, 20.0),
            (&self.title, TITLE, 16.0),
            (&self.rule, LABEL, 24.0),
        ] {
            let x = (WIDTH - style.width(text)) / 2.0;
            pages.put(x, text.as_str(), style);
            pages.y += leading;
        }
        facts(pages, &self.seller, (LEFT, RIGHT));
        pages.y += 8.0;
        let top = pages.y;
        facts(pages, &self.issue, (ISSUE, RIGHT));
        let below = pages.y;
        pages.y = top;
        // A very long address goes on on the next page.
        facts(pages, &self.buyer, (LEFT, ISSUE - 16.0));
        pages.y = if pages.y < top { pages.y } else { pages.y.max(below) } + 6.0;
    }

    fn write_foot(&self, pages: &mut PdfPages) {
        // The signature needs room, and stays with the name.
        pages.keep(24.0 + self.signatory.len() as f32 * 24.0);
        pages.y += 24.0;
        for fact in &self.signatory {
            facts(pages, std::slice::from_ref(fact), (LEFT, ISSUE));
            if fact.value.is_empty() {
                pages.last.fill(LEFT + label_width(fact), pages.y - 10.0, 150.0, BORDER, MUTED);
                pages.y += 10.0;
            }
        }
        for note in &self.notes {
            let lines = NOTE.wrap(note, RIGHT - LEFT);
            pages.keep(11.0 * lines.len() as f32 + 6.0);
            pages.y += 6.0;
            for line in lines {
                pages.put(LEFT, line, NOTE);
                pages.y += 11.0;
            }
        }
    }
}

fn label_width(fact: &InvoiceFact) -> f32 {
    LABEL.width(&format!("{}: ", fact.name)) + 4.0
}

/// Names and values between two edges; a long value goes on below itself.
fn facts(pages: &mut PdfPages, facts: &[InvoiceFact], (left, right): (f32, f32)) {
    let names = facts.iter().map(label_width).fold(0.0, f32::max);
    for InvoiceFact { name, value } in facts {
        let lines = VALUE.wrap(value, right - left - names);
        pages.keep(LEADING);
        pages.put(left, format!("{name}:"), LABEL);
        for (place, line) in lines.into_iter().enumerate() {
            if place > 0 {
                pages.y += LEADING;
                pages.keep(LEADING);
            }
            pages.put(left + names, line, VALUE);
        }
        pages.y += LEADING;
    }
}

fn outline(pages: &mut PdfPages, (x, y): (f32, f32), (width, height): (f32, f32)) {
    pages.last.fill(x, y, width, BORDER, INK);
    pages.last.fill(x, y + height, width + BORDER, BORDER, INK);
    pages.last.fill(x, y, BORDER, height, INK);
    pages.last.fill(x + width, y, BORDER, height, INK);
}

struct Table<'f> {
    form: &'f MushakForm,
    /// The left edge of each column, and the right one of the last.
    edges: Vec<f32>,
}

impl<'f> Table<'f> {
    fn new(form: &'f MushakForm) -> Self {
        let is_note = form.columns.get(1).is_some_and(|column| column.name.starts_with("কর"));
        let shares = if is_note { NOTE_COLUMNS } else { INVOICE_COLUMNS };
        let scale = (RIGHT - LEFT) / shares.iter().sum::<f32>();
        let mut edges = vec![LEFT];
        let mut x = LEFT;
        for share in shares {
            x += share * scale;
            edges.push(x);
        }
        Self { form, edges }
    }

    /// The names of the columns, and their numbers as the form has them.
    fn head(&self, pages: &mut PdfPages) {
        let names: Vec<String> =
            self.form.columns.iter().map(|column| column.name.clone()).collect();
        let numbers: Vec<String> = (1..=names.len())
            .map(|number| format!("({})", super::mushak::bangla(number)))
            .collect();
        self.cells(pages, &names, COLUMN, true);
        self.cells(pages, &numbers, COLUMN, true);
    }

    fn row(&self, pages: &mut PdfPages, cells: &[String], style: Style) {
        if pages.y + self.height(cells, style) > BOTTOM {
            pages.turn();
            self.head(pages);
        }
        self.cells(pages, cells, style, false);
    }

    fn height(&self, cells: &[String], style: Style) -> f32 {
        let lines = self.wrap(cells, style).iter().map(Vec::len).max().unwrap_or_default();
        lines.max(1) as f32 * leading(style) + 2.0 * PADDING
    }

    fn wrap(&self, cells: &[String], style: Style) -> Vec<Vec<String>> {
        let widths = self.edges.windows(2).map(|edges| edges[1] - edges[0] - 2.0 * PADDING);
        cells.iter().zip(widths).map(|(cell, width)| style.wrap(cell, width)).collect()
    }

    fn cells(&self, pages: &mut PdfPages, cells: &[String], style: Style, is_head: bool) {
        let (top, height) = (pages.y, self.height(cells, style));
        for (place, lines) in self.wrap(cells, style).into_iter().enumerate() {
            let (left, right) = (self.edges[place], self.edges[place + 1]);
            outline(pages, (left, top), (right - left, height));
            let is_number =
                !is_head && self.form.columns.get(place).is_some_and(|column| column.numeric);
            pages.y = top + PADDING + style.size;
            for line in lines {
                let width = style.width(&line);
                let x = match (is_head, is_number) {
                    (true, _) => (left + right - width) / 2.0,
                    (false, true) => right - PADDING - width,
                    (false, false) => left + PADDING,
                };
                pages.put(x, line, style);
                pages.y += leading(style);
            }
        }
        pages.y = top + height;
    }
}

fn leading(style: Style) -> f32 {
    style.size * 1.4
}
