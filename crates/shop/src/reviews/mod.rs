//! What buyers say about what they bought, and who found it helpful: one review to a buyer and product. Alone
//! writes `reviews` and `review_votes`. A product's rating is the plain mean of the reviews that are shown,
//! and the catalogue takes it over in the transaction that changes them.

pub mod demo;
mod http;
mod letters;
mod link;
mod store;

use base::http::whole_number;
use base::revisions::Scope;
use base::{Error, Id, Result, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::catalog::ProductId;
use crate::forms;
use crate::schemas;
use crate::words::words;

pub use http::{Reviews, router};
pub use letters::Sender;
pub use link::holds_link;
pub use store::{Guestbook, Judged, forget, not_bought_any_more, of_customer, page};

pub type ReviewId = Id<Review>;

pub const LONGEST_TITLE: usize = 100;
pub const LONGEST_BODY: usize = 2_000;
pub const ON_A_PAGE: i64 = 10;
/// Pages that nobody turns to.
const DEEPEST_PAGE: i64 = 1_000;

words! {
    /// Who sees a review.
    #[schema(as = ReviewState)]
    pub enum State {
        /// Everybody.
        Shown = "shown",
        /// Its writer, until the shopkeeper has looked at it.
        Queued = "queued",
        /// Its writer, with the shopkeeper's reason.
        Refused = "refused",
    }
}

words! {
    /// The order of a product's reviews.
    #[derive(Default)]
    #[schema(as = ReviewSort)]
    pub enum Sort {
        #[default]
        Newest = "newest",
        Oldest = "oldest",
        Highest = "highest",
        Lowest = "lowest",
        Helpful = "helpful",
    }
}

/// Which of a product's reviews: a page of them, in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub sort: Sort,
    /// From 1 on.
    pub number: i64,
}

impl Default for Part {
    fn default() -> Self {
        Self { sort: Sort::default(), number: 1 }
    }
}

impl Part {
    /// A page's number.
    pub fn number(text: &str) -> Option<i64> {
        text.parse().ok().filter(|number| (1..=DEEPEST_PAGE).contains(number))
    }
}

/// A review as everybody sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    #[serde(rename = "_id")]
    pub id: ReviewId,
    /// What its writer was called then.
    pub name: String,
    /// 1 to 5.
    pub rating: i64,
    pub title: String,
    /// Plain text.
    pub body: String,
    /// How many found it helpful.
    pub helpful: i64,
    pub created_at: Timestamp,
    /// When it was last changed; null where it never was.
    #[schema(required)]
    pub edited_at: Option<Timestamp>,
}

/// A review as its writer and the shopkeeper see it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct OwnReview {
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub review: Review,
    /// The product that it is about.
    pub product: ProductId,
    #[sqlx(try_from = "String")]
    pub state: State,
    /// Why the shopkeeper does not show it; empty where there is nothing against it.
    pub note: String,
}

/// All that the shop keeps of a customer here, for them to take along.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CustomersReviews {
    pub written: Vec<OwnReview>,
    /// Those that they found helpful.
    pub helpful: Vec<ReviewId>,
}

/// What all reviews of a product that are shown come to.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = ReviewSummary)]
pub struct Summary {
    /// Their mean, to the hundredth; 0 where there are none.
    pub rating: f64,
    pub count: i64,
    /// How many gave one star, two, three, four, five.
    pub stars: [i64; 5],
}

impl Summary {
    pub fn of(stars: [i64; 5]) -> Self {
        let count: i64 = stars.iter().sum();
        let all: i64 = stars.iter().zip(1..).map(|(given, star)| given * star).sum();
        let rating =
            if count == 0 { 0.0 } else { (all as f64 * 100.0 / count as f64).round() / 100.0 };
        Self { rating, count, stars }
    }

    fn pages(&self) -> i64 {
        ((self.count + ON_A_PAGE - 1) / ON_A_PAGE).clamp(1, DEEPEST_PAGE)
    }
}

/// A page of a product's reviews.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewPage {
    pub summary: Summary,
    pub reviews: Vec<Review>,
    pub sort: Sort,
    pub page_number: i64,
    pub pages: i64,
}

/// A review as it was typed.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewReview {
    /// 1 to 5.
    #[schema(minimum = 1, maximum = 5)]
    #[serde(deserialize_with = "whole_number")]
    rating: i64,
    #[serde(default)]
    #[schema(schema_with = schemas::review_title, required)]
    title: String,
    #[serde(default)]
    #[schema(schema_with = schemas::review_body, required)]
    body: String,
}

/// A review that can be kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    pub rating: i64,
    pub title: String,
    pub body: String,
}

impl NewReview {
    fn read(&self) -> Result<Said> {
        if !(1..=5).contains(&self.rating) {
            return Err(Error::invalid("rating", "from 1 to 5 stars"));
        }
        Ok(Said {
            rating: self.rating,
            title: forms::line("title", &self.title, LONGEST_TITLE)?,
            body: forms::lines("body", &self.body, LONGEST_BODY)?,
        })
    }
}

impl Said {
    /// Where it stands once it is written. A writer who was refused, or who has bought it no longer, is
    /// `watched`.
    fn state(&self, name: &str, watched: bool) -> State {
        let linked = [name, &self.title, &self.body].into_iter().any(holds_link);
        if linked || watched { State::Queued } else { State::Shown }
    }
}

/// What the shopkeeper says to a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Approve,
    Refuse,
}

/// What a verdict leads to, where it changes anything.
fn judged(from: State, verdict: Verdict) -> Option<State> {
    match (verdict, from) {
        (Verdict::Approve, State::Queued | State::Refused) => Some(State::Shown),
        (Verdict::Refuse, State::Queued | State::Shown) => Some(State::Refused),
        _ => None,
    }
}

/// A product's reviews, as its page shows them.
pub fn scope_of_reviews(product: &ProductId) -> Scope {
    Scope::of("reviews", product.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_mean_lies_among_the_stars(stars in proptest::array::uniform5(0i64..1000)) {
            let Summary { rating, count, .. } = Summary::of(stars);
            prop_assert_eq!(count, stars.iter().sum::<i64>());
            let given: Vec<f64> = (1..=5).filter(|star| stars[star - 1] > 0).map(|star| star as f64).collect();
            match (given.first(), given.last()) {
                (Some(least), Some(most)) => prop_assert!((*least..=*most).contains(&rating)),
                _ => prop_assert_eq!(rating, 0.0),
            }
        }
    }

    #[test]
    fn a_mean_is_told_to_the_hundredth() {
        assert_eq!(Summary::of([0, 0, 0, 1, 2]).rating, 4.67);
        assert_eq!(Summary::of([1, 0, 0, 0, 0]).rating, 1.0);
        let pages = |count| Summary::of([count, 0, 0, 0, 0]).pages();
        assert_eq!([pages(0), pages(10), pages(11), pages(1_000_000)], [1, 1, 2, 1_000]);
    }

    #[test]
    fn a_link_anywhere_makes_it_wait() {
        let said =
            |title: &str, body: &str| Said { rating: 5, title: title.into(), body: body.into() };
        assert_eq!(said("Good", "It hums.").state("Mina", false), State::Shown);
        assert_eq!(said("Good", "It hums.").state("Mina", true), State::Queued);
        assert_eq!(said("See x.com", "It hums.").state("Mina", false), State::Queued);
        assert_eq!(said("Good", "http://x").state("Mina", false), State::Queued);
        assert_eq!(said("Good", "It hums.").state("www.x.y", false), State::Queued);
    }

    #[test]
    fn a_verdict_is_given_once() {
        for state in [State::Shown, State::Queued, State::Refused] {
            for verdict in [Verdict::Approve, Verdict::Refuse] {
                if let Some(next) = judged(state, verdict) {
                    assert_eq!(judged(next, verdict), None);
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_kept_is_refused_by_its_field() {
        let new = |rating, title: &str, body: &str| {
            let new = NewReview { rating, title: title.into(), body: body.into() };
            new.read().map_err(|why| match why {
                Error::Invalid { fields, .. } => fields[0].name.to_string(),
                other => panic!("{other}"),
            })
        };
        assert_eq!(new(0, "a", "b").unwrap_err(), "rating");
        assert_eq!(new(6, "a", "b").unwrap_err(), "rating");
        assert_eq!(new(3, " ", "b").unwrap_err(), "title");
        assert_eq!(new(3, &"x".repeat(101), "b").unwrap_err(), "title");
        assert_eq!(new(3, "a\nb", "b").unwrap_err(), "title");
        assert_eq!(new(3, "a", "").unwrap_err(), "body");
        assert_eq!(new(3, "a", &"x".repeat(2001)).unwrap_err(), "body");
        assert_eq!(new(3, "a", "b\0").unwrap_err(), "body");
        assert_eq!(new(3, " a ", "b\r\nc ").unwrap().body, "b\nc");
    }
}
