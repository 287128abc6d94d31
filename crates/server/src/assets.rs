//! Static assets: the storefront's built files for the browser, and the bundle for server-side rendering.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use platform::{Language, Languages};
use response_cache::{AcceptedEncodings, conditional_response};
use serde::Deserialize;

const IMMUTABLE: &str = "public, max-age=31536000, immutable";

#[derive(Default)]
pub struct Assets {
    files: HashMap<String, AssetFile>,
    /// Of each language that the browser's files are built for.
    manifests: BTreeMap<Language, Manifest>,
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

type Manifest = HashMap<String, ManifestChunk>;

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
/// Languages with another script than the Latin one, and a part of its fonts' file names.
const SCRIPTS: [(&str, &str); 1] = [("bn", "bengali")];

/// The language of a manifest: `manifest.json` is for English, `manifest.bn.json` for Bangla.
fn manifest_language(path: &str) -> Option<Language> {
    match path.strip_prefix("client/.vite/manifest.")?.strip_suffix("json")? {
        "" => Some(Language::ENGLISH),
        code => code.strip_suffix('.')?.parse().ok(),
    }
}

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
            } else if let Some(language) = manifest_language(&path) {
                let manifest = serde_json::from_slice(&bytes).map_err(|why| why.to_string())?;
                assets.manifests.insert(language, manifest);
            } else if let Some(path) = path.strip_prefix("client/")
                && !path.starts_with(".vite/")
            {
                assets.add(path, bytes);
            }
        }
        assets.build = format!("{:016x}", build.finish());
        if assets.bundle.is_empty() || assets.entry(Language::ENGLISH).is_none() {
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

    /// Refuses languages that the storefront was not built for.
    pub fn check_languages(&self, languages: &Languages) -> Result<(), String> {
        let missing = languages.iter().find(|language| self.entry(*language).is_none());
        let built: Vec<&str> = self.manifests.keys().map(Language::as_str).collect();
        match missing {
            Some(language) => Err(format!(
                "languages: the storefront has no messages in {language}: it was built for {}",
                built.join(", ")
            )),
            None => Ok(()),
        }
    }

    fn chunk(&self, language: Language, name: &str) -> Option<&ManifestChunk> {
        self.manifests.get(&language)?.get(name)
    }

    fn entry(&self, language: Language) -> Option<&ManifestChunk> {
        self.chunk(language, ENTRY)
    }

    pub fn styles(&self, language: Language) -> Vec<&str> {
        let entry = self.entry(language).map_or(&[][..], |chunk| &chunk.css);
        let whole = self.chunk(language, "style.css").map(|chunk| chunk.file.as_str());
        entry.iter().map(String::as_str).chain(whole).collect()
    }

    /// The fonts to preload: those of the language's script.
    pub fn fonts(&self, language: Language) -> Vec<&str> {
        let assets = self.entry(language).map_or(&[][..], |chunk| &chunk.assets);
        let script = |file: &str| SCRIPTS.iter().find(|(_, script)| file.contains(script));
        let own = SCRIPTS.iter().find(|(code, _)| *code == language.as_str());
        let has_own = own.is_some_and(|(_, name)| assets.iter().any(|file| file.contains(name)));
        let wanted = own.filter(|_| has_own);
        let preloaded = |file: &&str| {
            file.ends_with(".woff2") && !file.contains("taka") && script(file) == wanted
        };
        assets.iter().map(String::as_str).filter(preloaded).collect()
    }

    /// The URLs of the JavaScript modules of a page, the entry first.
    pub fn page_scripts(&self, language: Language, page: &str) -> Vec<String> {
        let mut wanted = vec![format!("src/pages/{page}.tsx"), ENTRY.to_owned()];
        let mut files = Vec::new();
        while let Some(key) = wanted.pop() {
            let Some(chunk) = self.chunk(language, &key) else { continue };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn assets() -> Assets {
        let manifest = |code: &str| {
            format!(
                r#"{{"src/entry.client.tsx": {{"file": "assets/entry-{code}.js", "css": ["assets/style.css"],
                    "assets": ["assets/inter.woff2", "assets/taka.woff2", "assets/serif-bengali.woff2"]}},
                  "src/pages/cart.tsx": {{"file": "assets/cart-{code}.js", "imports": ["_shared.js"]}},
                  "_shared.js": {{"file": "assets/shared.js"}}}}"#
            )
        };
        let files = [
            ("client/.vite/manifest.json", manifest("en")),
            ("client/.vite/manifest.bn.json", manifest("bn")),
            ("client/.vite/manifest.bn.json.br", String::new()),
            ("server/server.js", "0".into()),
        ];
        Assets::new(files.map(|(path, text)| (path.to_owned(), text.into()))).unwrap()
    }

    #[test]
    fn each_language_has_its_own_scripts_and_fonts() {
        let (assets, bangla) = (assets(), "bn".parse().unwrap());
        for (language, code, font) in
            [(Language::ENGLISH, "en", "inter"), (bangla, "bn", "serif-bengali")]
        {
            let scripts = [
                format!("/assets/entry-{code}.js"),
                format!("/assets/cart-{code}.js"),
                "/assets/shared.js".into(),
            ];
            assert_eq!(assets.page_scripts(language, "cart"), scripts);
            assert_eq!(assets.fonts(language), [format!("assets/{font}.woff2")]);
            assert_eq!(assets.styles(language), ["assets/style.css"]);
        }
        assert!(assets.fonts("ar".parse().unwrap()).is_empty());
    }

    #[test]
    fn languages_without_messages_are_refused() {
        let languages = |codes: &[&str]| {
            let all = codes.iter().map(|code| code.parse().unwrap()).collect();
            Languages::new(all, None).unwrap()
        };
        assert_eq!(assets().check_languages(&languages(&["bn", "en"])), Ok(()));
        let why = assets().check_languages(&languages(&["en", "fr"])).unwrap_err();
        assert_eq!(why, "languages: the storefront has no messages in fr: it was built for bn, en");
    }
}
