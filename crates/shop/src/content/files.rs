//! Where content comes from: the files inside the program, or a shopkeeper's folder over them.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::Bad;

const LARGEST: u64 = 1 << 20;
const MOST_POSTS: usize = 5_000;

/// Files by their place: `posts/looking-after-leather.md`.
#[derive(Clone, Debug, Default)]
pub struct Files(pub(super) BTreeMap<String, File>);

#[derive(Clone, Debug)]
pub(super) struct File {
    /// What errors call it.
    pub shown: String,
    pub bytes: Vec<u8>,
}

impl Files {
    /// Those inside the program.
    pub fn inside<'f>(files: impl IntoIterator<Item = (String, &'f [u8])>) -> Self {
        let file = |(path, bytes): (String, &[u8])| {
            (path.clone(), File { shown: path, bytes: bytes.to_vec() })
        };
        Self(files.into_iter().map(file).collect())
    }

    /// A folder's files, and these where it has none.
    pub fn under(mut self, dir: &Path) -> Result<Self, Bad> {
        let shown = |path: &Path| path.display().to_string();
        if !dir.is_dir() {
            return Err(Bad::new(&shown(dir), 0, "there is no such folder (content_dir)"));
        }
        let mut paths: Vec<PathBuf> =
            ["faq.md", "home.json", "gallery.json"].iter().map(|name| dir.join(name)).collect();
        for folder in ["posts", "pages"] {
            paths.extend(markdown_in(&dir.join(folder))?);
        }
        for path in paths {
            let name = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().into_owned();
            let unreadable = |why: std::io::Error| Bad::new(&shown(&path), 0, why.to_string());
            match std::fs::metadata(&path) {
                Err(why) if why.kind() == ErrorKind::NotFound => continue,
                Err(why) => return Err(unreadable(why)),
                Ok(file) if file.len() > LARGEST => {
                    return Err(Bad::new(&shown(&path), 0, "is larger than 1 MiB"));
                }
                Ok(_) => {}
            }
            let bytes = std::fs::read(&path).map_err(unreadable)?;
            self.0.insert(name, File { shown: shown(&path), bytes });
        }
        Ok(self)
    }
}

fn markdown_in(folder: &Path) -> Result<Vec<PathBuf>, Bad> {
    let shown = folder.display().to_string();
    let unreadable = |why: std::io::Error| Bad::new(&shown, 0, why.to_string());
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
        if found.len() > MOST_POSTS {
            return Err(Bad::new(&shown, 0, format!("holds more than {MOST_POSTS} files")));
        }
    }
    Ok(found)
}
