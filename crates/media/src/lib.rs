//! Pictures: import, storage and serving. An imported file is validated, decoded, rotated upright and
//! re-encoded as a master without metadata. The sizes that are served are encoded from it once, on demand
//! or in advance (decision 010). The only crate that writes `pictures` and `picture_sources`.

mod avatars;
mod encoder_pool;
mod http;
mod import;
mod serve;
pub mod settings;
mod store;
mod table;
mod uploads;

use std::fmt;
use std::str::FromStr;

use ::picture::{PictureMetadata, SanitizedPicture};
use platform::Id;
use platform::jobs::Queue;
use serde::Serialize;
use utoipa::ToSchema;

pub use ::picture::{AVIF, InvalidPicture, MAX_PICTURE_BYTES, OutputFormat};
pub use avatars::{DeleteFiles, insert_avatar, remove_avatar};
pub use http::router;
pub use import::{StoredPicture, insert_picture, store_picture};
pub use serve::{EncodeSizes, Media, MediaLimits, MediaStats, StoreBuiltIn, store_master};
pub use store::{BuiltIn, IndexEntry, PictureIndex, PictureStore};
pub use table::{find_by_source, find_pictures, insert_pictures};
pub use uploads::UploadPermit;

pub type PictureId = Id<Picture>;

/// For jobs that use the picture store, which may be another server.
const FILES_QUEUE: Queue = Queue { name: "files", slots: 2 };

/// The widths that are served. A fixed list, so that nobody can request arbitrary work.
pub const WIDTHS: [u32; 7] = [160, 320, 480, 640, 800, 1200, 1600];

/// A picture with what pages need to display it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// Its URL. One that starts with `/media/` exists in other sizes: its last part may be any of the
    /// widths 160, 320, 480, 640, 800, 1200, 1600 with `.avif`, `.webp` or `.jpg`. A larger width than
    /// the picture's own is answered in its own.
    pub src: String,
    /// In pixels, like the height; null for pictures that the shop does not store.
    #[schema(required)]
    pub width: Option<i64>,
    #[schema(required)]
    pub height: Option<i64>,
    /// The dominant colour: `#c8b4a0`.
    #[schema(required)]
    pub colour: Option<String>,
    /// A tiny version to be displayed blurred until the picture is loaded, as a `data:` URL.
    #[schema(required)]
    pub placeholder: Option<String>,
    /// The alternative text; empty where there is none.
    pub alt: String,
    /// The colour of the pictured product; null for the first colour.
    #[schema(required)]
    pub in_colour: Option<String>,
}

/// An imported picture, whose master the caller stores.
#[derive(Clone, Debug)]
pub struct ImportedPicture {
    pub id: PictureId,
    pub metadata: PictureMetadata,
    /// The format of the file.
    pub kind: &'static str,
    /// The size of the master.
    pub bytes: usize,
    /// The hash of the original file.
    pub source: String,
}

/// Sanitizes an untrusted file, and answers its metadata and its master, whose hash is the picture's id.
pub fn import_picture(file: &[u8]) -> Result<(ImportedPicture, Vec<u8>), InvalidPicture> {
    let SanitizedPicture { metadata, format, master } = ::picture::sanitize(file)?;
    let (id, kind, bytes) = (PictureId::from_content(&master), format.name(), master.len());
    Ok((ImportedPicture { id, metadata, kind, bytes, source: hash(file) }, master))
}

/// The last part of a picture's URL: `800.webp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    pub width: u32,
    pub format: OutputFormat,
}

impl FromStr for Size {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (width, ending) = text.split_once('.').ok_or(())?;
        let format =
            OutputFormat::ALL.into_iter().find(|format| format.extension() == ending).ok_or(())?;
        // Compared as text, so that `0800` and `+800` are not valid too.
        let width = WIDTHS.into_iter().find(|known| known.to_string() == width).ok_or(())?;
        Ok(Self { width, format })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.width, self.format.extension())
    }
}

/// The URL of the default size.
pub fn picture_url(id: &PictureId) -> String {
    format!("/media/{id}/1200.jpg")
}

/// None where the URL is not one of ours.
pub fn id_in_url(url: &str) -> Option<PictureId> {
    let (id, size) = url.strip_prefix("/media/")?.split_once('/')?;
    size.parse::<Size>().ok()?;
    well_formed(id)
}

fn well_formed(id: &str) -> Option<PictureId> {
    let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (id.len() == 40 && id.bytes().all(digit)).then(|| id.parse().ok())?
}

/// The hash of an original file, by which it is recognized.
pub fn hash(file: &[u8]) -> String {
    PictureId::from_content(file).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_fixed_sizes_are_valid_urls() {
        assert_eq!("800.webp".parse(), Ok(Size { width: 800, format: OutputFormat::Webp }));
        for text in ["801.webp", "0800.webp", "+800.webp", "800.png", "800.", "800", "", ".jpg"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
        let id = hash(b"x");
        let picture = id.parse().unwrap();
        assert_eq!(id_in_url(&picture_url(&picture)), Some(picture));
        for text in ["/media/../800.jpg", "/media/abc/800.jpg", "/favicon.svg", "/media/"] {
            assert_eq!(id_in_url(text), None, "{text}");
        }
        assert_eq!(id_in_url(&format!("/media/{}/800.jpg", id.to_uppercase())), None);
    }
}
