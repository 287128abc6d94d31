//! E-mail: queued as a job in the transaction that causes it, sent by SMTP at least once, and retried
//! (decision 018). A demo shop without a mail server stores them for the browser at /dev/mail.

mod dev_mailbox;
mod rate_limit;
pub mod sms;
pub mod sms_limits;
mod smtp;
mod template;

use lettre::Message;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use serde::{Deserialize, Serialize};

pub(crate) use dev_mailbox::store_statement;
pub use dev_mailbox::{StoredEmail, delete_stored_emails, find_stored_email, recent_emails};

use platform::db::Statement;
use platform::jobs::{self, Completion, Job, JobId, Priority, Queue, Retry};
use platform::{Clock, Db, EmailAddress, Error, Id, Language, Random, Result, Timestamp, Tx};

const QUEUE: Queue = Queue { name: "email", slots: 8 };

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Mail")]
#[group(id = "mail")]
pub struct MailSettings {
    /// The SMTP server; without one, a demo shop shows its e-mails at /dev/mail
    #[arg(long, env = "HAAT_SMTP_HOST", value_name = "HOST")]
    pub smtp_host: Option<String>,
    /// Its port [default: 587; 465 with smtp_tls always, 25 with never]
    #[arg(long, env = "HAAT_SMTP_PORT", value_name = "PORT")]
    pub smtp_port: Option<u16>,
    /// When the connection is encrypted
    #[arg(long, env = "HAAT_SMTP_TLS", value_enum, default_value_t = Tls::Starttls)]
    pub smtp_tls: Tls,
    /// The user name, if the server requires one
    #[arg(long, env = "HAAT_SMTP_USER", value_name = "NAME")]
    pub smtp_user: Option<String>,
    /// The user's password
    #[arg(long, env = "HAAT_SMTP_PASSWORD", value_name = "TEXT", hide_env_values = true)]
    pub smtp_password: Option<String>,
    /// The sender of e-mails: Name <address> [default: the shop's name and e-mail address]
    #[arg(long, env = "HAAT_MAIL_FROM", value_name = "MAILBOX", value_parser = sender)]
    pub mail_from: Option<Mailbox>,
}

fn sender(text: &str) -> Result<Mailbox, String> {
    let sender: Mailbox = text.parse().map_err(|why| format!("{why}"))?;
    let address: &str = sender.email.as_ref();
    address.parse::<EmailAddress>().map_err(|why| why.to_string())?;
    Ok(sender)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Tls {
    /// From the start (TLS)
    Always,
    /// After the server's greeting (STARTTLS)
    Starttls,
    /// Never; only for a server on this machine
    Never,
}

/// A complete e-mail. `To` is a phone number for a text message that a demo shop stores. The fields keep
/// their old names in JSON, because queued jobs contain them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Email<To = EmailAddress> {
    pub to: To,
    pub subject: String,
    /// Rendered when it is sent, so that queued jobs are short.
    #[serde(rename = "words")]
    pub body: EmailBody,
    /// One POST there unsubscribes (RFC 8058); for e-mails to many recipients.
    #[serde(default, rename = "leave")]
    pub unsubscribe_url: Option<String>,
    /// Order lines and sums, in groups of label and amount; the last line is set in bold.
    #[serde(default, rename = "bill")]
    pub totals: Vec<Vec<(String, String)>>,
    /// The picture URLs of the first lines, in their order; empty where there is none.
    #[serde(default)]
    pub pictures: Vec<String>,
    #[serde(default)]
    pub purpose: Purpose,
}

/// What an e-mail is for, which decides its rate limit and its priority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// To a customer or visitor, about what they did. Limited per mailbox.
    #[default]
    Service,
    /// The recipient waits for it: password reset, confirmation, sign-in. Sent with high priority; its
    /// rate limit is on the requests that cause it.
    Security,
    /// To the shop itself.
    Shop,
    /// It brings what was paid for, such as the code of a gift card, which would be lost with it. Its rate limit is on
    /// the orders.
    Paid,
}

impl<To> Email<To> {
    pub fn purpose(self, purpose: Purpose) -> Self {
        Self { purpose, ..self }
    }

    fn priority(&self) -> Priority {
        match self.purpose {
            Purpose::Security => Priority::High,
            Purpose::Service | Purpose::Shop | Purpose::Paid => Priority::Normal,
        }
    }
}

/// `Name <address>`.
pub fn mailbox(name: &str, email: &str) -> Result<Mailbox, String> {
    let address = email.parse().map_err(|why| format!("email: {email:?}: {why}"))?;
    Ok(Mailbox::new(Some(name.to_owned()), address))
}

/// Queues an e-mail, which is sent if and only if the transaction commits.
pub fn enqueue(tx: &mut Tx, clock: &Clock, random: &Random, email: &Email) -> Result<()> {
    tx.defer(enqueue_statement(Id::new(clock, random), clock.now(), email)?);
    Ok(())
}

/// The statement that queues an e-mail, for a job's `Completion`.
pub fn enqueue_statement(id: JobId, now: Timestamp, email: &Email) -> Result<Statement> {
    jobs::insert(id, &SendEmail { email: email.clone() }, now, now)
}

/// Queues an e-mail that is not sent, so that the response time does not reveal whether an account exists.
pub fn enqueue_decoy(tx: &mut Tx, clock: &Clock, random: &Random, email: &Email) -> Result<()> {
    let (job, now) = (DiscardEmail { email: email.clone() }, clock.now());
    jobs::enqueue(tx, Id::new(clock, random), &job, now, now)
}

/// The job that sends an e-mail.
#[derive(Serialize, Deserialize)]
pub struct SendEmail {
    /// Rows of an earlier version have the old name.
    #[serde(alias = "letter")]
    email: Email,
}

impl Job for SendEmail {
    const NAME: &'static str = "mail.send";
    const QUEUE: Queue = QUEUE;
    /// For about five hours: a mail server may be down for longer than other endpoints.
    const RETRY: Retry = Retry { attempts: 16 };
    type Context = Mailer;

    fn priority(&self) -> Priority {
        self.email.priority()
    }

    async fn run(self, id: JobId, mailer: &Mailer) -> Result<Completion> {
        mailer.send(id.as_str(), &self.email).await
    }
}

/// The job that discards a decoy.
#[derive(Serialize, Deserialize)]
pub struct DiscardEmail {
    #[serde(alias = "letter")]
    email: Email,
}

impl Job for DiscardEmail {
    const NAME: &'static str = "mail.discard";
    const QUEUE: Queue = QUEUE;
    type Context = ();

    fn priority(&self) -> Priority {
        self.email.priority()
    }

    async fn run(self, _: JobId, (): &()) -> Result<Completion> {
        Ok(Completion::Done)
    }
}

pub enum Mailer {
    Smtp { server: Box<smtp::Server>, from: Mailbox, db: Db, clock: Clock },
    DevMailbox(Clock),
    Unconfigured,
}

impl Mailer {
    pub fn new(settings: &MailSettings, demo: bool, db: &Db, clock: Clock) -> Result<Self, String> {
        let Some(host) = &settings.smtp_host else {
            return Ok(if demo { Self::DevMailbox(clock) } else { Self::Unconfigured });
        };
        let server = Box::new(smtp::Server::new(host, settings)?);
        let from = settings.mail_from.clone();
        let from =
            from.ok_or("mail_from is missing: smtp_host requires it, unless email is set")?;
        Ok(Self::Smtp { server, from, db: db.clone(), clock })
    }

    async fn send(&self, id: &str, email: &Email) -> Result<Completion> {
        match self {
            Self::Smtp { server, from, db, clock } => {
                if email.purpose == Purpose::Service
                    && !rate_limit::admit(db, clock, id, &email.to).await?
                {
                    return Ok(Completion::Dropped);
                }
                let message = message(id, from, email)?;
                server.deliver(message.envelope(), &message.formatted()).await?;
                Ok(Completion::Done)
            }
            Self::DevMailbox(clock) => {
                Ok(Completion::Write(store_statement(id, email, clock.now())?))
            }
            Self::Unconfigured => Err(Error::internal("no mail server is set up: see smtp_host")),
        }
    }
}

/// The job's id is the Message-ID, so that mail servers and readers recognise a second delivery.
fn message(id: &str, from: &Mailbox, email: &Email) -> Result<Message> {
    // Without a display name, which could be forged.
    let to = Mailbox::new(None, email.to.parse().map_err(Error::internal)?);
    let domain = from.email.domain();
    let text = SinglePart::builder().header(ContentType::TEXT_PLAIN).body(email.text()?);
    let html = SinglePart::builder().header(ContentType::TEXT_HTML).body(email.html()?);
    let mut message = Message::builder()
        .message_id(Some(format!("<{id}@{domain}>")))
        .from(from.clone())
        .to(to)
        .subject(email.subject.as_str());
    if let Some(address) = &email.unsubscribe_url {
        let header = |name, text| HeaderValue::new(HeaderName::new_from_ascii_str(name), text);
        message = message
            .raw_header(header("List-Unsubscribe", format!("<{address}>")))
            .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".into()));
    }
    message
        .multipart(MultiPart::alternative().singlepart(text).singlepart(html))
        .map_err(Error::internal)
}

/// The text of an e-mail, which is sent as HTML and as plain text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmailBody {
    /// English where an earlier version queued it.
    #[serde(default = "english")]
    pub language: Language,
    pub shop: String,
    pub heading: String,
    pub paragraphs: Vec<String>,
    /// Label and URL.
    pub button: Option<(String, String)>,
    pub footnote: String,
}

fn english() -> Language {
    Language::ENGLISH
}

impl EmailBody {
    pub fn into_email<To: Clone>(self, to: &To, subject: &str) -> Email<To> {
        let (to, subject) = (to.clone(), subject.into());
        Email {
            to,
            subject,
            body: self,
            unsubscribe_url: None,
            totals: Vec::new(),
            pictures: Vec::new(),
            purpose: Purpose::default(),
        }
    }
}
