//! Content files: those embedded in the binary, overlaid with a shopkeeper's directory. Translations are in a
//! folder of their language, such as `bn/pages/about.md`.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use platform::{Language, Languages};

use super::ContentError;

const MAX_FILE_SIZE: u64 = 1 << 20;
const MAX_POSTS: usize = 5_000;

/// In all languages.
const FILES: [&str; 3] = ["faq.md", "home.json", "gallery.json"];
/// In the folder of a language only: the settings are in the default language.
pub(super) const SHOP_TEXTS: &str = "shop.json";

/// Files by relative path, such as `posts/looking-after-leather.md` or `bn/faq.md`.
#[derive(Clone, Debug, Default)]
pub struct ContentFiles(BTreeMap<String, ContentFile>);

#[derive(Clone, Debug)]
pub(super) struct ContentFile {
    /// The path in error messages.
    pub path: String,
    pub bytes: Vec<u8>,
}

impl ContentFiles {
    /// Files embedded in the binary.
    pub fn embedded<'f>(files: impl IntoIterator<Item = (String, &'f [u8])>) -> Self {
        let file = |(path, bytes): (String, &[u8])| {
            (path.clone(), ContentFile { path, bytes: bytes.to_vec() })
        };
        Self(files.into_iter().map(file).collect())
    }

    /// A file in a language; `None` is the default one.
    pub(super) fn get(&self, language: Option<Language>, path: &str) -> Option<&ContentFile> {
        match language {
            Some(language) => self.0.get(&format!("{language}/{path}")),
            None => self.0.get(path),
        }
    }

    /// The Markdown files of a folder in a language, by their names without the ending.
    pub(super) fn markdown(
        &self,
        language: Option<Language>,
        folder: &str,
    ) -> impl Iterator<Item = (&str, &ContentFile)> {
        let prefix = match language {
            Some(language) => format!("{language}/{folder}/"),
            None => format!("{folder}/"),
        };
        self.0.iter().filter_map(move |(path, file)| {
            Some((path.strip_prefix(&prefix)?.strip_suffix(".md")?, file))
        })
    }

    /// Replaces these files by those of a directory, where it has them. A translation of a replaced file is
    /// left out unless the directory has one too.
    pub fn overlay(mut self, dir: &Path, languages: &Languages) -> Result<Self, ContentError> {
        let shown = |path: &Path| path.display().to_string();
        if !dir.is_dir() {
            return Err(ContentError::new(&shown(dir), 0, "there is no such folder (content_dir)"));
        }
        let mut paths = files_in(dir)?;
        let translated = languages.iter().map(|language| dir.join(language.as_str()));
        for folder in translated.filter(|folder| folder.is_dir()) {
            paths.extend(files_in(&folder)?);
            paths.push(folder.join(SHOP_TEXTS));
        }
        for path in paths {
            let name = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().into_owned();
            let unreadable =
                |why: std::io::Error| ContentError::new(&shown(&path), 0, why.to_string());
            match std::fs::metadata(&path) {
                Err(why) if why.kind() == ErrorKind::NotFound => continue,
                Err(why) => return Err(unreadable(why)),
                Ok(file) if file.len() > MAX_FILE_SIZE => {
                    return Err(ContentError::new(&shown(&path), 0, "is larger than 1 MiB"));
                }
                Ok(_) => {}
            }
            let bytes = std::fs::read(&path).map_err(unreadable)?;
            for language in languages.iter() {
                // The directory's own translations come after the files in the default language.
                self.0.remove(&format!("{language}/{name}"));
            }
            self.0.insert(name, ContentFile { path: shown(&path), bytes });
        }
        Ok(self)
    }
}

/// The files that a folder of content, or of one language, may have.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, ContentError> {
    let mut paths: Vec<PathBuf> = FILES.iter().map(|name| folder.join(name)).collect();
    for markdown in ["posts", "pages"] {
        paths.extend(markdown_in(&folder.join(markdown))?);
    }
    Ok(paths)
}

fn markdown_in(folder: &Path) -> Result<Vec<PathBuf>, ContentError> {
    let shown = folder.display().to_string();
    let unreadable = |why: std::io::Error| ContentError::new(&shown, 0, why.to_string());
    let entries = match std::fs::read_dir(folder) {
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(unreadable)?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
        if found.len() > MAX_POSTS {
            return Err(ContentError::new(&shown, 0, format!("has more than {MAX_POSTS} files")));
        }
    }
    Ok(found)
}
