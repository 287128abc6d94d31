//! Decoders for untrusted files. The size is checked in the header before anything is decoded.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use image_webp::WebPDecoder;
use moxcms::ColorProfile;
use png::{ColorType, Limits, Transformations};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

#[cfg(feature = "avif")]
use crate::avif;
use crate::input::{InputFormat, InvalidPicture, MAX_PICTURE_BYTES, SizeLimit};
use crate::pixels::Pixels;

/// For a colour profile or an EXIF block.
const MAX_METADATA_BYTES: usize = 4 << 20;
/// A progressive JPEG has about ten; thousands would each decode the whole picture.
const MAX_SCANS: usize = 40;

/// Decodes to sRGB, rotated upright.
pub fn decode(bytes: &[u8], limit: SizeLimit) -> Result<(InputFormat, Pixels), InvalidPicture> {
    if bytes.len() > MAX_PICTURE_BYTES {
        let mib = MAX_PICTURE_BYTES >> 20;
        return Err(InvalidPicture(format!("is larger than {mib} MiB")));
    }
    let format = InputFormat::detect(bytes)?;
    // A decoder may panic on a broken file.
    let decoded = catch_unwind(AssertUnwindSafe(|| match format {
        InputFormat::Jpeg => jpeg(bytes, limit),
        InputFormat::Png => png(bytes, limit),
        InputFormat::Webp => webp(bytes, limit),
        #[cfg(feature = "avif")]
        InputFormat::Avif => avif::decode(bytes, limit),
        #[cfg(not(feature = "avif"))]
        InputFormat::Avif => Err(InvalidPicture(
            "is an AVIF, which this build does not read; JPEG, PNG or WebP is required".into(),
        )),
    }));
    let invalid = |_| Err(InvalidPicture(format!("is a broken {}", format.name())));
    Ok((format, decoded.unwrap_or_else(invalid)?.without_unused_alpha()))
}

/// Masters are our own files, and trusted.
pub fn decode_master(bytes: &[u8]) -> Result<Pixels, String> {
    webp(bytes, SizeLimit::CATALOG).map_err(|why| why.0)
}

fn jpeg(bytes: &[u8], limit: SizeLimit) -> Result<Pixels, InvalidPicture> {
    let broken = |why: zune_jpeg::errors::DecodeErrors| InputFormat::Jpeg.broken(why);
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .set_strict_mode(true)
        .jpeg_set_max_scans(MAX_SCANS)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(broken)?;
    let info = decoder.info().ok_or_else(|| InvalidPicture("is a JPEG without a header".into()))?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    limit.check(width, height)?;
    if !is_complete_jpeg(bytes) {
        return Err(InvalidPicture("is a broken JPEG: it ends too early".into()));
    }
    let pixels = Pixels { width, height, alpha: false, bytes: decoder.decode().map_err(broken)? };
    let orientation = decoder.exif().map_or(1, |exif| orientation(exif));
    finish(InputFormat::Jpeg, pixels, decoder.icc_profile().as_deref(), orientation)
}

/// Whether a JPEG has its end marker; the decoder fills missing parts with grey. Walks through the markers,
/// because an embedded thumbnail has an end marker too.
fn is_complete_jpeg(bytes: &[u8]) -> bool {
    let mut at = 2;
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|b| *b == 0xff)) {
        at += found;
        match bytes.get(at + 1) {
            Some(0xd9) => return true,
            // Scan data, restart markers, and markers without a length.
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

fn png(bytes: &[u8], limit: SizeLimit) -> Result<Pixels, InvalidPicture> {
    let broken = |why: png::DecodingError| InputFormat::Png.broken(why);
    let limits = Limits { bytes: MAX_METADATA_BYTES + 8 * limit.max_side as usize * 4 };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(broken)?;
    let (width, height) = (header.width, header.height);
    limit.check(width, height)?;
    let mut reader = decoder.read_info().map_err(broken)?;
    let length = reader.output_buffer_size().unwrap_or(usize::MAX);
    if length as u64 > limit.pixels * 4 {
        return Err(InvalidPicture("is too large a PNG".into()));
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
        ColorType::Indexed => {
            return Err(InvalidPicture("is a PNG with an unexpanded palette".into()));
        }
    };
    let pixels = Pixels { width, height, alpha, bytes };
    let orientation = reader.info().exif_metadata.as_deref().map_or(1, orientation);
    finish(InputFormat::Png, pixels, reader.info().icc_profile.as_deref(), orientation)
}

fn webp(bytes: &[u8], limit: SizeLimit) -> Result<Pixels, InvalidPicture> {
    let broken = |why: image_webp::DecodingError| InputFormat::Webp.broken(why);
    let declared = bytes.get(4..8).map_or(0, |s| u32::from_le_bytes([s[0], s[1], s[2], s[3]]));
    if bytes.len() < declared as usize + 8 {
        return Err(InvalidPicture("is a broken WebP: it ends too early".into()));
    }
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(broken)?;
    decoder.set_memory_limit(MAX_METADATA_BYTES);
    let (width, height) = decoder.dimensions();
    limit.check(width, height)?;
    if decoder.is_animated() {
        return Err(InvalidPicture("is an animated WebP; a still picture is required".into()));
    }
    let profile = decoder.icc_profile().ok().flatten();
    let orientation = decoder.exif_metadata().ok().flatten().map_or(1, |exif| orientation(&exif));
    let mut read = vec![0; decoder.output_buffer_size().unwrap_or_default()];
    decoder.read_image(&mut read).map_err(broken)?;
    let pixels = Pixels { width, height, alpha: decoder.has_alpha(), bytes: read };
    finish(InputFormat::Webp, pixels, profile.as_deref(), orientation)
}

/// Converts from the embedded colour profile, such as Display P3 or Adobe RGB, where it is valid, and rotates.
fn finish(
    format: InputFormat,
    pixels: Pixels,
    profile: Option<&[u8]>,
    orientation: u16,
) -> Result<Pixels, InvalidPicture> {
    let pixels = pixels.check_length(format)?;
    let profile = profile.and_then(|profile| ColorProfile::new_from_slice(profile).ok());
    let pixels = match profile {
        Some(profile) => pixels.into_srgb(&profile),
        None => pixels,
    };
    Ok(pixels.upright(orientation))
}

/// The EXIF orientation: 1 to 8, 1 being upright.
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
    fn exif_orientation_is_read_in_both_byte_orders_and_validated() {
        let little = b"Exif\0\0II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
        let big = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0";
        assert_eq!((orientation(little), orientation(big)), (6, 8));
        assert_eq!(orientation(b"II\x2a\0\xff\xff\xff\xff"), 1);
        assert_eq!(orientation(b"II\x2a\0\x08\0\0\0\xff\xff\x12\x01\x03\0\x01\0\0\0\x99\0"), 1);
    }

    #[test]
    fn wide_gamut_colours_are_converted_to_srgb() {
        let file = |profile: Option<Vec<u8>>| {
            let mut info = png::Info::with_size(8, 8);
            info.color_type = ColorType::Rgb;
            info.bit_depth = png::BitDepth::Eight;
            info.icc_profile = profile.map(Into::into);
            let mut file = Vec::new();
            let encoder = png::Encoder::with_info(&mut file, info).unwrap();
            let pixels = [200, 100, 100].repeat(64);
            encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
            decode(&file, SizeLimit::CATALOG).unwrap().1.bytes[..3].to_vec()
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
            let _ = decode(&bytes, SizeLimit::CATALOG);
            orientation(&bytes);
        }
    }
}
