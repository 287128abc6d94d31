//! The PDF writer: text in embedded fonts and filled boxes on A4 pages. Coordinates are in points from the
//! upper left corner; the y of a text is its baseline. Knows nothing of shops.

mod embed;
mod font;

use std::io::Write;

use embed::EmbeddedFonts;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

pub use font::{Face, wrap};

/// A4.
pub const WIDTH: f32 = 595.0;
pub const HEIGHT: f32 = 842.0;

#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub face: Face,
    pub size: f32,
    pub color: Color,
}

/// Red, green, blue.
#[derive(Clone, Copy, Debug)]
pub struct Color(pub u8, pub u8, pub u8);

impl Style {
    pub const fn new(face: Face, size: f32, color: Color) -> Self {
        Self { face, size, color }
    }

    pub fn width(&self, text: &str) -> f32 {
        font::width(self.face, text) * self.size
    }

    /// Breaks the text into lines of at most this width.
    pub fn wrap(&self, text: &str, width: f32) -> Vec<String> {
        wrap(self.face, text, width / self.size)
    }
}

#[derive(Default)]
pub struct PdfPage {
    texts: Vec<(f32, f32, String, Style)>,
    boxes: Vec<(Rect, Color)>,
}

impl PdfPage {
    pub fn text(&mut self, x: f32, y: f32, text: impl Into<String>, style: Style) {
        self.texts.push((x, y, text.into(), style));
    }

    /// Right-aligned at `x`.
    pub fn text_ending_at(&mut self, x: f32, y: f32, text: impl Into<String>, style: Style) {
        let text = text.into();
        self.text(x - style.width(&text), y, text, style);
    }

    /// A filled box; a thin one is a line.
    pub fn fill(&mut self, x: f32, y: f32, width: f32, height: f32, color: Color) {
        let bottom = HEIGHT - y - height;
        self.boxes.push((Rect::new(x, bottom, x + width, bottom + height), color));
    }

    /// The page's content stream. In PDF, coordinates start at the lower left corner.
    fn content(&self, fonts: &mut EmbeddedFonts) -> Vec<u8> {
        let mut content = Content::new();
        for (rect, color) in &self.boxes {
            color.fill(&mut content);
            content.rect(rect.x1, rect.y1, rect.x2 - rect.x1, rect.y2 - rect.y1).fill_nonzero();
        }
        for (x, y, text, style) in &self.texts {
            style.color.fill(&mut content);
            let mut x = *x;
            for run in font::runs(style.face, text) {
                fonts.show(&mut content, &run, (x, HEIGHT - y), style.size);
                x += run.width * style.size;
            }
        }
        content.finish().into_vec()
    }
}

impl Color {
    fn fill(self, content: &mut Content) {
        let Self(red, green, blue) = self;
        let [red, green, blue] = [red, green, blue].map(|part| f32::from(part) / 255.0);
        content.set_fill_rgb(red, green, blue);
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the PDF cannot be written: {0}")]
pub struct PdfError(String);

/// What a document says about itself. The language is an ISO 639 code, for screen readers.
#[derive(Clone, Copy, Debug)]
pub struct PdfMetadata<'d> {
    pub title: &'d str,
    pub author: &'d str,
    pub language: &'d str,
}

/// Answers the bytes of the file.
pub fn write(metadata: &PdfMetadata<'_>, pages: &[PdfPage]) -> Result<Vec<u8>, PdfError> {
    let PdfMetadata { title, author, language } = *metadata;
    let mut next_id = Ref::new(1);
    let [catalog, info, tree] = std::array::from_fn(|_| next_id.bump());
    let mut pdf = Pdf::new();
    let mut root = pdf.catalog(catalog);
    root.pages(tree).lang(TextStr(language));
    root.viewer_preferences().display_doc_title(true);
    root.finish();
    pdf.document_info(info).title(TextStr(title)).author(TextStr(author));

    let mut fonts = EmbeddedFonts::default();
    let mut kids = Vec::new();
    for page in pages {
        let (id, stream) = (next_id.bump(), next_id.bump());
        let content = deflate(&page.content(&mut fonts))?;
        pdf.stream(stream, &content).filter(Filter::FlateDecode);
        kids.push((id, stream));
    }
    let fonts = fonts.write(&mut pdf, &mut next_id)?;
    for (id, stream) in &kids {
        let mut page = pdf.page(*id);
        page.parent(tree).contents(*stream).media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT));
        let mut resources = page.resources();
        let mut names = resources.fonts();
        for (name, font) in &fonts {
            names.pair(Name(name.as_bytes()), *font);
        }
    }
    let count = i32::try_from(kids.len()).map_err(|_| PdfError("too many pages".into()))?;
    pdf.pages(tree).count(count).kids(kids.into_iter().map(|(id, _)| id));
    Ok(pdf.finish())
}

/// For streams with the filter FlateDecode.
fn deflate(data: &[u8]) -> Result<Vec<u8>, PdfError> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(data).map_err(|why| PdfError(why.to_string()))?;
    encoder.finish().map_err(|why| PdfError(why.to_string()))
}
