//! Reading files that anybody may have made. What a file is, is told by its first bytes; how large it
//! would be, by its header, before anything is decoded; and whatever is wrong with it is said in words.

use std::fmt;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use image_webp::WebPDecoder;
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};
use png::{ColorType, Limits, Transformations};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

#[cfg(feature = "avif")]
use crate::avif;
use crate::pixels::Pixels;

pub const MOST_BYTES: usize = 20 << 20;

/// The largest picture that is decoded, by what its header says: each pixel takes up to four bytes of
/// memory, however small the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub longest_side: u32,
    pub pixels: u64,
}

impl Bounds {
    /// For the shopkeeper's own pictures.
    pub const CATALOG: Self = Self { longest_side: 12_000, pixels: 50_000_000 };
    /// For what any customer may upload.
    pub const PORTRAIT: Self = Self { longest_side: 8_000, pixels: 16_000_000 };
}

/// A profile or EXIF block that is larger is nobody's.
const MOST_METADATA: usize = 4 << 20;
/// A progressive JPEG comes in about ten; thousands would each decode the whole picture.
const MOST_SCANS: usize = 40;

/// Why a file is not taken, for the person who sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(pub String);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unfit {}

/// What a file can come as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Jpeg,
    Png,
    Webp,
    Avif,
}

impl Form {
    pub fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::Webp => "WebP",
            Self::Avif => "AVIF",
        }
    }

    /// By the file's first bytes; its name is not asked.
    pub fn of(bytes: &[u8]) -> Result<Self, Unfit> {
        let brand = |brands: &[&[u8]]| {
            bytes.get(4..8) == Some(b"ftyp")
                && bytes.get(8..12).is_some_and(|major| brands.contains(&major))
        };
        if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
            return Ok(Self::Jpeg);
        }
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            return Ok(Self::Png);
        }
        if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            return Ok(Self::Webp);
        }
        if brand(&[b"avif", b"avis"]) {
            return Ok(Self::Avif);
        }
        let start = bytes[..bytes.len().min(1024)].to_ascii_lowercase();
        let start = String::from_utf8_lossy(&start);
        let text = start.trim_start_matches('\u{feff}').trim_start();
        let what = match bytes {
            [] => "is empty",
            _ if text.starts_with('<') && text.contains("<svg") => {
                "is an SVG, which can carry scripts"
            }
            _ if text.starts_with('<') => "is a web page or XML",
            [b'G', b'I', b'F', b'8', ..] => "is a GIF",
            [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => "is a TIFF",
            [b'B', b'M', ..] => "is a BMP",
            [b'%', b'P', b'D', b'F', ..] => "is a PDF",
            _ if brand(&[b"heic", b"heix", b"hevc", b"mif1", b"msf1"]) => "is a HEIC",
            _ => "is no picture that we know",
        };
        Err(Unfit(format!("{what}; JPEG, PNG, WebP or AVIF is wanted")))
    }
}

impl Bounds {
    /// Refuses what would be too large to hold.
    pub fn check(self, width: u32, height: u32) -> Result<(), Unfit> {
        let Self { longest_side, pixels } = self;
        if width == 0 || height == 0 {
            return Err(Unfit("has no pixels".into()));
        }
        let all = u64::from(width) * u64::from(height);
        if width > longest_side || height > longest_side || all > pixels {
            return Err(Unfit(format!(
                "is {width} × {height} pixels; at most {longest_side} each way and {} million in \
                 all are taken",
                pixels / 1_000_000
            )));
        }
        Ok(())
    }
}

/// The picture in a file, upright, in sRGB.
pub fn decode(bytes: &[u8], bounds: Bounds) -> Result<(Form, Pixels), Unfit> {
    if bytes.len() > MOST_BYTES {
        let mib = MOST_BYTES >> 20;
        return Err(Unfit(format!("is larger than {mib} MiB")));
    }
    let form = Form::of(bytes)?;
    // A decoder that gives up in a panic has met a broken file, not broken the shop.
    let decoded = catch_unwind(AssertUnwindSafe(|| match form {
        Form::Jpeg => jpeg(bytes, bounds),
        Form::Png => png(bytes, bounds),
        Form::Webp => webp(bytes, bounds),
        #[cfg(feature = "avif")]
        Form::Avif => avif::decode(bytes, bounds),
        #[cfg(not(feature = "avif"))]
        Form::Avif => Err(Unfit(
            "is an AVIF, which this build does not read; JPEG, PNG or WebP is wanted".into(),
        )),
    }));
    let broken = |_| Err(Unfit(format!("is a broken {}", form.name())));
    Ok((form, decoded.unwrap_or_else(broken)?.tidied()))
}

/// A master, which is our own work.
pub fn own(bytes: &[u8]) -> Result<Pixels, String> {
    webp(bytes, Bounds::CATALOG).map_err(|why| why.0)
}

pub fn broken(form: Form, why: impl fmt::Display) -> Unfit {
    Unfit(format!("is a broken {}: {why}", form.name()))
}

fn jpeg(bytes: &[u8], bounds: Bounds) -> Result<Pixels, Unfit> {
    let broken = |why: zune_jpeg::errors::DecodeErrors| broken(Form::Jpeg, why);
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .set_strict_mode(true)
        .jpeg_set_max_scans(MOST_SCANS)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(broken)?;
    let info = decoder.info().ok_or_else(|| Unfit("is a JPEG without a header".into()))?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    bounds.check(width, height)?;
    if !ends(bytes) {
        return Err(Unfit("is a broken JPEG: it ends too early".into()));
    }
    let pixels = Pixels { width, height, alpha: false, bytes: decoder.decode().map_err(broken)? };
    check_length(Form::Jpeg, &pixels)?;
    let turn = decoder.exif().map_or(1, |exif| orientation(exif));
    Ok(in_srgb(pixels, decoder.icc_profile().as_deref()).upright(turn))
}

/// Whether a JPEG goes on to its own end. The decoder fills up with grey what is missing. Markers are
/// walked through, because a thumbnail inside has an end too.
fn ends(bytes: &[u8]) -> bool {
    let mut at = 2;
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|b| *b == 0xff)) {
        at += found;
        match bytes.get(at + 1) {
            Some(0xd9) => return true,
            // Data of a scan, restarts in it, and markers that stand alone.
            Some(0x00 | 0x01 | 0xd0..=0xd8) => at += 2,
            Some(0xff) => at += 1,
            Some(_) => match bytes.get(at + 2..at + 4) {
                Some(length) => at += 2 + usize::from(u16::from_be_bytes([length[0], length[1]])),
                None => return false,
            },
            None => return false,
        }
    }
    false
}

fn png(bytes: &[u8], bounds: Bounds) -> Result<Pixels, Unfit> {
    let broken = |why: png::DecodingError| broken(Form::Png, why);
    let limits = Limits { bytes: MOST_METADATA + 8 * bounds.longest_side as usize * 4 };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(broken)?;
    let (width, height) = (header.width, header.height);
    bounds.check(width, height)?;
    let mut reader = decoder.read_info().map_err(broken)?;
    let length = reader.output_buffer_size().unwrap_or(usize::MAX);
    if length as u64 > bounds.pixels * 4 {
        return Err(Unfit("is too large a PNG".into()));
    }
    let mut read = vec![0; length];
    let frame = reader.next_frame(&mut read).map_err(broken)?;
    reader.finish().map_err(broken)?;
    read.truncate(frame.buffer_size());
    let (alpha, bytes) = match frame.color_type {
        ColorType::Rgb => (false, read),
        ColorType::Rgba => (true, read),
        ColorType::Grayscale => (false, read.iter().flat_map(|grey| [*grey; 3]).collect()),
        ColorType::GrayscaleAlpha => {
            let rgba = |pixel: &[u8]| [pixel[0], pixel[0], pixel[0], pixel[1]];
            (true, read.chunks_exact(2).flat_map(rgba).collect())
        }
        ColorType::Indexed => return Err(Unfit("is a PNG with a palette that is not".into())),
    };
    let pixels = Pixels { width, height, alpha, bytes };
    check_length(Form::Png, &pixels)?;
    let turn = reader.info().exif_metadata.as_deref().map_or(1, orientation);
    Ok(in_srgb(pixels, reader.info().icc_profile.as_deref()).upright(turn))
}

fn webp(bytes: &[u8], bounds: Bounds) -> Result<Pixels, Unfit> {
    let broken = |why: image_webp::DecodingError| broken(Form::Webp, why);
    let said = bytes.get(4..8).map_or(0, |s| u32::from_le_bytes([s[0], s[1], s[2], s[3]]));
    if bytes.len() < said as usize + 8 {
        return Err(Unfit("is a broken WebP: it ends too early".into()));
    }
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(broken)?;
    decoder.set_memory_limit(MOST_METADATA);
    let (width, height) = decoder.dimensions();
    bounds.check(width, height)?;
    if decoder.is_animated() {
        return Err(Unfit("is a moving WebP; a still one is wanted".into()));
    }
    let profile = decoder.icc_profile().ok().flatten();
    let turn = decoder.exif_metadata().ok().flatten().map_or(1, |exif| orientation(&exif));
    let mut read = vec![0; decoder.output_buffer_size().unwrap_or_default()];
    decoder.read_image(&mut read).map_err(broken)?;
    let pixels = Pixels { width, height, alpha: decoder.has_alpha(), bytes: read };
    check_length(Form::Webp, &pixels)?;
    Ok(in_srgb(pixels, profile.as_deref()).upright(turn))
}

/// Everything after this reads pixels by their number, so there must be as many as the header says.
pub fn check_length(form: Form, pixels: &Pixels) -> Result<(), Unfit> {
    let wanted = pixels.width as usize * pixels.height as usize * pixels.channels();
    if pixels.bytes.len() == wanted { Ok(()) } else { Err(broken(form, "pixels are missing")) }
}

/// The colours as sRGB has them, where a file says that it means others: Display P3 and Adobe RGB are
/// brought in, and what no screen of the web shows is lost. A profile that makes no sense is ignored.
fn in_srgb(pixels: Pixels, profile: Option<&[u8]>) -> Pixels {
    match profile.and_then(|profile| ColorProfile::new_from_slice(profile).ok()) {
        Some(profile) => from_profile(pixels, &profile),
        None => pixels,
    }
}

pub fn from_profile(mut pixels: Pixels, profile: &ColorProfile) -> Pixels {
    let layout = if pixels.alpha { Layout::Rgba } else { Layout::Rgb };
    if profile.color_space != DataColorSpace::Rgb {
        return pixels;
    }
    let srgb = ColorProfile::new_srgb();
    let options = TransformOptions::default();
    let Ok(transform) = profile.create_transform_8bit(layout, &srgb, layout, options) else {
        return pixels;
    };
    let row = pixels.width as usize * pixels.channels();
    let mut turned = vec![0; row];
    for line in pixels.bytes.chunks_exact_mut(row) {
        if transform.transform(line, &mut turned).is_ok() {
            line.copy_from_slice(&turned);
        }
    }
    pixels
}

/// How the camera was held, by the one tag of EXIF that we ask for: 1 to 8, 1 being upright.
fn orientation(exif: &[u8]) -> u16 {
    let tiff = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    let big = match tiff.get(..4) {
        Some(b"II\x2a\0") => false,
        Some(b"MM\0\x2a") => true,
        _ => return 1,
    };
    let short = |at: usize| -> Option<u16> {
        let two = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if big { u16::from_be_bytes(two) } else { u16::from_le_bytes(two) })
    };
    let long = |at: usize| -> Option<usize> {
        let four = tiff.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if big { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) } as usize)
    };
    let find = || -> Option<u16> {
        let directory = long(4)?;
        let entries = usize::from(short(directory)?);
        let entry = |number: usize| directory + 2 + number * 12;
        let number = (0..entries).find(|number| short(entry(*number)) == Some(0x0112))?;
        short(entry(number) + 8)
    };
    find().filter(|turn| (1..=8).contains(turn)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_file_is_its_first_bytes_say() {
        for (bytes, why) in [
            (&b"<svg onload=alert(1)>"[..], "SVG"),
            (b"\xef\xbb\xbf  <?xml version='1.0'?><svg/>", "SVG"),
            (b"<!DOCTYPE html><script>", "web page"),
            (b"GIF89a", "GIF"),
            (b"\0\0\0\x18ftypheic", "HEIC"),
            (b"%PDF-1.7", "PDF"),
            (b"BM....", "BMP"),
            (b"II\x2a\0", "TIFF"),
            (b"PK\x03\x04", "no picture"),
            (b"", "empty"),
        ] {
            let said = Form::of(bytes).unwrap_err().0;
            assert!(said.contains(why) && said.contains("JPEG, PNG"), "{said}");
        }
        assert_eq!(Form::of(b"\0\0\0\x1cftypavif"), Ok(Form::Avif));
    }

    #[test]
    fn an_orientation_is_read_in_either_order_of_bytes_and_never_trusted() {
        let little = b"Exif\0\0II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
        let big = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0";
        assert_eq!((orientation(little), orientation(big)), (6, 8));
        assert_eq!(orientation(b"II\x2a\0\xff\xff\xff\xff"), 1);
        assert_eq!(orientation(b"II\x2a\0\x08\0\0\0\xff\xff\x12\x01\x03\0\x01\0\0\0\x99\0"), 1);
    }

    #[test]
    fn bounds_are_those_that_we_say() {
        assert!(Bounds::CATALOG.check(12_000, 4_000).is_ok());
        for (width, height) in [(60_000, 60_000), (12_001, 1), (8_000, 8_000), (0, 5)] {
            assert!(Bounds::CATALOG.check(width, height).is_err(), "{width} × {height}");
        }
        assert!(Bounds::PORTRAIT.check(4_000, 4_000).is_ok());
        for (width, height) in [(4_001, 4_000), (8_001, 1)] {
            assert!(Bounds::PORTRAIT.check(width, height).is_err(), "{width} × {height}");
        }
    }

    #[test]
    fn the_colours_of_a_wide_gamut_are_brought_to_srgb() {
        let file = |profile: Option<Vec<u8>>| {
            let mut info = png::Info::with_size(8, 8);
            info.color_type = ColorType::Rgb;
            info.bit_depth = png::BitDepth::Eight;
            info.icc_profile = profile.map(Into::into);
            let mut file = Vec::new();
            let encoder = png::Encoder::with_info(&mut file, info).unwrap();
            let pixels = [200, 100, 100].repeat(64);
            encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
            decode(&file, Bounds::CATALOG).unwrap().1.bytes[..3].to_vec()
        };
        assert_eq!(file(None), [200, 100, 100]);
        assert_eq!(file(Some(vec![1, 2, 3])), [200, 100, 100]);
        let srgb = file(Some(ColorProfile::new_display_p3().encode().unwrap()));
        assert!(srgb[0] > 205 && srgb[1] < 100 && srgb[2] < 102, "{srgb:?}");
    }

    const STARTS: [&[u8]; 5] = [
        b"",
        b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08\0\x08\0\x08\x03",
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x04\0\0\0\x04\x08\x02\0\0\0",
        b"RIFF\x20\0\0\0WEBPVP8 ",
        b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf",
    ];

    proptest! {
        #[test]
        fn random_bytes_never_panic(start in 0usize..5, rest in proptest::collection::vec(any::<u8>(), 0..600)) {
            let bytes = [STARTS[start], &rest].concat();
            let _ = decode(&bytes, Bounds::CATALOG);
            orientation(&bytes);
        }
    }
}
