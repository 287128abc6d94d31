//! `haat import`

use std::path::{Path, PathBuf};

use base::client::Client;
use base::config::Settings;
use base::{Clock, Timestamp};
use clap::builder::BoolishValueParser;
use shop::catalog::{self, Format, Pictures};

use super::{Outcome, log, open};

#[derive(clap::Args)]
pub struct Import {
    file: PathBuf,
    /// When the file's stock (qtn) was counted: now, or a moment like 2026-11-15T09:30:00Z. What was sold
    /// since is subtracted. Without it the stock of products that the shop knows stays as it is
    #[arg(long, value_name = "MOMENT", value_parser = moment)]
    stock_at: Option<Moment>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    media: media::settings::Settings,
    /// Fetch pictures also from this machine and its own network
    #[arg(long, env = "HAAT_IMPORT_PRIVATE_ADDRESSES", value_parser = BoolishValueParser::new())]
    import_private_addresses: bool,
}

#[derive(Clone, Copy)]
enum Moment {
    Now,
    At(Timestamp),
}

fn moment(text: &str) -> Result<Moment, String> {
    let at = || Timestamp::parse(text).map(Moment::At);
    let now = text.eq_ignore_ascii_case("now").then_some(Moment::Now);
    now.or_else(at).ok_or_else(|| "now, or a moment like 2026-11-15T09:30:00Z".into())
}

pub async fn import(options: Import) -> Outcome {
    let Import { file, stock_at, settings, media, import_private_addresses } = options;
    log(&settings)?;
    let shown = file.display();
    let format = match file.extension().and_then(|ending| ending.to_str()) {
        Some("json") => Format::Json,
        Some("csv") => Format::Csv,
        _ => return Err(format!("{shown}: a file that ends in .json or .csv is wanted").into()),
    };
    let bytes = std::fs::read(&file).map_err(|why| format!("{shown}: {why}"))?;
    let text = String::from_utf8(bytes).map_err(|why| {
        let line =
            why.as_bytes()[..why.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n');
        format!("{shown}: line {}: not UTF-8", line.count() + 1)
    })?;
    let mut rows =
        catalog::Import::parse(&text, format).map_err(|why| format!("{shown}: {why}"))?;
    let clock = Clock::system();
    rows.stock_at = stock_at.map(|moment| match moment {
        Moment::Now => clock.now(),
        Moment::At(moment) => moment,
    });
    let store = media.store(&settings.data_dir, &clock)?;
    let db = open(&settings, &clock).await?;
    let client = Client::new();
    let from = Pictures {
        db: &db,
        store: &store,
        client: if import_private_addresses { client } else { client.public_only() },
        beside: file.parent().unwrap_or(Path::new(".")),
    };
    rows.take_pictures(&from).await.map_err(|why| format!("{shown}: {why}"))?;
    let done = catalog::import(&db, &clock, &rows).await;
    print_line!("{}", done.map_err(|why| format!("{shown}: {why}"))?);
    db.close().await;
    Ok(())
}
