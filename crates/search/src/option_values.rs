//! The names of option values in the shop's other languages: a filter may be typed in any of them (`?colour=বালু`). In
//! memory, until one changes.

use std::collections::HashMap;
use std::sync::Arc;

use platform::db::{SqlValue, in_list};
use platform::revisions::Revisions;
use platform::{Db, Language, Languages, Result};
use shop::catalog::option_values_tag;
use tokio::sync::Mutex;

use crate::traits::TraitName;
use crate::{Chosen, NamedValue, folding};

pub struct OptionValueNames {
    /// Without the default one.
    languages: Vec<Language>,
    /// As of a revision. Locked while it is read, so that it is read once.
    cached: Mutex<Option<(i64, Arc<Originals>)>>,
}

/// The values in the default language, by their folded names in the others. Different values may have the same name.
#[derive(Default)]
pub struct Originals(HashMap<String, Vec<String>>);

impl OptionValueNames {
    pub fn new(languages: &Languages) -> Self {
        Self { languages: languages.iter().skip(1).collect(), cached: Mutex::default() }
    }

    pub async fn originals(&self, db: &Db, revisions: &Revisions) -> Result<Arc<Originals>> {
        if self.languages.is_empty() {
            return Ok(Arc::default());
        }
        let mut cached = self.cached.lock().await;
        if let Some((as_of, originals)) = &*cached
            && !revisions.changed_since(*as_of, &[option_values_tag()])
        {
            return Ok(originals.clone());
        }
        let as_of = revisions.latest();
        let languages = in_list("language", 1, self.languages.len());
        let sql = format!(
            "select distinct value, name from option_value_translations where {languages}
             order by value, name"
        );
        let languages = self.languages.iter().map(|language| SqlValue::from(*language));
        let names: Vec<(String, String)> = db.query(sql).bind_all(languages).all().await?;
        let originals = Arc::new(Originals::new(names));
        *cached = Some((as_of, originals.clone()));
        Ok(originals)
    }
}

impl Originals {
    fn new(names: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut originals: HashMap<String, Vec<String>> = HashMap::new();
        for (value, name) in names {
            originals.entry(folding::fold(&name)).or_default().push(value);
        }
        Self(originals)
    }

    /// Replaces translated values of options. `is_known`: whether a product has the value; none where nobody knows.
    pub fn replace_in(
        &self,
        chosen: &mut Chosen,
        is_known: impl Fn(TraitName, &str) -> Option<bool>,
    ) {
        chosen.colours = std::mem::take(&mut chosen.colours)
            .into_iter()
            .flat_map(|typed| self.originals(typed, |value| is_known(TraitName::Colour, value)))
            .collect();
        chosen.options = std::mem::take(&mut chosen.options)
            .into_iter()
            .flat_map(|NamedValue { name, value }| {
                let is_known = |value: &str| is_known(TraitName::Option(&name), value);
                let values = self.originals(value, is_known);
                values.into_iter().map(move |value| NamedValue { name: name.clone(), value })
            })
            .collect();
    }

    /// The values with this name. A value that a product has stays, and so does one without such a name; where nobody
    /// knows, it stays beside those that it may name.
    fn originals(&self, typed: String, is_known: impl Fn(&str) -> Option<bool>) -> Vec<String> {
        let known = is_known(&typed);
        if known == Some(true) {
            return vec![typed];
        }
        let named = self.0.get(&folding::fold(&typed)).into_iter().flatten();
        let mut values: Vec<String> =
            named.filter(|value| is_known(value) != Some(false)).cloned().collect();
        if known.is_none() || values.is_empty() {
            values.push(typed);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_replaced_by_its_colours_and_a_colour_is_not() {
        // In a third language, "Rose" is the name of another colour.
        let names = [("Sand", "বালু"), ("Beige", "বালু"), ("Pink", "Rose")];
        let names = names.map(|(colour, name)| (colour.to_owned(), name.to_owned()));
        let originals = Originals::new(names);
        let known = ["Sand", "Beige", "Pink", "Rose"];
        let replace = |typed: &[&str], is_known: &dyn Fn(TraitName, &str) -> Option<bool>| {
            let colours = typed.iter().map(|&typed| typed.to_owned()).collect();
            let mut chosen = Chosen { colours, ..Chosen::default() };
            originals.replace_in(&mut chosen, is_known);
            Vec::from_iter(chosen.colours).join(",")
        };
        let index = |name: TraitName, value: &str| {
            Some(name == TraitName::Colour && known.contains(&value))
        };
        assert_eq!(replace(&["বালু", "Sand"], &index), "Beige,Sand");
        assert_eq!(replace(&["Rose", "Nothing"], &index), "Nothing,Rose");
        assert_eq!(replace(&["rose"], &index), "Pink");
        let no_index = |_: TraitName, _: &str| None;
        assert_eq!(replace(&["Rose", "Sand"], &no_index), "Pink,Rose,Sand");
        assert_eq!(replace(&["বালু"], &no_index), "Beige,Sand,বালু");
    }

    #[test]
    fn a_name_is_replaced_by_the_values_of_its_option() {
        let names = [("Plain", "সাদা"), ("White", "সাদা"), ("128 GB", "১২৮ জিবি")];
        let names = names.map(|(value, name)| (value.to_owned(), name.to_owned()));
        let originals = Originals::new(names);
        let known = [("Ruling", "Plain"), ("Paint", "White"), ("Storage", "128 GB")];
        let is_known = |name: TraitName, value: &str| {
            Some(known.iter().any(|(option, of)| (TraitName::Option(option), *of) == (name, value)))
        };
        for (typed, replaced) in [
            ("Ruling:সাদা", "Ruling:Plain"),
            ("Paint:সাদা", "Paint:White"),
            ("Storage:১২৮ জিবি", "Storage:128 GB"),
            ("Storage:সাদা", "Storage:সাদা"),
            ("Nothing:x", "Nothing:x"),
        ] {
            let options = NamedValue::parse(typed).into_iter().collect();
            let mut chosen = Chosen { options, ..Chosen::default() };
            originals.replace_in(&mut chosen, is_known);
            let wanted = NamedValue::parse(replaced).into_iter().collect();
            assert_eq!(chosen.options, wanted, "{typed}");
        }
    }
}
