//! The shop's pictures. A file is taken in once: checked, decoded, turned upright and written anew as
//! a master that holds pixels and nothing else. From it every size that is served is made, once, when
//! it is first asked for or before. Alone writes `pictures` and `picture_sources` (decision 010).

mod built_in;
mod http;
mod makers;
mod portraits;
mod serve;
pub mod settings;
mod store;
mod table;

use std::fmt;
use std::str::FromStr;

use ::picture::{Clean, Looks};
use base::Id;
use serde::Serialize;
use utoipa::ToSchema;

pub use ::picture::{AVIF, Kind, MOST_BYTES, Unfit};
pub use built_in::{BuiltIn, Entry, Index};
pub use http::router;
pub use portraits::{FORGET, Forget, UploadRoom, list_portrait, remove_portrait};
pub use serve::{
    Counts, KEEP_BUILT_IN, KeepBuiltIn, Limits, MAKE_SIZES, MakeSizes, Media, store_master,
};
pub use store::Store;
pub use table::{known, pictures_of, put, put_all};

pub type PictureId = Id<Picture>;

/// The widths that are served; nobody can make the shop work by thinking of others.
pub const WIDTHS: [u32; 7] = [160, 320, 480, 640, 800, 1200, 1600];

/// A picture as pages need it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// Its address. One that starts with `/media/` has brothers: its last part may be any of the
    /// widths 160, 320, 480, 640, 800, 1200, 1600 with `.avif`, `.webp` or `.jpg`. A width above the
    /// picture's own is answered in its own.
    pub src: String,
    /// In pixels, like the height; null where the shop does not keep the picture itself.
    #[schema(required)]
    pub width: Option<i64>,
    #[schema(required)]
    pub height: Option<i64>,
    /// The colour that most of it has: `#c8b4a0`.
    #[schema(required)]
    pub colour: Option<String>,
    /// A few pixels of it to be shown blurred until it comes, as a `data:` address.
    #[schema(required)]
    pub placeholder: Option<String>,
    /// What is seen, in words; empty where nobody said.
    pub alt: String,
    /// The colour of the product that it shows; null for the first.
    #[schema(required)]
    pub in_colour: Option<String>,
}

/// A picture that was taken in, whose master is on its way to the store.
#[derive(Clone, Debug)]
pub struct Taken {
    pub id: PictureId,
    pub width: u32,
    pub height: u32,
    /// What it came as.
    pub kind: &'static str,
    pub colour: String,
    pub placeholder: String,
    /// How large the master is.
    pub bytes: usize,
    /// The hash of the file as it came.
    pub source: String,
}

/// Reads a file that anybody may have made into what is known of it and its master, whose hash is the
/// picture's id.
pub fn take(file: &[u8]) -> Result<(Taken, Vec<u8>), Unfit> {
    let Clean { looks, form, master } = ::picture::clean(file)?;
    let Looks { width, height, colour, placeholder } = looks;
    let id = hash(&master).parse::<PictureId>().map_err(|why| Unfit(format!("{why}")))?;
    let (kind, bytes, source) = (form.name(), master.len(), hash(file));
    Ok((Taken { id, width, height, kind, colour, placeholder, bytes, source }, master))
}

/// The last part of a picture's address: `800.webp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    pub width: u32,
    pub kind: Kind,
}

impl FromStr for Size {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (width, ending) = text.split_once('.').ok_or(())?;
        let kind = Kind::ALL.into_iter().find(|kind| kind.ending() == ending).ok_or(())?;
        // Compared as text, so that `0800` and `+800` are no second addresses.
        let width = WIDTHS.into_iter().find(|known| known.to_string() == width).ok_or(())?;
        Ok(Self { width, kind })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.width, self.kind.ending())
    }
}

/// Where a picture is found by whoever asks for no size of his own.
pub fn address(id: &PictureId) -> String {
    format!("/media/{id}/1200.jpg")
}

/// The picture that an address names, where it is one of ours.
pub fn id_of(address: &str) -> Option<PictureId> {
    let (id, size) = address.strip_prefix("/media/")?.split_once('/')?;
    size.parse::<Size>().ok()?;
    well_formed(id)
}

fn well_formed(id: &str) -> Option<PictureId> {
    let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (id.len() == 40 && id.bytes().all(digit)).then(|| id.parse().ok())?
}

/// The hash that names a file.
pub fn hash(bytes: &[u8]) -> String {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes);
    digest.as_ref()[..20].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_fixed_sizes_are_addresses() {
        assert_eq!("800.webp".parse(), Ok(Size { width: 800, kind: Kind::Webp }));
        for text in ["801.webp", "0800.webp", "+800.webp", "800.png", "800.", "800", "", ".jpg"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
        let id = hash(b"x");
        let picture = id.parse().unwrap();
        assert_eq!(id_of(&address(&picture)), Some(picture));
        for text in ["/media/../800.jpg", "/media/abc/800.jpg", "/favicon.svg", "/media/"] {
            assert_eq!(id_of(text), None, "{text}");
        }
        assert_eq!(id_of(&format!("/media/{}/800.jpg", id.to_uppercase())), None);
    }
}
