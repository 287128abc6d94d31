//! The generated data files and their parsing at the first use. `data/generate.py` says which column is what.

use std::sync::{LazyLock, OnceLock};

use crate::country::Country;
use crate::format::{AddressFormat, Labels, Layout};
use crate::phone::NumberingPlan;
use crate::postcode::PostcodeFormat;
use crate::subdivision::Subdivision;

/// All that is known about a country.
pub struct Entry {
    pub country: Country,
    pub english_name: &'static str,
    pub bangla_name: &'static str,
    pub format: AddressFormat,
    /// `None` for a few territories without telephones of their own, such as Antarctica.
    pub numbering_plan: Option<NumberingPlan>,
}

/// In the order of their codes.
pub static COUNTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    lines(include_str!("../data/countries.tsv")).filter_map(parse_country).collect()
});

static BANGLADESH: LazyLock<Vec<Subdivision>> =
    LazyLock::new(|| parse_tree(include_str!("../data/bangladesh.tsv"), "bn"));

fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.starts_with('#'))
}

fn parse_country(line: &'static str) -> Option<Entry> {
    let mut columns = line.split('\t');
    let mut next = || columns.next().unwrap_or_default();
    let (country, english_name, bangla_name) = (Country::from_data(next())?, next(), next());
    let language = next();
    let layout = Layout::parse(next());
    let mut other_layout = || Some(next()).filter(|text| !text.is_empty()).map(Layout::parse);
    let (local_layout, form_layout) = (other_layout(), other_layout());
    let required = next();
    let labels = Labels { region: next(), city: next(), district: next(), postcode: next() };
    let postcode = PostcodeFormat::new(next(), next(), next());
    let numbering_plan = NumberingPlan::new(next(), next(), next(), next());
    let format = AddressFormat {
        country,
        language,
        layout,
        local_layout,
        form_layout,
        required,
        labels,
        postcode,
        listed_regions: next(),
        regions: OnceLock::new(),
    };
    Some(Entry { country, english_name, bangla_name, format, numbering_plan })
}

/// The regions of a country, parsed when they are asked for.
pub fn regions(format: &AddressFormat) -> &[Subdivision] {
    match format.country {
        Country::BANGLADESH => &BANGLADESH,
        _ => format.regions.get_or_init(|| parse_regions(format.listed_regions, format.language)),
    }
}

/// Regions with the parts key, English name, local name and ISO code. Without the second, the key is the name.
fn parse_regions(list: &'static str, language: &'static str) -> Vec<Subdivision> {
    let entries = list.split('~').filter(|entry| !entry.is_empty());
    let parse = |entry: &'static str| {
        let mut parts = entry.split('|');
        let mut next = || parts.next().unwrap_or_default();
        let (key, name, local_name, iso) = (next(), next(), next(), next());
        let name = if name.is_empty() { key } else { name };
        let aliases = Some(iso).filter(|iso| !iso.is_empty()).into_iter().collect();
        Subdivision { key, name, local_name, language, aliases, parts: Vec::new() }
    };
    entries.map(parse).collect()
}

/// A file in which each line is a subdivision, and those of the next level are indented with a tab below it.
fn parse_tree(file: &'static str, language: &'static str) -> Vec<Subdivision> {
    let mut top: Vec<Subdivision> = Vec::new();
    for line in lines(file) {
        let entry = line.trim_start_matches('\t');
        let depth = line.len() - entry.len();
        let mut columns = entry.split('\t');
        let mut next = || columns.next().unwrap_or_default();
        let (key, local_name, aliases) = (next(), next(), next());
        let aliases = aliases.split('|').filter(|alias| !alias.is_empty()).collect();
        let one = Subdivision { key, name: key, local_name, language, aliases, parts: Vec::new() };
        push_at(&mut top, depth, one);
    }
    top
}

fn push_at(list: &mut Vec<Subdivision>, depth: usize, one: Subdivision) {
    match (depth, list.last_mut()) {
        (1.., Some(parent)) => push_at(&mut parent.parts, depth - 1, one),
        _ => list.push(one),
    }
}
