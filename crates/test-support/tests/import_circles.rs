//! Fails when modules of a crate import each other in a circle: its top-level modules, and in `ONE_WAY_FILES` also
//! its files. What a file imports is read from its `crate::…`, `super::…` and `self::…` paths and the paths into its
//! own children; a name that lib.rs re-exports counts as its module's.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

const CRATES: [&str; 9] = [
    "email",
    "http-server",
    "identity",
    "media",
    "picture",
    "platform",
    "search",
    "server",
    "shop",
];

/// In the others, a file `orders/store.rs` may import types of `orders/mod.rs`, which re-exports its names.
const ONE_WAY_FILES: [&str; 1] = ["identity"];

/// The places that import one module into another, by both names.
type Imports = BTreeMap<(String, String), Vec<String>>;

struct Source {
    /// Relative to `src`, such as `orders/store.rs`.
    path: String,
    text: String,
}

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let mut report = String::new();
    for name in CRATES {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let mut sources = Vec::new();
        read(&src, "", &mut sources);
        assert!(sources.len() > 1, "{} has no modules", src.display());
        let imports = imports(&sources, ONE_WAY_FILES.contains(&name));
        for circle in circles(&imports) {
            report += &format!("{name}: {}\n", circle.join(" → "));
            for step in circle.windows(2) {
                let places = &imports[&(step[0].clone(), step[1].clone())];
                report += &format!("    {} → {}: {}\n", step[0], step[1], places.join(", "));
            }
        }
    }
    assert!(report.is_empty(), "modules import each other in a circle:\n{report}");
}

#[test]
fn imports_are_found_in_groups_through_super_and_through_re_exports() {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let sources = [
        source("lib.rs", "mod a; mod b; mod c; mod d;\npub use c::inner::{One, Two as Other};"),
        source("a.rs", "use std::fmt;\nuse crate::{\n    b::{X, Y},\n    d,\n};"),
        source("b/mod.rs", "// crate::d\nuse super::Other;\n"),
        source("b/x.rs", "use super::Y;\nuse super::super::d::Z;"),
        source("c/mod.rs", "mod inner;\nfn f() { crate::a::g() }"),
        source("d.rs", "#[cfg(test)]\nmod tests {\n    use crate::a::g;\n}\nuse crate::Unknown;"),
    ];
    let imports = imports(&sources, false);
    let line = |((from, to), places): (&(String, String), &Vec<String>)| {
        format!("{from} → {to}: {}", places.join(", "))
    };
    let found: Vec<String> = imports.iter().map(line).collect();
    let wanted = [
        "a → b: a.rs:2",
        "a → d: a.rs:2",
        "b → c: b/mod.rs:2",
        "b → d: b/x.rs:2",
        "c → a: c/mod.rs:2",
    ];
    assert_eq!(found, wanted);
    assert_eq!(circles(&imports), BTreeSet::from([["a", "b", "c", "a"].map(String::from).into()]));
}

#[test]
fn circles_between_the_files_of_a_module_are_found() {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let sources = [
        source("lib.rs", "mod a;\nmod b;\nuse a::y::Y;"),
        source("a/mod.rs", "mod x;\nmod y;\nmod z;\npub use x::X;"),
        source("a/x.rs", "use super::{y::{Y, Z}, Unknown as Other};"),
        source("a/y.rs", "use crate::a::z;\nuse crate::b;"),
        source("a/z.rs", "fn f() { super::x::g() }"),
        source("b.rs", "use axum::a::x;"),
    ];
    assert!(circles(&imports(&sources, false)).is_empty());
    let by_file = imports(&sources, true);
    let circle = ["a::x", "a::y", "a::z", "a::x"].map(String::from).into();
    let through_mod = ["a", "a::x", "a"].map(String::from).into();
    assert_eq!(circles(&by_file), BTreeSet::from([circle, through_mod]));
    assert_eq!(by_file[&("a::y".into(), "b".into())], ["a/y.rs:2"]);
}

fn read(dir: &Path, prefix: &str, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            read(&entry.path(), &format!("{path}/"), sources);
        } else if path.ends_with(".rs") && path != "main.rs" {
            sources.push(Source { path, text: fs::read_to_string(entry.path()).unwrap() });
        }
    }
}

/// `by_file`: between files instead of top-level modules.
fn imports(sources: &[Source], by_file: bool) -> Imports {
    let modules: BTreeSet<String> = sources.iter().map(|source| module(&source.path)).collect();
    let root = sources.iter().find(|source| source.path == "lib.rs");
    let re_exports = root.map(|root| re_exports(&code(&root.text))).unwrap_or_default();
    let node = |module: &str| match module.split_once("::") {
        Some((top, _)) if !by_file => top.to_owned(),
        _ => module.to_owned(),
    };
    let mut imports = Imports::new();
    for Source { path, text } in sources.iter().filter(|source| source.path != "lib.rs") {
        let module = module(path);
        let from = node(&module);
        for (name, line) in root_paths(&code(text), &module, &modules) {
            let first = name.split("::").next().unwrap_or_default();
            let name = re_exports.get(first).filter(|_| !modules.contains(first)).unwrap_or(&name);
            let Some(to) = containing_module(name, &modules).map(node) else { continue };
            if to != from {
                let places = imports.entry((from.clone(), to)).or_default();
                places.push(format!("{path}:{line}"));
                places.dedup();
            }
        }
    }
    imports
}

/// `orders::store` for `orders/store.rs`, `orders` for `orders/mod.rs` and `orders.rs`.
fn module(path: &str) -> String {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    path.strip_suffix("/mod").unwrap_or(path).replace('/', "::")
}

/// The module that the first names of a path lead to.
fn containing_module<'p>(mut path: &'p str, modules: &BTreeSet<String>) -> Option<&'p str> {
    while !modules.contains(path) {
        path = path.rsplit_once("::")?.0;
    }
    Some(path)
}

/// The text without comments and test modules; its lines keep their numbers.
fn code(text: &str) -> String {
    let (mut kept, mut test_indent) = (String::new(), None);
    for line in text.lines() {
        let (trimmed, indent) = (line.trim(), line.len() - line.trim_start().len());
        if trimmed == "#[cfg(test)]" {
            test_indent = Some(indent);
        } else if test_indent == Some(indent) {
            // The item ends with a brace in its own column, or on its only line.
            if trimmed.ends_with([';', '}']) {
                test_indent = None;
            }
        } else if test_indent.is_none() {
            kept += line.split("//").next().unwrap_or_default();
        }
        kept.push('\n');
    }
    kept
}

/// The names that lib.rs imports from its modules, with their paths.
fn re_exports(lib: &str) -> BTreeMap<String, String> {
    let mut names = Vec::new();
    for (place, _) in lib.match_indices("use ") {
        expand("", &lib[place + 4..], &mut names);
    }
    names.into_iter().map(|(path, name)| (name, path)).collect()
}

/// The paths from the crate's root that a module names, and their lines.
fn root_paths(code: &str, module: &str, modules: &BTreeSet<String>) -> Vec<(String, usize)> {
    let inner = format!("{module}::");
    let children = modules.iter().filter_map(|other| other.strip_prefix(&inner));
    let children = children.filter(|child| !child.contains("::")).map(|child| format!("{child}::"));
    let mut found = Vec::new();
    for start in ["crate::", "super::", "self::"].map(String::from).into_iter().chain(children) {
        for (place, _) in code.match_indices(&start) {
            let (before, mut path) = code.split_at(place);
            if before.ends_with(|ch: char| is_name(ch) || ch == '$' || ch == ':') {
                continue;
            }
            let mut base = module;
            if let Some(rest) = path.strip_prefix("crate::") {
                (base, path) = ("", rest);
            }
            path = path.strip_prefix("self::").unwrap_or(path);
            while let Some(rest) = path.strip_prefix("super::") {
                base = base.rsplit_once("::").map_or("", |(parent, _)| parent);
                path = rest;
            }
            let base = if base.is_empty() { String::new() } else { format!("{base}::") };
            let (line, mut names) = (before.matches('\n').count() + 1, Vec::new());
            expand(&base, path, &mut names);
            found.extend(names.into_iter().map(|(path, _)| (path, line)));
        }
    }
    found
}

/// Adds the paths that a text begins with, and the names that they import: of `{b::{X, Y}, d as e}` they are `b::X`,
/// `b::Y` and `d`. Returns the text after them.
fn expand<'t>(base: &str, text: &'t str, paths: &mut Vec<(String, String)>) -> &'t str {
    let text = text.trim_start();
    let end = text.find(|ch| !is_name(ch) && ch != ':' && ch != '*').unwrap_or(text.len());
    let (own, mut rest) = text.split_at(end);
    let path = format!("{base}{own}");
    if !rest.starts_with('{') {
        let alias = rest.trim_start().strip_prefix("as ").unwrap_or(own);
        let alias = alias.split([',', ';', '}']).next().unwrap_or_default();
        let name = alias.rsplit("::").next().unwrap_or_default().trim().to_owned();
        // Empty after the last comma of a group.
        if !own.is_empty() {
            paths.push((path, name));
        }
        return rest;
    }
    while rest.starts_with(['{', ',']) {
        rest = expand(&path, &rest[1..], paths);
        rest = &rest[rest.find([',', '}']).unwrap_or(rest.len())..];
    }
    rest.get(1..).unwrap_or_default()
}

fn is_name(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_'
}

/// The shortest circle through each import, from its first module in the alphabet back to it.
fn circles(imports: &Imports) -> BTreeSet<Vec<String>> {
    let mut circles = BTreeSet::new();
    for (from, to) in imports.keys() {
        let Some(mut circle) = shortest_path(imports, to, from) else { continue };
        let first = circle.iter().enumerate().min_by_key(|(_, module)| *module);
        let first = first.map_or(0, |(place, _)| place);
        circle.rotate_left(first);
        circle.push(circle[0].clone());
        circles.insert(circle);
    }
    circles
}

fn shortest_path(imports: &Imports, from: &str, to: &str) -> Option<Vec<String>> {
    let mut seen = BTreeSet::from([from]);
    let mut queue = VecDeque::from([vec![from.to_owned()]]);
    while let Some(path) = queue.pop_front() {
        let last = path.last()?;
        if last == to {
            return Some(path);
        }
        for (_, next) in imports.keys().filter(|(from, _)| from == last) {
            if seen.insert(next) {
                queue.push_back([path.clone(), vec![next.clone()]].concat());
            }
        }
    }
    None
}
