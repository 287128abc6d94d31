//! The names of colours in the shop's other languages: a filter may be typed in any of them (`?colour=বালু`). In memory,
//! until one changes.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use platform::db::{SqlValue, in_list};
use platform::revisions::Revisions;
use platform::{Db, Language, Languages, Result};
use shop::catalog::colours_tag;
use tokio::sync::Mutex;

use crate::folding;

pub struct ColourNames {
    /// Without the default one.
    languages: Vec<Language>,
    /// As of a revision. Locked while it is read, so that it is read once.
    cached: Mutex<Option<(i64, Arc<Originals>)>>,
}

/// The colours in the default language, by their folded names in the others. Different colours may have the same name.
#[derive(Default)]
pub struct Originals(HashMap<String, Vec<String>>);

impl ColourNames {
    pub fn new(languages: &Languages) -> Self {
        Self { languages: languages.iter().skip(1).collect(), cached: Mutex::default() }
    }

    pub async fn originals(&self, db: &Db, revisions: &Revisions) -> Result<Arc<Originals>> {
        if self.languages.is_empty() {
            return Ok(Arc::default());
        }
        let mut cached = self.cached.lock().await;
        if let Some((as_of, originals)) = &*cached
            && !revisions.changed_since(*as_of, &[colours_tag()])
        {
            return Ok(originals.clone());
        }
        let as_of = revisions.latest();
        let languages = in_list("language", 1, self.languages.len());
        let sql = format!(
            "select distinct colour, name from colour_translations where {languages}
             order by colour, name"
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
        for (colour, name) in names {
            originals.entry(folding::fold(&name)).or_default().push(colour);
        }
        Self(originals)
    }

    /// Replaces names by the colours that have them. A colour that a product has stays, and so does one without such a
    /// name. `is_known`: whether a product has the colour; where nobody knows, it stays beside those that it may name.
    pub fn replace(
        &self,
        typed: BTreeSet<String>,
        is_known: impl Fn(&str) -> Option<bool>,
    ) -> BTreeSet<String> {
        let mut colours = BTreeSet::new();
        for colour in typed {
            let known = is_known(&colour);
            let named = self.0.get(&folding::fold(&colour)).filter(|_| known != Some(true));
            colours.extend(named.into_iter().flatten().cloned());
            if known != Some(false) || named.is_none() {
                colours.insert(colour);
            }
        }
        colours
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
        let replace = |typed: &[&str], is_known: &dyn Fn(&str) -> Option<bool>| {
            let typed = typed.iter().map(|&typed| typed.to_owned()).collect();
            Vec::from_iter(originals.replace(typed, is_known)).join(",")
        };
        let index = |colour: &str| Some(known.contains(&colour));
        assert_eq!(replace(&["বালু", "Sand"], &index), "Beige,Sand");
        assert_eq!(replace(&["Rose", "Nothing"], &index), "Nothing,Rose");
        assert_eq!(replace(&["rose"], &index), "Pink");
        let no_index = |_: &str| None;
        assert_eq!(replace(&["Rose", "Sand"], &no_index), "Pink,Rose,Sand");
        assert_eq!(replace(&["বালু"], &no_index), "Beige,Sand,বালু");
    }
}
