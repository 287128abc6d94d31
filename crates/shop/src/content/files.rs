//! Content files: those embedded in the binary, overlaid with a shopkeeper's directory.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::ContentError;

const MAX_FILE_SIZE: u64 = 1 << 20;
const MAX_POSTS: usize = 5_000;

/// Files by relative path, such as `posts/looking-after-leather.md`.
#[derive(Clone, Debug, Default)]
pub struct ContentFiles(pub(super) BTreeMap<String, ContentFile>);

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

    /// Replaces these files by those of a directory, where it has them.
    pub fn overlay(mut self, dir: &Path) -> Result<Self, ContentError> {
        let shown = |path: &Path| path.display().to_string();
        if !dir.is_dir() {
            return Err(ContentError::new(&shown(dir), 0, "there is no such folder (content_dir)"));
        }
        let mut paths: Vec<PathBuf> =
            ["faq.md", "home.json", "gallery.json"].iter().map(|name| dir.join(name)).collect();
        for folder in ["posts", "pages"] {
            paths.extend(markdown_in(&dir.join(folder))?);
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
            self.0.insert(name, ContentFile { path: shown(&path), bytes });
        }
        Ok(self)
    }
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
