//! Sends gift cards that orders bought. The code of a card is made in the transaction that enqueues its e-mail, so it is
//! nowhere else, and a job that runs twice sends one e-mail.

use platform::db::retry_on_conflict;
use platform::jobs::{Completion, Job, JobId};
use platform::secret::Secret;
use platform::{Clock, Currency, Db, EmailAddress, Error, Id, Language, Random, Result, Tx};
use serde::{Deserialize, Serialize};

use super::{GiftCard, GiftCardCode, GiftCardEmailSender, GiftCardId, store};

/// The job at the time at which a card is to be sent.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendGiftCard {
    pub(super) card: GiftCardId,
}

impl SendGiftCard {
    pub(super) fn id(&self) -> JobId {
        Id::from_name(&format!("{} {}", Self::NAME, self.card))
    }
}

/// What sending cards needs.
#[derive(Clone)]
pub struct GiftCardSender {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    /// The base currency.
    pub base: Currency,
    pub emails: GiftCardEmailSender,
}

impl Job for SendGiftCard {
    const NAME: &'static str = "gift_cards.send";
    type Context = GiftCardSender;

    async fn run(self, _: JobId, sender: &GiftCardSender) -> Result<Completion> {
        let mut tx = sender.db.begin().await?;
        let found: Option<(String, Option<Language>)> = tx
            .query(
                "select recipient, language from sold_gift_cards
                 where card = $1 and sent_at is null and voided_at is null",
            )
            .bind(&self.card)
            .optional()
            .await?;
        // It was taken back, or staff has sent it.
        let Some((recipient, language)) = found else { return Ok(Completion::Done) };
        let to = EmailAddress::parse(&recipient)
            .ok_or_else(|| Error::internal("a gift card to send has no recipient"))?;
        let card = store::find_in_tx(&mut tx, sender.base, sender.clock.now(), &self.card).await?;
        let Some(card) = card else { return Ok(Completion::Done) };
        sender.send(&mut tx, &card, &to, language).await?;
        let sent = tx
            .query(
                "update sold_gift_cards set sent_at = $2,
                   recipient = case when erase_recipient then '' else recipient end
                 where card = $1 and sent_at is null and voided_at is null",
            )
            .bind(&self.card)
            .bind(sender.clock.now())
            .execute()
            .await?;
        match sent {
            0 => tx.rollback().await?,
            _ => tx.commit().await?,
        }
        Ok(Completion::Done)
    }
}

impl GiftCardSender {
    /// Gives a card a new code and enqueues the e-mail with it. The code that it had does not work any more.
    async fn send(
        &self,
        tx: &mut Tx,
        card: &GiftCard,
        to: &EmailAddress,
        language: Option<Language>,
    ) -> Result<()> {
        let code = GiftCardCode::random(&self.random);
        tx.query("update gift_cards set code_hash = $2, last_four = $3 where id = $1")
            .bind(&card.id)
            .bind(&code.hash(&self.secret))
            .bind(code.last_four())
            .execute()
            .await?;
        let email = self.emails.email(to, language, card, &code);
        email::enqueue(tx, &self.clock, &self.random, &email)
    }

    /// Sends a card again, or now instead of later, to this address or to the one that it has.
    pub async fn resend(&self, id: &GiftCardId, to: Option<&EmailAddress>) -> Result<()> {
        let refused = |why: &str| Error::invalid("giftCard", why);
        retry_on_conflict(async || {
            let (mut tx, now) = (self.db.begin().await?, self.clock.now());
            // Locked, so that it is not taken back meanwhile.
            tx.query("update gift_cards set balance = balance where id = $1")
                .bind(id)
                .execute()
                .await?;
            let card = store::find_in_tx(&mut tx, self.base, now, id).await?;
            let card = card.ok_or(Error::NotFound("gift card"))?;
            if card.spendable(platform::Exchange::base(self.base)).is_zero() {
                return Err(refused(
                    "nothing can be spent from it: it is empty, disabled or expired",
                ));
            }
            let language: Option<(Option<Language>,)> = tx
                .query("select language from sold_gift_cards where card = $1")
                .bind(id)
                .optional()
                .await?;
            let recipient = to.cloned().or_else(|| EmailAddress::parse(&card.recipient));
            let recipient = recipient.ok_or_else(|| refused("it has no recipient: name one"))?;
            self.send(&mut tx, &card, &recipient, language.and_then(|(one,)| one)).await?;
            tx.query("update gift_cards set recipient = $2 where id = $1")
                .bind(id)
                .bind(recipient.as_str())
                .execute()
                .await?;
            tx.query("update sold_gift_cards set sent_at = $2, recipient = $3 where card = $1")
                .bind(id)
                .bind(now)
                .bind(recipient.as_str())
                .execute()
                .await?;
            tx.commit().await
        })
        .await
    }
}
