//! Search in the database, until the index is complete: names in all languages, brands and SKUs that contain every
//! word, with all filters, but without facets and corrections. It reads every product.

use std::collections::BTreeSet;

use platform::db::{SqlValue, in_list, like_containing};
use platform::{Db, Exchange, Result};

use crate::bangla;
use crate::filter::{NEW_FOR, is_by_price};
use crate::indexed_product::ProductPrice;
use crate::params::SearchParams;
use crate::prices::{PriceBound, merge_by_price};
use crate::tokenizer;
use crate::traits::TraitName;
use shop::catalog::{CatalogView, ProductId, ProductSort, present_price_sql};

/// A page of the products that match, and the number of all; by popularity where the index would sort by relevance.
pub async fn find(
    db: &Db,
    params: &SearchParams,
    filter_attributes: &BTreeSet<String>,
    view: CatalogView,
) -> Result<(Vec<ProductId>, i64)> {
    let Conditions { sql, values } = Conditions::new(params, filter_attributes, view);
    let matching = format!("from {PRODUCTS} where {}", sql.join(" and "));
    let count = db.query(format!("select count(*) {matching}")).bind_all(values.clone());
    let (total,): (i64,) = count.one().await?;
    if is_by_price(params.sort) {
        return Ok((page_by_price(db, params, &matching, values, view.to).await?, total));
    }
    let (order, place) = (params.sort.order(), values.len() + 1);
    let sql = format!("select id {matching} order by {order} limit ${place} offset ${}", place + 1);
    let page = db.query(sql).bind_all(values).bind(params.size);
    let ids: Vec<(ProductId,)> = page.bind(params.size * (params.page - 1)).all().await?;
    Ok((ids.into_iter().map(|(id,)| id).collect(), total))
}

/// A page of the products that match, by the shown price: of those whose price is converted by the base price, and all
/// of those with fixed prices, of which there are few.
async fn page_by_price(
    db: &Db,
    params: &SearchParams,
    matching: &str,
    values: Vec<SqlValue>,
    to: Exchange,
) -> Result<Vec<ProductId>> {
    let (order, place) = (params.sort.order(), values.len() + 1);
    let sql = format!(
        "select id, sort_price {matching} and fixed_price.product is null order by {order} limit ${place}"
    );
    let query = db.query(sql).bind_all(values.clone()).bind(params.size * params.page);
    let converted: Vec<(ProductId, i64)> = query.all().await?;
    let sql = format!(
        "select id, fixed, converted {matching} and fixed_price.product is not null order by id"
    );
    let fixed: Vec<FixedPriceRow> = db.query(sql).bind_all(values).all().await?;
    let mut fixed: Vec<(i64, ProductId)> =
        fixed.into_iter().map(|row| (row.price.shown(to), row.id)).collect();
    let descending = params.sort == ProductSort::PriceDesc;
    fixed.sort_by_key(|(shown, _)| if descending { -shown } else { *shown });
    let converted = converted.into_iter().map(|(id, base)| (base, id));
    let page = merge_by_price(converted, fixed, to, descending);
    let (first, size) = (params.size * (params.page - 1), params.size);
    let [first, size] = [first, size].map(|count| usize::try_from(count).unwrap_or_default());
    Ok(page.skip(first).take(size).collect())
}

#[derive(sqlx::FromRow)]
struct FixedPriceRow {
    id: ProductId,
    #[sqlx(flatten)]
    price: ProductPrice,
}

/// SQL conditions, numbered from `$1`, and their values.
struct Conditions {
    sql: Vec<String>,
    values: Vec<SqlValue>,
}

/// With the prices in a currency, the first parameter, of products that have fixed ones.
const PRODUCTS: &str = "products left join product_prices as fixed_price
    on fixed_price.product = products.id and fixed_price.currency = $1";
/// The base price from which the shown price is converted; null where it is not.
const BASE_PRICE: &str = "case when fixed_price.product is null then sort_price else converted end";
const OF_PRODUCT: &str = "variants.product = products.id and variants.status = 'active'";

impl Conditions {
    /// Of `PRODUCTS`.
    fn new(
        params: &SearchParams,
        filter_attributes: &BTreeSet<String>,
        CatalogView { now, to, .. }: CatalogView,
    ) -> Self {
        let mut all =
            Self { sql: vec!["status = 'active'".into()], values: vec![to.currency.into()] };
        let words = word_patterns(&params.q);
        if words.is_empty() && !params.q.is_empty() {
            all.sql.push("1 = 0".into());
        }
        for patterns in words {
            let original = all.like("lower(name || ' ' || brand)", patterns.clone());
            let skus = "lower(sku || ' ' || replace(sku, '-', ''))";
            let sku = all.like(skus, patterns.clone());
            let translated = all.like("lower(translation.name)", patterns);
            all.sql.push(format!(
                "({original}
                  or exists (select 1 from variants where {OF_PRODUCT} and {sku})
                  or exists (select 1 from product_translations as translation
                    where translation.product = products.id and {translated}))"
            ));
        }
        if !params.chosen.brands.is_empty() {
            all.sql.push(in_list("brand", all.values.len() + 1, params.chosen.brands.len()));
            all.values
                .extend(params.chosen.brands.iter().map(|brand| SqlValue::from(brand.as_str())));
        }
        for (name, values) in params.chosen.traits() {
            let condition = match name {
                TraitName::Attribute(name) if !filter_attributes.contains(name) => "1 = 0".into(),
                TraitName::Attribute(_) => all.like("attributes", trait_patterns(name, &values)),
                _ => all.like("options", trait_patterns(name, &values)),
            };
            all.sql.push(condition);
        }
        let compared = [
            ("category =", params.category.as_ref().map(SqlValue::from)),
            ("rating >=", params.chosen.rating.map(|stars| SqlValue::from(f64::from(stars)))),
            ("created_at >=", params.chosen.new.then(|| now.minus(NEW_FOR).into())),
        ];
        for (comparison, value) in compared {
            if let Some(value) = value {
                all.values.push(value);
                all.sql.push(format!("{comparison} ${}", all.values.len()));
            }
        }
        // The shown price is the lower one of the fixed and the converted price, and one of them may be null.
        if let Some(min) = params.chosen.min {
            let [shown, base] = all.bind_bound(PriceBound::lowest(min, to));
            all.sql.push(format!("(fixed is null or fixed >= ${shown})"));
            all.sql.push(format!("({BASE_PRICE} is null or {BASE_PRICE} >= ${base})"));
        }
        if let Some(max) = params.chosen.max {
            let [shown, base] = all.bind_bound(PriceBound::highest(max, to));
            all.sql.push(format!("(fixed <= ${shown} or {BASE_PRICE} <= ${base})"));
        }
        if params.chosen.in_stock {
            all.sql.push(format!(
                "exists (select 1 from variants
                   where {OF_PRODUCT} and (qtn > 0 or back_order is not null))"
            ));
        }
        if params.chosen.on_offer {
            all.values.push(now.into());
            let price = present_price_sql(all.values.len());
            all.sql.push(format!(
                "exists (select 1 from variants where {OF_PRODUCT} and {price} < real_price)"
            ));
        }
        all
    }

    /// The places of its values.
    fn bind_bound(&mut self, PriceBound { shown, base }: PriceBound) -> [usize; 2] {
        self.values.extend([shown.into(), base.into()]);
        [self.values.len() - 1, self.values.len()]
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

/// `like` patterns of these values in JSON lists in text columns. That of an option finds a later option with the value
/// too: a list that has it after the name.
fn trait_patterns(name: TraitName, values: &BTreeSet<&str>) -> Vec<String> {
    let json = |text: &str| serde_json::Value::from(text).to_string();
    let pattern = |value: &str| match name {
        TraitName::Colour => like_containing(&json(value)),
        TraitName::Option(name) => {
            let option = like_containing(&format!(r#"{{"name":{},"values":["#, json(name)));
            option + &like_containing(&json(value))
        }
        TraitName::Attribute(name) => {
            like_containing(&format!(r#"{{"name":{},"value":{}}}"#, json(name), json(value)))
        }
    };
    values.iter().map(|value| pattern(value)).collect()
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
