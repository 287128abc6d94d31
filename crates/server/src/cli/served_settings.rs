//! Settings of the running shop that other commands need: its name, languages and public URL for the e-mails that they
//! cause. `haat serve` stores them, so that `haat orders` in another shell writes as the shop does.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use email::sms_limits::SmsLimits;
use platform::config::Settings;
use platform::db::Json;
use platform::language::LanguageSettings;
use platform::secret::Secret;
use platform::time_zone::TimeZone;
use platform::{Db, Id, Language, Languages, Random, Result};
use serde::{Deserialize, Serialize};
use shop::orders::InvoiceSettings;
use shop::settings::ShopProfile;
use shop::shop_profiles::ShopProfiles;

use super::content;

#[derive(Serialize, Deserialize)]
pub struct ServedSettings {
    profile: ShopProfile,
    /// The default one first.
    languages: Vec<Language>,
    origin: String,
    content_dir: Option<PathBuf>,
    demo: bool,
    /// None in a shop that sends no text messages; missing in those of earlier versions.
    #[serde(default)]
    sms_limits: Option<SmsLimits>,
    /// A hash, by which a command with another secret is recognised; empty where an earlier version stored the rest.
    #[serde(default)]
    secret_hash: String,
    /// Missing in those of earlier versions.
    #[serde(default)]
    invoices: Option<InvoiceSettings>,
}

/// Tells secrets apart, and tells nothing about them.
fn secret_hash(secret: &Secret) -> String {
    Id::<Secret>::from_content(&secret.derive("fingerprint")).to_string()
}

impl ServedSettings {
    pub fn new(
        profile: &ShopProfile,
        languages: &Languages,
        origin: &str,
        content_dir: Option<&Path>,
        (demo, secret, sms_limits): (bool, &Secret, Option<SmsLimits>),
    ) -> Self {
        let absolute = |dir: &Path| std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        Self {
            profile: profile.clone(),
            languages: languages.iter().collect(),
            origin: origin.to_owned(),
            content_dir: content_dir.map(absolute),
            demo,
            sms_limits,
            secret_hash: secret_hash(secret),
            invoices: None,
        }
    }

    pub fn with_invoices(self, invoices: &InvoiceSettings) -> Self {
        Self { invoices: Some(invoices.clone()), ..self }
    }

    pub async fn store(self, db: &Db) -> Result<()> {
        db.query(
            "insert into served_settings (id, settings) values (1, $1)
             on conflict (id) do update set settings = excluded.settings",
        )
        .bind(&Json(self))
        .execute()
        .await
        .map(drop)
    }

    /// `None` for a shop that was never served.
    async fn load(db: &Db) -> Result<Option<Self>> {
        let sql = "select settings from served_settings where id = 1";
        let found: Option<(Json<Self>,)> = db.query(sql).optional().await?;
        Ok(found.map(|(Json(settings),)| settings))
    }
}

/// The secret, which must be that of the running shop: what is made with another one never works there.
pub async fn shop_secret(
    settings: &Settings,
    db: &Db,
    random: &Random,
) -> std::result::Result<Secret, Box<dyn Error>> {
    let secret = settings.secret(random)?;
    let served = ServedSettings::load(db).await?.map(|served| served.secret_hash);
    match served.filter(|hash| !hash.is_empty() && *hash != secret_hash(&secret)) {
        Some(_) => Err("the shop was served with another secret: set --data-dir or HAAT_SECRET as for haat serve".into()),
        None => Ok(secret),
    }
}

/// The time zone of the running shop.
pub async fn time_zone(db: &Db) -> Result<TimeZone> {
    let served = ServedSettings::load(db).await?.and_then(|served| served.invoices);
    Ok(served.map(|invoices| invoices.time_zone).unwrap_or_default())
}

/// The languages of the settings, or else of the running shop.
pub async fn languages(
    settings: &LanguageSettings,
    db: &Db,
) -> std::result::Result<Languages, Box<dyn Error>> {
    match ServedSettings::load(db).await? {
        Some(served) if settings.is_unset() => Ok(Languages::new(served.languages, None)?),
        _ => Ok(settings.languages(false)?),
    }
}

/// Options of commands that write e-mails to customers. What is not set is as in the running shop.
#[derive(Clone, clap::Args)]
pub struct EmailOptions {
    /// The shop's public URL, for links in e-mails
    #[arg(long, env = "HAAT_PUBLIC_URL", value_name = "URL", value_parser = server::origin)]
    public_url: Option<String>,
    /// The folder of the shop's content, for its name in other languages
    #[arg(long, env = "HAAT_CONTENT_DIR", value_name = "DIR")]
    content_dir: Option<PathBuf>,
    #[command(flatten)]
    languages: LanguageSettings,
    #[command(flatten)]
    front: ShopProfile,
}

/// The sender of e-mails: the shop's profile in each language, and its public URL.
pub struct EmailSender {
    pub profiles: Arc<ShopProfiles>,
    pub origin: Option<Arc<str>>,
    /// Those of the running shop.
    pub sms_limits: Option<SmsLimits>,
    /// Those of the running shop.
    pub invoices: Option<InvoiceSettings>,
}

impl EmailOptions {
    pub async fn sender(self, db: &Db) -> std::result::Result<EmailSender, Box<dyn Error>> {
        let Self { mut public_url, content_dir, languages: settings, front: profile } = self;
        let languages = languages(&settings, db).await?;
        let profiles = |profile, demo, dir: Option<&Path>| {
            content::profiles(profile, languages.clone(), demo, dir)
        };
        let served = ServedSettings::load(db).await?;
        let sms_limits = served.as_ref().and_then(|served| served.sms_limits.clone());
        let invoices = served.as_ref().and_then(|served| served.invoices.clone());
        let profiles = match served {
            None => profiles(profile, false, content_dir.as_deref())?,
            Some(served) => {
                public_url.get_or_insert(served.origin);
                let profile = profile.with_defaults(&served.profile);
                match (content_dir, served.content_dir) {
                    (Some(dir), _) => profiles(profile, false, Some(&dir))?,
                    (None, None) => profiles(profile, served.demo, None)?,
                    // The server may be on another machine.
                    (None, Some(dir)) => profiles(profile.clone(), false, Some(&dir)).or_else(|why| {
                        tracing::warn!(%why, "e-mails have the shop's name in the default language");
                        profiles(profile, false, None)
                    })?,
                }
            }
        };
        let origin = public_url.map(Into::into);
        Ok(EmailSender { profiles: Arc::new(profiles), origin, sms_limits, invoices })
    }
}
