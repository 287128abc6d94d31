//! Pictures as files and as pixels. A file that anybody may have made is read with care and written
//! anew as a master that holds pixels and nothing else; from the master come the sizes that are served.
//! Knows nothing of shops, databases or disks.

#[cfg(feature = "avif")]
mod av1;
#[cfg(feature = "avif")]
mod avif;
mod decode;
mod encode;
mod pixels;

pub use decode::{Bounds, Form, MOST_BYTES, Unfit};

use pixels::Pixels;

/// Masters are kept no wider: half as much again as the widest size that is served.
pub const MASTER_WIDTH: u32 = 2400;
/// Nor with more pixels, so that no size of them takes long to make.
pub const MASTER_PIXELS: u64 = 6_000_000;
/// A placeholder stands in every page that shows its picture.
pub const PLACEHOLDER_BYTES: usize = 300;

/// Whether this build reads and writes AVIF.
pub const AVIF: bool = cfg!(feature = "avif");

/// How a picture is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Avif,
    Webp,
    Jpeg,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Avif, Self::Webp, Self::Jpeg];

    pub fn ending(self) -> &'static str {
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

/// What a page has to know of a picture before it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looks {
    pub width: u32,
    pub height: u32,
    /// The colour that most of it has, as `#rrggbb`.
    pub colour: String,
    /// A few pixels of it, as a `data:` address.
    pub placeholder: String,
}

/// A picture that is fit to be kept.
#[derive(Clone, Debug)]
pub struct Clean {
    pub looks: Looks,
    /// What it came as.
    pub form: Form,
    /// The file to keep: a WebP.
    pub master: Vec<u8>,
}

/// Reads a file. Takes up to a few seconds of one core and a few hundred MiB for the largest.
pub fn clean(bytes: &[u8]) -> Result<Clean, Unfit> {
    let (form, pixels) = decode::decode(bytes, Bounds::CATALOG)?;
    let broken = |why: String| decode::broken(form, why);
    let pixels = fitted(pixels).map_err(broken)?;
    let looks = looks(&pixels).map_err(broken)?;
    Ok(Clean { looks, form, master: encode::master(&pixels).map_err(broken)? })
}

/// The same of its middle, as a square of at most `side` pixels, from a file of a customer's.
pub fn clean_square(bytes: &[u8], side: u32) -> Result<Clean, Unfit> {
    let (form, pixels) = decode::decode(bytes, Bounds::PORTRAIT)?;
    let broken = |why: String| decode::broken(form, why);
    let pixels = pixels.squared().narrowed(side).map_err(broken)?;
    let looks = looks(&pixels).map_err(broken)?;
    Ok(Clean { looks, form, master: encode::master(&pixels).map_err(broken)? })
}

fn looks(pixels: &Pixels) -> Result<Looks, String> {
    Ok(Looks {
        width: pixels.width,
        height: pixels.height,
        colour: pixels.colour()?,
        placeholder: encode::placeholder(pixels)?,
    })
}

/// No larger than masters are kept.
fn fitted(pixels: Pixels) -> Result<Pixels, String> {
    let (width, height) = (f64::from(pixels.width), f64::from(pixels.height));
    let by_pixels = (MASTER_PIXELS as f64 / (width * height)).sqrt();
    let scale = by_pixels.min(f64::from(MASTER_WIDTH) / width);
    if scale >= 1.0 {
        return Ok(pixels);
    }
    let side = |length: f64| ((length * scale).round() as u32).max(1);
    pixels.resized(side(width), side(height))
}

/// A master, open to make sizes from.
pub struct Master(Pixels);

impl Master {
    pub fn open(file: &[u8]) -> Result<Self, String> {
        decode::own(file).map(Self)
    }

    pub fn looks(&self) -> Result<Looks, String> {
        looks(&self.0)
    }

    /// A file of this width, or of the master's own where that is less.
    pub fn make(&self, width: u32, kind: Kind) -> Result<Vec<u8>, String> {
        encode::encode(&self.0.narrowed(width)?, kind)
    }
}
