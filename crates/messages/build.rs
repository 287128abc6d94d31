//! Lists the catalogues that Rust uses, so that a new language is only a new folder.

use std::path::Path;
use std::{env, fs, io};

/// `errors` and `format` are shared with the web; the others are for Rust only.
const NAMESPACES: [&str; 6] = ["email", "errors", "format", "pdf", "server", "sms"];

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../messages").canonicalize()?;
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files = String::new();
    let languages = fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path()));
    // In this order on every machine, so that builds can be compared.
    let mut languages = languages.collect::<io::Result<Vec<_>>>()?;
    languages.sort();
    for language in languages {
        let code = language.file_name().unwrap_or_default();
        for namespace in NAMESPACES {
            let file = language.join(namespace).with_extension("json");
            if file.exists() {
                files += &format!("    ({code:?}, {namespace:?}, include_str!({file:?})),\n");
            }
        }
    }
    let source = format!("pub const FILES: &[(&str, &str, &str)] = &[\n{files}];\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("files.rs"), source)
}
