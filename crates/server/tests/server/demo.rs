//! The demo shop: its picture index is correct, every product has its own pictures and texts, and no picture is
//! encoded at the start.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use ::media::{self, IndexEntry, PictureIndex};
use test_support::eventually;
use test_support::on_both;

use super::media::get;
use super::program::Sandbox;
use super::*;

on_both!(Sandbox: a_demo_shop_serves_its_pictures_immediately_and_stores_them,);

const MEND: &str = "HAAT_WRITE_INDEX=1 cargo test -p server --test server demo::the_index";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/pictures")
}

fn masters() -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
    let named = files.map(|file| (file.file_name().into_string().unwrap(), file.path()));
    named
        .filter(|(name, _)| name != "index.json")
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect()
}

/// One line per picture, so that a new one is a small diff.
fn written(index: &PictureIndex) -> String {
    let line = |(name, entry): (&String, &IndexEntry)| {
        format!("  {name:?}: {}", serde_json::to_string(entry).unwrap())
    };
    let lines: Vec<String> = index.iter().map(line).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

#[test]
fn the_picture_index_matches_the_files() {
    let masters: Vec<_> = masters().into_iter().collect();
    let read = |some: &[(String, Vec<u8>)]| -> PictureIndex {
        let entry = |file: &[u8], name: &str| {
            IndexEntry::read(file).unwrap_or_else(|why| panic!("demo/pictures/{name}: {why}"))
        };
        some.iter().map(|(name, file)| (name.clone(), entry(file, name))).collect()
    };
    let index: PictureIndex = std::thread::scope(|scope| {
        let shares = masters.chunks(masters.len().div_ceil(4));
        let readers: Vec<_> = shares.map(|some| scope.spawn(move || read(some))).collect();
        readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect()
    });
    let path = folder().join("index.json");
    if std::env::var_os("HAAT_WRITE_INDEX").is_some() {
        std::fs::write(path, written(&index)).unwrap();
        return;
    }
    let kept: PictureIndex = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let names: HashSet<&String> = index.keys().chain(kept.keys()).collect();
    let stale: Vec<_> =
        names.into_iter().filter(|name| index.get(*name) != kept.get(*name)).collect();
    assert!(stale.is_empty(), "demo/pictures/index.json is stale for {stale:?}: {MEND}");
}

#[test]
fn every_demo_product_has_its_own_pictures_and_texts() {
    let masters = masters();
    let catalog = Import::parse(server::demo::CATALOG, ImportFormat::Json, Currency::USD).unwrap();
    let mut shown = HashMap::new();
    let mut words = HashSet::new();
    // No two products share a picture, whatever the file names.
    let mut show = |src: &str, by: &str| {
        let name = src.strip_prefix("pictures/").unwrap();
        let file = masters.get(name).unwrap_or_else(|| panic!("{by}: there is no {src}"));
        if let Some(other) = shown.insert(media::hash(file), name.to_owned()) {
            panic!("{by}: {src} is the same picture as {other}");
        }
    };
    for row in &catalog.categories {
        show(&row.value.img, row.value.id.as_str());
    }
    for row in &catalog.products {
        let (id, photos) = (row.value.id.as_str(), &row.value.img);
        let sides = photos.iter().filter(|photo| photo.colour.is_none()).count();
        assert!(sides >= 3, "{id} is seen from {sides} sides");
        let options = row.value.options.iter().flatten();
        let colours = options.filter(|option| option.name == "Colour");
        let mut further = colours.flat_map(|option| &option.values).skip(1);
        for colour in photos.iter().filter_map(|photo| photo.colour.as_ref()) {
            assert!(further.any(|known| known.name() == colour), "{id}: {colour} out of order");
        }
        for photo in photos.iter() {
            show(&photo.src, id);
            let alt = photo.alt.as_str();
            assert!((20..=120).contains(&alt.chars().count()), "{id}: {alt:?}");
            let plain = alt.to_lowercase();
            assert!(!plain.contains("image of") && !plain.contains("picture of"), "{id}: {alt:?}");
            assert!(words.insert(alt.to_owned()), "{id}: {alt:?} stands there twice");
        }
    }
    let used: HashSet<&String> = shown.values().collect();
    let content = ["hero-", "post-", "gallery-", "open-graph."];
    for name in masters.keys().filter(|name| !used.contains(name)) {
        assert!(content.iter().any(|start| name.starts_with(start)), "nobody shows {name}");
    }
}

fn count_files(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.map(|path| if path.is_dir() { count_files(&path) } else { 1 }).sum()
}

async fn a_demo_shop_serves_its_pictures_immediately_and_stores_them(sandbox: Sandbox) {
    let shop = sandbox.open_with(&["--demo"]);
    let product: serde_json::Value =
        serde_json::from_slice(&get(&shop.address, "/api/products/tarn-over-ear-headphones").1)
            .unwrap();
    let pictures = product["pictures"].as_array().unwrap();
    assert_eq!(pictures.len(), 5, "{product}");
    assert_eq!(product["img"][0], pictures[0]["src"]);
    assert_eq!((&pictures[0]["inColour"], &pictures[3]["inColour"]), (&().into(), &"Ink".into()));
    assert!(pictures[0]["alt"].as_str().unwrap().contains("headphones"));
    let address = pictures[0]["src"].as_str().unwrap().replace("1200.jpg", "320.webp");
    let (head, body) = get(&shop.address, &address);
    assert!(head.starts_with("HTTP/1.1 200") && body.starts_with(b"RIFF"), "{head}");

    // Sizes are encoded on request; masters are copied to the store, for when a later version no longer embeds them.
    let media = sandbox.dir.path().join("data/media");
    let all = masters().len();
    eventually("the masters are stored", async || count_files(&media.join("masters")) == all).await;
    assert_eq!(count_files(&media.join("made")), 1);
}
