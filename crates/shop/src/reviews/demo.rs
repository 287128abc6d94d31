//! Seeds the demo shop's reviews from a text file, so that its ratings come from reviews as in any
//! shop.

use std::collections::BTreeSet;
use std::time::Duration;

use platform::db::{SqlValue, value_rows};
use platform::{Error, Id, Language, Result, Timestamp, Tx};

use super::store::update_rating;
use super::{Review, ReviewState};
use crate::catalog::ProductId;

const ROWS_PER_INSERT: usize = 50;
const COLUMNS: usize = 12;

struct Line<'t> {
    product: ProductId,
    rating: i64,
    age: Duration,
    name: &'t str,
    title: &'t str,
    body: &'t str,
}

/// Inserts the demo's reviews, and computes the ratings.
pub async fn seed(tx: &mut Tx, text: &str, now: Timestamp) -> Result<()> {
    let lines = read(text).map_err(|line| Error::internal(format!("demo reviews: {line}")))?;
    for some in lines.chunks(ROWS_PER_INSERT) {
        let sql = format!(
            "insert into reviews (id, product, customer, name, rating, title, body, language, state, created_at,
               note, helpful) values {}",
            value_rows(some.len(), COLUMNS)
        );
        tx.query(sql).bind_all(some.iter().flat_map(|line| values(line, now))).execute().await?;
    }
    // The cache tags are bumped by the caller, which fills the catalogue.
    for product in lines.iter().map(|line| &line.product).collect::<BTreeSet<_>>() {
        update_rating(tx, product).await?;
    }
    Ok(())
}

fn values(line: &Line, now: Timestamp) -> [SqlValue; COLUMNS] {
    let Line { product, rating, age, name, title, body } = line;
    let customer = Id::<()>::from_name(&format!("demo customer {name}"));
    let id = Id::<Review>::from_name(&format!("demo review {product} {name}"));
    [
        SqlValue::from(&id),
        SqlValue::from(product),
        customer.as_str().into(),
        (*name).into(),
        (*rating).into(),
        (*title).into(),
        (*body).into(),
        Language::ENGLISH.into(),
        ReviewState::Shown.into(),
        now.minus(*age).into(),
        "".into(),
        0_i64.into(),
    ]
}

/// Parses the file: `[product]` lines, each followed by reviews with fields separated by `|`. An error
/// is the line that cannot be parsed.
fn read(text: &str) -> std::result::Result<Vec<Line<'_>>, &str> {
    let (mut product, mut lines) = (None, Vec::new());
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(id) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            product = Some(id.parse::<ProductId>().map_err(|_| line)?);
            continue;
        }
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let ([rating, days, name, title, body], Some(product)) = (parts.as_slice(), &product)
        else {
            return Err(line);
        };
        let hours: u64 = days.parse::<u64>().map_err(|_| line)? * 24;
        // Spreads the reviews over the day.
        let hours = hours + (name.len() * 7 + title.len()) as u64 % 24;
        lines.push(Line {
            product: product.clone(),
            rating: rating.parse().ok().filter(|stars| (1..=5).contains(stars)).ok_or(line)?,
            age: Duration::from_secs(hours * 3600),
            name,
            title,
            body,
        });
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    const REVIEWS: &str = include_str!("../../../../demo/reviews.txt");

    #[test]
    fn most_products_have_reviews_and_no_text_repeats() {
        let lines = read(REVIEWS).unwrap();
        let mut of: HashMap<&ProductId, usize> = HashMap::new();
        lines.iter().for_each(|line| *of.entry(&line.product).or_default() += 1);
        assert!(of.len() >= 50 && of.values().all(|count| (2..=8).contains(count)), "{of:?}");
        let bodies: HashSet<&str> = lines.iter().map(|line| line.body).collect();
        assert_eq!(bodies.len(), lines.len());
        assert!(lines.iter().all(|line| line.title.len() <= 100 && line.age.as_secs() > 3600));
        let lower = lines.iter().filter(|line| line.rating < 5).count();
        assert!(lower * 3 > lines.len(), "nobody believes five stars alone");
    }

    #[test]
    fn an_invalid_line_is_reported() {
        for wrong in ["5 | 1 | A | B | C", "[p]\n6 | 1 | A | B | C", "[p]\n5 | 1 | A | B", "[a b]"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
