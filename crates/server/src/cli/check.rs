//! `haat check`

use base::config::Retention;
use base::{Clock, Db, jobs};
use shop::catalog;
use shop::content::Facts;

use super::serve::Serve;
use super::{Outcome, Place, content, log};

pub async fn check(options: Serve) -> Outcome {
    options.hosted.check()?;
    let (charges, orders) = (options.charges, options.orders);
    let place = options.place.completed()?;
    let Place { settings, front, social, mail, sms, media, retention, demo, .. } = place;
    log(&settings)?;
    social.check()?;
    let store = media.store(&settings.data_dir, &Clock::system())?;
    print_line!("settings: good");
    let unset = front.unset();
    if !unset.is_empty() {
        print_line!("settings: not set yet: {}; pages leave them out", unset.join(", "));
    }
    let facts = Facts::of(&front).keeping(&retention).selling(&charges, &orders);
    let said = content::check(demo, options.content_dir.as_deref(), &facts);
    let content = said.map_err(|why| format!("content: {why}"))?;
    print_line!("content: good, with {} posts", content.posts.len());
    let templates = content.templates();
    if !templates.is_empty() {
        let names = templates.join(", ");
        print_line!(
            "content: still templates, to be checked and written by you: {names} (content_dir)"
        );
    }
    print_line!("pictures: kept in {}", store.place());
    let terms = Retention::NAMES.map(|name| {
        let term = retention.said(name).unwrap_or_default();
        format!("{} for {term}", name.replace('_', "-"))
    });
    print_line!("kept: {}", terms.join(", "));
    if settings.on_sqlite() && !settings.file().exists() {
        print_line!("database: none yet; haat serve makes it");
        return Ok(());
    }
    let db = Db::open(&settings.database()).await.map_err(|why| format!("database: {why}"))?;
    match db.behind().await? {
        0 => {
            let products = catalog::total(&db, &catalog::Filter::default()).await?;
            print_line!("database: good, with {products} products");
        }
        behind => {
            print_line!("database: {behind} migrations behind; haat serve brings it up to date")
        }
    }
    if let Ok((_, aside @ 1..)) = jobs::depth(&db).await {
        print_line!("jobs: {aside} were moved aside (table failed_jobs says why)");
    }
    match &mail.smtp_host {
        Some(host) => print_line!("mail: by {host}"),
        None if demo => print_line!("mail: kept at /dev/mail"),
        None => print_line!("mail: no server is set up, so no letter goes out (smtp_host)"),
    }
    match sms.host() {
        Some(host) => print_line!("texts: by {host}"),
        None if demo && mail.smtp_host.is_none() => {
            print_line!("texts: kept at /dev/mail");
        }
        None => print_line!("texts: no gateway is set up, so no text message goes out (sms_url)"),
    }
    db.close().await;
    Ok(())
}
