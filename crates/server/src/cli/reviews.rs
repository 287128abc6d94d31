//! `haat reviews`: the shopkeeper's word on what buyers write.

use std::error::Error;

use base::config::{Settings, Shopfront};
use base::{Clock, Random};
use shop::content::Facts;
use shop::reviews::{Guestbook, Judged, OwnReview, Review, ReviewId, Sender, State, Verdict};

use super::print::print_text;
use super::{Outcome, log, open};

const LONGEST_WHY: usize = 500;

#[derive(clap::Args)]
pub struct Reviews {
    action: Action,
    /// The review's id, as the list has it
    id: Option<ReviewId>,
    /// List only these: queued, shown or refused
    #[arg(long)]
    state: Option<State>,
    /// List at most so many, the newest
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// Why it is refused; the writer is told
    #[arg(long, value_name = "TEXT", default_value = "")]
    why: String,
    /// For programs
    #[arg(long)]
    json: bool,
    /// Where shoppers reach the shop, for the letters that go out
    #[arg(long, env = "HAAT_PUBLIC_URL", value_name = "URL", value_parser = server::origin)]
    public_url: Option<String>,
    #[command(flatten)]
    front: Shopfront,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Action {
    /// Show the newest; with --state queued those that wait
    List,
    /// Show one
    Show,
    /// Let everybody see one
    Approve,
    /// Let nobody but its writer see one, and write them why
    Refuse,
}

pub async fn run(options: Reviews) -> Outcome {
    let Reviews { action, id, state, limit, why, json, public_url, front, .. } = options;
    log(&options.settings)?;
    let why = why.trim();
    if why.chars().count() > LONGEST_WHY || why.contains(char::is_control) {
        return Err(format!("--why takes at most {LONGEST_WHY} characters in one line").into());
    }
    let (clock, random) = (Clock::system(), Random::system());
    let db = open(&options.settings, &clock).await?;
    let sender = Sender { shop: Facts::of(&front), origin: public_url };
    let book = Guestbook { db: db.clone(), clock, random, sender };
    if let Action::List = action {
        list(&book, state, limit, json).await?;
    } else {
        let id = id.ok_or("a review's id is wanted: see haat reviews list")?;
        match action {
            Action::Approve => judge(&book, &id, Verdict::Approve, "").await?,
            Action::Refuse if why.is_empty() => {
                return Err("--why is wanted: the writer is told".into());
            }
            Action::Refuse => judge(&book, &id, Verdict::Refuse, why).await?,
            Action::List | Action::Show => {}
        }
        show(&book, &id, json).await?;
    }
    db.close().await;
    Ok(())
}

async fn list(book: &Guestbook, state: Option<State>, limit: u32, json: bool) -> Outcome {
    let found = book.list(state, i64::from(limit)).await?;
    if json {
        print_line!("{}", serde_json::to_string_pretty(&found)?);
        return Ok(());
    }
    for OwnReview { review, product, state, .. } in &found {
        let Review { id, rating, name, title, created_at, .. } = review;
        print_line!("{id}  {state:<7}  {rating}/5  {created_at}  {product}  {name}: {title}");
    }
    Ok(())
}

async fn judge(book: &Guestbook, id: &ReviewId, verdict: Verdict, why: &str) -> Outcome {
    match book.judge(id, verdict, why).await? {
        Judged::Done => Ok(()),
        Judged::NotNow(state) => Err(format!("{id} is {state} already").into()),
        Judged::NoSuchReview => Err(no_such(id)),
    }
}

async fn show(book: &Guestbook, id: &ReviewId, json: bool) -> Outcome {
    let found = book.by_id(id).await?.ok_or_else(|| no_such(id))?;
    match json {
        true => print_line!("{}", serde_json::to_string_pretty(&found)?),
        false => print_text(&words(&found)),
    }
    Ok(())
}

fn no_such(id: &ReviewId) -> Box<dyn Error> {
    format!("there is no review {id}").into()
}

fn words(OwnReview { review, product, state, note }: &OwnReview) -> String {
    let Review { id, name, rating, title, body, helpful, created_at, edited_at } = review;
    let mut text = format!("{id}  {state}\n{product}, {rating}/5 by {name}, {created_at}");
    if let Some(edited) = edited_at {
        text += &format!(", edited {edited}");
    }
    text += &format!(", helped {helpful}\n\n{title}\n{body}\n");
    if !note.is_empty() {
        text += &format!("\nrefused: {note}\n");
    }
    text
}
