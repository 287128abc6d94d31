//! Text shaping and line breaking: the font of each part of a text, with fallbacks for missing characters,
//! its glyphs and its width.

use std::ops::Range;
use std::sync::OnceLock;

use rustybuzz::{Feature, GlyphInfo, GlyphPosition, UnicodeBuffer, ttf_parser};

/// The typeface of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    Text,
    Strong,
    Display,
}

/// A font file, and its tables as the shaper reads them.
pub(crate) struct Font {
    pub name: &'static str,
    pub file: &'static [u8],
    pub tables: rustybuzz::Face<'static>,
}

static FILES: [(&str, &[u8]); 5] = [
    ("Inter-Regular", include_bytes!("../fonts/inter-regular.ttf")),
    ("Inter-SemiBold", include_bytes!("../fonts/inter-semibold.ttf")),
    ("Fraunces-SemiBold", include_bytes!("../fonts/fraunces-semibold.ttf")),
    ("NotoSansBengali-Regular", include_bytes!("../fonts/bengali-regular.ttf")),
    ("NotoSansBengali-SemiBold", include_bytes!("../fonts/bengali-semibold.ttf")),
];

/// Every font, in the order of `FILES`.
pub(crate) fn all() -> &'static [Font] {
    static FONTS: OnceLock<Vec<Font>> = OnceLock::new();
    FONTS.get_or_init(|| {
        let read = |(name, file): (&'static str, &'static [u8])| {
            Some(Font { name, file, tables: rustybuzz::Face::from_slice(file, 0)? })
        };
        FILES.into_iter().filter_map(read).collect()
    })
}

/// The face's own font, then its fallbacks, as indexes in `all`.
fn fonts(face: Face) -> impl Iterator<Item = usize> {
    let order: &[usize] = match face {
        Face::Text => &[0, 3],
        Face::Strong => &[1, 4],
        Face::Display => &[2, 1, 4],
    };
    order.iter().copied()
}

fn has(font: usize, character: char) -> bool {
    all().get(font).is_some_and(|font| font.tables.glyph_index(character).is_some())
}

/// Lengths are in ems.
#[derive(Clone, Debug)]
pub(crate) struct Glyph {
    pub id: u16,
    /// The byte range in the run's text that all glyphs of the same range represent together.
    pub text: Range<usize>,
    pub advance: f32,
    pub x_offset: f32,
    pub y_offset: f32,
}

/// A part of a text in one font (an index in `all`). The width is in ems.
pub(crate) struct GlyphRun<'t> {
    pub font: usize,
    pub text: &'t str,
    pub glyphs: Vec<Glyph>,
    pub width: f32,
}

pub(crate) fn runs(face: Face, text: &str) -> Vec<GlyphRun<'_>> {
    let mut parts: Vec<(usize, Range<usize>)> = Vec::new();
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        // Spaces, joiners and characters that no font has stay in the current font.
        if let Some((font, range)) = parts.last_mut()
            && (has(*font, character) && !has_better(face, *font, character)
                || !any_has(face, character))
        {
            range.end = end;
            continue;
        }
        let font = fonts(face).find(|font| has(*font, character)).or_else(|| fonts(face).next());
        parts.extend(font.map(|font| (font, at..end)));
    }
    parts.into_iter().filter_map(|(font, range)| shape(font, &text[range])).collect()
}

/// Whether a preferred font has the character, so that a fallback ends as soon as possible.
fn has_better(face: Face, font: usize, character: char) -> bool {
    let joins = character == ' ' || ('\u{200c}'..='\u{200d}').contains(&character);
    !joins && fonts(face).take_while(|other| *other != font).any(|other| has(other, character))
}

fn any_has(face: Face, character: char) -> bool {
    fonts(face).any(|font| has(font, character))
}

/// A number or an amount, such as `$1,234.50`, `−€12.00` or `CHF 12.50`.
fn is_amount(text: &str) -> bool {
    let number = text.split_once('\u{a0}').map_or(text, |(_, number)| number);
    number.chars().all(|letter| letter.is_ascii_digit() || "$€£¥৳,.-− ".contains(letter))
}

fn shape(font: usize, text: &str) -> Option<GlyphRun<'_>> {
    let tables = &all().get(font)?.tables;
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    // Tabular figures align amounts in columns; in other texts they would widen punctuation.
    let amount = is_amount(text);
    let tabular = Feature::new(ttf_parser::Tag::from_bytes(b"tnum"), u32::from(amount), ..);
    let shaped = rustybuzz::shape(tables, &[tabular], buffer);
    let em = tables.units_per_em() as f32;
    let infos = shaped.glyph_infos();
    let mut starts: Vec<usize> = infos.iter().map(|info| info.cluster as usize).collect();
    starts.sort_unstable();
    starts.dedup();
    let glyph = |(info, position): (&GlyphInfo, &GlyphPosition)| {
        let start = info.cluster as usize;
        let end = starts.iter().copied().find(|next| *next > start).unwrap_or(text.len());
        Glyph {
            id: u16::try_from(info.glyph_id).unwrap_or_default(),
            text: start..end,
            advance: position.x_advance as f32 / em,
            x_offset: position.x_offset as f32 / em,
            y_offset: position.y_offset as f32 / em,
        }
    };
    let glyphs: Vec<Glyph> = infos.iter().zip(shaped.glyph_positions()).map(glyph).collect();
    let width = glyphs.iter().map(|glyph| glyph.advance).sum();
    Some(GlyphRun { font, text, glyphs, width })
}

/// In ems.
pub(crate) fn width(face: Face, text: &str) -> f32 {
    runs(face, text).iter().map(|run| run.width).sum()
}

/// Lines of at most `widest` ems, broken between words where possible.
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
            line = break_word(face, word, widest, &mut lines);
        }
        lines.push(line);
    }
    lines
}

/// Breaks a word that is wider than a line; answers its last part.
fn break_word(face: Face, word: &str, widest: f32, lines: &mut Vec<String>) -> String {
    let mut line = String::new();
    for run in runs(face, word) {
        // Not between a consonant and its vowel sign, which are drawn as one.
        let mut starts: Vec<usize> = run.glyphs.iter().map(|glyph| glyph.text.start).collect();
        starts.sort_unstable();
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([run.text.len()]);
        for cluster in starts.iter().zip(ends).filter_map(|(start, end)| run.text.get(*start..end))
        {
            if !line.is_empty() && width(face, &format!("{line}{cluster}")) > widest {
                // An e-mail address or a link: rather after a separator than within a name.
                let after = line.rfind(['@', '.', '-', '_', '/']).map_or(line.len(), |at| at + 1);
                let rest = line.split_off(after);
                lines.push(std::mem::replace(&mut line, rest));
            }
            line += cluster;
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
    fn characters_use_the_fonts_that_have_them() {
        assert_eq!(parts("Zoë Łukasz Đặng Ίων Юлия"), ["Zoë Łukasz Đặng Ίων Юлия"]);
        assert_eq!(parts("৳1,250"), ["৳", "1,250"]);
        assert_eq!(parts("মিতালী দাস, Dhaka"), ["মিতালী দাস", ", Dhaka"]);
        let every = runs(Face::Display, "Haat — ৳ মিতালী ő");
        let missing = every.iter().flat_map(|run| &run.glyphs);
        assert_eq!(missing.filter(|glyph| glyph.id == 0).count(), 0);
    }

    /// In the notation of `hb-shape`, in units of the font.
    fn glyphs(font: usize, text: &str) -> String {
        let em = all()[font].tables.units_per_em() as f32;
        let units = |ems: f32| (ems * em).round() as i32;
        let glyph = |glyph: &Glyph| {
            let [x, y, advance] = [glyph.x_offset, glyph.y_offset, glyph.advance].map(units);
            let offset = if (x, y) == (0, 0) { String::new() } else { format!("@{x},{y}") };
            format!("{}={}{offset}+{advance}", glyph.id, glyph.text.start)
        };
        let run = shape(font, text).unwrap();
        format!("[{}]", run.glyphs.iter().map(glyph).collect::<Vec<_>>().join("|"))
    }

    #[test]
    fn bengali_is_shaped_as_by_harfbuzz() {
        let words = include_str!("../tests/bengali-shaping.txt");
        for line in words.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            let [word, regular, semibold] = columns[..] else { panic!("{line}") };
            assert_eq!(glyphs(3, word), regular, "{word}");
            assert_eq!(glyphs(4, word), semibold, "{word}");
            assert!(!regular.contains("[0=") && !regular.contains("|0="), "{word}");
        }
        assert!(words.lines().count() > 100);
    }

    #[test]
    fn a_long_bengali_word_is_not_broken_within_a_conjunct() {
        let lines = wrap(Face::Text, "কিংকর্তব্যবিমূঢ়", 1.5);
        assert_eq!(lines.concat(), "কিংকর্তব্যবিমূঢ়");
        assert!(lines.len() > 3, "{lines:?}");
        let is_sign =
            |c: char| ('\u{9bc}'..='\u{9cd}').contains(&c) || "\u{981}\u{982}\u{983}".contains(c);
        assert!(
            lines.iter().all(|line| !line.starts_with(is_sign) && !line.ends_with('\u{9cd}')),
            "{lines:?}"
        );
    }

    #[test]
    fn bengali_vowel_signs_are_reordered() {
        // ি is drawn before its consonant, so the first glyph belongs to the second character.
        let run = runs(Face::Text, "মি");
        assert_eq!(run.len(), 1);
        assert_eq!(run[0].glyphs[0].text, 0.."মি".len());
    }

    #[test]
    fn amounts_have_tabular_figures() {
        assert_eq!(width(Face::Text, "111"), width(Face::Text, "888"));
    }

    #[test]
    fn lines_break_between_words_where_possible() {
        let text = "A table lamp with a linen shade\nand a cable of two metres";
        let lines = wrap(Face::Text, text, 10.0);
        assert_eq!(lines.join(" "), text.replace('\n', " "));
        assert!(lines.iter().all(|line| width(Face::Text, line) <= 10.0), "{lines:?}");
        let lines = wrap(Face::Text, &"x".repeat(100), 10.0);
        assert_eq!(lines.concat(), "x".repeat(100));
        assert!(lines.len() > 3);
        assert_eq!(wrap(Face::Text, "", 10.0), [""; 0]);
        assert_eq!(wrap(Face::Text, "WW", 0.1), ["W", "W"]);
        let address = "mitali.das.of.the.market@correspondence.example";
        let lines = ["mitali.das.of.the.", "market@", "correspondence.", "example"];
        assert_eq!(wrap(Face::Text, address, 9.0), lines);
    }
}
