//! `haat gift-cards`: issues, lists and changes gift cards, and imports those of another shop system.

use std::path::Path;

use platform::config::Settings;
use platform::secret::Secret;
use platform::{Amount, Clock, Currency, Db, EmailAddress, Language, Money, Random, Timestamp};
use serde_json::{Value, json};
use shop::base_currency;
use shop::gift_cards::{
    self, GiftCard, GiftCardChange, GiftCardCode, GiftCardEmailSender, GiftCardEntry,
    GiftCardImport, GiftCardSender, GiftCardState, NewGiftCard,
};

use super::print::{Align, format_table, print_value};
use super::served_settings::{EmailOptions, EmailSender, shop_secret};
use super::{CommandResult, open_existing_db, read_json_file};

#[derive(clap::Args)]
pub struct GiftCardsCommand {
    action: GiftCardAction,
    /// With issue, the amount of each card, in the base currency; with import, the file; else the code or the id of a card
    name: Option<String>,
    /// With adjust: what is added to the balance, in the base currency, or with a minus taken off
    #[arg(allow_hyphen_values = true)]
    amount: Option<String>,
    /// With issue: so many cards
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// With issue and adjust: the last day on which it can be spent, such as 2027-12-31 (in UTC)
    #[arg(long, value_name = "DAY", value_parser = last_moment)]
    expires: Option<Timestamp>,
    /// With issue and adjust: a note for the shop, which customers do not see
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    note: String,
    /// With issue and resend: send the card to this address
    #[arg(long, value_name = "EMAIL")]
    to: Option<EmailAddress>,
    /// With issue and --to: the language of the e-mail, such as bn [default: the shop's first language]
    #[arg(long, value_name = "CODE")]
    language: Option<Language>,
    /// With list: the maximum number of cards, newest first
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    email: EmailOptions,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum GiftCardAction {
    /// Issue cards, and print their codes, which are shown only here
    Issue,
    /// List the newest cards
    List,
    /// Show a card and its history
    Show,
    /// Do not accept a card any more
    Disable,
    /// Accept a disabled card again
    Enable,
    /// Change the balance of a card, or until when it can be spent
    Adjust,
    /// Import cards with their codes from a JSON file, all or none
    Import,
    /// Send a card again with a new code: the old code does not work any more
    Resend,
}

/// The end of a day.
fn last_moment(day: &str) -> Result<Timestamp, String> {
    let end = Timestamp::parse(&format!("{day}T23:59:59Z"));
    end.ok_or_else(|| "expected a day such as 2027-12-31".into())
}

/// Where cards are kept, and in what currency.
struct CardShop {
    db: Db,
    clock: Clock,
    random: Random,
    secret: Secret,
    base: Currency,
}

impl CardShop {
    async fn find(&self, named: &str) -> Result<GiftCard, Box<dyn std::error::Error>> {
        let Self { db, clock, secret, base, .. } = self;
        let found = gift_cards::find(db, secret, *base, clock.now(), named).await?;
        // The code is not repeated: terminals are logged.
        Ok(found.ok_or("there is no gift card with this code or id")?)
    }

    async fn show(&self, named: &str, json: bool) -> CommandResult {
        let card = self.find(named).await?;
        let entries = gift_cards::entries(&self.db, self.base, &card.id).await?;
        let value = json!({ "giftCard": card, "entries": entries });
        print_value(&value, json, |_| {
            format!("{}{}", format_cards(std::slice::from_ref(&card)), format_entries(&entries))
        })
    }
}

pub async fn run(options: GiftCardsCommand) -> CommandResult {
    check_options(&options)?;
    let GiftCardsCommand { action, name, amount, expires, note, limit, json, .. } = options;
    let (db, clock, random) = open_existing_db(&options.settings).await?;
    let secret = shop_secret(&options.settings, &db, &random).await?;
    let base = base_currency::find(&db).await?.unwrap_or_default();
    let EmailSender { profiles, origin, .. } = options.email.sender(&db).await?;
    let sender = GiftCardEmailSender { profiles, origin };
    let shop = CardShop { db, clock, random, secret, base };
    let required = || name.clone().ok_or("a code or an id is required: see haat gift-cards --help");
    match action {
        GiftCardAction::Issue => {
            let amount =
                name.as_deref().ok_or("an amount is required: see haat gift-cards --help")?;
            let amount = amount.parse::<Amount>().map_err(|why| format!("{amount}: {why}"))?;
            let amount = amount.named("the amount", base)?;
            let (recipient, language) = (options.to, options.language);
            let new = NewGiftCard { amount, expires_at: expires, note, recipient, language };
            issue(&shop, &new, (options.count.unwrap_or(1), &sender), json).await?;
        }
        GiftCardAction::List => {
            let found = gift_cards::list(&shop.db, base, shop.clock.now(), limit.into()).await?;
            print_value(&found, json, |found| format_cards(found))?;
        }
        GiftCardAction::Show => shop.show(&required()?, json).await?,
        GiftCardAction::Disable | GiftCardAction::Enable => {
            let card = shop.find(&required()?).await?;
            let disabled = action == GiftCardAction::Disable;
            gift_cards::set_disabled(&shop.db, &shop.clock, &card.id, disabled).await?;
            shop.show(card.id.as_str(), json).await?;
        }
        GiftCardAction::Adjust => {
            let card = shop.find(&required()?).await?;
            let amount = amount.as_deref().map(|amount| signed(amount, base)).transpose()?;
            if amount.is_none() && expires.is_none() {
                return Err("an amount or --expires is required: see haat gift-cards --help".into());
            }
            let change = GiftCardChange { amount, expires_at: expires, note };
            let source = (&shop.clock, &shop.random);
            let adjusted = gift_cards::adjust(&shop.db, source, &card.id, &change).await;
            if !adjusted.map_err(|why| why.message())? {
                return Err(format!("only {} is left on it", card.balance).into());
            }
            shop.show(card.id.as_str(), json).await?;
        }
        GiftCardAction::Import => {
            let file = name.as_deref().ok_or("a file is required: see haat gift-cards --help")?;
            let import: GiftCardImport = read_json_file(Path::new(file))?;
            let (cards, source) = (import.gift_cards, (&shop.clock, &shop.random));
            let added = gift_cards::import(&shop.db, source, &shop.secret, base, &cards).await;
            let added = added.map_err(|why| format!("{file}: {}", why.message()))?;
            print_line!("{added} gift cards, {} were there already", cards.len() - added);
        }
        GiftCardAction::Resend => {
            let card = shop.find(&required()?).await?;
            let CardShop { db, clock, random, secret, base } = &shop;
            let (db, clock, random) = (db.clone(), clock.clone(), random.clone());
            let (secret, base, emails) = (secret.clone(), *base, sender.clone());
            let sender = GiftCardSender { db, clock, random, secret, base, emails };
            let sent = sender.resend(&card.id, options.to.as_ref()).await;
            sent.map_err(|why| why.message())?;
            shop.show(card.id.as_str(), json).await?;
        }
    }
    shop.db.close().await;
    Ok(())
}

fn check_options(options: &GiftCardsCommand) -> Result<(), &'static str> {
    use GiftCardAction::{Adjust, Issue, Resend};
    let GiftCardsCommand { action, amount, count, expires, note, to, language, .. } = options;
    if *action != Issue && count.is_some() {
        return Err("--count is only for haat gift-cards issue");
    }
    if ![Issue, Resend].contains(action) && to.is_some() {
        return Err("--to is only for haat gift-cards issue and resend");
    }
    if language.is_some() && (to.is_none() || *action != Issue) {
        return Err("--language is only for haat gift-cards issue with --to");
    }
    if ![Issue, Adjust].contains(action) && (expires.is_some() || !note.is_empty()) {
        return Err("--expires and --note are only for haat gift-cards issue and adjust");
    }
    if *action != Adjust && amount.is_some() {
        return Err("a second argument is only for haat gift-cards adjust");
    }
    Ok(())
}

/// An amount that may have a sign.
fn signed(text: &str, base: Currency) -> Result<Money, String> {
    let (negative, digits) = match text.strip_prefix(['-', '−']) {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let amount = digits.parse::<Amount>().map_err(|why| format!("{text}: {why}"))?;
    let amount = amount.named("the amount", base)?;
    Ok(if negative { -amount } else { amount })
}

async fn issue(
    shop: &CardShop,
    new: &NewGiftCard,
    (count, sender): (usize, &GiftCardEmailSender),
    json: bool,
) -> CommandResult {
    let CardShop { db, clock, random, secret, .. } = shop;
    let issued = gift_cards::issue(db, (clock, random), secret, new, (count, sender)).await;
    let issued = issued.map_err(|why| why.message())?;
    let value = |(card, code): &(GiftCard, GiftCardCode)| {
        let mut value = json!(card);
        value["code"] = Value::from(code.to_string());
        value
    };
    let values: Vec<Value> = issued.iter().map(value).collect();
    print_value(&values, json, |_| {
        let row = |(card, code): &(GiftCard, GiftCardCode)| {
            [code.to_string(), card.balance.to_string(), until(card), card.recipient.clone()]
        };
        let columns = [Align::Left, Align::Right, Align::Left, Align::Left];
        format_table(columns, &issued.iter().map(row).collect::<Vec<_>>())
    })
}

fn until(card: &GiftCard) -> String {
    card.expires_at.map_or_else(String::new, |end| format!("until {}", &end.to_string()[..10]))
}

fn format_cards(cards: &[GiftCard]) -> String {
    let row = |card: &GiftCard| {
        let state = match card.state {
            GiftCardState::Active => until(card),
            state => state.to_string(),
        };
        let balance = format!("{} of {}", card.balance, card.amount);
        let (recipient, note) = (card.recipient.clone(), card.note.clone());
        let last_four = match card.last_four.as_str() {
            "" => "not sent yet".to_owned(),
            last_four => format!("•••• {last_four}"),
        };
        let number = card.number.clone().unwrap_or_default();
        [card.id.to_string(), last_four, balance, state, recipient, number, note]
    };
    let mut columns = [Align::Left; 7];
    columns[2] = Align::Right;
    format_table(columns, &cards.iter().map(row).collect::<Vec<_>>())
}

fn format_entries(entries: &[GiftCardEntry]) -> String {
    let row = |entry: &GiftCardEntry| {
        let GiftCardEntry { created_at, kind, amount, balance, number, note, .. } = entry;
        let (at, kind, number) =
            (created_at.to_string(), kind.to_string(), number.clone().unwrap_or_default());
        [at, kind, amount.to_string(), balance.to_string(), number, note.clone()]
    };
    let columns = [Align::Left, Align::Left, Align::Right, Align::Right, Align::Left, Align::Left];
    format_table(columns, &entries.iter().map(row).collect::<Vec<_>>())
}
