//! The modules of the crate import in one direction only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Files by module path (`flows::call`), without their unit tests.
fn modules(folder: &Path, parent: &str, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let module = match (name, parent) {
            ("mod", _) => parent.to_owned(),
            (_, "") => name.to_owned(),
            _ => format!("{parent}::{name}"),
        };
        if path.is_dir() {
            modules(&path, &module, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("\n#[cfg(test)]\n").next().unwrap();
            found.insert(module, code.to_owned());
        }
    }
}

/// The paths that a module mentions after `crate::` or `super::`, with groups in braces expanded.
fn mentioned(module: &str, code: &str) -> Vec<String> {
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut paths = Vec::new();
    for (marker, base) in [("crate::", ""), ("super::", parent)] {
        for (at, _) in code.match_indices(marker) {
            let rest = &code[at + marker.len()..];
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            let names = match rest[end..].strip_prefix('{') {
                Some(group) => group.split('}').next().unwrap().split(',').collect(),
                None => vec![""],
            };
            for name in names {
                paths.push(format!("{base}::{}{}", &rest[..end], name.trim()));
            }
        }
    }
    paths
}

#[test]
fn modules_import_in_one_direction() {
    let mut files = BTreeMap::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    let module_of = |path: &str| {
        let mut path = path.trim_matches(':');
        while !files.contains_key(path) {
            path = path.rsplit_once("::").map_or("lib", |(parent, _)| parent);
        }
        path.to_owned()
    };
    let mut imports: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (module, code) in &files {
        let mut others: BTreeSet<_> =
            mentioned(module, code).iter().map(|path| module_of(path)).collect();
        // A module names its children without a prefix.
        others.extend(
            files
                .keys()
                .filter(|other| {
                    let (parent, name) = other.rsplit_once("::").unwrap_or(("lib", other));
                    parent == module && code.contains(&format!("use {name}::"))
                })
                .cloned(),
        );
        others.remove(module);
        imports.insert(module, others);
    }
    assert!(imports["flows::sign_in"].contains("sessions"), "{imports:?}");
    // Removes modules that import nothing that is left, until only circles are left.
    loop {
        let left: BTreeSet<&str> = imports.keys().copied().collect();
        imports.retain(|_, others| others.iter().any(|other| left.contains(other.as_str())));
        if imports.len() == left.len() {
            break;
        }
    }
    assert!(imports.is_empty(), "these modules import each other, or such modules: {imports:#?}");
}
