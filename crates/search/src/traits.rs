//! What products are filtered by beside brand and category: colours, values of other options, and attributes. In the
//! index a trait is one text (`TraitName::key`); in memory a row has the number of its set of traits.

use std::collections::{BTreeMap, BTreeSet};

use crate::indexed_product::IndexedProduct;
use crate::params::MAX_VALUE_CHARS;
use crate::rows::Interners;
use crate::schema::{SEPARATOR, keyed};
use crate::{Chosen, NamedValue};
use platform::Language;
use shop::catalog::is_colour;

/// What a trait is a value of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TraitName<'n> {
    /// The option Colour, which has a parameter of its own.
    Colour,
    /// Another option.
    Option(&'n str),
    Attribute(&'n str),
}

impl<'n> TraitName<'n> {
    pub fn of_option(name: &'n str) -> Self {
        if is_colour(name) { Self::Colour } else { Self::Option(name) }
    }

    pub fn key(self, value: &str) -> String {
        let (kind, name) = match self {
            Self::Colour => ("colour", ""),
            Self::Option(name) => ("option", name),
            Self::Attribute(name) => ("attribute", name),
        };
        keyed(kind, &keyed(name, value))
    }

    /// The name and the value of a key.
    pub fn parse(key: &'n str) -> Option<(Self, &'n str)> {
        let (kind, name_and_value) = key.split_once(SEPARATOR)?;
        let (name, value) = name_and_value.split_once(SEPARATOR)?;
        let name = match kind {
            "colour" => Self::Colour,
            "option" => Self::Option(name),
            "attribute" => Self::Attribute(name),
            _ => return None,
        };
        Some((name, value))
    }
}

/// The selected values by their name. A product must have one of the values of each name.
pub type ChosenTraits<'c> = BTreeMap<TraitName<'c>, BTreeSet<&'c str>>;

impl Chosen {
    pub(crate) fn traits(&self) -> ChosenTraits<'_> {
        let mut traits = ChosenTraits::new();
        let colours = self.colours.iter().map(|value| (TraitName::Colour, value));
        let options = self.options.iter().map(|one| (TraitName::Option(&one.name), &one.value));
        let attributes =
            self.attributes.iter().map(|one| (TraitName::Attribute(&one.name), &one.value));
        for (name, value) in colours.chain(options).chain(attributes) {
            traits.entry(name).or_default().insert(value);
        }
        traits
    }
}

/// By the number of a set of traits, the selected names of which it has no selected value: one bit each, in the order of
/// `chosen`. None where nothing is selected.
pub fn failed_by_set(chosen: &ChosenTraits, interners: &Interners) -> Option<Vec<u64>> {
    let mut passed = vec![0u64; interners.traits.len()];
    for (place, (name, values)) in chosen.iter().enumerate() {
        for number in values.iter().filter_map(|value| interners.traits.get(&name.key(value))) {
            passed[number as usize] |= 1 << place;
        }
    }
    let all = (1u64 << chosen.len()) - 1;
    let failed =
        |set: &[u32]| set.iter().fold(all, |failed, number| failed & !passed[*number as usize]);
    (!chosen.is_empty()).then(|| interners.sets.iter().map(|set| failed(set)).collect())
}

/// The traits of a product, as they are indexed. Other attributes than these may have a different text in each product.
pub fn keys(product: &IndexedProduct, filter_attributes: &BTreeSet<String>) -> BTreeSet<String> {
    let options = product.options.iter().flat_map(|option| {
        let name = TraitName::of_option(&option.name);
        option.values.iter().map(move |value| (name, value))
    });
    let attributes = product
        .attributes
        .iter()
        .filter(|attribute| filter_attributes.contains(&attribute.name))
        .map(|attribute| (TraitName::Attribute(&attribute.name), &attribute.value));
    options
        .chain(attributes)
        .filter(|(name, value)| is_selectable(*name, value))
        .map(|(name, value)| name.key(value))
        .collect()
}

/// Whether an address can have this filter.
fn is_selectable(name: TraitName, value: &str) -> bool {
    match name {
        TraitName::Colour => value.chars().count() <= MAX_VALUE_CHARS,
        TraitName::Option(name) | TraitName::Attribute(name) => {
            NamedValue::parse(&format!("{name}:{value}"))
                .is_some_and(|parsed| parsed.name == name && parsed.value == value)
        }
    }
}

/// The translated names of a product's options and of its filter attributes, and the translated values of these: terms
/// by which `Snapshot::labels` finds them. Values of options are in `option_value_translations`.
pub fn labels(product: &IndexedProduct, filter_attributes: &BTreeSet<String>) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    for translation in &product.translations {
        let mut add = |name: TraitName, value: &str, label: &str| {
            if !label.is_empty() {
                labels.insert(keyed(&label_key(translation.language, name, value), label));
            }
        };
        for option in product.options.iter() {
            let label = translation.option_names.get(&option.name);
            add(TraitName::of_option(&option.name), "", label.map_or("", String::as_str));
        }
        for attribute in product.attributes.iter() {
            let name = TraitName::Attribute(&attribute.name);
            let translated = translation.attributes.get(&attribute.name);
            if let Some(label) = translated.filter(|_| filter_attributes.contains(&attribute.name))
            {
                add(name, "", &label.name);
                if is_selectable(name, &attribute.value) {
                    add(name, &attribute.value, &label.value);
                }
            }
        }
    }
    labels
}

pub fn label_key(language: Language, name: TraitName, value: &str) -> String {
    keyed(language.as_str(), &name.key(value))
}

/// Clothing sizes in their order.
const SIZES: [&[&str]; 10] = [
    &["xxs", "2xs"],
    &["xs"],
    &["s"],
    &["m"],
    &["l"],
    &["xl"],
    &["xxl", "2xl"],
    &["xxxl", "3xl"],
    &["4xl"],
    &["5xl"],
];

const UNITS: [(&str, f64); 15] = [
    ("kb", 1e3),
    ("mb", 1e6),
    ("gb", 1e9),
    ("tb", 1e12),
    ("mg", 1e-3),
    ("kg", 1e3),
    ("ml", 1e-3),
    ("cl", 1e-2),
    ("mm", 1e-3),
    ("cm", 1e-2),
    ("km", 1e3),
    ("mah", 1e-3),
    ("kw", 1e3),
    ("kwh", 1e3),
    ("khz", 1e3),
];

/// The size that a value names, to sort the values of one name: `M`, `+1.5`, `512 GB`, `Ø 40 mm`.
pub fn magnitude(value: &str) -> Option<f64> {
    let value = value.to_lowercase();
    if let Some(rank) = SIZES.iter().position(|names| names.contains(&value.as_str())) {
        return Some(rank as f64);
    }
    let value = value.trim_start_matches(['ø', '+', ' ']).replace(',', "");
    let signed = value.replacen('−', "-", 1);
    let end = signed.find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | '-'));
    let (number, rest) = signed.split_at(end.unwrap_or(signed.len()));
    let number: f64 = number.parse().ok()?;
    let unit = rest.split_whitespace().next().unwrap_or_default();
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map_or(1.0, |(_, factor)| *factor);
    Some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_name_and_value() {
        for (name, value) in [
            (TraitName::Colour, "Sand"),
            (TraitName::Option("Size"), "M"),
            (TraitName::Attribute("Size"), "M: medium"),
        ] {
            assert_eq!(TraitName::parse(&name.key(value)), Some((name, value)));
        }
        assert_eq!(TraitName::of_option("Color"), TraitName::Colour);
        assert_eq!(TraitName::parse(""), None);
    }

    #[test]
    fn only_what_an_address_can_have_is_selectable() {
        let long = "x".repeat(MAX_VALUE_CHARS + 1);
        for (name, value, selectable) in [
            ("Size", "M: medium", true),
            ("Ratio: a", "1", false),
            ("Size", "", false),
            ("Size", "two\nlines", false),
            ("Size", &long, false),
        ] {
            assert_eq!(is_selectable(TraitName::Option(name), value), selectable, "{name}:{value}");
        }
    }

    #[test]
    fn sizes_and_quantities_have_a_natural_order() {
        for sorted in [
            &["XS", "s", "M", "XL", "2XL"][..],
            &["128 GB", "512 GB", "1 TB", "2 TB"],
            &["-1.5", "+1.0", "+1.5", "+2.0", "10"],
            &["Ø 40 mm", "55 cm", "1 m"],
            &["4.7 litres", "1,200 litres"],
        ] {
            let magnitudes: Vec<f64> = sorted.iter().filter_map(|value| magnitude(value)).collect();
            assert_eq!(magnitudes.len(), sorted.len(), "{sorted:?}");
            assert!(magnitudes.is_sorted(), "{sorted:?}: {magnitudes:?}");
        }
        for none in ["Dotted", "", "About 3 mm", "1.2.3"] {
            assert_eq!(magnitude(none), None, "{none}");
        }
    }
}
