//! SQL of gift cards and their ledger. An entry locks its card's row until the end of the transaction; cards are locked in
//! the order of their ids, before the credit account (decision 012).

use std::collections::{BTreeSet, HashMap};

use platform::db::{SqlValue, in_list, retry_on_conflict, statement};
use platform::secret::Secret;
use platform::{
    Amount, Clock, Currency, Db, EmailAddress, Error, Language, MinorUnits, Money, Random, Result,
    Timestamp, Tx,
};
use serde::Deserialize;

use super::{
    CodeHash, EntryId, GiftCard, GiftCardCode, GiftCardEmailSender, GiftCardEntry,
    GiftCardEntryKind, GiftCardId, GiftCardState, sold,
};
use crate::base_currency;
use crate::ids::OrderId;

/// Cards that are issued or imported together.
pub const MAX_BATCH: usize = 100_000;
const MAX_NOTE_CHARS: usize = 200;
const COLUMNS: &str =
    "id, last_four, issued, balance, expires_at, disabled_at, note, recipient, created_at,
    (select orders.number from sold_gift_cards join orders on orders.id = sold_gift_cards.order_id
     where sold_gift_cards.card = gift_cards.id) as bought_with";

#[derive(sqlx::FromRow)]
struct CardRow {
    id: GiftCardId,
    last_four: String,
    issued: MinorUnits,
    balance: MinorUnits,
    expires_at: Option<Timestamp>,
    disabled_at: Option<Timestamp>,
    note: String,
    recipient: String,
    created_at: Timestamp,
    bought_with: Option<String>,
}

impl CardRow {
    fn card(self, base: Currency, now: Timestamp) -> GiftCard {
        let Self { id, last_four, expires_at, note, recipient, created_at, .. } = self;
        GiftCard {
            id,
            last_four,
            amount: self.issued.of(base),
            balance: self.balance.of(base),
            currency: base,
            state: match (self.disabled_at, expires_at) {
                (Some(_), _) => GiftCardState::Disabled,
                (None, Some(end)) if end < now => GiftCardState::Expired,
                _ => GiftCardState::Active,
            },
            expires_at,
            note,
            recipient,
            number: self.bought_with,
            created_at,
        }
    }
}

/// Cards to issue.
#[derive(Clone, Debug)]
pub struct NewGiftCard {
    /// In the base currency.
    pub amount: Money,
    pub expires_at: Option<Timestamp>,
    pub note: String,
    /// Who gets the card by e-mail.
    pub recipient: Option<EmailAddress>,
    /// Of the e-mail; the shop's default one where there is none.
    pub language: Option<Language>,
}

fn invalid(message: impl Into<String>) -> Error {
    Error::invalid("giftCard", message)
}

impl NewGiftCard {
    fn check(&self, now: Timestamp) -> Result<(), String> {
        if !self.amount.is_positive() {
            return Err("an amount above 0 is required".into());
        }
        if self.expires_at.is_some_and(|end| end < now) {
            return Err("it has expired already".into());
        }
        check_note(&self.note)
    }
}

fn check_note(note: &str) -> Result<(), String> {
    if note.chars().count() > MAX_NOTE_CHARS || note.contains(char::is_control) {
        return Err(format!("a note has at most {MAX_NOTE_CHARS} characters in one line"));
    }
    Ok(())
}

/// Issues cards with random codes, which are returned here and stored nowhere. With a recipient, there is one card, and the
/// e-mail is queued in the same transaction.
pub async fn issue(
    db: &Db,
    (clock, random): (&Clock, &Random),
    secret: &Secret,
    new: &NewGiftCard,
    (count, sender): (usize, &GiftCardEmailSender),
) -> Result<Vec<(GiftCard, GiftCardCode)>> {
    new.check(clock.now()).map_err(invalid)?;
    if !(1..=MAX_BATCH).contains(&count) {
        return Err(invalid(format!("1 to {MAX_BATCH} cards are issued together")));
    }
    if new.recipient.is_some() && count > 1 {
        return Err(invalid("one card is sent to one address"));
    }
    let mut codes = BTreeSet::new();
    while codes.len() < count {
        codes.insert(GiftCardCode::random(random));
    }
    retry_on_conflict(async || {
        let mut tx = db.begin().await?;
        base_currency::establish(&mut tx, new.amount.currency()).await?;
        let mut issued = Vec::with_capacity(count);
        for code in &codes {
            let code_hash = (&code.hash(secret), code.last_four());
            let card = insert(&mut tx, (clock, random), code_hash, new).await?;
            let card = card.ok_or_else(|| Error::internal("a random code exists already"))?;
            if let Some(to) = &new.recipient {
                let email = sender.email(to, new.language, &card, code);
                email::enqueue(&mut tx, clock, random, &email)?;
            }
            issued.push((card, code.clone()));
        }
        tx.commit().await?;
        Ok(issued)
    })
    .await
}

/// A card as an import file has it: of another shop system, whose code keeps working.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportedGiftCard {
    pub code: GiftCardCode,
    /// What is left on it, in the base currency.
    pub amount: Amount,
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
    #[serde(default)]
    pub note: String,
}

/// A file of gift cards.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GiftCardImport {
    pub gift_cards: Vec<ImportedGiftCard>,
}

/// Imports cards, all or none. Those whose code exists already stay as they are. Returns how many are new.
pub async fn import(
    db: &Db,
    (clock, random): (&Clock, &Random),
    secret: &Secret,
    base: Currency,
    cards: &[ImportedGiftCard],
) -> Result<usize> {
    if cards.len() > MAX_BATCH {
        return Err(invalid(format!("at most {MAX_BATCH} cards are imported together")));
    }
    let mut rows = Vec::with_capacity(cards.len());
    for (place, card) in cards.iter().enumerate() {
        let at = |why: String| invalid(format!("gift card {}: {why}", place + 1));
        let amount = card.amount.named("amount", base).map_err(at)?;
        let (expires_at, note) = (card.expires_at, card.note.clone());
        let new = NewGiftCard { amount, expires_at, note, recipient: None, language: None };
        new.check(clock.now()).map_err(at)?;
        rows.push((&card.code, new));
    }
    retry_on_conflict(async || {
        let mut tx = db.begin().await?;
        base_currency::establish(&mut tx, base).await?;
        let mut added = 0;
        for (code, new) in &rows {
            let code_hash = (&code.hash(secret), code.last_four());
            let card = insert(&mut tx, (clock, random), code_hash, new).await?;
            added += usize::from(card.is_some());
        }
        tx.commit().await?;
        Ok(added)
    })
    .await
}

/// Inserts a card with its first entry, by the hash and the end of its code; `None` where its code exists.
pub(super) async fn insert(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    (hash, last_four): (&CodeHash, &str),
    new: &NewGiftCard,
) -> Result<Option<GiftCard>> {
    let (id, now) = (GiftCardId::new(clock, random), clock.now());
    let recipient = new.recipient.as_ref().map_or("", EmailAddress::as_str);
    let inserted = tx
        .query(
            "insert into gift_cards (id, code_hash, last_four, issued, balance, expires_at, note, recipient, created_at,
               changed_at)
             values ($1, $2, $3, $4, $4, $5, $6, $7, $8, $8) on conflict (code_hash) do nothing",
        )
        .bind(&id)
        .bind(hash)
        .bind(last_four)
        .bind(new.amount)
        .bind(new.expires_at)
        .bind(new.note.as_str())
        .bind(recipient)
        .bind(now)
        .execute()
        .await?;
    if inserted == 0 {
        return Ok(None);
    }
    let entry = NewEntry::new(&id, GiftCardEntryKind::Issued, new.amount.into());
    insert_entry(tx, (clock, random), &entry, new.amount.into(), now);
    Ok(Some(GiftCard {
        id,
        last_four: last_four.to_owned(),
        amount: new.amount,
        balance: new.amount,
        currency: new.amount.currency(),
        state: GiftCardState::Active,
        expires_at: new.expires_at,
        note: new.note.clone(),
        recipient: recipient.to_owned(),
        number: None,
        created_at: now,
    }))
}

pub(super) struct NewEntry<'e> {
    pub card: &'e GiftCardId,
    pub kind: GiftCardEntryKind,
    /// In the base currency; negative when spent.
    pub amount: MinorUnits,
    pub order: Option<&'e OrderId>,
    pub return_place: i64,
    pub note: &'e str,
}

impl<'e> NewEntry<'e> {
    pub fn new(card: &'e GiftCardId, kind: GiftCardEntryKind, amount: MinorUnits) -> Self {
        Self { card, kind, amount, order: None, return_place: 0, note: "" }
    }
}

pub(super) fn insert_entry(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    entry: &NewEntry<'_>,
    balance: MinorUnits,
    at: Timestamp,
) {
    tx.defer(
        statement(
            "insert into gift_card_entries
               (id, card, kind, amount, balance, order_id, return_place, note, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(&EntryId::new(clock, random))
        .bind(entry.card)
        .bind(entry.kind)
        .bind(entry.amount)
        .bind(balance)
        .bind(entry.order.map(|order| order.as_str()))
        .bind(entry.return_place)
        .bind(entry.note)
        .bind(at),
    );
}

/// Changes a card's balance, never below zero. The time is strictly increasing, so that entries sort in the order of their
/// balances.
const UPDATE_BALANCE: &str = "update gift_cards set balance = balance + $2,
       changed_at = case when changed_at < $3 then $3 else changed_at + 1 end
     where id = $1 and balance + $2 >= 0";
const IS_ACTIVE: &str = " and disabled_at is null and (expires_at is null or expires_at >= $3)";

/// Adds an entry; false when the balance is too low or, to spend it, the card is expired or disabled.
async fn add_entry(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    entry: &NewEntry<'_>,
) -> Result<bool> {
    let guard = if entry.kind == GiftCardEntryKind::Spent { IS_ACTIVE } else { "" };
    let changed: Option<(MinorUnits, Timestamp)> = tx
        .query(format!("{UPDATE_BALANCE}{guard} returning balance, changed_at"))
        .bind(entry.card)
        .bind(entry.amount)
        .bind(clock.now())
        .optional()
        .await?;
    let Some((balance, at)) = changed else { return Ok(false) };
    insert_entry(tx, (clock, random), entry, balance, at);
    Ok(true)
}

/// Debits cards for an order, with amounts in the base currency. False where one cannot pay: then the caller rolls back.
pub(crate) async fn spend(
    tx: &mut Tx,
    source: (&Clock, &Random),
    order: &OrderId,
    mut cards: Vec<(&GiftCardId, Money)>,
) -> Result<bool> {
    cards.sort_by_key(|(card, _)| *card);
    for (card, amount) in cards {
        let entry = NewEntry::new(card, GiftCardEntryKind::Spent, (-amount).into());
        if !add_entry(tx, source, &NewEntry { order: Some(order), ..entry }).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Gives amounts in the base currency back to the cards that paid for an order, also to those that are expired or disabled.
pub(crate) async fn give_back(
    tx: &mut Tx,
    source: (&Clock, &Random),
    (order, return_place): (&OrderId, i64),
    mut cards: Vec<(&GiftCardId, Money)>,
) -> Result<()> {
    cards.sort_by_key(|(card, _)| *card);
    for (card, amount) in cards {
        let entry = NewEntry::new(card, GiftCardEntryKind::Returned, amount.into());
        let entry = NewEntry { order: Some(order), return_place, ..entry };
        if !add_entry(tx, source, &entry).await? {
            return Err(Error::internal(format!("the gift card {card} of an order is missing")));
        }
    }
    Ok(())
}

/// A change by the shop.
#[derive(Clone, Debug, Default)]
pub struct GiftCardChange {
    /// In the base currency; negative to take something off.
    pub amount: Option<Money>,
    pub expires_at: Option<Timestamp>,
    pub note: String,
}

/// Changes a card; false when its balance is too low.
pub async fn adjust(
    db: &Db,
    source: (&Clock, &Random),
    card: &GiftCardId,
    change: &GiftCardChange,
) -> Result<bool> {
    check_note(&change.note).map_err(invalid)?;
    retry_on_conflict(async || {
        let mut tx = db.begin().await?;
        if let Some(amount) = change.amount.filter(|amount| !amount.is_zero()) {
            let entry = NewEntry::new(card, GiftCardEntryKind::Corrected, amount.into());
            if !add_entry(&mut tx, source, &NewEntry { note: &change.note, ..entry }).await? {
                tx.rollback().await?;
                return Ok(false);
            }
        }
        if let Some(end) = change.expires_at {
            let sql = "update gift_cards set expires_at = $2 where id = $1";
            tx.query(sql).bind(card).bind(end).execute().await?;
        }
        tx.commit().await?;
        Ok(true)
    })
    .await
}

/// Lets the shop accept a card or not.
pub async fn set_disabled(db: &Db, clock: &Clock, card: &GiftCardId, disabled: bool) -> Result<()> {
    db.query("update gift_cards set disabled_at = $2 where id = $1")
        .bind(card)
        .bind(disabled.then(|| clock.now()))
        .execute()
        .await
        .map(drop)
}

/// The newest cards.
pub async fn list(db: &Db, base: Currency, now: Timestamp, most: i64) -> Result<Vec<GiftCard>> {
    let sql =
        format!("select {COLUMNS} from gift_cards order by created_at desc, id desc limit $1");
    let rows: Vec<CardRow> = db.query(sql).bind(most).all().await?;
    Ok(rows.into_iter().map(|row| row.card(base, now)).collect())
}

pub(super) async fn by_hash(
    db: &Db,
    base: Currency,
    now: Timestamp,
    hash: &CodeHash,
) -> Result<Option<GiftCard>> {
    let sql = format!("select {COLUMNS} from gift_cards where code_hash = $1");
    let row: Option<CardRow> = db.query(sql).bind(hash).optional().await?;
    Ok(row.map(|row| row.card(base, now)))
}

/// The ids and last characters of cards.
pub(super) async fn by_hashes(
    db: &Db,
    hashes: &[&CodeHash],
) -> Result<HashMap<CodeHash, (GiftCardId, String)>> {
    let sql = format!(
        "select code_hash, id, last_four from gift_cards where {}",
        in_list("code_hash", 1, hashes.len())
    );
    let values = hashes.iter().map(|hash| SqlValue::from(*hash));
    let rows: Vec<(CodeHash, GiftCardId, String)> = db.query(sql).bind_all(values).all().await?;
    Ok(rows.into_iter().map(|(hash, id, last_four)| (hash, (id, last_four))).collect())
}

/// A card by its code or its id.
pub async fn find(
    db: &Db,
    secret: &Secret,
    base: Currency,
    now: Timestamp,
    named: &str,
) -> Result<Option<GiftCard>> {
    let hash = GiftCardCode::typed(named).hash(secret);
    if let Some(card) = by_hash(db, base, now, &hash).await? {
        return Ok(Some(card));
    }
    let Ok(id) = named.parse::<GiftCardId>() else { return Ok(None) };
    let sql = format!("select {COLUMNS} from gift_cards where id = $1");
    let row: Option<CardRow> = db.query(sql).bind(&id).optional().await?;
    Ok(row.map(|row| row.card(base, now)))
}

pub(super) async fn find_in_tx(
    tx: &mut Tx,
    base: Currency,
    now: Timestamp,
    id: &GiftCardId,
) -> Result<Option<GiftCard>> {
    let sql = format!("select {COLUMNS} from gift_cards where id = $1");
    let row: Option<CardRow> = tx.query(sql).bind(id).optional().await?;
    Ok(row.map(|row| row.card(base, now)))
}

#[derive(sqlx::FromRow)]
struct EntryRow {
    id: EntryId,
    #[sqlx(try_from = "String")]
    kind: GiftCardEntryKind,
    amount: MinorUnits,
    balance: MinorUnits,
    number: Option<String>,
    note: String,
    created_at: Timestamp,
}

/// A card's ledger, the newest entry first.
pub async fn entries(db: &Db, base: Currency, card: &GiftCardId) -> Result<Vec<GiftCardEntry>> {
    let rows: Vec<EntryRow> = db
        .query(
            "select e.id, e.kind, e.amount, e.balance, o.number, e.note, e.created_at
             from gift_card_entries e left join orders o on o.id = e.order_id
             where e.card = $1 order by e.created_at desc",
        )
        .bind(card)
        .all()
        .await?;
    let entry = |row: EntryRow| GiftCardEntry {
        id: row.id,
        kind: row.kind,
        amount: row.amount.of(base),
        balance: row.balance.of(base),
        number: row.number,
        note: row.note,
        created_at: row.created_at,
    };
    Ok(rows.into_iter().map(entry).collect())
}

/// The cards that were sent to an e-mail address, without the shop's notes.
pub async fn export(db: &Db, base: Currency, now: Timestamp, email: &str) -> Result<Vec<GiftCard>> {
    let sql = format!(
        "select {COLUMNS} from gift_cards where lower(recipient) = $1 order by created_at, id"
    );
    let rows: Vec<CardRow> = db.query(sql).bind(email.to_lowercase()).all().await?;
    // Neither the shop's note nor who bought it.
    let card = |row: CardRow| GiftCard { note: String::new(), number: None, ..row.card(base, now) };
    Ok(rows.into_iter().map(card).collect())
}

/// Forgets to whom cards were sent, and those that are not sent yet as soon as they are. The cards stay: whoever has a code can spend it.
pub fn erase(tx: &mut Tx, email: &str) {
    let sql = "update gift_cards set recipient = '' where lower(recipient) = $1";
    tx.defer(statement(sql).bind(email.to_lowercase()));
    sold::erase(tx, email);
}
