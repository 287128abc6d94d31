//! The shop's content, as `haat serve` opens it and `haat check` looks at it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use base::{Clock, Db};
use include_dir::{Dir, include_dir};
use media::{BuiltIn, MOST_BYTES, Store};
use shop::content::{Bad, Content, Facts, Files, listed_pictures, take_pictures};

static DEMO: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../demo/content");
/// Neutral texts made from the settings, for a shop that has not written its own.
static STARTER: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../starter");
/// Picture files by their endings; the content of a file says what it is.
const ENDINGS: [&str; 5] = ["webp", "avif", "jpg", "jpeg", "png"];

/// A shop's own files over those that every shop starts from. The demo's words are the demo's alone.
fn files(demo: bool, dir: Option<&Path>) -> Result<Files, Bad> {
    let inside = super::serve::files(if demo && dir.is_none() { &DEMO } else { &STARTER });
    let inside = Files::inside(inside.iter().map(|(path, bytes)| (path.clone(), bytes.as_ref())));
    match dir {
        Some(dir) => inside.under(dir),
        None => Ok(inside),
    }
}

/// Says what is wrong with the content, and changes nothing.
pub fn check(demo: bool, dir: Option<&Path>, facts: &Facts) -> Result<Content, Bad> {
    Content::read(&files(demo, dir)?, facts, &|_| None)
}

/// Reads the content and takes in the pictures that it names, unless they are the program's own.
pub async fn open(
    (demo, dir): (bool, Option<&Path>),
    facts: &Facts,
    (db, clock, store): (&Db, &Clock, &Store),
    built_in: &BuiltIn,
) -> Result<Content, Box<dyn std::error::Error>> {
    let files = files(demo, dir)?;
    // Read once to learn which pictures are named, and again with them.
    let named = RefCell::new(BTreeSet::new());
    Content::read(&files, facts, &|name| {
        named.borrow_mut().insert(name.to_owned());
        None
    })?;
    let named = named.into_inner();
    let taken = match dir {
        Some(dir) => {
            let file = |name: &String| Some((name.clone(), beside(dir, name)?));
            take_pictures(db, clock, store, named.iter().filter_map(file).collect()).await?
        }
        None => listed_pictures(db, &named, built_in).await?,
    };
    let missing: Vec<&str> =
        named.iter().filter(|name| !taken.contains_key(*name)).map(String::as_str).collect();
    if !missing.is_empty() {
        let names = missing.join(", ");
        tracing::warn!(names, "content names pictures that there are not; pages do without");
    }
    Ok(Content::read(&files, facts, &|name| taken.get(name).cloned())?)
}

/// A picture of the content folder.
fn beside(dir: &Path, name: &str) -> Option<Vec<u8>> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if name.is_empty() || !name.bytes().all(plain) {
        return None;
    }
    let paths = ENDINGS.iter().map(|ending| dir.join("pictures").join(format!("{name}.{ending}")));
    let path = paths
        .into_iter()
        .find(|path| std::fs::metadata(path).is_ok_and(|file| file.len() <= MOST_BYTES as u64))?;
    std::fs::read(path).ok()
}
