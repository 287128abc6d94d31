//! Letters: written as a job in the transaction that causes them, sent by SMTP, retried, never lost. A
//! demo shop without a mail server keeps them to be read in the browser.

use std::time::Duration;

use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use serde::{Deserialize, Serialize};

use crate::html::escape;
use crate::jobs::{self, Job};
use crate::{Clock, Db, Error, Id, Random, Result, Tx};

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
    /// Who letters come from
    #[arg(long, env = "HAAT_MAIL_FROM", default_value = "Haat <hello@haat.example>")]
    pub mail_from: Mailbox,
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

/// A letter, complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Letter {
    pub to: String,
    pub subject: String,
    /// It is dressed when it goes out: what waits is short.
    pub words: Words,
    /// Where whoever no longer wants such letters leaves by one POST (RFC 8058); for letters to many.
    #[serde(default)]
    pub leave: Option<String>,
}

/// Posts a letter: it goes out if and only if the transaction happens.
pub fn post(tx: &mut Tx, clock: &Clock, random: &Random, letter: &Letter) -> Result<()> {
    let (id, now) = (Id::<Job>::new(clock, random), clock.now());
    // The letter carries the job's id as its own, so that one sent twice is known to be one.
    jobs::enqueue(
        tx,
        id.clone(),
        SEND,
        &Posted { id: id.to_string(), letter: letter.clone() },
        now,
        now,
    )
}

#[derive(Serialize, Deserialize)]
pub struct Posted {
    id: String,
    letter: Letter,
}

/// Takes letters away.
#[derive(Clone)]
pub enum Mailer {
    Smtp { transport: AsyncSmtpTransport<Tokio1Executor>, from: Mailbox },
    Keep(Db, Clock),
    Nowhere,
}

impl Mailer {
    pub fn new(settings: &Settings, demo: bool, db: Db, clock: Clock) -> Result<Self, String> {
        let Some(host) = &settings.smtp_host else {
            return Ok(if demo { Self::Keep(db, clock) } else { Self::Nowhere });
        };
        type Transport = AsyncSmtpTransport<Tokio1Executor>;
        let builder = match settings.smtp_tls {
            Tls::Always => Transport::relay(host).map_err(|why| format!("smtp: {why}"))?,
            Tls::Starttls => {
                Transport::starttls_relay(host).map_err(|why| format!("smtp: {why}"))?
            }
            Tls::Never => Transport::builder_dangerous(host),
        };
        let mut builder = builder.timeout(Some(Duration::from_secs(30)));
        if let Some(port) = settings.smtp_port {
            builder = builder.port(port);
        }
        // We greet as the domain that we write for. The default, [127.0.0.1], is turned away by some.
        let domain = settings.mail_from.email.domain();
        if domain.is_ascii() {
            builder = builder.hello_name(ClientId::Domain(domain.to_owned()));
        }
        match (&settings.smtp_user, &settings.smtp_password) {
            (Some(user), Some(password)) => {
                builder = builder.credentials(Credentials::new(user.clone(), password.clone()));
            }
            (None, None) => {}
            _ => return Err("smtp: smtp_user and smtp_password belong together".into()),
        }
        Ok(Self::Smtp { transport: builder.build(), from: settings.mail_from.clone() })
    }

    /// Does the job.
    pub async fn send(self, Posted { id, letter }: Posted) -> Result<()> {
        match self {
            Self::Smtp { transport, from } => {
                let message = message(&id, &from, letter)?;
                transport.send(message).await.map(drop).map_err(Error::internal)
            }
            Self::Keep(db, clock) => {
                let Letter { to, subject, words, .. } = letter;
                keep(&db, &clock, id, Kept { to, subject, html: words.html(), text: words.text() })
                    .await
            }
            Self::Nowhere => Err(Error::internal("no mail server is set up: see smtp_host")),
        }
    }
}

/// A letter as it is kept.
pub(crate) struct Kept {
    pub to: String,
    pub subject: String,
    pub html: String,
    pub text: String,
}

/// Keeps a letter to be read in the browser.
pub(crate) async fn keep(db: &Db, clock: &Clock, id: String, letter: Kept) -> Result<()> {
    let Kept { to, subject, html, text } = letter;
    db.query(
        "insert into kept_letters (id, recipient, subject, html, plain, created_at)
         values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing",
    )
    .bind(id)
    .bind(to)
    .bind(subject)
    .bind(html)
    .bind(text)
    .bind(clock.now())
    .execute()
    .await
    .map(drop)
}

fn message(id: &str, from: &Mailbox, letter: Letter) -> Result<Message> {
    let to: Mailbox = letter.to.parse().map_err(Error::internal)?;
    let domain = from.email.domain();
    let text = SinglePart::builder().header(ContentType::TEXT_PLAIN).body(letter.words.text());
    let html = SinglePart::builder().header(ContentType::TEXT_HTML).body(letter.words.html());
    let mut message = Message::builder()
        .message_id(Some(format!("<{id}@{domain}>")))
        .from(from.clone())
        .to(to)
        .subject(letter.subject);
    if let Some(address) = letter.leave {
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
    pub fn letter(self, to: &str, subject: &str) -> Letter {
        Letter { to: to.into(), subject: subject.into(), words: self, leave: None }
    }

    /// In the shop's look.
    pub fn html(&self) -> String {
        const TEXT: &str = "font-family:Inter,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.6;color:#1c1b19";
        let paragraphs: String = self
            .paragraphs
            .iter()
            .map(|text| escape(text).replace('\n', "<br>"))
            .map(|text| format!("<p style=\"margin:0 0 16px;{TEXT}\">{text}</p>"))
            .collect();
        let button = self.button.as_ref().map_or_else(String::new, |(label, link)| {
            format!(
                "<p style=\"margin:24px 0\"><a href=\"{}\" style=\"display:inline-block;padding:12px 24px;\
                 border-radius:999px;background:#0b5d46;color:#ffffff;text-decoration:none;\
                 font-family:Inter,Helvetica,Arial,sans-serif;font-size:16px\">{}</a></p>",
                escape(link),
                escape(label)
            )
        });
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\"><title>{heading}</title></head>\
             <body style=\"margin:0;padding:32px 16px;background:#faf8f4\">\
             <div style=\"max-width:520px;margin:0 auto\">\
             <p style=\"margin:0 0 24px;font-family:Fraunces,Georgia,serif;font-size:22px;color:#0b5d46\">{shop}</p>\
             <div style=\"padding:32px;border-radius:12px;background:#ffffff\">\
             <h1 style=\"margin:0 0 16px;font-family:Fraunces,Georgia,serif;font-size:28px;line-height:1.2;\
             font-weight:500;color:#1c1b19\">{heading}</h1>{paragraphs}{button}</div>\
             <p style=\"margin:24px 0 0;font-family:Inter,Helvetica,Arial,sans-serif;font-size:14px;\
             line-height:1.6;color:#6b665e\">{footnote}</p></div></body></html>",
            heading = escape(&self.heading),
            shop = escape(&self.shop),
            footnote = escape(&self.footnote),
        )
    }

    pub fn text(&self) -> String {
        let mut parts = vec![self.heading.clone()];
        parts.extend(self.paragraphs.iter().cloned());
        parts.extend(self.button.as_ref().map(|(label, link)| format!("{label}:\n{link}")));
        parts.push(format!("--\n{}\n{}", self.shop, self.footnote));
        parts.join("\n\n")
    }
}
