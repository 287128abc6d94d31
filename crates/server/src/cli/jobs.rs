//! `haat jobs`: lists background jobs, and retries or discards those that failed.

use email::sms::SendText;
use email::{DiscardEmail, SendEmail};
use identity::AccountDeleted;
use media::{DeleteFiles, EncodeSizes, StoreBuiltIn};
use platform::Db;
use platform::config::Settings;
use platform::jobs::{self, Job, JobDetails, JobId};
use serde_json::Value;
use shop::catalog::{PublishProduct, SaleBoundary};
use shop::gift_cards::SendGiftCard;
use shop::orders::Day;
use shop::payments::{ProcessWebhook, SendCall, SendChange};

use server::privacy::Erase;

use super::print::print_value;
use super::{CommandResult, open_existing_db};

/// Fields of payloads that only the recipient may read, with codes and links, or that are long.
const HIDDEN_FIELDS: [&str; 4] = ["words", "leave", "bill", "pictures"];

/// The kinds of jobs that this version can run; `serve` compares them with its worker's.
pub const KINDS: [&str; 15] = [
    AccountDeleted::NAME,
    DeleteFiles::NAME,
    DiscardEmail::NAME,
    EncodeSizes::NAME,
    Erase::NAME,
    Day::NAME,
    ProcessWebhook::NAME,
    PublishProduct::NAME,
    SaleBoundary::NAME,
    SendCall::NAME,
    SendChange::NAME,
    SendEmail::NAME,
    SendGiftCard::NAME,
    SendText::NAME,
    StoreBuiltIn::NAME,
];

#[derive(clap::Args)]
pub struct JobsCommand {
    action: JobAction,
    /// The jobs' ids, from the list
    #[arg(value_name = "ID")]
    ids: Vec<JobId>,
    /// List only jobs that failed and are not retried any more
    #[arg(long)]
    failed: bool,
    /// List or discard only jobs of this kind, such as mail.send
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// With retry: all failed jobs
    #[arg(long)]
    all: bool,
    /// The maximum number of jobs to list
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum JobAction {
    /// List the failed jobs, newest first, then the queued ones
    List,
    /// Show a job with its last error; the content of messages is not printed
    Show,
    /// Queue failed jobs again: by their ids, or --all
    Retry,
    /// Delete jobs that are not running: by their ids, or all of a --kind
    Discard,
}

pub async fn run(options: JobsCommand) -> CommandResult {
    let JobsCommand { action, ids, failed, kind, all, limit, json, settings } = options;
    let bulk = match action {
        JobAction::List => true,
        JobAction::Show => false,
        JobAction::Retry => all,
        JobAction::Discard => kind.is_some(),
    };
    if bulk != ids.is_empty() {
        let why =
            "give either the ids of jobs or an option that selects them: see haat jobs --help";
        return Err(why.into());
    }
    let (db, clock, _) = open_existing_db(&settings).await?;
    let now = clock.now();
    let mut changed = 0;
    match (action, &kind) {
        (JobAction::List, _) => {
            let found = jobs::list(&db, failed, kind.as_deref(), i64::from(limit)).await?;
            print_value(&found, json, |found| found.iter().map(format_line).collect())?;
        }
        (JobAction::Show, _) => {
            for id in &ids {
                show(&db, id, json).await?;
            }
        }
        (JobAction::Retry, _) => {
            let all_failed = jobs::list(&db, true, None, i64::MAX).await?;
            let mut wanted = all_failed.iter().filter(|job| all || ids.contains(&job.id));
            wanted.try_for_each(check_kind)?;
            if all {
                changed = jobs::retry(&db, now, None).await?;
            }
            for id in &ids {
                changed += found(id, jobs::retry(&db, now, Some(id)).await?, "failed")?;
            }
        }
        (JobAction::Discard, Some(kind)) => changed = jobs::discard_kind(&db, now, kind).await?,
        (JobAction::Discard, None) => {
            for id in &ids {
                changed += found(id, jobs::discard(&db, now, id).await?, "waiting or failed")?;
            }
        }
    }
    match action {
        JobAction::Retry => print_line!("queued again: {changed}"),
        JobAction::Discard => print_line!("discarded: {changed}"),
        JobAction::List | JobAction::Show => {}
    }
    db.close().await;
    Ok(())
}

/// A shop with a queued job of an unknown kind does not start.
fn check_kind(JobDetails { id, kind, .. }: &JobDetails) -> Result<(), String> {
    if KINDS.contains(&kind.as_str()) {
        return Ok(());
    }
    Err(format!(
        "job {id} is of the kind {kind}, which this version cannot run. Retry it with the version that queued it, \
         or delete it: haat jobs discard {id}"
    ))
}

/// Fails if no job was changed.
fn found(id: &JobId, changed: u64, state: &str) -> Result<u64, String> {
    if changed == 0 { Err(format!("there is no {state} job {id}")) } else { Ok(changed) }
}

fn format_line(job: &JobDetails) -> String {
    let JobDetails { id, kind, attempts, last_error, .. } = job;
    let error = last_error.as_deref().and_then(|error| error.lines().next()).unwrap_or("");
    format!("{id}  {kind:<19}  {}  {attempts} attempts  {error}\n", state(job))
}

async fn show(db: &Db, id: &JobId, json: bool) -> CommandResult {
    let job = jobs::find(db, id).await?.ok_or_else(|| format!("there is no job {id}"))?;
    let mut payload: Value = serde_json::from_str(&job.payload)?;
    hide_messages(&mut payload);
    let mut shown = serde_json::to_value(&job)?;
    shown["payload"] = payload;
    print_value(&shown, json, |shown| format_job(&job, &shown["payload"]))
}

fn format_job(job: &JobDetails, payload: &Value) -> String {
    let JobDetails { id, kind, queue, attempts, last_error, created_at, .. } = job;
    let mut text = format!(
        "{id}  {kind}  {}\nqueue {queue}, {attempts} attempts, created {created_at}\n",
        state(job)
    );
    if let Some(error) = last_error {
        text += &format!("last error: {error}\n");
    }
    text + &format!("{payload:#}\n")
}

fn state(job: &JobDetails) -> String {
    match (job.failed_at, job.run_at) {
        (Some(failed_at), _) => format!("failed {failed_at}"),
        (None, Some(run_at)) => format!("due {run_at}"),
        (None, None) => String::new(),
    }
}

/// Removes the content of e-mails and text messages.
fn hide_messages(payload: &mut Value) {
    let Value::Object(fields) = payload else { return };
    fields.retain(|name, value| match name.as_str() {
        "text" => !value.is_string(),
        name => !HIDDEN_FIELDS.contains(&name),
    });
    fields.values_mut().for_each(hide_messages);
}
