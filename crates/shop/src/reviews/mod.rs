//! Product reviews, helpful votes and moderation; one review per customer and product. A product's
//! rating is the mean of its visible reviews, written by the catalogue in the transaction that changes
//! them. The only module that writes `reviews` and `review_votes`.

pub mod demo;
mod emails;
mod http;
mod link;
mod store;

use messages::Messages;
use platform::db::Json;
use platform::error::Field;
use platform::http::whole_number;
use platform::revisions::CacheTag;
use platform::{Id, Language, Result, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::catalog::{ChosenOptions, ProductId};
use crate::schemas;
use crate::string_enum::string_enum;
use crate::validation;

pub use emails::ReviewEmailSender;
pub use http::{Reviews, router};
pub use link::contains_link;
pub use store::{ModerationOutcome, ReviewStore, erase, export, page, requeue_unpurchased};

pub type ReviewId = Id<Review>;

pub const MAX_TITLE_LEN: usize = 100;
pub const MAX_BODY_LEN: usize = 2_000;
pub const PAGE_SIZE: i64 = 10;
/// Deeper pages are refused.
const MAX_PAGE: i64 = 1_000;

string_enum! {
    /// Who can see a review.
    pub enum ReviewState {
        /// Everybody.
        Shown = "shown",
        /// Its writer, until the shop approves it.
        Queued = "queued",
        /// Its writer, with the shop's reason.
        Refused = "refused",
    }
}

string_enum! {
    /// Sort order of a product's reviews.
    #[derive(Default)]
    pub enum ReviewSort {
        #[default]
        Newest = "newest",
        Oldest = "oldest",
        Highest = "highest",
        Lowest = "lowest",
        Helpful = "helpful",
    }
}

/// A page of a product's reviews.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewPageQuery {
    pub sort: ReviewSort,
    /// Counted from 1.
    pub number: i64,
}

impl Default for ReviewPageQuery {
    fn default() -> Self {
        Self { sort: ReviewSort::default(), number: 1 }
    }
}

impl ReviewPageQuery {
    /// Parses a page number.
    pub fn number(text: &str) -> Option<i64> {
        text.parse().ok().filter(|number| (1..=MAX_PAGE).contains(number))
    }
}

/// A review as everybody sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    #[serde(rename = "_id")]
    pub id: ReviewId,
    /// The writer's name when it was written; empty for a customer without one.
    pub name: String,
    /// 1 to 5.
    pub rating: i64,
    pub title: String,
    /// Plain text.
    pub body: String,
    /// The language of the page on which it was written.
    pub language: Language,
    /// The number of helpful votes.
    pub helpful: i64,
    pub created_at: Timestamp,
    /// Time of the last edit; null when there was none.
    #[schema(required)]
    pub edited_at: Option<Timestamp>,
    /// The options of what the writer bought; none where they are not known.
    #[schema(value_type = BTreeMap<String, String>)]
    pub options: Json<ChosenOptions>,
}

impl Review {
    /// The writer's name, or "A customer" in a language.
    pub fn writer(&self, language: Language) -> String {
        match self.name.as_str() {
            "" => Messages::text(language, "server.customer", &[]),
            name => name.to_owned(),
        }
    }
}

/// A review as its writer and the shop see it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct OwnReview {
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub review: Review,
    pub product: ProductId,
    #[sqlx(try_from = "String")]
    pub state: ReviewState,
    /// Why the shop refused it; empty otherwise.
    pub note: String,
}

/// The reviews part of a customer's data export.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CustomerReviews {
    pub written: Vec<OwnReview>,
    /// Reviews that the customer voted for.
    pub helpful: Vec<ReviewId>,
}

/// Rating and star counts of a product's visible reviews.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ReviewSummary {
    /// The mean, rounded to two decimals; 0 without reviews.
    pub rating: f64,
    pub count: i64,
    /// The number of reviews with 1, 2, 3, 4 and 5 stars.
    pub stars: [i64; 5],
}

impl ReviewSummary {
    pub fn of(stars: [i64; 5]) -> Self {
        let count: i64 = stars.iter().sum();
        let all: i64 = stars.iter().zip(1..).map(|(given, star)| given * star).sum();
        let rating =
            if count == 0 { 0.0 } else { (all as f64 * 100.0 / count as f64).round() / 100.0 };
        Self { rating, count, stars }
    }

    fn pages(&self) -> i64 {
        ((self.count + PAGE_SIZE - 1) / PAGE_SIZE).clamp(1, MAX_PAGE)
    }
}

/// A page of a product's reviews.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewPage {
    pub summary: ReviewSummary,
    pub reviews: Vec<Review>,
    pub sort: ReviewSort,
    pub page_number: i64,
    pub pages: i64,
}

/// A review as submitted.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewReview {
    /// 1 to 5.
    #[schema(minimum = 1, maximum = 5)]
    #[serde(deserialize_with = "whole_number")]
    rating: i64,
    #[serde(default)]
    #[schema(schema_with = schemas::filled_line::<MAX_TITLE_LEN>, required)]
    title: String,
    #[serde(default)]
    #[schema(schema_with = schemas::filled_lines::<MAX_BODY_LEN>, required)]
    body: String,
}

/// A validated review.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewInput {
    pub rating: i64,
    pub title: String,
    pub body: String,
    pub language: Language,
}

impl NewReview {
    fn parse(&self, language: Language) -> Result<ReviewInput> {
        if !(1..=5).contains(&self.rating) {
            return Err(Field::new("rating", "bad_rating", "from 1 to 5 stars").into());
        }
        Ok(ReviewInput {
            rating: self.rating,
            title: validation::line("title", &self.title, MAX_TITLE_LEN)?,
            body: validation::lines("body", &self.body, MAX_BODY_LEN)?,
            language,
        })
    }
}

impl ReviewInput {
    /// Its state once written. Reviews with links wait for approval, and so do those of writers who
    /// were refused or no longer have a purchase (`needs_approval`).
    fn state(&self, name: &str, needs_approval: bool) -> ReviewState {
        let linked = [name, &self.title, &self.body].into_iter().any(contains_link);
        if linked || needs_approval { ReviewState::Queued } else { ReviewState::Shown }
    }
}

/// The shop's decision about a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moderation {
    Approve,
    Refuse,
}

/// The state after a decision; `None` when it changes nothing.
fn moderated_state(from: ReviewState, decision: Moderation) -> Option<ReviewState> {
    match (decision, from) {
        (Moderation::Approve, ReviewState::Queued | ReviewState::Refused) => {
            Some(ReviewState::Shown)
        }
        (Moderation::Refuse, ReviewState::Queued | ReviewState::Shown) => {
            Some(ReviewState::Refused)
        }
        _ => None,
    }
}

/// Cache tag of a product's reviews.
pub fn reviews_tag(product: &ProductId) -> CacheTag {
    CacheTag::with_id("reviews", product.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::Error;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_rating_lies_between_the_lowest_and_highest_star(stars in proptest::array::uniform5(0i64..1000)) {
            let ReviewSummary { rating, count, .. } = ReviewSummary::of(stars);
            prop_assert_eq!(count, stars.iter().sum::<i64>());
            let given: Vec<f64> = (1..=5).filter(|star| stars[star - 1] > 0).map(|star| star as f64).collect();
            match (given.first(), given.last()) {
                (Some(least), Some(most)) => prop_assert!((*least..=*most).contains(&rating)),
                _ => prop_assert_eq!(rating, 0.0),
            }
        }
    }

    #[test]
    fn the_rating_is_rounded_to_two_decimals() {
        assert_eq!(ReviewSummary::of([0, 0, 0, 1, 2]).rating, 4.67);
        assert_eq!(ReviewSummary::of([1, 0, 0, 0, 0]).rating, 1.0);
        let pages = |count| ReviewSummary::of([count, 0, 0, 0, 0]).pages();
        assert_eq!([pages(0), pages(10), pages(11), pages(1_000_000)], [1, 1, 2, 1_000]);
    }

    #[test]
    fn a_link_in_any_field_queues_the_review() {
        let input = |title: &str, body: &str| ReviewInput {
            rating: 5,
            title: title.into(),
            body: body.into(),
            language: Language::ENGLISH,
        };
        assert_eq!(input("Good", "It hums.").state("Mina", false), ReviewState::Shown);
        assert_eq!(input("Good", "It hums.").state("Mina", true), ReviewState::Queued);
        assert_eq!(input("See x.com", "It hums.").state("Mina", false), ReviewState::Queued);
        assert_eq!(input("Good", "http://x").state("Mina", false), ReviewState::Queued);
        assert_eq!(input("Good", "It hums.").state("www.x.y", false), ReviewState::Queued);
    }

    #[test]
    fn moderating_twice_changes_nothing() {
        for state in [ReviewState::Shown, ReviewState::Queued, ReviewState::Refused] {
            for decision in [Moderation::Approve, Moderation::Refuse] {
                if let Some(next) = moderated_state(state, decision) {
                    assert_eq!(moderated_state(next, decision), None);
                }
            }
        }
    }

    #[test]
    fn invalid_fields_are_named() {
        let new = |rating, title: &str, body: &str| {
            let new = NewReview { rating, title: title.into(), body: body.into() };
            new.parse(Language::ENGLISH).map_err(|why| match why {
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
