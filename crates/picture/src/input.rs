//! What is accepted of untrusted files: formats, which are detected by the first bytes, and sizes. Errors are
//! texts for the person who sent the file.

use std::fmt;

pub const MAX_PICTURE_BYTES: usize = 20 << 20;

/// The largest dimensions that are decoded: each pixel takes up to four bytes of memory, however small
/// the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeLimit {
    pub max_side: u32,
    pub pixels: u64,
}

impl SizeLimit {
    /// For the shopkeeper's pictures.
    pub const CATALOG: Self = Self { max_side: 12_000, pixels: 50_000_000 };
    /// For customers' uploads.
    pub const AVATAR: Self = Self { max_side: 8_000, pixels: 16_000_000 };

    pub fn check(self, width: u32, height: u32) -> Result<(), InvalidPicture> {
        let Self { max_side, pixels } = self;
        if width == 0 || height == 0 {
            return Err(InvalidPicture("has no pixels".into()));
        }
        let all = u64::from(width) * u64::from(height);
        if width > max_side || height > max_side || all > pixels {
            return Err(InvalidPicture(format!(
                "is {width} × {height} pixels; at most {max_side} each way and {} million in \
                 all are accepted",
                pixels / 1_000_000
            )));
        }
        Ok(())
    }
}

/// Why a file is rejected, for the person who sent it: it follows "This file".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidPicture(pub String);

/// The formats that are imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    Jpeg,
    Png,
    Webp,
    Avif,
}

impl InputFormat {
    pub fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::Webp => "WebP",
            Self::Avif => "AVIF",
        }
    }

    /// By the file's first bytes; its name is not used.
    pub fn detect(bytes: &[u8]) -> Result<Self, InvalidPicture> {
        let brand = |brands: &[&[u8]]| {
            bytes.get(4..8) == Some(b"ftyp")
                && bytes.get(8..12).is_some_and(|major| brands.contains(&major))
        };
        let start = bytes[..bytes.len().min(1024)].to_ascii_lowercase();
        let start = String::from_utf8_lossy(&start);
        let text = start.trim_start_matches('\u{feff}').trim_start();
        let what = match bytes {
            [0xff, 0xd8, 0xff, ..] => return Ok(Self::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => return Ok(Self::Png),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
                return Ok(Self::Webp);
            }
            _ if brand(&[b"avif", b"avis"]) => return Ok(Self::Avif),
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
        Err(InvalidPicture(format!("{what}; JPEG, PNG, WebP or AVIF is required")))
    }

    /// The error for a file of this format.
    pub fn broken(self, why: impl fmt::Display) -> InvalidPicture {
        InvalidPicture(format!("is a broken {}: {why}", self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_detected_by_the_first_bytes() {
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
            let said = InputFormat::detect(bytes).unwrap_err().0;
            assert!(said.contains(why) && said.contains("JPEG, PNG"), "{said}");
        }
        assert_eq!(InputFormat::detect(b"\0\0\0\x1cftypavif"), Ok(InputFormat::Avif));
    }

    #[test]
    fn size_limits_are_checked() {
        assert!(SizeLimit::CATALOG.check(12_000, 4_000).is_ok());
        for (width, height) in [(60_000, 60_000), (12_001, 1), (8_000, 8_000), (0, 5)] {
            assert!(SizeLimit::CATALOG.check(width, height).is_err(), "{width} × {height}");
        }
        assert!(SizeLimit::AVATAR.check(4_000, 4_000).is_ok());
        for (width, height) in [(4_001, 4_000), (8_001, 1)] {
            assert!(SizeLimit::AVATAR.check(width, height).is_err(), "{width} × {height}");
        }
    }
}
