//! Search in the database, until the index is complete: names in all languages, brands and SKUs that contain every
//! word, with all filters, but without facets and corrections. It reads every product.

use std::collections::BTreeSet;

use platform::db::{SqlValue, in_list, like_containing};
use platform::{Db, Result, Timestamp};

use crate::bangla;
use crate::filter::NEW_FOR;
use crate::params::SearchParams;
use crate::tokenizer;
use shop::catalog::ProductId;

/// A page of the products that match, and the number of all; by popularity where the index would sort by relevance.
pub async fn find(db: &Db, params: &SearchParams, now: Timestamp) -> Result<(Vec<ProductId>, i64)> {
    let Conditions { sql, values } = Conditions::new(params, now);
    let matching = format!("from products where {}", sql.join(" and "));
    let count = db.query(format!("select count(*) {matching}")).bind_all(values.clone());
    let (total,): (i64,) = count.one().await?;
    let (order, place) = (params.sort.order(), values.len() + 1);
    let sql = format!("select id {matching} order by {order} limit ${place} offset ${}", place + 1);
    let page = db.query(sql).bind_all(values).bind(params.size);
    let ids: Vec<(ProductId,)> = page.bind(params.size * (params.page - 1)).all().await?;
    Ok((ids.into_iter().map(|(id,)| id).collect(), total))
}

/// SQL conditions, numbered from `$1`, and their values.
struct Conditions {
    sql: Vec<String>,
    values: Vec<SqlValue>,
}

impl Conditions {
    fn new(params: &SearchParams, now: Timestamp) -> Self {
        let mut all = Self { sql: vec!["status = 'active'".into()], values: Vec::new() };
        let words = word_patterns(&params.q);
        if words.is_empty() && !params.q.is_empty() {
            all.sql.push("1 = 0".into());
        }
        for patterns in words {
            let texts = "lower(name || ' ' || brand || ' ' || sku || ' ' || replace(sku, '-', ''))";
            let original = all.like(texts, patterns.clone());
            let translated = all.like("lower(translation.name)", patterns);
            all.sql.push(format!(
                "({original} or exists (select 1 from product_translations as translation
                   where translation.product = products.id and {translated}))"
            ));
        }
        if !params.chosen.brands.is_empty() {
            all.sql.push(in_list("brand", all.values.len() + 1, params.chosen.brands.len()));
            all.values
                .extend(params.chosen.brands.iter().map(|brand| SqlValue::from(brand.as_str())));
        }
        if !params.chosen.colours.is_empty() {
            // A JSON list in a text column.
            let json = |colour: &String| serde_json::Value::from(colour.as_str()).to_string();
            let patterns =
                params.chosen.colours.iter().map(|colour| like_containing(&json(colour)));
            let colours = all.like("colours", patterns);
            all.sql.push(colours);
        }
        let compared = [
            ("category =", params.category.as_ref().map(SqlValue::from)),
            ("sort_price >=", params.chosen.min.map(SqlValue::from)),
            ("sort_price <=", params.chosen.max.map(SqlValue::from)),
            ("rating >=", params.chosen.rating.map(|stars| SqlValue::from(f64::from(stars)))),
            ("created_at >=", params.chosen.new.then(|| now.minus(NEW_FOR).into())),
        ];
        for (comparison, value) in compared {
            if let Some(value) = value {
                all.values.push(value);
                all.sql.push(format!("{comparison} ${}", all.values.len()));
            }
        }
        all.sql.extend(params.chosen.in_stock.then(|| "qtn > 0".into()));
        all.sql.extend(params.chosen.on_offer.then(|| "sort_price < real_price".into()));
        all
    }

    /// The condition that the text matches any of the patterns.
    fn like(&mut self, text: &str, patterns: impl IntoIterator<Item = String>) -> String {
        let mut any = Vec::new();
        for pattern in patterns {
            self.values.push(pattern.into());
            any.push(format!(r"{text} like ${} escape '\'", self.values.len()));
        }
        format!("({})", any.join(" or "))
    }
}

/// `like` patterns per word, in lower case, of which one has to match. A word that begins with its stem is
/// searched by it: `lamps` finds a lamp.
fn word_patterns(q: &str) -> Vec<BTreeSet<String>> {
    let patterns = |word: tokenizer::Word| -> BTreeSet<String> {
        let typed = q[word.span].to_lowercase();
        let spellings = if typed.chars().any(bangla::is_bangla_char) {
            bangla::spellings(&tokenizer::stem(&word.whole))
        } else {
            let stem = tokenizer::stem(&typed);
            vec![if typed.starts_with(&stem) { stem } else { typed }]
        };
        spellings.iter().map(|text| pattern(text)).collect()
    };
    tokenizer::query_words(q).into_iter().map(patterns).collect()
}

fn pattern(text: &str) -> String {
    // SQLite lowers ASCII letters only: other letters that have a case match any letter.
    let has_case = |letter: char| !letter.is_ascii() && letter.is_lowercase();
    like_containing(text).replace(has_case, "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_patterns() {
        for (q, patterns) in [
            ("", vec![]),
            ("%_\\ **", vec![]),
            ("Desk Lamps for the office", vec!["%desk%", "%lamp%", "%offic%"]),
            ("HT-AUD-006, 50%", vec!["%ht-aud-006%", "%50%"]),
            ("CAFÉ", vec!["%caf_%"]),
        ] {
            let patterns: Vec<BTreeSet<String>> =
                patterns.into_iter().map(|pattern| [pattern.to_owned()].into()).collect();
            assert_eq!(word_patterns(q), patterns, "{q}");
        }
        // As people type them, and as texts are normalised.
        let spellings = ["%শা\u{9a1}\u{9bc}ি%", "%শা\u{9dc}ি%"].map(String::from);
        assert_eq!(word_patterns("শা\u{9dc}ির"), [spellings.into()]);
        assert_eq!(word_patterns("১৪"), [["%14%", "%১৪%"].map(String::from).into()]);
    }
}
