//! Static assets: the storefront's built files for the browser, and the bundle for server-side rendering.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use response_cache::{AcceptedEncodings, conditional_response};
use serde::Deserialize;

const IMMUTABLE: &str = "public, max-age=31536000, immutable";

#[derive(Default)]
pub struct Assets {
    files: HashMap<String, AssetFile>,
    manifest: HashMap<String, ManifestChunk>,
    /// The script that renders pages.
    pub bundle: String,
    /// A hash of all files.
    pub build: String,
}

#[derive(Default)]
struct AssetFile {
    plain: Bytes,
    gzip: Option<Bytes>,
    brotli: Option<Bytes>,
    hash: String,
}

#[derive(Debug, Default, Deserialize)]
struct ManifestChunk {
    file: String,
    #[serde(default)]
    css: Vec<String>,
    #[serde(default)]
    assets: Vec<String>,
    #[serde(default)]
    imports: Vec<String>,
}

const ENTRY: &str = "src/entry.client.tsx";

impl Assets {
    /// From the output folder of `npm run build`: each file as (relative path, bytes).
    pub fn new(files: impl IntoIterator<Item = (String, Bytes)>) -> Result<Self, String> {
        let mut assets = Self::default();
        let mut files: Vec<(String, Bytes)> = files.into_iter().collect();
        files.sort();
        let mut build = DefaultHasher::new();
        for (path, bytes) in files {
            bytes.hash(&mut build);
            if path == "server/server.js" {
                assets.bundle = String::from_utf8(bytes.into()).map_err(|why| why.to_string())?;
            } else if path == "client/.vite/manifest.json" {
                assets.manifest = serde_json::from_slice(&bytes).map_err(|why| why.to_string())?;
            } else if let Some(path) = path.strip_prefix("client/")
                && !path.starts_with(".vite/")
            {
                assets.add(path, bytes);
            }
        }
        assets.build = format!("{:016x}", build.finish());
        if assets.bundle.is_empty() || !assets.manifest.contains_key(ENTRY) {
            return Err("the storefront is not built: run make web".into());
        }
        Ok(assets)
    }

    pub fn from_dir(dir: &Path) -> Result<Self, String> {
        fn walk(root: &Path, dir: &Path, found: &mut Vec<(String, Bytes)>) -> std::io::Result<()> {
            for entry in std::fs::read_dir(dir)? {
                let path = entry?.path();
                if path.is_dir() {
                    walk(root, &path, found)?;
                } else if let Ok(name) = path.strip_prefix(root) {
                    found.push((name.to_string_lossy().into_owned(), std::fs::read(&path)?.into()));
                }
            }
            Ok(())
        }
        let mut found = Vec::new();
        walk(dir, dir, &mut found).map_err(|why| format!("{}: {why}", dir.display()))?;
        Self::new(found)
    }

    fn add(&mut self, path: &str, bytes: Bytes) {
        if let Some(path) = path.strip_suffix(".br") {
            self.files.entry(path.to_owned()).or_default().brotli = Some(bytes);
        } else if let Some(path) = path.strip_suffix(".gz") {
            self.files.entry(path.to_owned()).or_default().gzip = Some(bytes);
        } else {
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            let file = self.files.entry(path.to_owned()).or_default();
            file.hash = format!("{:016x}", hasher.finish());
            file.plain = bytes;
        }
    }

    /// The file at `/{path}`, in an encoding that the browser accepts.
    pub fn respond(&self, path: &str, request: &HeaderMap) -> Option<Response> {
        let file = self.files.get(path)?;
        let accepted = AcceptedEncodings::parse(request);
        let (bytes, encoding) = match (&file.brotli, &file.gzip) {
            (Some(bytes), _) if accepted.brotli => (bytes, Some("br")),
            (_, Some(bytes)) if accepted.gzip => (bytes, Some("gzip")),
            _ => (&file.plain, None),
        };
        let etag = format!("\"{}-{}\"", file.hash, encoding.unwrap_or("plain"));
        let etag = HeaderValue::try_from(etag).unwrap_or(HeaderValue::from_static("\"\""));
        let mut response = conditional_response(request, StatusCode::OK, bytes, etag);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        // Names under assets/ contain a hash of the content.
        let hashed = path.starts_with("assets/");
        let caching = if hashed { IMMUTABLE } else { "public, max-age=300" };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
        if let Some(encoding) = encoding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        Some(response)
    }

    pub fn styles(&self) -> Vec<&str> {
        let entry = self.manifest.get(ENTRY).map_or(&[][..], |chunk| &chunk.css);
        let whole = self.manifest.get("style.css").map(|chunk| chunk.file.as_str());
        entry.iter().map(String::as_str).chain(whole).collect()
    }

    /// The fonts to preload.
    pub fn fonts(&self) -> Vec<&str> {
        let assets = self.manifest.get(ENTRY).map_or(&[][..], |chunk| &chunk.assets);
        let preloaded = |file: &&str| file.ends_with(".woff2") && !file.contains("taka");
        assets.iter().map(String::as_str).filter(preloaded).collect()
    }

    /// The URLs of the JavaScript modules of a page, the entry first.
    pub fn page_scripts(&self, page: &str) -> Vec<String> {
        let mut wanted = vec![format!("src/pages/{page}.tsx"), ENTRY.to_owned()];
        let mut files = Vec::new();
        while let Some(key) = wanted.pop() {
            let Some(chunk) = self.manifest.get(&key) else { continue };
            let file = format!("/{}", chunk.file);
            if files.contains(&file) {
                continue;
            }
            files.push(file);
            wanted.extend(chunk.imports.iter().cloned());
        }
        files
    }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "woff2" => "font/woff2",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
