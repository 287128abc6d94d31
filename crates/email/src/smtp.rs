//! The SMTP client: lettre's connections with a pool of our own. Lettre's pool takes back a connection whose
//! e-mail was cancelled half-way, by a timeout for example; the reply to that e-mail would then be taken for
//! the reply to the next one.

use std::sync::Mutex;
use std::time::Duration;

use lettre::address::Envelope;
use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{SMTP_PORT, SUBMISSION_PORT, SUBMISSIONS_PORT};
use platform::{Error, Result};

use super::{MailSettings, Tls};

/// For the connection alone. An e-mail may take as long as its job, because giving up on a reply too early
/// would send the e-mail twice.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_IDLE: usize = 8;

/// An SMTP server, and idle connections to it.
pub struct Server {
    host: String,
    port: u16,
    /// From the first byte.
    tls: Option<TlsParameters>,
    /// After a plain greeting.
    starttls: Option<TlsParameters>,
    ehlo: ClientId,
    credentials: Option<Credentials>,
    idle: Mutex<Vec<AsyncSmtpConnection>>,
}

impl Server {
    pub fn new(host: &str, settings: &MailSettings) -> Result<Self, String> {
        let parameters =
            || TlsParameters::new(host.to_owned()).map_err(|why| format!("smtp: {why}"));
        let (tls, starttls, default_port) = match settings.smtp_tls {
            Tls::Always => (Some(parameters()?), None, SUBMISSIONS_PORT),
            Tls::Starttls => (None, Some(parameters()?), SUBMISSION_PORT),
            Tls::Never => (None, None, SMTP_PORT),
        };
        let credentials = match (&settings.smtp_user, &settings.smtp_password) {
            (Some(user), Some(password)) => Some(Credentials::new(user.clone(), password.clone())),
            (None, None) => None,
            _ => return Err("smtp: smtp_user and smtp_password belong together".into()),
        };
        Ok(Self {
            host: host.to_owned(),
            port: settings.smtp_port.unwrap_or(default_port),
            tls,
            starttls,
            ehlo: settings.mail_from.as_ref().map_or_else(ClientId::default, ehlo),
            credentials,
            idle: Mutex::default(),
        })
    }

    pub async fn deliver(&self, envelope: &Envelope, email: &[u8]) -> Result<()> {
        let connected = tokio::time::timeout(CONNECT_TIMEOUT, self.connection()).await;
        let mut smtp = connected.map_err(|_| Error::internal("the mail server is slow"))??;
        smtp.send(envelope, email).await.map_err(Error::internal)?;
        if let Ok(mut idle) = self.idle.lock()
            && idle.len() < MAX_IDLE
        {
            idle.push(smtp);
        }
        Ok(())
    }

    /// An idle connection that still works, or a new one.
    async fn connection(&self) -> Result<AsyncSmtpConnection> {
        while let Some(mut smtp) = self.idle() {
            if smtp.test_connected().await {
                return Ok(smtp);
            }
        }
        self.connect().await.map_err(Error::internal)
    }

    fn idle(&self) -> Option<AsyncSmtpConnection> {
        self.idle.lock().ok()?.pop()
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, lettre::transport::smtp::Error> {
        let (host, timeout, tls) = (self.host.as_str(), Some(CONNECT_TIMEOUT), self.tls.clone());
        let address = (host, self.port);
        let mut smtp =
            AsyncSmtpConnection::connect_tokio1(address, timeout, &self.ehlo, tls, None).await?;
        if let Some(tls) = &self.starttls {
            smtp.starttls(tls.clone(), &self.ehlo).await?;
        }
        if let Some(credentials) = &self.credentials {
            smtp.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(smtp)
    }
}

/// EHLO names the sender's domain. Some servers reject the default, [127.0.0.1].
fn ehlo(from: &Mailbox) -> ClientId {
    match from.email.domain() {
        domain if domain.is_ascii() => ClientId::Domain(domain.to_owned()),
        _ => ClientId::default(),
    }
}
