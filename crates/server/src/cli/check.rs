//! `haat check`: checks the settings, the content and the database.

use std::error::Error;

use payment_providers::{GatewayError, PaymentSettings};
use platform::config::Settings;
use platform::exchange::OfferedCurrency;
use platform::{Clock, Currencies, Currency, Db, Language, Random, jobs};
use shop::content::{Contents, ShopDetails};
use shop::payments::alerts;
use shop::settings::Retention;
use shop::{base_currency, catalog};

use super::serve::{Serve, assets};
use super::{CommandResult, ServerOptions, content, init_logging};

pub async fn check(options: Serve) -> CommandResult {
    options.external.check()?;
    let (charges, orders) = (options.charges, options.orders);
    let server = options.server.with_defaults()?;
    let languages = server.languages()?;
    let ServerOptions { settings, front, social, mail, sms, media, retention, demo, .. } = server;
    init_logging(&settings)?;
    social.check()?;
    let base = check_base_currency(&settings, server.currencies.base.currency).await?;
    let currencies = server.currencies.currencies(base)?;
    let charges = charges.charges(base)?;
    orders.limits.check(base)?;
    let shows_sms = demo && mail.smtp_host.is_none();
    orders.guests.check(base, sms.host().is_some() || shows_sms)?;
    let store = media.store(&settings.data_dir, &Clock::system())?;
    print_line!("settings: good");
    assets(options.web_dir.as_deref())?.check_languages(&languages)?;
    let codes: Vec<String> = languages.iter().map(|language| language.to_string()).collect();
    print_line!("languages: {}", codes.join(", "));
    print_line!("currencies: {}", describe(&currencies));
    let unset = front.unset();
    if !unset.is_empty() {
        print_line!("settings: not set yet: {}; pages omit them", unset.join(", "));
    }
    let facts = ShopDetails::new(&front)
        .with_languages(&languages)
        .with_retention(&retention)
        .with_charges(&charges, orders.return_window);
    let checked = content::check(demo, options.content_dir.as_deref(), &facts);
    let Contents { default: content, translations } =
        checked.map_err(|why| format!("content: {why}"))?;
    print_line!("content: good, with {} posts", content.posts.len());
    let templates = content.templates();
    if !templates.is_empty() {
        let names = templates.join(", ");
        print_line!(
            "content: still templates, which you should review and replace: {names} (content_dir)"
        );
    }
    for (language, content) in translations {
        let missing = content.untranslated();
        if !missing.is_empty() {
            let names = missing.join(", ");
            print_line!(
                "content: not translated to {language}, shown in the default language: {names}"
            );
        }
    }
    print_line!("pictures: stored in {}", store.location());
    let terms = Retention::NAMES.map(|name| {
        let term = retention.describe(name, Language::ENGLISH).unwrap_or_default();
        format!("{} for {term}", name.replace('_', "-"))
    });
    print_line!("retention: {}", terms.join(", "));
    if settings.sqlite_file().is_some_and(|file| !file.exists()) {
        print_line!("database: none yet; haat serve creates it");
        return Ok(());
    }
    let db = Db::open(&settings.database()).await.map_err(|why| format!("database: {why}"))?;
    match db.pending_migrations().await? {
        0 => {
            let products = catalog::count_products(&db, &catalog::ProductFilter::default()).await?;
            print_line!("database: good, with {products} products");
            let unexplained = catalog::unexplained_stock(&db).await?;
            if unexplained > 0 {
                print_line!(
                    "stock: of {unexplained} variants the history is incomplete, because a server of an earlier \
                     version ran after the update; haat stock set corrects it"
                );
            }
        }
        behind => {
            print_line!("database: {behind} migrations behind; haat serve applies them")
        }
    }
    if let Ok((_, failed @ 1..)) = jobs::queue_depth(&db).await {
        print_line!(
            "jobs: {failed} failed and are not retried any more (see haat jobs list --failed)"
        );
    }
    check_payments(&options.payments, (&settings, &db), demo).await?;
    match &mail.smtp_host {
        Some(host) => print_line!("mail: sent by {host}"),
        None if demo => print_line!("mail: shown at /dev/mail"),
        None => print_line!("mail: no server is set, so no e-mail is sent (smtp_host)"),
    }
    match sms.host() {
        Some(host) => print_line!("texts: sent by {host}"),
        None if shows_sms => print_line!("texts: shown at /dev/mail"),
        None => print_line!("texts: no gateway is set, so no text message is sent (sms_url)"),
    }
    db.close().await;
    Ok(())
}

/// Asks each provider whether its keys work.
async fn check_payments(
    payments: &PaymentSettings,
    (settings, db): (&Settings, &Db),
    demo: bool,
) -> CommandResult {
    let (clock, random) = (Clock::system(), Random::system());
    let gateways = payments.gateways(db, &clock, &settings.secret(&random)?)?;
    if gateways.is_empty() {
        match demo {
            true => print_line!("payments: cash on delivery, and stand-ins at /dev/payments"),
            false => print_line!("payments: cash on delivery only; no provider is set up"),
        }
    }
    for gateway in gateways {
        let title = gateway.kind().title();
        match gateway.check().await {
            Ok(()) => print_line!("payments: {title} works"),
            Err(GatewayError::Refused { code, message }) => {
                return Err(format!("payments: {title} refuses the keys: {code}: {message}").into());
            }
            Err(GatewayError::Unavailable(why)) => {
                print_line!("payments: {title} cannot be reached now: {why}");
            }
        }
    }
    let open = alerts::count_open(db).await.unwrap_or_default();
    if open > 0 {
        print_line!("payments: {open} alerts are open (see haat payments alerts)");
    }
    Ok(())
}

/// The base currency of the database, or else of the setting, which must agree.
async fn check_base_currency(
    settings: &Settings,
    wanted: Option<Currency>,
) -> Result<Currency, Box<dyn Error>> {
    if settings.sqlite_file().is_some_and(|file| !file.exists()) {
        return Ok(wanted.unwrap_or_default());
    }
    let db = Db::open(&settings.database()).await.map_err(|why| format!("database: {why}"))?;
    // A database of an earlier version says no currency yet.
    let base = match db.pending_migrations().await? {
        0 => base_currency::agree(&db, wanted).await?,
        _ => wanted.unwrap_or_default(),
    };
    db.close().await;
    Ok(base)
}

/// The base currency, and the others with their rates.
fn describe(currencies: &Currencies) -> String {
    let other = |other: &OfferedCurrency| {
        let dated = other.dated.map(|at| format!(" of {}", &at.to_string()[..10]));
        format!("{} at {}{}", other.currency, other.rate, dated.unwrap_or_default())
    };
    let others: Vec<String> = currencies.others().iter().map(other).collect();
    [currencies.base().to_string()].into_iter().chain(others).collect::<Vec<_>>().join("; ")
}
