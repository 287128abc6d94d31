//! Options of a product, such as colour and size, and the values that were chosen from them.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// Options of a product.
pub const MAX_OPTIONS: usize = 3;
/// Values of an option.
pub const MAX_VALUES: usize = 100;
/// Variants of a product.
pub const MAX_VARIANTS: usize = 2_048;
const UNESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// An option of a product, such as its colour, with the values to choose from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductOption {
    pub name: String,
    /// Its name in URLs: `colour`. Not stored.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = true)]
    pub param: String,
    pub values: Vec<String>,
    /// The values in the default language, as URLs have them; missing where they are the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub originals: Vec<String>,
    /// CSS colours of the values; missing where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swatches: Vec<Option<String>>,
}

impl ProductOption {
    /// The values in the default language.
    pub fn originals(&self) -> &[String] {
        if self.originals.is_empty() { &self.values } else { &self.originals }
    }

    /// Its name in URLs, also before `param` is filled in.
    pub fn param(&self) -> String {
        if self.param.is_empty() { param_of(&self.name) } else { self.param.clone() }
    }

    /// The colour, by which products are filtered and which pictures show.
    pub fn is_colour(&self) -> bool {
        is_colour(&self.param())
    }

    /// A value as it is shown.
    fn shown<'o>(&'o self, original: &'o str) -> &'o str {
        let place = self.originals().iter().position(|value| value == original);
        place.and_then(|place| self.values.get(place)).map_or(original, String::as_str)
    }
}

/// Whether an option of this name is the colour.
pub fn is_colour(name: &str) -> bool {
    matches!(param_of(name).as_str(), "colour" | "color")
}

/// The name of an option in URLs.
pub fn param_of(name: &str) -> String {
    name.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-")
}

/// The names and values of chosen options in the order of the options: in JSON an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenOptions(pub Vec<(String, String)>);

impl ChosenOptions {
    /// The values of a variant, as they are shown.
    pub fn new(options: &[ProductOption], values: &[String]) -> Self {
        let pair = |(option, value): (&ProductOption, &String)| {
            (option.name.clone(), option.shown(value).to_owned())
        };
        Self(options.iter().zip(values).map(pair).collect())
    }

    /// The values: `Chalk, M`.
    pub fn text(&self) -> String {
        self.0.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The name of a product with its options: `Desk Lamp (Chalk)`.
    pub fn title(&self, name: &str) -> String {
        match self.0.is_empty() {
            true => name.to_owned(),
            false => format!("{name} ({})", self.text()),
        }
    }
}

impl Serialize for ChosenOptions {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for ChosenOptions {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct OptionsVisitor;
        impl<'de> Visitor<'de> for OptionsVisitor {
            type Value = ChosenOptions;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of option names and values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ChosenOptions, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(ChosenOptions(pairs))
            }
        }
        from.deserialize_map(OptionsVisitor)
    }
}

/// The query string of a choice: `colour=Chalk&size=M`.
pub fn choice_query(choice: &[(String, String)]) -> String {
    let escaped = |text: &str| utf8_percent_encode(text, UNESCAPED).to_string();
    let pair = |(param, value): &(String, String)| format!("{}={}", escaped(param), escaped(value));
    choice.iter().map(pair).collect::<Vec<_>>().join("&")
}

/// The parameters of a URL that choose a value of these options, in their order; others are dropped.
pub fn known_choice(
    options: &[ProductOption],
    params: &[(String, String)],
) -> Vec<(String, String)> {
    let chosen = |option: &ProductOption| {
        let param = option.param();
        let (_, value) = params.iter().find(|(name, _)| *name == param)?;
        let known = option.originals().iter().find(|known| *known == value)?;
        Some((param, known.clone()))
    };
    options.iter().filter_map(chosen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<ProductOption> {
        let option = |name: &str, values: &[&str]| ProductOption {
            name: name.into(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            ..ProductOption::default()
        };
        vec![option("Colour", &["Chalk", "Sea Green"]), option("Cable length", &["2 m", "3 m"])]
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_choice_has_one_form() {
        let params = pairs(&[
            ("x", "1"),
            ("cable-length", "3 m"),
            ("colour", "Sea Green"),
            ("colour", "Chalk"),
        ]);
        let choice = known_choice(&options(), &params);
        assert_eq!(choice_query(&choice), "colour=Sea%20Green&cable-length=3%20m");
        assert_eq!(known_choice(&options(), &pairs(&[("colour", "Red")])), []);
    }

    #[test]
    fn chosen_options_are_an_object_in_the_order_of_the_options() {
        let mut options = options();
        options[0].originals = options[0].values.clone();
        options[0].values = vec!["চক".into(), "সাগর সবুজ".into()];
        options[0].name = "রং".into();
        let values = ["Sea Green".to_owned(), "2 m".to_owned()];
        let chosen = ChosenOptions::new(&options, &values);
        let json = serde_json::to_string(&chosen).unwrap();
        assert_eq!(json, r#"{"রং":"সাগর সবুজ","Cable length":"2 m"}"#);
        assert_eq!(serde_json::from_str::<ChosenOptions>(&json).unwrap(), chosen);
        assert_eq!(chosen.title("Lamp"), "Lamp (সাগর সবুজ, 2 m)");
        assert_eq!(ChosenOptions::default().title("Lamp"), "Lamp");
    }
}
