//! The lifecycle of a product: draft, active, archived. A draft can be published at a time, by a job.

use platform::jobs::{self, Completion, Job, JobId};
use platform::{Clock, Db, Id, Result, Timestamp, Tx, revisions};
use serde::{Deserialize, Serialize};

use super::changed_tags::ChangedTags;
use super::{CategoryId, ProductId};
use crate::string_enum::string_enum;

string_enum! {
    #[derive(Default)]
    pub enum ProductStatus {
        /// Not shown yet.
        Draft = "draft",
        #[default]
        Active = "active",
        /// Not sold any more: it has a page, and is in no list.
        Archived = "archived",
    }
}

/// The job at a draft's `publish_at`.
#[derive(Debug, Serialize, Deserialize)]
pub struct PublishProduct {
    product: ProductId,
}

impl Job for PublishProduct {
    const NAME: &'static str = "catalog.publish";
    type Context = (Db, Clock);

    /// Publishes the product, unless it was put off or is no draft any more. It is as old as its publication.
    async fn run(self, _: JobId, (db, clock): &(Db, Clock)) -> Result<Completion> {
        let (mut tx, id) = (db.begin().await?, self.product);
        let published: Option<(CategoryId,)> = tx
            .query(
                "update products set status = $3, created_at = publish_at, publish_at = null
                 where id = $1 and status = $2 and publish_at <= $4 returning category",
            )
            .bind(&id)
            .bind(ProductStatus::Draft)
            .bind(ProductStatus::Active)
            .bind(clock.now())
            .optional()
            .await?;
        let Some((category,)) = published else { return Ok(Completion::Done) };
        let mut changes = ChangedTags::default();
        changes.product(&id, &category);
        changes.category(&category);
        revisions::bump(&mut tx, changes.0).await?;
        tx.commit().await.map(Completion::from)
    }
}

/// Enqueues the job that publishes a draft. The job's id makes repeated calls harmless.
pub(super) fn schedule_publishing(
    tx: &mut Tx,
    clock: &Clock,
    product: &ProductId,
    at: Timestamp,
) -> Result<()> {
    let payload = PublishProduct { product: product.clone() };
    let id = Id::from_name(&format!("{} {product} {}", PublishProduct::NAME, at.0));
    jobs::enqueue(tx, id, &payload, at, clock.now())
}
