//! Search in the database, until the index is complete: names, brands and SKUs that contain every word, with
//! all filters, but without facets and corrections. It reads every product.

use platform::db::{SqlValue, in_list, like_containing};
use platform::{Db, Result, Timestamp};

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
        let mut all = Self { sql: vec!["1 = 1".into()], values: Vec::new() };
        let words = word_patterns(&params.q);
        if words.is_empty() && !params.q.is_empty() {
            all.sql.push("1 = 0".into());
        }
        for pattern in words {
            let texts = "lower(name || ' ' || brand || ' ' || sku || ' ' || replace(sku, '-', ''))";
            all.push_like(texts, [pattern]);
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
            all.push_like("colours", patterns);
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

    /// The text matches any of the patterns.
    fn push_like(&mut self, text: &str, patterns: impl IntoIterator<Item = String>) {
        let mut any = Vec::new();
        for pattern in patterns {
            self.values.push(pattern.into());
            any.push(format!(r"{text} like ${} escape '\'", self.values.len()));
        }
        self.sql.push(format!("({})", any.join(" or ")));
    }
}

/// One `like` pattern per word, in lower case. A word that begins with its stem is searched by it: `lamps`
/// finds a lamp.
fn word_patterns(q: &str) -> Vec<String> {
    let pattern = |word: tokenizer::Word| {
        let word = q[word.span].to_lowercase();
        let stem = tokenizer::stem(&word);
        let pattern = like_containing(if word.starts_with(&stem) { &stem } else { &word });
        // SQLite lowers ASCII letters only: other letters that have a case match any letter.
        let has_case = |letter: char| !letter.is_ascii() && letter.is_lowercase();
        pattern.replace(has_case, "_")
    };
    tokenizer::query_words(q).into_iter().map(pattern).collect()
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
            ("CAFÉ শাড়ি", vec!["%caf_%", "%শাড়ি%"]),
        ] {
            assert_eq!(word_patterns(q), patterns, "{q}");
        }
    }
}
