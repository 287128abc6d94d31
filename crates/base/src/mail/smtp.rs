//! Handing letters to a mail server. The conversation is led by hand up to the sign that ends a letter,
//! because that sign is the moment from which on the letter may be the server's (decision 018).

use std::sync::Mutex;
use std::time::Duration;

use lettre::address::Envelope;
use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use lettre::transport::smtp::{SMTP_PORT, SUBMISSION_PORT, SUBMISSIONS_PORT};

use super::{Settings, Tls};
use crate::{Error, Result};

/// For each step until the letter is over there. What follows is the server's affair: it gets as long as
/// a job may take, because who gives up too early sends twice.
const PATIENCE: Duration = Duration::from_secs(30);
const MOST_IDLE: usize = 8;

/// A mail server, and the lines to it that are open.
pub struct Server {
    host: String,
    port: u16,
    tls: Option<(Tls, TlsParameters)>,
    hello: ClientId,
    credentials: Option<Credentials>,
    idle: Mutex<Vec<AsyncSmtpConnection>>,
}

impl Server {
    pub fn new(host: &str, settings: &Settings) -> Result<Self, String> {
        let parameters =
            || TlsParameters::new(host.to_owned()).map_err(|why| format!("smtp: {why}"));
        let (tls, usual) = match settings.smtp_tls {
            Tls::Always => (Some((Tls::Always, parameters()?)), SUBMISSIONS_PORT),
            Tls::Starttls => (Some((Tls::Starttls, parameters()?)), SUBMISSION_PORT),
            Tls::Never => (None, SMTP_PORT),
        };
        let credentials = match (&settings.smtp_user, &settings.smtp_password) {
            (Some(user), Some(password)) => Some(Credentials::new(user.clone(), password.clone())),
            (None, None) => None,
            _ => return Err("smtp: smtp_user and smtp_password belong together".into()),
        };
        Ok(Self {
            host: host.to_owned(),
            port: settings.smtp_port.unwrap_or(usual),
            tls,
            hello: settings.mail_from.as_ref().map_or_else(ClientId::default, hello),
            credentials,
            idle: Mutex::default(),
        })
    }

    /// Hands a letter over. `handing_over` is called when all of it is at the server but for the sign that
    /// ends it, and that sign follows at once: whoever is killed before has sent nothing.
    pub async fn take(
        &self,
        envelope: &Envelope,
        letter: &[u8],
        handing_over: impl FnOnce() + Send,
    ) -> Result<()> {
        let begun = tokio::time::timeout(PATIENCE, async {
            let mut line = self.line().await?;
            begin(&mut line, envelope).await?;
            Ok::<_, Error>(line)
        });
        let mut line = begun.await.map_err(|_| Error::internal("the mail server is slow"))??;
        let mut handing_over = Some(handing_over);
        let end = std::iter::from_fn(|| {
            if let Some(handing_over) = handing_over.take() {
                handing_over();
            }
            None
        });
        line.message_iter(std::iter::once(letter).chain(end)).await.map_err(Error::internal)?;
        if let Ok(mut idle) = self.idle.lock()
            && idle.len() < MOST_IDLE
        {
            idle.push(line);
        }
        Ok(())
    }

    /// An open line that still works, or a new one.
    async fn line(&self) -> Result<AsyncSmtpConnection> {
        while let Some(mut line) = self.idle() {
            if line.test_connected().await {
                return Ok(line);
            }
        }
        self.connect().await.map_err(Error::internal)
    }

    fn idle(&self) -> Option<AsyncSmtpConnection> {
        self.idle.lock().ok()?.pop()
    }

    async fn connect(
        &self,
    ) -> std::result::Result<AsyncSmtpConnection, lettre::transport::smtp::Error> {
        let (at_once, later) = match &self.tls {
            Some((Tls::Always, tls)) => (Some(tls.clone()), None),
            Some((_, tls)) => (None, Some(tls.clone())),
            None => (None, None),
        };
        let server = (self.host.as_str(), self.port);
        let mut line =
            AsyncSmtpConnection::connect_tokio1(server, Some(PATIENCE), &self.hello, at_once, None)
                .await?;
        if let Some(tls) = later {
            line.starttls(tls, &self.hello).await?;
        }
        if let Some(credentials) = &self.credentials {
            line.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(line)
    }
}

/// Everything before the letter itself.
async fn begin(line: &mut AsyncSmtpConnection, envelope: &Envelope) -> Result<()> {
    let ascii = |address: &lettre::Address| AsRef::<str>::as_ref(address).is_ascii();
    let plain = envelope.to().iter().chain(envelope.from()).all(ascii);
    let mut options = Vec::new();
    if !plain {
        if !line.server_info().supports_feature(Extension::SmtpUtfEight) {
            return Err(Error::internal("the mail server takes no such address (SMTPUTF8)"));
        }
        options.push(MailParameter::SmtpUtfEight);
    }
    let from = Mail::new(envelope.from().cloned(), options);
    line.command(from).await.map_err(Error::internal)?;
    for to in envelope.to() {
        line.command(Rcpt::new(to.clone(), vec![])).await.map_err(Error::internal)?;
    }
    line.command(Data).await.map(drop).map_err(Error::internal)
}

/// We greet as the domain that we write for. The default, [127.0.0.1], is turned away by some.
fn hello(from: &Mailbox) -> ClientId {
    match from.email.domain() {
        domain if domain.is_ascii() => ClientId::Domain(domain.to_owned()),
        _ => ClientId::default(),
    }
}
