//! The demo shop, inside the program: its catalogue and its pictures.

use axum::body::Bytes;
use include_dir::{Dir, include_dir};
use shop::catalog::demo::Files;
use shop::media::BuiltIn;

pub const CATALOG: &str = include_str!("../../../demo/catalog.json");
pub const FILES: Files =
    Files { catalog: CATALOG, reviews: include_str!("../../../demo/reviews.txt") };
static PICTURES: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../demo/pictures");

pub fn pictures() -> Result<BuiltIn, String> {
    let index = PICTURES.get_file("index.json").ok_or("the demo's pictures have no index")?;
    let files = PICTURES.files().map(|file| {
        (file.path().to_string_lossy().into_owned(), Bytes::from_static(file.contents()))
    });
    BuiltIn::new(index.contents(), files)
}
