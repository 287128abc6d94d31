//! `haat reviews`: lists and moderates reviews.

use platform::config::Settings;
use platform::language::Language;
use shop::reviews::{
    Moderation, ModerationOutcome, OwnReview, Review, ReviewEmailSender, ReviewId, ReviewState,
    ReviewStore,
};

use super::print::{Align, format_table, print_value};
use super::served_settings::{EmailOptions, EmailSender};
use super::{CommandResult, open_existing_db};

const MAX_REASON_CHARS: usize = 500;

#[derive(clap::Args)]
pub struct ReviewsCommand {
    action: ReviewAction,
    /// The review's id, from the list
    id: Option<ReviewId>,
    /// List only reviews in this state: queued, shown or refused
    #[arg(long)]
    state: Option<ReviewState>,
    /// The maximum number of reviews to list, newest first
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// With refuse: the reason, sent to the author
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    why: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    email: EmailOptions,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ReviewAction {
    /// List the newest reviews; with --state queued, those waiting for approval
    List,
    /// Show a review
    Show,
    /// Publish a review
    Approve,
    /// Hide a review, and send its author the reason
    Refuse,
}

pub async fn run(options: ReviewsCommand) -> CommandResult {
    let ReviewsCommand { action, id, state, limit, why, json, email, settings } = options;
    let why = why.trim();
    if why.chars().count() > MAX_REASON_CHARS || why.contains(char::is_control) {
        return Err(format!("--why takes at most {MAX_REASON_CHARS} characters in one line").into());
    }
    let (db, clock, random) = open_existing_db(&settings).await?;
    let EmailSender { profiles, origin, .. } = email.sender(&db).await?;
    let sender = ReviewEmailSender { profiles, origin };
    let reviews = ReviewStore { db: db.clone(), clock, random, sender };
    if let ReviewAction::List = action {
        let found = reviews.list(state, i64::from(limit)).await?;
        print_value(found.as_slice(), json, format_reviews)?;
    } else {
        let id = id.ok_or("a review's id is required: see haat reviews list")?;
        let no_such = || format!("there is no review {id}");
        let verdict = match action {
            ReviewAction::Approve => Some((Moderation::Approve, "")),
            ReviewAction::Refuse if why.is_empty() => {
                return Err("--why is required; it is sent to the author".into());
            }
            ReviewAction::Refuse => Some((Moderation::Refuse, why)),
            ReviewAction::List | ReviewAction::Show => None,
        };
        if let Some((verdict, why)) = verdict {
            match reviews.moderate(&id, verdict, why).await? {
                ModerationOutcome::Done => {}
                ModerationOutcome::NotAllowed(state) => {
                    return Err(format!("{id} is {state} already").into());
                }
                ModerationOutcome::ReviewNotFound => return Err(no_such().into()),
            }
        }
        let found = reviews.by_id(&id).await?.ok_or_else(no_such)?;
        print_value(&found, json, format_review)?;
    }
    db.close().await;
    Ok(())
}

fn format_reviews(reviews: &[OwnReview]) -> String {
    let row = |OwnReview { review, product, state, .. }: &OwnReview| {
        let Review { id, rating, title, created_at, .. } = review;
        let name = review.writer(Language::ENGLISH);
        let (id, rating, at) = (id.to_string(), format!("{rating}/5"), created_at.to_string());
        [id, state.to_string(), rating, at, product.to_string(), format!("{name}: {title}")]
    };
    format_table([Align::Left; 6], &reviews.iter().map(row).collect::<Vec<_>>())
}

fn format_review(OwnReview { review, product, state, note }: &OwnReview) -> String {
    let Review { id, rating, title, body, helpful, created_at, edited_at, .. } = review;
    let name = review.writer(Language::ENGLISH);
    let mut text = format!("{id}  {state}\n{product}, {rating}/5 by {name}, {created_at}");
    if let Some(edited) = edited_at {
        text += &format!(", edited {edited}");
    }
    text += &format!(", helpful votes: {helpful}\n\n{title}\n{body}\n");
    if !note.is_empty() {
        text += &format!("\nrefused: {note}\n");
    }
    text
}
