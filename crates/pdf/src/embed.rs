//! Font embedding: subsets of the glyphs that are used, with a mapping to Unicode, so that text can be
//! searched and copied.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use rustybuzz::ttf_parser::GlyphId;
use subsetter::GlyphRemapper;

use crate::font::{self, Font, Glyph, GlyphRun};
use crate::{PdfError, deflate};

const IDENTITY: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The fonts that a document uses so far, by their index in `font::all`.
#[derive(Default)]
pub(crate) struct EmbeddedFonts(BTreeMap<usize, Subset>);

/// The used glyphs of a font with their new ids, and the text of each.
#[derive(Default)]
struct Subset {
    glyphs: GlyphRemapper,
    texts: BTreeMap<u16, String>,
}

impl EmbeddedFonts {
    /// Writes a run of glyphs into a page's content, starting at a point.
    pub fn show(&mut self, content: &mut Content, run: &GlyphRun, (x, y): (f32, f32), size: f32) {
        let Some(font) = font::all().get(run.font) else { return };
        let subset = self.0.entry(run.font).or_default();
        content.begin_text();
        content.set_font(Name(resource_name(run.font).as_bytes()), size);
        content.set_text_matrix([1.0, 0.0, 0.0, 1.0, x, y]);
        // Glyphs of one text range belong together: a Bengali vowel sign and its consonant, for instance.
        for cluster in run.glyphs.chunk_by(|a, b| a.text == b.text) {
            let text = cluster.first().and_then(|glyph| run.text.get(glyph.text.clone()));
            subset.show_cluster(content, font, cluster, text.unwrap_or_default(), size);
        }
        content.end_text();
    }

    /// Writes the font objects. Answers the name and the object of each, for the pages' resources.
    pub fn write(self, pdf: &mut Pdf, next_id: &mut Ref) -> Result<Vec<(String, Ref)>, PdfError> {
        let mut written = Vec::new();
        for (index, subset) in self.0 {
            let Some(font) = font::all().get(index) else { continue };
            let id = next_id.bump();
            subset.write(pdf, font, id, next_id)?;
            written.push((resource_name(index), id));
        }
        Ok(written)
    }
}

fn resource_name(index: usize) -> String {
    format!("F{index}")
}

impl Subset {
    /// A single glyph maps to its text. Where that is not possible (several glyphs for one text, or one
    /// glyph for different texts), the text is written as ActualText.
    fn show_cluster(
        &mut self,
        content: &mut Content,
        font: &Font,
        cluster: &[Glyph],
        text: &str,
        size: f32,
    ) {
        let maps_to_text = match cluster {
            [glyph] => self.texts.entry(glyph.id).or_insert_with(|| text.to_owned()) == text,
            _ => false,
        };
        if !maps_to_text {
            let mut span = content.begin_marked_content_with_properties(Name(b"Span"));
            span.properties().actual_text(TextStr(text));
        }
        for glyph in cluster {
            let nominal = text.chars().find(|character| {
                font.tables.glyph_index(*character).is_some_and(|GlyphId(id)| id == glyph.id)
            });
            if let Some(character) = nominal {
                self.texts.entry(glyph.id).or_insert_with(|| character.to_string());
            }
            self.show_glyph(content, font, glyph, size);
        }
        if !maps_to_text {
            content.end_marked_content();
        }
    }

    fn show_glyph(&mut self, content: &mut Content, font: &Font, glyph: &Glyph, size: f32) {
        let id = self.glyphs.remap(glyph.id).to_be_bytes();
        if glyph.y_offset != 0.0 {
            content.set_rise(glyph.y_offset * size);
        }
        // PDF advances by the glyph's own width. Adjustments are in thousandths of an em, positive to the
        // left.
        if glyph.x_offset != 0.0 {
            content.show_positioned().items().adjust(-glyph.x_offset * 1000.0);
        }
        // As character spacing, which belongs to the glyph: programs that extract text would take an adjustment
        // after a mark for a space between words.
        let after = glyph.advance - glyph.x_offset - font.width(glyph.id) / 1000.0;
        let is_moved = after.abs() > 0.00001;
        if is_moved {
            content.set_char_spacing(after * size);
        }
        content.show(Str(&id));
        if is_moved {
            content.set_char_spacing(0.0);
        }
        if glyph.y_offset != 0.0 {
            content.set_rise(0.0);
        }
    }

    fn write(self, pdf: &mut Pdf, font: &Font, id: Ref, next_id: &mut Ref) -> Result<(), PdfError> {
        let [cid, descriptor, file, cmap] = std::array::from_fn(|_| next_id.bump());
        let used: Vec<u16> = self.glyphs.remapped_gids().collect();
        // A tag of six letters distinguishes subsets of the same font.
        let tag =
            used.iter().fold(0_u32, |tag, id| tag.wrapping_mul(31).wrapping_add((*id).into()));
        let tag = (0..6).map(|place| char::from(b'A' + ((tag >> (place * 5)) % 26) as u8));
        let name = format!("{}+{}", tag.collect::<String>(), font.name);
        let name = Name(name.as_bytes());

        pdf.type0_font(id)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(cmap);

        let mut object = pdf.cid_font(cid);
        object
            .subtype(CidFontType::Type2)
            .base_font(name)
            .system_info(IDENTITY)
            .font_descriptor(descriptor)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        object.widths().consecutive(0, used.iter().map(|id| font.width(*id)));
        object.finish();

        let em = 1000.0 / font.tables.units_per_em() as f32;
        let bounds = font.tables.global_bounding_box();
        let [left, bottom, right, top] =
            [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(|at| f32::from(at) * em);
        let ascent = f32::from(font.tables.ascender()) * em;
        pdf.font_descriptor(descriptor)
            .name(name)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(left, bottom, right, top))
            .italic_angle(0.0)
            .ascent(ascent)
            .descent(f32::from(font.tables.descender()) * em)
            .cap_height(font.tables.capital_height().map_or(ascent, |at| f32::from(at) * em))
            .stem_v(80.0)
            .font_file2(file);

        let mut texts = UnicodeCmap::new(Name(b"Custom"), IDENTITY);
        for (old, text) in &self.texts {
            if let Some(new) = self.glyphs.get(*old) {
                texts.pair_with_multiple(new, text.chars());
            }
        }
        let texts = deflate(texts.finish().as_slice())?;
        pdf.cmap(cmap, &texts).filter(Filter::FlateDecode);

        let subset = subsetter::subset(font.file, 0, &self.glyphs)
            .map_err(|why| PdfError(format!("{}: {why}", font.name)))?;
        let length = i32::try_from(subset.len()).map_err(|why| PdfError(why.to_string()))?;
        let subset = deflate(&subset)?;
        let mut stream = pdf.stream(file, &subset);
        stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), length);
        Ok(())
    }
}

impl Font {
    /// In thousandths of an em.
    fn width(&self, id: u16) -> f32 {
        let width = self.tables.glyph_hor_advance(GlyphId(id)).unwrap_or_default();
        f32::from(width) * 1000.0 / self.tables.units_per_em() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Face;

    fn content(text: &str) -> String {
        let mut content = Content::new();
        for run in font::runs(Face::Text, text) {
            EmbeddedFonts::default().show(&mut content, &run, (0.0, 0.0), 10.0);
        }
        String::from_utf8_lossy(content.finish().as_slice()).into_owned()
    }

    #[test]
    fn the_text_of_a_bengali_cluster_is_written_as_one() {
        // The vowel sign, the consonant, and the reph above it: a mark that does not advance.
        let content = content("র্কে");
        assert_eq!(content.matches("/ActualText").count(), 1, "{content}");
        assert_eq!(content.matches(" Tj").count(), 3, "{content}");
        // What moves the pen to the end of the consonant is part of the last glyph.
        let after = content.rsplit(" Tj").next().unwrap();
        assert!(after.starts_with("\n0 Tc") && !after.contains("TJ"), "{content}");
    }
}
