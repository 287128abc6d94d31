//! Reminds a customer once, by e-mail, that an order is still to be paid. The e-mail repeats nothing that was typed, because
//! its address may not be verified.

use std::time::Duration;

use email::{Email, EmailBody};
use messages::{Args, Messages};
use platform::{EmailAddress, Result};

use super::emails::{lines, pictures, totals};
use super::{Order, OrderId, OrderStatus, OrderStore};

const BATCH_SIZE: i64 = 100;
/// Of the hold: before, the shopper may still be on the provider's page.
const SHARE_BEFORE: u32 = 4;

impl OrderStore {
    /// Reminds of the orders of which a quarter of the hold is over.
    pub(crate) async fn remind_unpaid(&self, hold: Duration) -> Result<()> {
        let now = self.clock.now();
        let sql = "select id from orders where status = $1 and pay_reminded = $2 and created_at <= $3 and release_at > $4
                     and not exists (select 1 from payments p where p.order_id = orders.id and p.state = 'processing')
                   order by release_at limit $5";
        let due: Vec<(OrderId,)> = self
            .db
            .query(sql)
            .bind(OrderStatus::AwaitingPayment)
            .bind(false)
            .bind(now.minus(hold / SHARE_BEFORE))
            .bind(now)
            .bind(BATCH_SIZE)
            .all()
            .await?;
        for (id,) in due {
            self.remind(&id).await?;
        }
        Ok(())
    }

    async fn remind(&self, id: &OrderId) -> Result<()> {
        let Some(order) = self.by_id(id).await? else { return Ok(()) };
        let now = self.clock.now();
        let until = self.held_until(id).await?.unwrap_or(now);
        let minutes = until.since(now).as_secs() / 60;
        let mut tx = self.db.begin().await?;
        let sql = "update orders set pay_reminded = $2 where id = $1 and status = $3 and pay_reminded = $4";
        let reminded = tx
            .query(sql)
            .bind(id)
            .bind(true)
            .bind(OrderStatus::AwaitingPayment)
            .bind(false)
            .execute()
            .await?;
        if reminded == 1
            && let Some(reminder) = self.pay_reminder(&order, minutes)
        {
            email::enqueue(&mut tx, &self.clock, &self.random, &reminder)?;
        }
        tx.commit().await
    }

    /// `None` where the order has no e-mail address, or the shop's own is not known.
    fn pay_reminder(&self, order: &Order, minutes: u64) -> Option<Email> {
        let to = EmailAddress::parse(&order.email)?;
        let origin = self.sender.origin.as_deref()?;
        let (language, number) = (self.sender.language(order), &order.number);
        let text = |key, args: Args<'_>| Messages::text(language, key, args);
        let greeting = text("email.greetingUnverified", &[]);
        let args: Args<'_> = &[("greeting", &greeting), ("number", number), ("minutes", &minutes)];
        let path = self.sender.profiles.localize(language, &self.pay_links.path(order)?);
        let body = EmailBody {
            language,
            shop: self.sender.profiles.of(language).shop_name.clone(),
            heading: text("email.payReminderHeading", &[]),
            paragraphs: vec![text("email.payReminderIntro", args)],
            button: Some((text("email.payReminderButton", &[]), format!("{origin}{path}"))),
            footnote: text("email.orderFootnote", &[]),
        };
        let subject = text("email.payReminderSubject", &[("number", number)]);
        let totals = vec![lines(order, language), totals(order, language, true)];
        let pictures = pictures(order, Some(origin));
        Some(Email { totals, pictures, ..body.into_email(&to, &subject) })
    }
}
