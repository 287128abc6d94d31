//! Translations in an import file: the fields and columns with a language code behind an `@`, such as
//! `name@bn`. Lists are in the order of those in the default language. An empty value deletes a translation.

use std::collections::{BTreeMap, HashSet};

use messages::Messages;
use platform::Language;
use platform::db::Json;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Error as _, MapAccess};

use super::columns::FileKind;
use super::errors::quoted;
use super::rows::{FieldError, NewProduct, text, texts};
use super::split_fields::{ReadField, SplitFields};
use crate::catalog::translated_fields::parse_name;
use crate::catalog::translations::OptionTexts;
use crate::catalog::{Attribute, CardTranslation, Photo, ProductOption, Translation};

/// An option's texts in one language, with its values in the order of the option's.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionTranslation {
    #[serde(default)]
    name: String,
    #[serde(default)]
    values: Vec<String>,
    /// What name and values translate, where a CSV file names it: `Colour=রং: Chalk=চক`.
    #[serde(skip)]
    originals: Option<(String, Vec<String>)>,
}

/// What a row says about the texts in one language: `None` leaves a translation as it is, an empty value
/// deletes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TranslationInput {
    pub name: Option<String>,
    full_description: Option<String>,
    tags: Option<Vec<String>>,
    /// In the order of the product's colours.
    colours: Option<Vec<String>>,
    /// In the order of the product's options.
    options: Option<Vec<OptionTranslation>>,
    /// In the order of the product's attributes.
    attributes: Option<Vec<Attribute>>,
    /// By the picture's address.
    pub alts: BTreeMap<String, String>,
}

pub type TranslationInputs = BTreeMap<Language, TranslationInput>;

impl TranslationInput {
    /// Sets a field from a JSON value; `null` deletes, like an empty value.
    fn read<'de, A: MapAccess<'de>>(&mut self, field: &str, map: &mut A) -> Result<(), A::Error> {
        fn set<'de, T: DeserializeOwned + Default, A: MapAccess<'de>>(
            to: &mut Option<T>,
            map: &mut A,
        ) -> Result<(), A::Error> {
            match to.replace(map.next_value::<Option<T>>()?.unwrap_or_default()) {
                Some(_) => Err(A::Error::custom("duplicate field")),
                None => Ok(()),
            }
        }
        match field {
            "name" => set(&mut self.name, map),
            "fullDescription" => set(&mut self.full_description, map),
            "tags" => set(&mut self.tags, map),
            "colours" => set(&mut self.colours, map),
            "options" => set(&mut self.options, map),
            "attributes" => set(&mut self.attributes, map),
            _ => Err(A::Error::custom(format!("{field} has no translations"))),
        }
    }

    /// Sets a field from the cell of a CSV file.
    pub fn read_cell(&mut self, field: &str, cell: &str, photos: &[Photo]) -> Result<(), String> {
        // Empty items keep their places: they are not translated.
        let items = || cell.split('|').map(str::trim).filter(|_| !cell.is_empty());
        match field {
            "name" => self.name = Some(cell.to_owned()),
            "fullDescription" => self.full_description = Some(cell.to_owned()),
            "tags" => {
                self.tags =
                    Some(items().filter(|tag| !tag.is_empty()).map(str::to_owned).collect());
            }
            "colours" => self.colours = Some(items().map(str::to_owned).collect()),
            "attributes" => {
                self.attributes = Some(items().map(attribute).collect::<Result<_, String>>()?);
            }
            "options" => {
                let options = cell.split(';').filter(|_| !cell.is_empty());
                self.options = Some(options.map(option).collect::<Result<_, String>>()?);
            }
            _ => {
                let alts: Vec<&str> = items().collect();
                if alts.len() > photos.len() {
                    let (alts, photos) = (alts.len(), photos.len());
                    return Err(format!("has {alts} entries, and img has {photos}"));
                }
                let alts = alts.into_iter().chain(std::iter::repeat(""));
                let alt = |(photo, alt): (&Photo, &str)| (photo.src.clone(), alt.to_owned());
                self.alts = photos.iter().zip(alts).map(alt).collect();
            }
        }
        Ok(())
    }

    /// Whether the row contains names of option values.
    pub fn names_values(&self) -> bool {
        self.colours.is_some() || self.options.is_some()
    }

    /// A field that the row contains.
    pub fn first_field(&self) -> &'static str {
        let fields = [
            ("name", self.name.is_some()),
            ("fullDescription", self.full_description.is_some()),
            ("tags", self.tags.is_some()),
            ("colours", self.colours.is_some()),
            ("options", self.options.is_some()),
            ("attributes", self.attributes.is_some()),
        ];
        fields.into_iter().find(|(_, is_there)| *is_there).map_or("alt", |(field, _)| field)
    }

    /// Its errors, at most one per field. `options`: those of the product, if they are known. `merged`: whether the
    /// product's lists are those that it will have, and not only what the file contains.
    pub fn validate(
        &self,
        product: &NewProduct,
        options: Option<&[ProductOption]>,
        merged: bool,
    ) -> Vec<FieldError> {
        let text_of = |value: &Option<String>| value.clone().unwrap_or_default();
        let known = |field: &str| merged || product.has_field(field);
        let checks = [
            text("name", &text_of(&self.name), 0, 200),
            text("fullDescription", &text_of(&self.full_description), 0, 20_000),
            texts("tags", self.tags.as_deref().unwrap_or_default(), 24, 40),
            self.check_colours(options.map(|options| colours_of(options).len())),
            self.check_options(options),
            self.check_attributes(known("attributes").then_some(product.attributes.len())),
            self.check_alts(),
        ];
        checks.into_iter().filter_map(Result::err).collect()
    }

    fn check_colours(&self, count: Option<usize>) -> Result<(), FieldError> {
        let colours = self.colours.as_deref().unwrap_or_default();
        parallel("colours", colours.iter(), count, 40)
    }

    fn check_options(&self, options: Option<&[ProductOption]>) -> Result<(), FieldError> {
        let translated = self.options.as_deref().unwrap_or_default();
        if let Some(options) = options.filter(|options| options.len() < translated.len()) {
            let (length, count) = (translated.len(), options.len());
            return Err(("options", format!("has {length} entries, and options has {count}")));
        }
        let mut names = HashSet::new();
        for (place, OptionTranslation { name, values, originals }) in translated.iter().enumerate()
        {
            text("options", name, 0, 40)?;
            if !name.is_empty() && !names.insert(name) {
                return Err(("options", format!("contains {} twice", quoted(name))));
            }
            let by_place = options.and_then(|options| options.get(place));
            let count = match originals {
                Some((_, originals)) => Some(originals.len()),
                None => by_place.map(|option| option.values.len()),
            };
            parallel("options", values.iter(), count, 40)?;
        }
        Ok(())
    }

    fn check_attributes(&self, count: Option<usize>) -> Result<(), FieldError> {
        let attributes = self.attributes.as_deref().unwrap_or_default();
        parallel("attributes", attributes.iter().map(|one| &one.name), count, 80)?;
        attributes.iter().try_for_each(|one| text("attributes", &one.value, 0, 500))
    }

    fn check_alts(&self) -> Result<(), FieldError> {
        self.alts.iter().try_for_each(|(src, alt)| {
            text("alt", alt, 0, 200)
                .map_err(|(field, why)| (field, format!("that of {src:?} {why}")))
        })
    }

    /// A product's texts after the import, from those that it has and those of its row.
    pub fn apply(
        &self,
        old: &Translation,
        product: &NewProduct,
        language: Language,
        translated: &[ProductOption],
        options: &[ProductOption],
    ) -> Translation {
        let CardTranslation { name, options: option_texts, alts } = &old.card;
        Translation {
            card: CardTranslation {
                name: self.name.clone().unwrap_or_else(|| name.clone()),
                options: self.apply_options(option_texts, language, (translated, options)),
                alts: Json(self.apply_alts(alts, &product.img)),
            },
            full_description: self
                .full_description
                .clone()
                .unwrap_or_else(|| old.full_description.clone()),
            tags: self.tags.clone().map_or_else(|| old.tags.clone(), Json),
            attributes: self.attributes.as_ref().map_or_else(
                || old.attributes.clone(),
                |list| {
                    let names = product.attributes.iter().map(|attribute| &attribute.name);
                    let filled = |one: &Attribute| !(one.name.is_empty() && one.value.is_empty());
                    Json(pairs(names, list, filled))
                },
            ),
        }
    }

    /// `translated`: the options in whose order the lists are; `options`: those of the product afterwards.
    fn apply_options(
        &self,
        old: &OptionTexts,
        language: Language,
        (translated, options): (&[ProductOption], &[ProductOption]),
    ) -> OptionTexts {
        let mut texts = old.clone();
        let OptionTexts { option_names: Json(names), option_values: Json(values) } = &mut texts;
        if let Some(list) = &self.colours {
            let colours = colours_of(translated);
            colours.iter().for_each(|value| drop(values.remove(value)));
            values.extend(pairs(colours, list, |value| !value.is_empty()));
            let colour = translated.iter().find(|option| option.is_colour());
            let name = Messages::find(language, "server.colour", &[]);
            match (colour, name) {
                (Some(option), _) if list.is_empty() => {
                    names.remove(&option.name);
                }
                (Some(option), Some(name)) => {
                    names.entry(option.name.clone()).or_insert(name);
                }
                _ => {}
            }
        }
        if let Some(list) = &self.options {
            // Two options may have the same value.
            (*names, *values) = Default::default();
            for (place, one) in list.iter().enumerate() {
                let by_place = || {
                    let option = translated.get(place)?;
                    Some((option.name.clone(), option.values.clone()))
                };
                let Some((name, originals)) = one.originals.clone().or_else(by_place) else {
                    continue;
                };
                values.extend(pairs(&originals, &one.values, |value| !value.is_empty()));
                if !one.name.is_empty() {
                    names.insert(name, one.name.clone());
                }
            }
        }
        let has_name = |name: &String| options.iter().any(|option| option.name == *name);
        names.retain(|name, _| has_name(name));
        let has_value = |value: &String| options.iter().any(|option| option.values.contains(value));
        values.retain(|value, _| has_value(value));
        texts
    }

    fn apply_alts(
        &self,
        old: &BTreeMap<String, String>,
        photos: &[Photo],
    ) -> BTreeMap<String, String> {
        let mut alts = old.clone();
        alts.extend(self.alts.clone());
        let shown = |src: &String| photos.iter().any(|photo| photo.src == *src);
        alts.retain(|src, alt| !alt.is_empty() && shown(src));
        alts
    }
}

/// Translations by their originals, without those that are empty.
fn pairs<'o, T: Clone>(
    originals: impl IntoIterator<Item = &'o String>,
    translations: &[T],
    filled: fn(&T) -> bool,
) -> BTreeMap<String, T> {
    let pairs = originals.into_iter().zip(translations).filter(|(_, one)| filled(one));
    pairs.map(|(original, one)| (original.clone(), one.clone())).collect()
}

/// Checks a list that has as many entries as the one in the default language, or none. Entries may be empty.
fn parallel<'i>(
    field: &'static str,
    entries: impl ExactSizeIterator<Item = &'i String>,
    count: Option<usize>,
    max: usize,
) -> Result<(), FieldError> {
    let length = entries.len();
    if let Some(count) = count.filter(|count| length > 0 && length != *count) {
        return Err((field, format!("has {length} entries, and {field} has {count}")));
    }
    let filled: Vec<String> = entries.filter(|entry| !entry.is_empty()).cloned().collect();
    texts(field, &filled, 50, max)
}

/// The values of the colour option.
fn colours_of(options: &[ProductOption]) -> &[String] {
    options.iter().find(|option| option.is_colour()).map_or(&[], |option| &option.values)
}

/// `Name: value | value`, or nothing. With what they translate: `Colour=রং: Chalk=চক | Ink=কালি`.
fn option(item: &str) -> Result<OptionTranslation, String> {
    let (name, values) = match item.split_once(':') {
        Some(pair) => pair,
        None if item.trim().is_empty() => ("", ""),
        None => return Err(format!("{} is not written Name: value | value", quoted(item.trim()))),
    };
    let values = values.split('|').map(str::trim);
    let Some((original, name)) = name.split_once('=') else {
        let values = values.map(str::to_owned).collect();
        return Ok(OptionTranslation { name: name.trim().to_owned(), values, originals: None });
    };
    let pairs = values.filter(|value| !value.is_empty()).map(|value| {
        let pair = value.split_once('=');
        let pair = pair.map(|(of, to)| (of.trim().to_owned(), to.trim().to_owned()));
        pair.ok_or_else(|| format!("{} is not written value=translation", quoted(value)))
    });
    let (originals, values) = pairs.collect::<Result<Vec<_>, String>>()?.into_iter().unzip();
    let originals = Some((original.trim().to_owned(), originals));
    Ok(OptionTranslation { name: name.trim().to_owned(), values, originals })
}

/// `Name: value`, or nothing.
fn attribute(item: &str) -> Result<Attribute, String> {
    let (name, value) = match item.split_once(':') {
        Some(pair) => pair,
        None if item.is_empty() => ("", ""),
        None => return Err(format!("{} is not written Name: value", quoted(item))),
    };
    Ok(Attribute { name: name.trim().to_owned(), value: value.trim().to_owned() })
}

/// Deserializes a row from JSON, and its translated fields separately. Errors keep their positions.
pub fn row_from_json<T: DeserializeOwned>(
    json: &str,
    kind: FileKind,
) -> serde_json::Result<(T, TranslationInputs)> {
    let mut reader = TranslationReader { kind, translations: TranslationInputs::new() };
    let mut from = serde_json::Deserializer::from_str(json);
    let row = T::deserialize(SplitFields { from: &mut from, reader: &mut reader })?;
    from.end()?;
    Ok((row, reader.translations))
}

/// Collects the translated fields of an object.
struct TranslationReader {
    kind: FileKind,
    translations: TranslationInputs,
}

impl ReadField for TranslationReader {
    fn read_field<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        match parse_name(name, self.kind.translated_fields()) {
            None => Ok(false),
            Some(Err(why)) => Err(A::Error::custom(why)),
            Some(Ok((field, language))) => {
                let translation = self.translations.entry(language).or_default();
                translation.read(field, map).map(|()| true)
            }
        }
    }
}
