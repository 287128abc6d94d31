//! Faces, and texts as glyphs of them. A text that one font lacks letters for goes on in another.

use std::ops::Range;
use std::sync::OnceLock;

use krilla::text::{GlyphId, KrillaGlyph};
use rustybuzz::{Feature, UnicodeBuffer, ttf_parser};

/// What a text is set in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    Text,
    Strong,
    Display,
}

/// A file, read once for the PDF and once for the shapes.
pub(crate) struct Font {
    of_pdf: krilla::text::Font,
    shapes: rustybuzz::Face<'static>,
}

static REGULAR: &[u8] = include_bytes!("../fonts/inter-regular.ttf");
static SEMIBOLD: &[u8] = include_bytes!("../fonts/inter-semibold.ttf");
static DISPLAY: &[u8] = include_bytes!("../fonts/fraunces-semibold.ttf");
static BENGALI: &[u8] = include_bytes!("../fonts/bengali-regular.ttf");

/// The face's own font, and those that help out.
fn fonts(face: Face) -> impl Iterator<Item = &'static Font> {
    static FONTS: OnceLock<Vec<Option<Font>>> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        [REGULAR, SEMIBOLD, DISPLAY, BENGALI].into_iter().map(Font::read).collect()
    });
    let order: &[usize] = match face {
        Face::Text => &[0, 3],
        Face::Strong => &[1, 3],
        Face::Display => &[2, 1, 3],
    };
    order.iter().filter_map(|place| fonts.get(*place)?.as_ref())
}

impl Font {
    fn read(file: &'static [u8]) -> Option<Self> {
        let of_pdf = krilla::text::Font::new(file.into(), 0)?;
        Some(Self { of_pdf, shapes: rustybuzz::Face::from_slice(file, 0)? })
    }

    pub(crate) fn of_pdf(&self) -> krilla::text::Font {
        self.of_pdf.clone()
    }

    fn has(&self, letter: char) -> bool {
        self.shapes.glyph_index(letter).is_some()
    }
}

/// A part of a text in one font. The width is in parts of the size.
pub(crate) struct Run<'t> {
    pub font: &'static Font,
    pub text: &'t str,
    pub glyphs: Vec<KrillaGlyph>,
    pub width: f32,
}

pub(crate) fn runs(face: Face, text: &str) -> Vec<Run<'_>> {
    let mut parts: Vec<(&'static Font, Range<usize>)> = Vec::new();
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        let last = parts.last_mut();
        // Spaces and joiners stay with what they stand in; a letter that nobody has, too.
        if let Some((font, range)) = last
            && (font.has(letter) && !better(face, font, letter) || !anybody_has(face, letter))
        {
            range.end = end;
            continue;
        }
        let font = fonts(face).find(|font| font.has(letter)).or_else(|| fonts(face).next());
        parts.extend(font.map(|font| (font, at..end)));
    }
    parts.into_iter().map(|(font, range)| shape(font, &text[range])).collect()
}

/// Whether a font before this one has the letter: what helps out steps back again.
fn better(face: Face, font: &Font, letter: char) -> bool {
    let joins = letter == ' ' || ('\u{200c}'..='\u{200d}').contains(&letter);
    let before = fonts(face).take_while(|other| !std::ptr::eq(*other, font));
    !joins && before.into_iter().any(|other| other.has(letter))
}

fn anybody_has(face: Face, letter: char) -> bool {
    fonts(face).any(|font| font.has(letter))
}

fn shape<'t>(font: &'static Font, text: &'t str) -> Run<'t> {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    // Figures of one width, so that columns of amounts stand straight; in other texts they would
    // stretch the signs between them.
    let amount = text.chars().all(|letter| letter.is_ascii_digit() || "$,. ".contains(letter));
    let even = Feature::new(ttf_parser::Tag::from_bytes(b"tnum"), u32::from(amount), ..);
    let shaped = rustybuzz::shape(&font.shapes, &[even], buffer);
    let em = font.of_pdf.units_per_em();
    let infos = shaped.glyph_infos();
    let mut starts: Vec<usize> = infos.iter().map(|info| info.cluster as usize).collect();
    starts.sort_unstable();
    starts.dedup();
    let glyph = |(info, place): (&rustybuzz::GlyphInfo, &rustybuzz::GlyphPosition)| {
        let start = info.cluster as usize;
        let end = starts.iter().copied().find(|next| *next > start).unwrap_or(text.len());
        KrillaGlyph::new(
            GlyphId::new(info.glyph_id),
            place.x_advance as f32 / em,
            place.x_offset as f32 / em,
            place.y_offset as f32 / em,
            place.y_advance as f32 / em,
            start..end,
            None,
        )
    };
    let glyphs: Vec<KrillaGlyph> = infos.iter().zip(shaped.glyph_positions()).map(glyph).collect();
    let width = glyphs.iter().map(|glyph| glyph.x_advance).sum();
    Run { font, text, glyphs, width }
}

/// In parts of the size.
pub(crate) fn width(face: Face, text: &str) -> f32 {
    runs(face, text).iter().map(|run| run.width).sum()
}

/// The text in lines of at most `widest` parts of the size, broken between words where it can be.
pub fn wrap(face: Face, text: &str, widest: f32) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if width(face, &longer) <= widest {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line = cut(face, word, widest, &mut lines);
        }
        lines.push(line);
    }
    lines
}

/// A word in as many lines as it needs; the rest of it is the answer.
fn cut(face: Face, word: &str, widest: f32, lines: &mut Vec<String>) -> String {
    let mut line = String::new();
    for letter in word.chars() {
        line.push(letter);
        if line.chars().nth(1).is_some() && width(face, &line) > widest {
            line.pop();
            lines.push(std::mem::replace(&mut line, letter.to_string()));
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        runs(Face::Text, text).into_iter().map(|run| run.text).collect()
    }

    #[test]
    fn a_text_is_set_in_the_fonts_that_have_its_letters() {
        assert_eq!(parts("Zoë Łukasz Đặng Ίων Юлия"), ["Zoë Łukasz Đặng Ίων Юлия"]);
        assert_eq!(parts("৳1,250"), ["৳", "1,250"]);
        assert_eq!(parts("মিতালী দাস, Dhaka"), ["মিতালী দাস", ", Dhaka"]);
        let every = runs(Face::Display, "Haat — ৳ মিতালী ő");
        let missing = every.iter().flat_map(|run| &run.glyphs);
        assert_eq!(missing.filter(|glyph| glyph.glyph_id == GlyphId::new(0)).count(), 0);
    }

    #[test]
    fn vowel_signs_of_bengali_find_their_places() {
        // The sign of ি is written before its letter, so the first glyph belongs to the second sign.
        let run = runs(Face::Text, "মি");
        assert_eq!(run.len(), 1);
        assert_eq!(run[0].glyphs[0].text_range, 0.."মি".len());
    }

    #[test]
    fn figures_have_one_width() {
        assert_eq!(width(Face::Text, "111"), width(Face::Text, "888"));
    }

    #[test]
    fn lines_break_between_words_and_only_there_if_they_can() {
        let text = "A table lamp with a linen shade\nand a cable of two metres";
        let lines = wrap(Face::Text, text, 10.0);
        assert_eq!(lines.join(" "), text.replace('\n', " "));
        assert!(lines.iter().all(|line| width(Face::Text, line) <= 10.0), "{lines:?}");
        let lines = wrap(Face::Text, &"x".repeat(100), 10.0);
        assert_eq!(lines.concat(), "x".repeat(100));
        assert!(lines.len() > 3);
        assert_eq!(wrap(Face::Text, "", 10.0), [""; 0]);
        assert_eq!(wrap(Face::Text, "WW", 0.1), ["W", "W"]);
    }
}
