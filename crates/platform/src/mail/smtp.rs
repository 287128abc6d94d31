//! The SMTP client. It runs the commands itself instead of using lettre's transport, because the caller
//! has to know when the last byte is about to be sent: from then on the e-mail may be delivered (decision
//! 018).

use std::sync::Mutex;
use std::time::Duration;

use lettre::address::Envelope;
use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use lettre::transport::smtp::{SMTP_PORT, SUBMISSION_PORT, SUBMISSIONS_PORT};

use super::{MailSettings, Tls};
use crate::{Error, Result};

/// For each step before the last byte. After it the server gets as long as a job may take, because giving
/// up too early would send the e-mail twice.
const STEP_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_IDLE: usize = 8;

/// An SMTP server, and idle connections to it.
pub struct Server {
    host: String,
    port: u16,
    tls: Option<(Tls, TlsParameters)>,
    ehlo: ClientId,
    credentials: Option<Credentials>,
    idle: Mutex<Vec<AsyncSmtpConnection>>,
}

impl Server {
    pub fn new(host: &str, settings: &MailSettings) -> Result<Self, String> {
        let parameters =
            || TlsParameters::new(host.to_owned()).map_err(|why| format!("smtp: {why}"));
        let (tls, default_port) = match settings.smtp_tls {
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
            port: settings.smtp_port.unwrap_or(default_port),
            tls,
            ehlo: settings.mail_from.as_ref().map_or_else(ClientId::default, ehlo),
            credentials,
            idle: Mutex::default(),
        })
    }

    /// Sends an e-mail. `begin_delivery` is called when the server has all of it but the final dot, which
    /// follows at once: a crash before that has sent nothing.
    pub async fn deliver(
        &self,
        envelope: &Envelope,
        email: &[u8],
        begin_delivery: impl FnOnce() + Send,
    ) -> Result<()> {
        let begun = tokio::time::timeout(STEP_TIMEOUT, async {
            let mut smtp = self.connection().await?;
            begin(&mut smtp, envelope).await?;
            Ok::<_, Error>(smtp)
        });
        let mut smtp = begun.await.map_err(|_| Error::internal("the mail server is slow"))??;
        let mut begin_delivery = Some(begin_delivery);
        let end = std::iter::from_fn(|| {
            if let Some(begin_delivery) = begin_delivery.take() {
                begin_delivery();
            }
            None
        });
        smtp.message_iter(std::iter::once(email).chain(end)).await.map_err(Error::internal)?;
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

    async fn connect(
        &self,
    ) -> std::result::Result<AsyncSmtpConnection, lettre::transport::smtp::Error> {
        let (tls, starttls) = match &self.tls {
            Some((Tls::Always, tls)) => (Some(tls.clone()), None),
            Some((_, tls)) => (None, Some(tls.clone())),
            None => (None, None),
        };
        let server = (self.host.as_str(), self.port);
        let mut smtp =
            AsyncSmtpConnection::connect_tokio1(server, Some(STEP_TIMEOUT), &self.ehlo, tls, None)
                .await?;
        if let Some(tls) = starttls {
            smtp.starttls(tls, &self.ehlo).await?;
        }
        if let Some(credentials) = &self.credentials {
            smtp.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(smtp)
    }
}

/// The commands before the content.
async fn begin(smtp: &mut AsyncSmtpConnection, envelope: &Envelope) -> Result<()> {
    let ascii = |address: &lettre::Address| AsRef::<str>::as_ref(address).is_ascii();
    let plain = envelope.to().iter().chain(envelope.from()).all(ascii);
    let mut options = Vec::new();
    if !plain {
        if !smtp.server_info().supports_feature(Extension::SmtpUtfEight) {
            return Err(Error::internal("the mail server does not support SMTPUTF8"));
        }
        options.push(MailParameter::SmtpUtfEight);
    }
    let from = Mail::new(envelope.from().cloned(), options);
    smtp.command(from).await.map_err(Error::internal)?;
    for to in envelope.to() {
        smtp.command(Rcpt::new(to.clone(), vec![])).await.map_err(Error::internal)?;
    }
    smtp.command(Data).await.map(drop).map_err(Error::internal)
}

/// EHLO names the sender's domain. Some servers reject the default, [127.0.0.1].
fn ehlo(from: &Mailbox) -> ClientId {
    match from.email.domain() {
        domain if domain.is_ascii() => ClientId::Domain(domain.to_owned()),
        _ => ClientId::default(),
    }
}
