//! Gift cards that orders bought. The rows are written with the order; each gets its card when the order is paid. The card
//! then exists without a code, which is made when the card is sent (`send`).

use std::collections::BTreeMap;

use platform::db::{SqlValue, statement};
use platform::rate_limit::{self, Limit};
use platform::{
    Clock, Currency, Db, EmailAddress, Error, Id, Language, MinorUnits, Money, Random, Result,
    Timestamp, Tx, jobs,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::send::SendGiftCard;
use super::store::{NewEntry, insert, insert_entry};
use super::{CodeHash, GiftCardEntryKind, GiftCardId, NewGiftCard};
use crate::catalog::VariantId;
use crate::ids::OrderId;
use crate::string_enum::string_enum;

/// Cards that one order buys.
pub const MAX_SOLD: i64 = 100;
/// Cards that are sent to one mailbox by orders of a day.
const BY_MAILBOX: Limit = Limit::new(100, std::time::Duration::from_secs(24 * 3600));

string_enum! {
    /// What became of a gift card that an order bought.
    pub enum SoldGiftCardState {
        /// The order is not paid yet.
        Unpaid = "unpaid",
        /// It is sent at its time.
        Scheduled = "scheduled",
        Sent = "sent",
        /// The order was cancelled, or the card was returned.
        Voided = "voided",
    }
}

/// A gift card that an order bought, as its buyer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SoldGiftCard {
    /// The variant of its line.
    pub line: VariantId,
    /// The end of its code; empty until it is sent.
    pub last_four: String,
    /// Whom it is sent to, as `m•••@haat.example`; empty once that is erased.
    pub recipient: String,
    pub state: SoldGiftCardState,
    pub send_at: Timestamp,
    /// When it was sent last.
    #[schema(required)]
    pub sent_at: Option<Timestamp>,
    /// Whether something was spent from it.
    #[serde(skip)]
    pub is_spent: bool,
}

/// A card to be bought.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewSoldGiftCard {
    pub variant: VariantId,
    /// Index within its line.
    pub unit: i64,
    /// In the base currency.
    pub amount: Money,
    pub recipient: EmailAddress,
    pub language: Language,
    pub send_at: Timestamp,
}

/// Writes the cards of a new order; false where too many are sent to one mailbox: then the caller rolls back.
pub(crate) async fn insert_sold(
    tx: &mut Tx,
    now: Timestamp,
    order: &OrderId,
    cards: &[NewSoldGiftCard],
) -> Result<bool> {
    // In the order of their keys, so that two orders never deadlock.
    let mut mailboxes: BTreeMap<String, usize> = BTreeMap::new();
    for card in cards {
        let mailbox = Id::<EmailAddress>::from_name(&card.recipient.mailbox());
        *mailboxes.entry(format!("gift cards to {mailbox}")).or_default() += 1;
    }
    for (key, count) in mailboxes {
        for _ in 0..count {
            if !rate_limit::count(tx, now, &key, BY_MAILBOX).await? {
                return Ok(false);
            }
        }
    }
    for card in cards {
        let sql = "insert into sold_gift_cards
                     (order_id, variant, unit, amount, recipient, language, send_at)
                   values ($1, $2, $3, $4, $5, $6, $7)";
        let insert = statement(sql).bind(order).bind(&card.variant).bind(card.unit);
        let insert = insert.bind(card.amount).bind(card.recipient.as_str());
        tx.defer(insert.bind(card.language).bind(card.send_at));
    }
    Ok(true)
}

#[derive(sqlx::FromRow)]
struct UnissuedRow {
    variant: VariantId,
    unit: i64,
    amount: MinorUnits,
    recipient: String,
    send_at: Timestamp,
}

/// Issues the cards of a paid order, and schedules their e-mails. Issues none twice: the order's row is locked.
pub(crate) async fn issue_sold(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    order: &OrderId,
    base: Currency,
) -> Result<()> {
    let rows: Vec<UnissuedRow> = tx
        .query(
            "select variant, unit, amount, send_at,
               case when erase_recipient then '' else recipient end as recipient
             from sold_gift_cards
             where order_id = $1 and card is null and voided_at is null order by variant, unit",
        )
        .bind(order)
        .all()
        .await?;
    for UnissuedRow { variant, unit, amount, recipient, send_at } in rows {
        let new = NewGiftCard {
            amount: amount.of(base),
            expires_at: None,
            note: String::new(),
            recipient: EmailAddress::parse(&recipient),
            language: None,
        };
        // No code has this hash.
        let hash = CodeHash::from_content(&random.bytes::<32>());
        let card = insert(tx, (clock, random), (&hash, ""), &new).await?;
        let card = card.ok_or_else(|| Error::internal("a random hash exists already"))?.id;
        tx.query(
            "update sold_gift_cards set card = $4 where order_id = $1 and variant = $2 and unit = $3",
        )
        .bind(order)
        .bind(&variant)
        .bind(unit)
        .bind(&card)
        .execute()
        .await?;
        let (job, now) = (SendGiftCard { card }, clock.now());
        jobs::enqueue(tx, job.id(), &job, send_at, now)?;
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct SoldRow {
    variant: VariantId,
    unit: i64,
    recipient: String,
    send_at: Timestamp,
    card: Option<GiftCardId>,
    sent_at: Option<Timestamp>,
    voided_at: Option<Timestamp>,
    last_four: Option<String>,
    issued: Option<MinorUnits>,
    balance: Option<MinorUnits>,
}

const SOLD: &str =
    "select s.variant, s.unit, s.recipient, s.send_at, s.card, s.sent_at, s.voided_at,
      c.last_four, c.issued, c.balance
    from sold_gift_cards s left join gift_cards c on c.id = s.card
    where s.order_id = $1 order by s.variant, s.unit";

impl SoldRow {
    fn is_spent(&self) -> bool {
        self.voided_at.is_none() && self.balance < self.issued
    }

    fn card(self) -> SoldGiftCard {
        SoldGiftCard {
            is_spent: self.is_spent(),
            state: match (self.voided_at, self.sent_at, &self.card) {
                (Some(_), _, _) => SoldGiftCardState::Voided,
                (None, Some(_), _) => SoldGiftCardState::Sent,
                (None, None, Some(_)) => SoldGiftCardState::Scheduled,
                (None, None, None) => SoldGiftCardState::Unpaid,
            },
            line: self.variant,
            last_four: self.last_four.unwrap_or_default(),
            recipient: masked(&self.recipient),
            send_at: self.send_at,
            sent_at: self.sent_at,
        }
    }
}

/// The cards that an order bought, by line.
pub(crate) async fn sold_with(db: &Db, order: &OrderId) -> Result<Vec<SoldGiftCard>> {
    let rows: Vec<SoldRow> = db.query(SOLD).bind(order).all().await?;
    Ok(rows.into_iter().map(SoldRow::card).collect())
}

/// An address as far as its writer recognises it.
fn masked(address: &str) -> String {
    let Some((name, domain)) = address.split_once('@') else { return String::new() };
    format!("{}•••@{domain}", name.chars().next().unwrap_or_default())
}

fn spent() -> Error {
    let message = "A gift card of this order has been spent, so it cannot be taken back.";
    Error::conflict("gift_card_spent", message)
}

/// Voids all cards of a cancelled order. Refused where something was spent from one.
pub(crate) async fn void_sold(
    tx: &mut Tx,
    source: (&Clock, &Random),
    order: &OrderId,
) -> Result<()> {
    let rows: Vec<SoldRow> = tx.query(SOLD).bind(order).all().await?;
    let left = rows.into_iter().filter(|row| row.voided_at.is_none()).collect();
    void(tx, source, (order, 0), left).await
}

/// Voids as many cards of each line as were returned: those that are not sent yet, then the last. Refused where fewer are
/// unspent.
pub(crate) async fn void_returned(
    tx: &mut Tx,
    source: (&Clock, &Random),
    (order, return_place): (&OrderId, i64),
    returned: &[(&VariantId, i64)],
) -> Result<()> {
    let rows: Vec<SoldRow> = tx.query(SOLD).bind(order).all().await?;
    let mut chosen = Vec::new();
    let mut by_line: BTreeMap<VariantId, Vec<SoldRow>> = BTreeMap::new();
    for row in rows {
        by_line.entry(row.variant.clone()).or_default().push(row);
    }
    for (variant, quantity) in returned {
        // None of a line that is no gift card.
        let Some(rows) = by_line.remove(*variant) else { continue };
        let unspent = |row: &SoldRow| row.voided_at.is_none() && !row.is_spent();
        let mut left: Vec<SoldRow> = rows.into_iter().filter(unspent).collect();
        left.sort_by_key(|row| (row.sent_at.is_some(), -row.unit));
        left.truncate(usize::try_from(*quantity).unwrap_or_default());
        if (left.len() as i64) < *quantity {
            return Err(spent());
        }
        chosen.extend(left);
    }
    void(tx, source, (order, return_place), chosen).await
}

/// Takes back what is on the cards, in the order of their ids. The update is guarded by the balance, so that a card is
/// either spent or taken back.
async fn void(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    (order, return_place): (&OrderId, i64),
    mut rows: Vec<SoldRow>,
) -> Result<()> {
    rows.sort_by(|one, other| one.card.cmp(&other.card));
    for row in rows {
        if let (Some(card), Some(MinorUnits(balance))) = (&row.card, row.balance) {
            let at: Option<(Timestamp,)> = tx
                .query(
                    "update gift_cards set balance = 0, disabled_at = coalesce(disabled_at, $3),
                       changed_at = case when changed_at < $3 then $3 else changed_at + 1 end
                     where id = $1 and balance = $2 and balance >= issued returning changed_at",
                )
                .bind(card)
                .bind(balance)
                .bind(clock.now())
                .optional()
                .await?;
            let Some((at,)) = at else { return Err(spent()) };
            let entry = NewEntry::new(card, GiftCardEntryKind::Voided, MinorUnits(-balance));
            let entry = NewEntry { order: Some(order), return_place, ..entry };
            insert_entry(tx, (clock, random), &entry, MinorUnits(0), at);
        }
        tx.query(
            "update sold_gift_cards set voided_at = $4
             where order_id = $1 and variant = $2 and unit = $3 and voided_at is null",
        )
        .bind(order)
        .bind(&row.variant)
        .bind(row.unit)
        .bind(clock.now())
        .execute()
        .await?;
    }
    Ok(())
}

/// Erases the recipients where it is possible now, and marks the others, which their cards still need.
const ERASE: &str = "update sold_gift_cards set erase_recipient = true,
      recipient = case when sent_at is null and voided_at is null then recipient else '' end";

pub(super) fn erase(tx: &mut Tx, email: &str) {
    let sql = format!("{ERASE} where lower(recipient) = $1");
    tx.defer(statement(sql).bind(email.to_lowercase()));
}

/// Erases the recipients of cards that these orders bought.
pub(crate) async fn anonymize(tx: &mut Tx, which: &str, values: Vec<SqlValue>) -> Result<()> {
    let of_orders = format!("order_id in (select id from orders where {which})");
    let sql = format!(
        "update gift_cards set recipient = '' where recipient <> '' and id in
           (select card from sold_gift_cards where {of_orders})"
    );
    tx.query(sql).bind_all(values.clone()).execute().await?;
    let sql = format!("{ERASE} where recipient <> '' and {of_orders}");
    tx.query(sql).bind_all(values).execute().await.map(drop)
}
