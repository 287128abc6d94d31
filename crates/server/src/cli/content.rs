//! Loads the shop's content files for `haat serve`, and checks them for `haat check`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use include_dir::{Dir, include_dir};
use media::{BuiltIn, MAX_PICTURE_BYTES, PictureStore};
use platform::{Clock, Db, Languages};
use shop::content::{
    ContentError, ContentFiles, Contents, ShopDetails, built_in_pictures, import_pictures,
};
use shop::settings::ShopProfile;
use shop::shop_profiles::ShopProfiles;

static DEMO: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../demo/content");
/// Template texts for a shop that has not written its own.
static STARTER: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../starter");
const PICTURE_EXTENSIONS: [&str; 5] = ["webp", "avif", "jpg", "jpeg", "png"];

/// The shop's own files over the templates; the demo's content only for the demo.
fn files(
    demo: bool,
    dir: Option<&Path>,
    languages: &Languages,
) -> Result<ContentFiles, ContentError> {
    let embedded = super::serve::files(if demo && dir.is_none() { &DEMO } else { &STARTER });
    let embedded =
        ContentFiles::embedded(embedded.iter().map(|(path, bytes)| (path.clone(), bytes.as_ref())));
    match dir {
        Some(dir) => embedded.overlay(dir, languages),
        None => Ok(embedded),
    }
}

/// Validates the content; changes nothing.
pub fn check(
    demo: bool,
    dir: Option<&Path>,
    facts: &ShopDetails,
) -> Result<Contents, ContentError> {
    Contents::read(&files(demo, dir, &facts.languages)?, facts, &|_| None)
}

/// The shop's profile in each language, for commands that write e-mails.
pub fn profiles(
    profile: ShopProfile,
    languages: Languages,
    demo: bool,
    dir: Option<&Path>,
) -> Result<ShopProfiles, ContentError> {
    let facts = ShopDetails::new(&profile).with_languages(&languages);
    let contents = check(demo, dir, &facts)?;
    Ok(ShopProfiles::new(profile, languages).with_content(&contents))
}

/// Reads the content and imports its pictures, unless they are embedded.
pub async fn open(
    (demo, dir): (bool, Option<&Path>),
    facts: &ShopDetails,
    (db, clock, store): (&Db, &Clock, &PictureStore),
    built_in: &BuiltIn,
) -> Result<Contents, Box<dyn std::error::Error>> {
    let files = files(demo, dir, &facts.languages)?;
    // First read to collect the names of pictures, then again with the pictures.
    let named = RefCell::new(BTreeSet::new());
    Contents::read(&files, facts, &|name| {
        named.borrow_mut().insert(name.to_owned());
        None
    })?;
    let named = named.into_inner();
    let pictures = match dir {
        Some(dir) => {
            let file = |name: &String| Some((name.clone(), read_picture(dir, name)?));
            import_pictures(db, clock, store, named.iter().filter_map(file).collect()).await?
        }
        None => built_in_pictures(db, &named, built_in).await?,
    };
    let missing: Vec<&str> =
        named.iter().filter(|name| !pictures.contains_key(*name)).map(String::as_str).collect();
    if !missing.is_empty() {
        let names = missing.join(", ");
        tracing::warn!(names, "the content names missing pictures; pages omit them");
    }
    Ok(Contents::read(&files, facts, &|name| pictures.get(name).cloned())?)
}

fn read_picture(dir: &Path, name: &str) -> Option<Vec<u8>> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if name.is_empty() || !name.bytes().all(plain) {
        return None;
    }
    let paths = PICTURE_EXTENSIONS
        .iter()
        .map(|extension| dir.join("pictures").join(format!("{name}.{extension}")));
    let path = paths.into_iter().find(|path| {
        std::fs::metadata(path).is_ok_and(|file| file.len() <= MAX_PICTURE_BYTES as u64)
    })?;
    std::fs::read(path).ok()
}
