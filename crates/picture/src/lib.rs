//! Decoding, resizing and encoding pictures. An untrusted file is sanitized: re-encoded as a master without
//! metadata, from which all sizes are encoded. Knows nothing of shops, databases or disks.

#[cfg(feature = "avif")]
mod av1;
#[cfg(feature = "avif")]
mod avif;
mod decode;
mod encode;
mod input;
mod pixels;

pub use input::{InputFormat, InvalidPicture, MAX_PICTURE_BYTES, SizeLimit};

use pixels::Pixels;

/// The widest master: one and a half times the widest size that is served.
pub const MASTER_WIDTH: u32 = 2400;
/// Limits the time to encode a size.
pub const MASTER_PIXELS: u64 = 6_000_000;
/// A placeholder is inlined in every page with its picture.
pub const PLACEHOLDER_BYTES: usize = 300;

/// Whether this build reads and writes AVIF.
pub const AVIF: bool = cfg!(feature = "avif");

/// The formats that are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputFormat {
    Avif,
    Webp,
    Jpeg,
}

impl OutputFormat {
    pub const ALL: [Self; 3] = [Self::Avif, Self::Webp, Self::Jpeg];

    pub fn extension(self) -> &'static str {
        match self {
            Self::Avif => "avif",
            Self::Webp => "webp",
            Self::Jpeg => "jpg",
        }
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Self::Avif => "image/avif",
            Self::Webp => "image/webp",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// What a page displays before the picture is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureMetadata {
    pub width: u32,
    pub height: u32,
    /// The dominant colour, as `#rrggbb`.
    pub colour: String,
    /// A tiny version, as a `data:` URL.
    pub placeholder: String,
}

#[derive(Clone, Debug)]
pub struct SanitizedPicture {
    pub metadata: PictureMetadata,
    /// The format of the original file.
    pub format: InputFormat,
    /// A WebP file.
    pub master: Vec<u8>,
}

/// Sanitizes an untrusted file. The largest take a few seconds of one core and a few hundred MiB.
pub fn sanitize(bytes: &[u8]) -> Result<SanitizedPicture, InvalidPicture> {
    let (format, pixels) = decode::decode(bytes, SizeLimit::CATALOG)?;
    let invalid = |why: String| format.broken(why);
    let pixels = shrink_to_master(pixels).map_err(invalid)?;
    let metadata = metadata(&pixels).map_err(invalid)?;
    Ok(SanitizedPicture { metadata, format, master: encode::master(&pixels).map_err(invalid)? })
}

/// The same for an avatar: the middle, as a square of at most `side` pixels.
pub fn sanitize_square(bytes: &[u8], side: u32) -> Result<SanitizedPicture, InvalidPicture> {
    let (format, pixels) = decode::decode(bytes, SizeLimit::AVATAR)?;
    let invalid = |why: String| format.broken(why);
    let pixels = pixels.cropped_to_square().resized_to_width(side).map_err(invalid)?;
    let metadata = metadata(&pixels).map_err(invalid)?;
    Ok(SanitizedPicture { metadata, format, master: encode::master(&pixels).map_err(invalid)? })
}

fn metadata(pixels: &Pixels) -> Result<PictureMetadata, String> {
    Ok(PictureMetadata {
        width: pixels.width,
        height: pixels.height,
        colour: pixels.dominant_colour()?,
        placeholder: encode::placeholder(pixels)?,
    })
}

fn shrink_to_master(pixels: Pixels) -> Result<Pixels, String> {
    let (width, height) = (f64::from(pixels.width), f64::from(pixels.height));
    let by_pixels = (MASTER_PIXELS as f64 / (width * height)).sqrt();
    let scale = by_pixels.min(f64::from(MASTER_WIDTH) / width);
    if scale >= 1.0 {
        return Ok(pixels);
    }
    let side = |length: f64| ((length * scale).round() as u32).max(1);
    pixels.resized(side(width), side(height))
}

/// A decoded master, from which sizes are encoded.
pub struct Master(Pixels);

impl Master {
    pub fn open(file: &[u8]) -> Result<Self, String> {
        decode::decode_master(file).map(Self)
    }

    pub fn metadata(&self) -> Result<PictureMetadata, String> {
        metadata(&self.0)
    }

    /// A file of this width, or of the master's width where that is less.
    pub fn encode(&self, width: u32, format: OutputFormat) -> Result<Vec<u8>, String> {
        encode::encode(&self.0.resized_to_width(width)?, format)
    }
}
