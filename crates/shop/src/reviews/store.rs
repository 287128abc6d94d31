//! SQL of reviews. Whatever changes the visible reviews of a product locks the product first, so that
//! no two transactions count them at once.

use std::collections::HashMap;

use axum::http::StatusCode;
use platform::db::{Json, Query, retry_on_conflict};
use platform::text::clean_name;
use platform::{Clock, Db, EmailAddress, Error, Id, Language, Random, Result, Tx, revisions};

use super::{
    CustomerReviews, Moderation, OwnReview, PAGE_SIZE, Review, ReviewEmailSender, ReviewId,
    ReviewInput, ReviewPage, ReviewPageQuery, ReviewSort, ReviewState, ReviewSummary,
    moderated_state, reviews_tag,
};
use crate::catalog::{self, ChosenOptions, ProductId};
use crate::orders;

const REVIEW_COLUMNS: &str =
    "id, name, rating, title, body, language, helpful, created_at, edited_at, options";
const OWN_COLUMNS: &str = "id, name, rating, title, body, language, helpful, created_at, edited_at, options, product, state, note";
const STAR_COUNTS: &str =
    "select rating, count(*) from reviews where product = $1 and state = $2 group by rating";
const MAX_NAME_LEN: usize = 256;

/// Reads and writes reviews, and enqueues e-mails about them.
#[derive(Clone)]
pub struct ReviewStore {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub sender: ReviewEmailSender,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ModerationOutcome {
    Done,
    /// It already has that state.
    NotAllowed(ReviewState),
    ReviewNotFound,
}

impl ReviewSort {
    fn order(self) -> &'static str {
        match self {
            Self::Newest => "created_at desc, id desc",
            Self::Oldest => "created_at, id",
            Self::Highest => "rating desc, created_at desc, id desc",
            Self::Lowest => "rating, created_at desc, id desc",
            Self::Helpful => "helpful desc, created_at desc, id desc",
        }
    }
}

/// A page of a product's reviews with their summary. The bought options are in the language of the product's.
pub async fn page(
    db: &Db,
    product: &ProductId,
    part: ReviewPageQuery,
    language: Option<Language>,
) -> Result<ReviewPage> {
    let summary = summary(db, product).await?;
    let sql = format!(
        "select {REVIEW_COLUMNS} from reviews where product = $1 and state = $2
         order by {} limit $3 offset $4",
        part.sort.order()
    );
    let mut reviews: Vec<Review> = db
        .query(sql)
        .bind(product)
        .bind(ReviewState::Shown)
        .bind(PAGE_SIZE)
        .bind(PAGE_SIZE * (part.number - 1))
        .all()
        .await?;
    let bought = reviews.iter_mut().map(|review| &mut review.options.0).collect();
    catalog::translate_chosen(db, product, language, bought).await?;
    let pages = summary.pages();
    Ok(ReviewPage { summary, reviews, sort: part.sort, page_number: part.number, pages })
}

pub(super) async fn summary(db: &Db, product: &ProductId) -> Result<ReviewSummary> {
    summarize(db.query(STAR_COUNTS).bind(product).bind(ReviewState::Shown)).await
}

async fn summarize(counts: Query<'_>) -> Result<ReviewSummary> {
    let counts: Vec<(i64, i64)> = counts.all().await?;
    let mut stars = [0; 5];
    for (rating, count) in counts {
        if let Some(slot) = usize::try_from(rating - 1).ok().and_then(|star| stars.get_mut(star)) {
            *slot = count;
        }
    }
    Ok(ReviewSummary::of(stars))
}

/// Recomputes a locked product's rating, and returns the cache tags to bump.
pub(super) async fn update_rating(
    tx: &mut Tx,
    product: &ProductId,
) -> Result<Vec<revisions::CacheTag>> {
    let ReviewSummary { rating, count, .. } =
        summarize(tx.query(STAR_COUNTS).bind(product).bind(ReviewState::Shown)).await?;
    let mut tags = catalog::set_rating(tx, product, count, rating).await?;
    tags.push(reviews_tag(product));
    Ok(tags)
}

fn own_sql() -> String {
    format!("select {OWN_COLUMNS} from reviews where product = $1 and customer = $2")
}

/// A customer's reviews, the newest first, and votes.
pub async fn export(db: &Db, customer: &str) -> Result<CustomerReviews> {
    let sql = format!(
        "select {OWN_COLUMNS} from reviews where customer = $1 order by created_at desc, id"
    );
    let written = db.query(sql).bind(customer).all().await?;
    let votes: Vec<(ReviewId,)> = db
        .query("select review from review_votes where customer = $1 order by review")
        .bind(customer)
        .all()
        .await?;
    let helpful = votes.into_iter().map(|(review,)| review).collect();
    Ok(CustomerReviews { written, helpful })
}

/// Deletes a customer's reviews and votes, and returns the cache tags that the caller bumps last. Two
/// customers who are erased at once may deadlock on each other's reviews, so the caller must retry on
/// conflict.
pub async fn erase(tx: &mut Tx, customer: &str) -> Result<Vec<revisions::CacheTag>> {
    let written: Vec<(ProductId,)> = tx
        .query("select product from reviews where customer = $1 order by product")
        .bind(customer)
        .all()
        .await?;
    for (product,) in &written {
        catalog::lock_product(tx, product).await?;
    }
    let mut votes: Vec<(ReviewId,)> = tx
        .query("delete from review_votes where customer = $1 returning review")
        .bind(customer)
        .all()
        .await?;
    votes.sort_unstable();
    let mut tags = Vec::new();
    for (review,) in &votes {
        let product: Option<(ProductId,)> = tx
            .query("update reviews set helpful = helpful - 1 where id = $1 returning product")
            .bind(review)
            .optional()
            .await?;
        tags.extend(product.map(|(product,)| reviews_tag(&product)));
    }
    tx.query("delete from reviews where customer = $1").bind(customer).execute().await?;
    for (product,) in &written {
        tags.extend(update_rating(tx, product).await?);
    }
    Ok(tags)
}

/// After an order was cancelled: queues the customer's review of a product without any other purchase.
/// Otherwise anybody could order, review and cancel. Returns the cache tags to bump.
pub async fn requeue_unpurchased(
    tx: &mut Tx,
    customer: &str,
    product: &ProductId,
) -> Result<Vec<revisions::CacheTag>> {
    let sql = format!(
        "update reviews set state = $3 where customer = $1 and product = $2 and state = $4
         and not exists ({})",
        orders::PURCHASES_SQL
    );
    let hidden = tx
        .query(sql)
        .bind(customer)
        .bind(product)
        .bind(ReviewState::Queued)
        .bind(ReviewState::Shown)
        .execute()
        .await?;
    if hidden == 0 { Ok(Vec::new()) } else { update_rating(tx, product).await }
}

impl ReviewStore {
    pub(super) async fn own(
        &self,
        customer: &str,
        product: &ProductId,
    ) -> Result<Option<OwnReview>> {
        self.db.query(own_sql()).bind(product).bind(customer).optional().await
    }

    /// The product's reviews that this customer voted for.
    pub(super) async fn votes(&self, customer: &str, product: &ProductId) -> Result<Vec<ReviewId>> {
        let votes: Vec<(ReviewId,)> = self
            .db
            .query(
                "select v.review from review_votes v join reviews r on r.id = v.review
                 where v.customer = $1 and r.product = $2 order by v.review limit 1000",
            )
            .bind(customer)
            .bind(product)
            .all()
            .await?;
        Ok(votes.into_iter().map(|(review,)| review).collect())
    }

    /// Inserts or updates a customer's review. Without a difference nothing is written.
    pub async fn write(
        &self,
        customer: &str,
        product: &ProductId,
        new: &ReviewInput,
    ) -> Result<()> {
        retry_on_conflict(|| self.try_write(customer, product, new)).await
    }

    async fn try_write(
        &self,
        customer: &str,
        product: &ProductId,
        new: &ReviewInput,
    ) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let locked = catalog::lock_product(&mut tx, product).await?;
        let product_name = locked.ok_or(Error::NotFound("product"))?;
        let purchase = orders::purchase_in_tx(&mut tx, customer, product).await?;
        let bought = purchase.is_some();
        let name = name_of(&mut tx, customer).await?;
        let old: Option<OwnReview> =
            tx.query(own_sql()).bind(product).bind(customer).optional().await?;
        match &old {
            None if !bought => {
                let message = "Only customers who have paid for it or received it may review it.";
                return Err(Error::refused(StatusCode::FORBIDDEN, "not_bought", message));
            }
            Some(OwnReview { review, .. })
                if (review.rating, &review.title, &review.body, &review.name)
                    == (new.rating, &new.title, &new.body, &name) =>
            {
                return Ok(());
            }
            _ => {}
        }
        let was = old.as_ref().map(|old| old.state);
        let needs_approval = !bought || old.as_ref().is_some_and(|old| !old.note.is_empty());
        let state = new.state(&name, needs_approval);
        let options = purchase.unwrap_or_default();
        let written =
            self.upsert(&mut tx, (customer, product), new, (&name, &options), state).await?;
        if state == ReviewState::Queued
            && was != Some(ReviewState::Queued)
            && let Some(notice) = self.sender.queued_email(&product_name, &written)
        {
            email::enqueue(&mut tx, &self.clock, &self.random, &notice)?;
        }
        if [was, Some(state)].contains(&Some(ReviewState::Shown)) {
            let tags = update_rating(&mut tx, product).await?;
            revisions::bump(&mut tx, tags).await?;
        }
        tx.commit().await
    }

    async fn upsert(
        &self,
        tx: &mut Tx,
        (customer, product): (&str, &ProductId),
        new: &ReviewInput,
        (name, options): (&str, &Json<ChosenOptions>),
        state: ReviewState,
    ) -> Result<OwnReview> {
        let id: ReviewId = Id::new(&self.clock, &self.random);
        let sql = format!(
            "insert into reviews (id, product, customer, name, rating, title, body, language, state, note,
               helpful, created_at, options)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', 0, $10, $11)
             on conflict (product, customer) do update set name = excluded.name,
               rating = excluded.rating, title = excluded.title, body = excluded.body,
               language = excluded.language, state = excluded.state, edited_at = excluded.created_at,
               options = case when excluded.options = '{{}}' then reviews.options else excluded.options end
             returning {OWN_COLUMNS}"
        );
        tx.query(sql)
            .bind(&id)
            .bind(product)
            .bind(customer)
            .bind(name)
            .bind(new.rating)
            .bind(new.title.as_str())
            .bind(new.body.as_str())
            .bind(new.language)
            .bind(state)
            .bind(self.clock.now())
            .bind(options)
            .one()
            .await
    }

    /// Deletes a customer's review of a product, if there is one.
    pub async fn delete(&self, customer: &str, product: &ProductId) -> Result<()> {
        retry_on_conflict(|| async {
            let mut tx = self.db.begin().await?;
            catalog::lock_product(&mut tx, product).await?.ok_or(Error::NotFound("product"))?;
            let gone = tx
                .query("delete from reviews where product = $1 and customer = $2")
                .bind(product)
                .bind(customer)
                .execute()
                .await?;
            if gone > 0 {
                let tags = update_rating(&mut tx, product).await?;
                revisions::bump(&mut tx, tags).await?;
            }
            tx.commit().await
        })
        .await
    }

    /// Adds or removes a helpful vote, and returns the number of votes.
    pub async fn vote(&self, customer: &str, review: &ReviewId, helped: bool) -> Result<i64> {
        retry_on_conflict(|| self.try_vote(customer, review, helped)).await
    }

    async fn try_vote(&self, customer: &str, review: &ReviewId, helped: bool) -> Result<i64> {
        let mut tx = self.db.begin().await?;
        // Locks the row, so that the review cannot be deleted while its vote is inserted.
        let found: Option<(ProductId, String, i64)> = tx
            .query(
                "update reviews set helpful = helpful where id = $1 and state = $2
                 returning product, customer, helpful",
            )
            .bind(review)
            .bind(ReviewState::Shown)
            .optional()
            .await?;
        let (product, writer, count) = found.ok_or(Error::NotFound("review"))?;
        if writer == customer {
            let message = "You cannot vote for your own review.";
            return Err(Error::refused(StatusCode::FORBIDDEN, "own_review", message));
        }
        let (sql, by) = match helped {
            true => (
                "insert into review_votes (review, customer) values ($1, $2)
                 on conflict (review, customer) do nothing",
                1,
            ),
            false => ("delete from review_votes where review = $1 and customer = $2", -1),
        };
        if tx.query(sql).bind(review).bind(customer).execute().await? == 0 {
            return Ok(count);
        }
        tx.query("update reviews set helpful = helpful + $2 where id = $1")
            .bind(review)
            .bind(by)
            .execute()
            .await?;
        revisions::bump(&mut tx, [reviews_tag(&product)]).await?;
        tx.commit().await?;
        Ok(count + by)
    }

    /// The newest reviews, optionally in one state.
    pub async fn list(&self, state: Option<ReviewState>, limit: i64) -> Result<Vec<OwnReview>> {
        let which = if state.is_some() { "state = $2" } else { "1 = 1" };
        let sql = format!(
            "select {OWN_COLUMNS} from reviews where {which} order by created_at desc, id desc limit $1"
        );
        let state = state.map(platform::db::SqlValue::from);
        self.db.query(sql).bind(limit).bind_all(state).all().await
    }

    pub async fn by_id(&self, id: &ReviewId) -> Result<Option<OwnReview>> {
        let sql = format!("select {OWN_COLUMNS} from reviews where id = $1");
        self.db.query(sql).bind(id).optional().await
    }

    /// Approves or refuses a review; a refused writer is told `why` by e-mail.
    pub async fn moderate(
        &self,
        id: &ReviewId,
        decision: Moderation,
        why: &str,
    ) -> Result<ModerationOutcome> {
        let Some(OwnReview { product, .. }) = self.by_id(id).await? else {
            return Ok(ModerationOutcome::ReviewNotFound);
        };
        retry_on_conflict(|| self.try_moderate(id, &product, decision, why)).await
    }

    async fn try_moderate(
        &self,
        id: &ReviewId,
        product: &ProductId,
        decision: Moderation,
        why: &str,
    ) -> Result<ModerationOutcome> {
        let mut tx = self.db.begin().await?;
        let product_name = catalog::lock_product(&mut tx, product).await?.unwrap_or_default();
        let stored: Option<(String, String)> = tx
            .query("select state, customer from reviews where id = $1")
            .bind(id)
            .optional()
            .await?;
        let Some((from, writer)) = stored else { return Ok(ModerationOutcome::ReviewNotFound) };
        let from: ReviewState = from.parse().map_err(Error::internal)?;
        let Some(to) = moderated_state(from, decision) else {
            return Ok(ModerationOutcome::NotAllowed(from));
        };
        let sql = format!(
            "update reviews set state = $2, note = $3 where id = $1 returning {OWN_COLUMNS}"
        );
        let now: OwnReview = tx.query(sql).bind(id).bind(to).bind(why).one().await?;
        if to == ReviewState::Refused {
            let address: Option<(String, bool, Option<Language>)> = tx
                .query("select email, email_verified, language from customers where id = $1")
                .bind(writer.as_str())
                .optional()
                .await?;
            if let Some((email, verified, language)) = address
                && let Some(email) = EmailAddress::parse(&email)
            {
                let language = self.sender.profiles.language(language);
                let texts = match self.sender.profiles.translation(language) {
                    Some(language) => {
                        catalog::translated_texts(&mut tx, language, [product]).await?
                    }
                    None => HashMap::new(),
                };
                let name = texts.get(product).map(|texts| &texts.name);
                let name = name.filter(|name| !name.is_empty()).unwrap_or(&product_name);
                let to = (&email, language);
                let message = self.sender.refused_email(to, verified, name, &now);
                email::enqueue(&mut tx, &self.clock, &self.random, &message)?;
            }
        }
        let tags = update_rating(&mut tx, product).await?;
        revisions::bump(&mut tx, tags).await?;
        tx.commit().await?;
        Ok(ModerationOutcome::Done)
    }
}

/// The customer's name; empty without one.
async fn name_of(tx: &mut Tx, customer: &str) -> Result<String> {
    let found: Option<(String,)> =
        tx.query("select name from customers where id = $1").bind(customer).optional().await?;
    Ok(found.map(|(name,)| clean_name(&name, MAX_NAME_LEN)).unwrap_or_default())
}
