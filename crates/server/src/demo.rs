//! The demo shop's embedded files: catalogue, reviews, promotions and pictures (Cargo feature `demo`).

use axum::body::Bytes;
use include_dir::Dir;
use media::BuiltIn;
use shop::demo::DemoFiles;

pub const CATALOG: &str = include_str!("../../../demo/catalog.json");
pub const FILES: DemoFiles = DemoFiles {
    catalog: CATALOG,
    reviews: include_str!("../../../demo/reviews.txt"),
    promotions: include_str!("../../../demo/promotions.json"),
};
#[cfg(feature = "demo")]
static PICTURES: Dir = include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../demo/pictures");
#[cfg(not(feature = "demo"))]
static PICTURES: Dir = Dir::new("", &[]);

/// Refuses to open the demo shop in a build without its pictures.
pub fn check() -> Result<(), String> {
    if cfg!(feature = "demo") {
        return Ok(());
    }
    Err("demo: this build of Haat has no demo shop (it was built without the Cargo feature \"demo\")"
        .into())
}

/// The demo shop's pictures, also for a shop that is no demo: it may have been one before.
pub fn pictures() -> Result<BuiltIn, String> {
    let Some(index) = PICTURES.get_file("index.json") else { return Ok(BuiltIn::default()) };
    let files = PICTURES.files().map(|file| {
        (file.path().to_string_lossy().into_owned(), Bytes::from_static(file.contents()))
    });
    BuiltIn::new(index.contents(), files)
}
