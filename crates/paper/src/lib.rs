//! Words on sheets of paper, as PDF. Places are in points from the upper left corner, texts stand on
//! their baseline. Knows nothing of shops.

mod face;

use std::fmt;

use face::Run;
use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;

pub use face::{Face, wrap};

/// A sheet of A4.
pub const WIDTH: f32 = 595.0;
pub const HEIGHT: f32 = 842.0;

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub face: Face,
    pub size: f32,
    pub ink: Ink,
}

#[derive(Clone, Copy, Debug)]
pub struct Ink(pub u8, pub u8, pub u8);

impl Style {
    pub const fn new(face: Face, size: f32, ink: Ink) -> Self {
        Self { face, size, ink }
    }

    pub fn width(&self, text: &str) -> f32 {
        face::width(self.face, text) * self.size
    }

    /// The text in lines that are at most so wide.
    pub fn wrap(&self, text: &str, width: f32) -> Vec<String> {
        wrap(self.face, text, width / self.size)
    }
}

/// What stands on one sheet.
#[derive(Default)]
pub struct Sheet {
    texts: Vec<(f32, f32, String, Style)>,
    boxes: Vec<(Rect, Ink)>,
}

impl Sheet {
    pub fn text(&mut self, x: f32, y: f32, text: impl Into<String>, style: Style) {
        self.texts.push((x, y, text.into(), style));
    }

    /// A text that ends at `x`.
    pub fn text_to(&mut self, x: f32, y: f32, text: impl Into<String>, style: Style) {
        let text = text.into();
        self.text(x - style.width(&text), y, text, style);
    }

    /// A filled box; a thin one is a line.
    pub fn fill(&mut self, x: f32, y: f32, width: f32, height: f32, ink: Ink) {
        self.boxes.extend(Rect::from_xywh(x, y, width, height).map(|rect| (rect, ink)));
    }

    fn draw(&self, surface: &mut Surface<'_>) {
        for (rect, ink) in &self.boxes {
            let mut path = PathBuilder::new();
            path.push_rect(*rect);
            if let Some(path) = path.finish() {
                surface.set_fill(Some(ink.fill()));
                surface.draw_path(&path);
            }
        }
        for (x, y, text, style) in &self.texts {
            surface.set_fill(Some(style.ink.fill()));
            let mut x = *x;
            for Run { font, text, glyphs, width } in face::runs(style.face, text) {
                let start = Point::from_xy(x, *y);
                surface.draw_glyphs(start, &glyphs, font.of_pdf(), text, style.size, false);
                x += width * style.size;
            }
        }
    }
}

impl Ink {
    fn fill(self) -> Fill {
        let Self(red, green, blue) = self;
        Fill {
            paint: rgb::Color::new(red, green, blue).into(),
            opacity: NormalizedF32::ONE,
            rule: FillRule::NonZero,
        }
    }
}

#[derive(Debug)]
pub struct NoPdf(String);

impl fmt::Display for NoPdf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the PDF cannot be written: {}", self.0)
    }
}

impl std::error::Error for NoPdf {}

/// The sheets as one file.
pub fn pdf(title: &str, author: &str, sheets: &[Sheet]) -> Result<Vec<u8>, NoPdf> {
    let mut document = Document::new();
    let about = Metadata::new().title(title.into()).authors(vec![author.into()]);
    document.set_metadata(about.language("en".into()));
    for sheet in sheets {
        let size = PageSettings::from_wh(WIDTH, HEIGHT).ok_or_else(|| NoPdf("no page".into()))?;
        let mut page = document.start_page_with(size);
        let mut surface = page.surface();
        sheet.draw(&mut surface);
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|why| NoPdf(format!("{why:?}")))
}
