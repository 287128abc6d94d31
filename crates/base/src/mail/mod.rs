//! Letters: written as a job in the transaction that causes them, sent by SMTP, retried, never lost and
//! not sent twice (decision 018). A demo shop without a mail server keeps them to be read in the browser.

mod dress;
mod kept;
mod limit;
mod mark;
mod smtp;

use std::sync::Arc;

use lettre::Message;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use serde::{Deserialize, Serialize};

pub(crate) use kept::keep;
pub use kept::{Kept, forget_kept, kept, newest_kept};
pub use limit::forget_counts;
pub use mark::{Mark, settle};

use crate::db::Write;
use crate::jobs::{self, Done, Job, Priority};
use crate::seat::Seat;
use crate::{Clock, Db, EmailAddress, Error, Id, Random, Result, Timestamp, Tx};
use limit::Limiter;

/// The job that sends a letter.
pub const SEND: &str = "mail.send";

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Mail")]
#[group(id = "mail")]
pub struct Settings {
    /// The mail server; without one, a demo shop keeps its letters at /dev/mail
    #[arg(long, env = "HAAT_SMTP_HOST", value_name = "HOST")]
    pub smtp_host: Option<String>,
    #[arg(long, env = "HAAT_SMTP_PORT", value_name = "PORT")]
    pub smtp_port: Option<u16>,
    /// How the connection is encrypted
    #[arg(long, env = "HAAT_SMTP_TLS", value_enum, default_value_t = Tls::Starttls)]
    pub smtp_tls: Tls,
    #[arg(long, env = "HAAT_SMTP_USER", value_name = "NAME")]
    pub smtp_user: Option<String>,
    #[arg(long, env = "HAAT_SMTP_PASSWORD", value_name = "TEXT", hide_env_values = true)]
    pub smtp_password: Option<String>,
    /// Who letters come from: Name <address> [default: the shop's name and e-mail address]
    #[arg(long, env = "HAAT_MAIL_FROM", value_name = "MAILBOX", value_parser = sender)]
    pub mail_from: Option<Mailbox>,
}

/// A name and an address, or an address alone.
fn sender(text: &str) -> Result<Mailbox, String> {
    let sender: Mailbox = text.parse().map_err(|why| format!("{why}"))?;
    let address: &str = sender.email.as_ref();
    address.parse::<EmailAddress>().map_err(|why| why.to_string())?;
    Ok(sender)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Tls {
    /// From the first byte
    Always,
    /// After a plain greeting
    Starttls,
    /// Never: for a server on this machine
    Never,
}

/// A letter, complete. What a demo shop keeps may be addressed otherwise: to a phone number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Letter<To = EmailAddress> {
    pub to: To,
    pub subject: String,
    /// It is dressed when it goes out: what waits is short.
    pub words: Words,
    /// Where whoever no longer wants such letters leaves by one POST (RFC 8058); for letters to many.
    #[serde(default)]
    pub leave: Option<String>,
    /// Goods and sums, in groups; the last line is what counts.
    #[serde(default)]
    pub bill: Vec<Vec<(String, String)>>,
    /// The pictures of the bill's first lines, in their order; empty where there is none.
    #[serde(default)]
    pub pictures: Vec<String>,
    #[serde(default)]
    pub purpose: Purpose,
}

/// What an e-mail is for: which limits hold for it, and whether it overtakes others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// To a customer or visitor, about what they did. Limited per mailbox.
    #[default]
    Service,
    /// Its reader waits for it, and cannot go on without it: reset, confirmation, sign-in. Overtakes
    /// others; who asks for them is limited where they are asked for.
    Security,
    /// To the shop itself.
    Shop,
}

impl<To> Letter<To> {
    pub fn purpose(self, purpose: Purpose) -> Self {
        Self { purpose, ..self }
    }
}

/// Somebody's name and e-mail address, as letters have it.
pub fn mailbox(name: &str, email: &str) -> Result<Mailbox, String> {
    let address = email.parse().map_err(|why| format!("email: {email:?}: {why}"))?;
    Ok(Mailbox::new(Some(name.to_owned()), address))
}

/// The job that throws away an e-mail which must not be sent.
pub const DISCARD: &str = "mail.discard";

/// Posts a letter: it goes out if and only if the transaction happens.
pub fn post(tx: &mut Tx, clock: &Clock, random: &Random, letter: &Letter) -> Result<()> {
    tx.later(posting(Id::new(clock, random), clock.now(), letter)?);
    Ok(())
}

/// The statement that posts a letter, for a job that writes it when it is done.
pub fn posting(id: Id<Job>, now: Timestamp, letter: &Letter) -> Result<Write> {
    insert_job(SEND, id, now, letter)
}

/// Writes what `post` would write, for an e-mail that nobody gets: how long an answer takes does not
/// tell whether there is somebody to write to.
pub fn post_decoy(tx: &mut Tx, clock: &Clock, random: &Random, letter: &Letter) -> Result<()> {
    tx.later(insert_job(DISCARD, Id::new(clock, random), clock.now(), letter)?);
    Ok(())
}

/// The letter carries the job's id as its own, so that one sent twice is known to be one.
fn insert_job(kind: &'static str, id: Id<Job>, now: Timestamp, letter: &Letter) -> Result<Write> {
    let priority = match letter.purpose {
        Purpose::Security => Priority::High,
        Purpose::Service | Purpose::Shop => Priority::Normal,
    };
    let posted = Posted { id: id.to_string(), letter: letter.clone() };
    jobs::insert(id, kind, &posted, priority, now, now)
}

#[derive(Serialize, Deserialize)]
pub struct Posted {
    id: String,
    letter: Letter,
}

/// Takes letters away.
#[derive(Clone)]
pub enum Mailer {
    Smtp { server: Arc<smtp::Server>, from: Mailbox, seat: Seat, limiter: Limiter },
    Keep(Clock),
    Nowhere,
}

impl Mailer {
    pub fn new(
        settings: &Settings,
        demo: bool,
        db: &Db,
        clock: Clock,
        seat: Seat,
    ) -> Result<Self, String> {
        let Some(host) = &settings.smtp_host else {
            return Ok(if demo { Self::Keep(clock) } else { Self::Nowhere });
        };
        let server = Arc::new(smtp::Server::new(host, settings)?);
        let from = settings.mail_from.clone();
        let from = from.ok_or("mail_from: who letters come from is not set, nor is email")?;
        let limiter = Limiter::new(db.clone(), clock);
        Ok(Self::Smtp { server, from, seat, limiter })
    }

    /// Does the job.
    pub async fn send(self, Posted { id, letter }: Posted) -> Result<Done> {
        match self {
            Self::Smtp { server, from, seat, limiter } => {
                let mark = Mark::of(&seat, &id);
                if mark.was_sent() {
                    return Ok(mark.into());
                }
                if letter.purpose == Purpose::Service && !limiter.admit(&id, &letter.to).await? {
                    return Ok(Done::dropped());
                }
                let message = message(&id, &from, &letter)?;
                let bytes = message.formatted();
                server.take(message.envelope(), &bytes, || mark.handing_over()).await?;
                mark.sent();
                Ok(mark.into())
            }
            Self::Keep(clock) => Ok(keep(&id, &letter, clock.now())?.into()),
            Self::Nowhere => Err(Error::internal("no mail server is set up: see smtp_host")),
        }
    }
}

fn message(id: &str, from: &Mailbox, letter: &Letter) -> Result<Message> {
    // An address and no mailbox: nothing in it can be read as a name.
    let to = Mailbox::new(None, letter.to.parse().map_err(Error::internal)?);
    let domain = from.email.domain();
    let text = SinglePart::builder().header(ContentType::TEXT_PLAIN).body(letter.text());
    let html = SinglePart::builder().header(ContentType::TEXT_HTML).body(letter.html());
    let mut message = Message::builder()
        .message_id(Some(format!("<{id}@{domain}>")))
        .from(from.clone())
        .to(to)
        .subject(letter.subject.as_str());
    if let Some(address) = &letter.leave {
        message = message
            .header(Leave(format!("<{address}>")))
            .header(LeaveByPost("List-Unsubscribe=One-Click".into()));
    }
    message
        .multipart(MultiPart::alternative().singlepart(text).singlepart(html))
        .map_err(Error::internal)
}

macro_rules! text_header {
    ($type:ident, $name:literal) => {
        #[derive(Clone)]
        struct $type(String);

        impl Header for $type {
            fn name() -> HeaderName {
                HeaderName::new_from_ascii_str($name)
            }
            fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
                Ok(Self(text.to_owned()))
            }
            fn display(&self) -> HeaderValue {
                HeaderValue::new(Self::name(), self.0.clone())
            }
        }
    };
}

text_header!(Leave, "List-Unsubscribe");
text_header!(LeaveByPost, "List-Unsubscribe-Post");

/// What a letter says, before it is dressed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Words {
    pub shop: String,
    pub heading: String,
    pub paragraphs: Vec<String>,
    /// What the button says, and where it leads.
    pub button: Option<(String, String)>,
    pub footnote: String,
}

impl Words {
    pub fn letter<To: Clone>(self, to: &To, subject: &str) -> Letter<To> {
        let (to, subject) = (to.clone(), subject.into());
        Letter {
            to,
            subject,
            words: self,
            leave: None,
            bill: Vec::new(),
            pictures: Vec::new(),
            purpose: Purpose::default(),
        }
    }
}
