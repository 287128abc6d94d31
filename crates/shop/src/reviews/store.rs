//! The reviews' SQL. Whoever changes which reviews of a product are shown holds the product first, so that
//! no two count them at once.

use base::db::{Query, again};
use base::text::clean_name;
use base::{Clock, Db, EmailAddress, Error, Id, Random, Result, Tx, mail, revisions};

use super::{
    CustomersReviews, ON_A_PAGE, OwnReview, Part, ReviewId, ReviewPage, Said, Sender, Sort, State,
    Summary, Verdict, judged, scope_of_reviews,
};
use crate::catalog::{self, ProductId};
use crate::orders;

const REVIEW: &str = "id, name, rating, title, body, helpful, created_at, edited_at";
const OWN: &str =
    "id, name, rating, title, body, helpful, created_at, edited_at, product, state, note";
const GIVEN: &str =
    "select rating, count(*) from reviews where product = $1 and state = $2 group by rating";
const LONGEST_NAME: usize = 256;
/// Where a customer has no name.
const NAMELESS: &str = "A customer";

/// The book that reviews are written in, and who writes letters about what stands in it.
#[derive(Clone)]
pub struct Guestbook {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub sender: Sender,
}

/// What became of a verdict.
#[derive(Clone, Debug, PartialEq)]
pub enum Judged {
    Done,
    /// It stands there already.
    NotNow(State),
    NoSuchReview,
}

impl Sort {
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

/// A page of a product's reviews, with what all of them come to.
pub async fn page(db: &Db, product: &ProductId, part: Part) -> Result<ReviewPage> {
    let summary = summary(db, product).await?;
    let sql = format!(
        "select {REVIEW} from reviews where product = $1 and state = $2
         order by {} limit $3 offset $4",
        part.sort.order()
    );
    let reviews = db
        .query(sql)
        .bind(product)
        .bind(State::Shown)
        .bind(ON_A_PAGE)
        .bind(ON_A_PAGE * (part.number - 1))
        .all()
        .await?;
    let pages = summary.pages();
    Ok(ReviewPage { summary, reviews, sort: part.sort, page_number: part.number, pages })
}

pub(super) async fn summary(db: &Db, product: &ProductId) -> Result<Summary> {
    summed(db.query(GIVEN).bind(product).bind(State::Shown)).await
}

async fn summed(given: Query<'_>) -> Result<Summary> {
    let given: Vec<(i64, i64)> = given.all().await?;
    let mut stars = [0; 5];
    for (rating, count) in given {
        if let Some(given) = usize::try_from(rating - 1).ok().and_then(|star| stars.get_mut(star)) {
            *given = count;
        }
    }
    Ok(Summary::of(stars))
}

/// Counts a held product's reviews anew, and says what pages have to show anew.
pub(super) async fn count_anew(tx: &mut Tx, product: &ProductId) -> Result<Vec<revisions::Scope>> {
    let Summary { rating, count, .. } =
        summed(tx.query(GIVEN).bind(product).bind(State::Shown)).await?;
    let mut moved = catalog::rate(tx, product, count, rating).await?;
    moved.push(scope_of_reviews(product));
    Ok(moved)
}

fn own_sql() -> String {
    format!("select {OWN} from reviews where product = $1 and customer = $2")
}

/// Everything that a customer wrote, the newest first, and what they found helpful.
pub async fn of_customer(db: &Db, customer: &str) -> Result<CustomersReviews> {
    let sql = format!("select {OWN} from reviews where customer = $1 order by created_at desc, id");
    let written = db.query(sql).bind(customer).all().await?;
    let votes: Vec<(ReviewId,)> = db
        .query("select review from review_votes where customer = $1 order by review")
        .bind(customer)
        .all()
        .await?;
    let helpful = votes.into_iter().map(|(review,)| review).collect();
    Ok(CustomersReviews { written, helpful })
}

/// Deletes all that a customer wrote and all their votes, and says what pages have to show anew, which is to
/// be moved when all else is done. Two customers who go at once may wait for each other's reviews: the
/// transaction is one that is done `again`.
pub async fn forget(tx: &mut Tx, customer: &str) -> Result<Vec<revisions::Scope>> {
    let written: Vec<(ProductId,)> = tx
        .query("select product from reviews where customer = $1 order by product")
        .bind(customer)
        .all()
        .await?;
    for (product,) in &written {
        catalog::hold(tx, product).await?;
    }
    let mut votes: Vec<(ReviewId,)> = tx
        .query("delete from review_votes where customer = $1 returning review")
        .bind(customer)
        .all()
        .await?;
    votes.sort_unstable();
    let mut moved = Vec::new();
    for (review,) in &votes {
        let product: Option<(ProductId,)> = tx
            .query("update reviews set helpful = helpful - 1 where id = $1 returning product")
            .bind(review)
            .optional()
            .await?;
        moved.extend(product.map(|(product,)| scope_of_reviews(&product)));
    }
    tx.query("delete from reviews where customer = $1").bind(customer).execute().await?;
    for (product,) in &written {
        moved.extend(count_anew(tx, product).await?);
    }
    Ok(moved)
}

/// An order was called off: what its customer says about goods that they have bought by no other order waits
/// until the shopkeeper has looked at it. Otherwise anybody could review anything. Says what pages have to
/// show anew.
pub async fn not_bought_any_more(
    tx: &mut Tx,
    customer: &str,
    product: &ProductId,
) -> Result<Vec<revisions::Scope>> {
    let sql = format!(
        "update reviews set state = $3 where customer = $1 and product = $2 and state = $4
         and not exists ({})",
        orders::BOUGHT
    );
    let hidden = tx
        .query(sql)
        .bind(customer)
        .bind(product)
        .bind(State::Queued)
        .bind(State::Shown)
        .execute()
        .await?;
    if hidden == 0 { Ok(Vec::new()) } else { count_anew(tx, product).await }
}

impl Guestbook {
    pub(super) async fn own(
        &self,
        customer: &str,
        product: &ProductId,
    ) -> Result<Option<OwnReview>> {
        self.db.query(own_sql()).bind(product).bind(customer).optional().await
    }

    /// Which of a product's reviews this customer found helpful.
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

    /// Writes a customer's review of a product, or writes it anew. The same words again change nothing.
    pub async fn write(&self, customer: &str, product: &ProductId, said: &Said) -> Result<()> {
        again(|| self.try_to_write(customer, product, said)).await
    }

    async fn try_to_write(&self, customer: &str, product: &ProductId, said: &Said) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let held = catalog::hold(&mut tx, product).await?;
        let product_name = held.ok_or(Error::NotFound("product"))?;
        let bought = orders::has_surely_bought(&mut tx, customer, product).await?;
        let name = name_of(&mut tx, customer).await?;
        let old: Option<OwnReview> =
            tx.query(own_sql()).bind(product).bind(customer).optional().await?;
        match &old {
            None if !bought => {
                return Err(Error::Forbidden(
                    "Only customers who have paid for it or received it may review it.",
                ));
            }
            Some(OwnReview { review, .. })
                if (review.rating, &review.title, &review.body, &review.name)
                    == (said.rating, &said.title, &said.body, &name) =>
            {
                return Ok(());
            }
            _ => {}
        }
        let was = old.as_ref().map(|old| old.state);
        let watched = !bought || old.as_ref().is_some_and(|old| !old.note.is_empty());
        let state = said.state(&name, watched);
        let written = self.put(&mut tx, customer, product, said, &name, state).await?;
        if state == State::Queued
            && was != Some(State::Queued)
            && let Some(notice) = self.sender.notice(&product_name, &written)
        {
            mail::post(&mut tx, &self.clock, &self.random, &notice)?;
        }
        if [was, Some(state)].contains(&Some(State::Shown)) {
            let moved = count_anew(&mut tx, product).await?;
            revisions::changed(&mut tx, moved).await?;
        }
        tx.commit().await
    }

    async fn put(
        &self,
        tx: &mut Tx,
        customer: &str,
        product: &ProductId,
        said: &Said,
        name: &str,
        state: State,
    ) -> Result<OwnReview> {
        let id: ReviewId = Id::new(&self.clock, &self.random);
        let sql = format!(
            "insert into reviews (id, product, customer, name, rating, title, body, state, note,
               helpful, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, '', 0, $9)
             on conflict (product, customer) do update set name = excluded.name,
               rating = excluded.rating, title = excluded.title, body = excluded.body,
               state = excluded.state, edited_at = excluded.created_at
             returning {OWN}"
        );
        tx.query(sql)
            .bind(&id)
            .bind(product)
            .bind(customer)
            .bind(name)
            .bind(said.rating)
            .bind(said.title.as_str())
            .bind(said.body.as_str())
            .bind(state)
            .bind(self.clock.now())
            .one()
            .await
    }

    /// Deletes a customer's review of a product. Where there is none, nothing changes.
    pub async fn withdraw(&self, customer: &str, product: &ProductId) -> Result<()> {
        again(|| async {
            let mut tx = self.db.begin().await?;
            catalog::hold(&mut tx, product).await?.ok_or(Error::NotFound("product"))?;
            let gone = tx
                .query("delete from reviews where product = $1 and customer = $2")
                .bind(product)
                .bind(customer)
                .execute()
                .await?;
            if gone > 0 {
                let moved = count_anew(&mut tx, product).await?;
                revisions::changed(&mut tx, moved).await?;
            }
            tx.commit().await
        })
        .await
    }

    /// Says that a review helped, or takes that back; answers how many it has helped.
    pub async fn vote(&self, customer: &str, review: &ReviewId, helped: bool) -> Result<i64> {
        again(|| self.try_to_vote(customer, review, helped)).await
    }

    async fn try_to_vote(&self, customer: &str, review: &ReviewId, helped: bool) -> Result<i64> {
        let mut tx = self.db.begin().await?;
        // The row is taken first: so it cannot go while its vote is written.
        let found: Option<(ProductId, String, i64)> = tx
            .query(
                "update reviews set helpful = helpful where id = $1 and state = $2
                 returning product, customer, helpful",
            )
            .bind(review)
            .bind(State::Shown)
            .optional()
            .await?;
        let (product, writer, count) = found.ok_or(Error::NotFound("review"))?;
        if writer == customer {
            return Err(Error::Forbidden("Others say whether your review helped."));
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
        revisions::changed(&mut tx, [scope_of_reviews(&product)]).await?;
        tx.commit().await?;
        Ok(count + by)
    }

    /// The newest reviews, whoever may see them.
    pub async fn list(&self, state: Option<State>, limit: i64) -> Result<Vec<OwnReview>> {
        let which = if state.is_some() { "state = $2" } else { "1 = 1" };
        let sql = format!(
            "select {OWN} from reviews where {which} order by created_at desc, id desc limit $1"
        );
        let state = state.map(base::db::Value::from);
        self.db.query(sql).bind(limit).bind_all(state).all().await
    }

    pub async fn by_id(&self, id: &ReviewId) -> Result<Option<OwnReview>> {
        let sql = format!("select {OWN} from reviews where id = $1");
        self.db.query(sql).bind(id).optional().await
    }

    /// The shopkeeper's word on a review; `why` is told to the writer of one that is refused.
    pub async fn judge(&self, id: &ReviewId, verdict: Verdict, why: &str) -> Result<Judged> {
        let Some(OwnReview { product, .. }) = self.by_id(id).await? else {
            return Ok(Judged::NoSuchReview);
        };
        again(|| self.try_to_judge(id, &product, verdict, why)).await
    }

    async fn try_to_judge(
        &self,
        id: &ReviewId,
        product: &ProductId,
        verdict: Verdict,
        why: &str,
    ) -> Result<Judged> {
        let mut tx = self.db.begin().await?;
        let product_name = catalog::hold(&mut tx, product).await?.unwrap_or_default();
        let stands: Option<(String, String)> = tx
            .query("select state, customer from reviews where id = $1")
            .bind(id)
            .optional()
            .await?;
        let Some((from, writer)) = stands else { return Ok(Judged::NoSuchReview) };
        let from: State = from.parse().map_err(Error::internal)?;
        let Some(to) = judged(from, verdict) else { return Ok(Judged::NotNow(from)) };
        let sql = format!("update reviews set state = $2, note = $3 where id = $1 returning {OWN}");
        let now: OwnReview = tx.query(sql).bind(id).bind(to).bind(why).one().await?;
        if to == State::Refused {
            let address: Option<(String, bool)> = tx
                .query("select email, email_verified from customers where id = $1")
                .bind(writer.as_str())
                .optional()
                .await?;
            let address =
                address.and_then(|(email, proven)| Some((EmailAddress::parse(&email)?, proven)));
            if let Some((email, proven)) = address {
                let letter = self.sender.refusal(&email, proven, &product_name, &now);
                mail::post(&mut tx, &self.clock, &self.random, &letter)?;
            }
        }
        let moved = count_anew(&mut tx, product).await?;
        revisions::changed(&mut tx, moved).await?;
        tx.commit().await?;
        Ok(Judged::Done)
    }
}

/// What a customer is called, as far as the shop knows.
async fn name_of(tx: &mut Tx, customer: &str) -> Result<String> {
    let found: Option<(String,)> =
        tx.query("select name from customers where id = $1").bind(customer).optional().await?;
    let name = found.map(|(name,)| clean_name(&name, LONGEST_NAME));
    let name = name.filter(|name| !name.is_empty());
    Ok(name.unwrap_or_else(|| NAMELESS.to_owned()))
}
