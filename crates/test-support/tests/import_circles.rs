//! Fails when top-level modules of a crate import each other in a circle. What a module imports is read from
//! the `crate::…` and `super::…` paths of its files; a name that lib.rs re-exports counts as its module's.

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
        let imports = imports(&sources);
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
    let imports = imports(&sources);
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

fn imports(sources: &[Source]) -> Imports {
    let modules: BTreeSet<&str> = sources.iter().map(|source| top_module(&source.path)).collect();
    let root = sources.iter().find(|source| source.path == "lib.rs");
    let re_exports = root.map(|root| re_exports(&code(&root.text))).unwrap_or_default();
    let mut imports = Imports::new();
    for Source { path, text } in sources.iter().filter(|source| source.path != "lib.rs") {
        let from = top_module(path);
        let folders = path.matches('/').count();
        let depth = if path.ends_with("/mod.rs") { folders } else { folders + 1 };
        for (name, line) in root_names(&code(text), depth) {
            let to = match modules.get(name.as_str()) {
                Some(module) => *module,
                None => re_exports.get(&name).map_or("", String::as_str),
            };
            if modules.contains(to) && to != from {
                let places = imports.entry((from.to_owned(), to.to_owned())).or_default();
                places.push(format!("{path}:{line}"));
            }
        }
    }
    imports
}

fn top_module(path: &str) -> &str {
    let first = path.split('/').next().unwrap_or_default();
    first.strip_suffix(".rs").unwrap_or(first)
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

/// The names that lib.rs imports from its modules, with their module.
fn re_exports(lib: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (place, _) in lib.match_indices("use ") {
        let tree = lib[place + 4..].split(';').next().unwrap_or_default();
        let module = tree.split("::").next().unwrap_or_default();
        for path in tree.split([',', '{', '}']) {
            let path = path.rsplit_once(" as ").map_or(path, |(_, alias)| alias);
            let name = path.rsplit("::").next().unwrap_or_default().trim();
            if !name.is_empty() {
                names.insert(name.to_owned(), module.to_owned());
            }
        }
    }
    names
}

/// The names that paths from the crate's root begin with, and their lines. `depth`: how many `super::` lead
/// to the root.
fn root_names(code: &str, depth: usize) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for root in ["crate::".to_owned(), "super::".repeat(depth)] {
        for (place, _) in code.match_indices(&root) {
            let (before, path) = (&code[..place], &code[place + root.len()..]);
            if before.ends_with(|ch: char| is_name(ch) || ch == '$' || ch == ':') {
                continue;
            }
            let line = before.matches('\n').count() + 1;
            found.extend(first_names(path).into_iter().map(|name| (name, line)));
        }
    }
    found
}

/// The first name of a path, or those of a group: of `{b::{X, Y}, d}` they are `b` and `d`.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| text.trim().split(|ch| !is_name(ch)).next().unwrap_or("").to_owned();
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut depth, mut names, mut start) = (0, Vec::new(), 0);
    for (place, ch) in group.char_indices() {
        match ch {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(name(&group[start..place]));
                start = place + 1;
                if ch == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
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
