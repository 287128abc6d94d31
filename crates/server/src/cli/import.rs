//! `haat import`: imports products and categories.

use std::path::{Path, PathBuf};

use clap::builder::BoolishValueParser;
use platform::Timestamp;
use platform::config::Settings;
use platform::exchange::BaseCurrencySetting;
use platform::http_client::HttpClient;
use platform::language::LanguageSettings;
use shop::base_currency;
use shop::catalog::{self, Import, ImportFormat, PictureSource};

use super::{CommandResult, open_db, served_settings};

#[derive(clap::Args)]
pub struct ImportCommand {
    /// The file to import: .json or .csv
    file: PathBuf,
    /// When the file's stock (qtn) was counted: now, or a time like 2026-11-15T09:30:00Z. Units sold since then are
    /// subtracted. Without it the stock of existing products does not change
    #[arg(long, value_name = "TIME", value_parser = parse_stock_time)]
    stock_at: Option<StockTime>,
    #[command(flatten)]
    currency: BaseCurrencySetting,
    #[command(flatten)]
    languages: LanguageSettings,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    media: media::settings::MediaSettings,
    /// Also fetch pictures from URLs of this machine and of private networks
    #[arg(long, env = "HAAT_IMPORT_PRIVATE_ADDRESSES", value_parser = BoolishValueParser::new())]
    import_private_addresses: bool,
}

#[derive(Clone, Copy)]
enum StockTime {
    Now,
    At(Timestamp),
}

fn parse_stock_time(text: &str) -> Result<StockTime, String> {
    let at = || Timestamp::parse(text).map(StockTime::At);
    let now = text.eq_ignore_ascii_case("now").then_some(StockTime::Now);
    now.or_else(at).ok_or_else(|| "expected now, or a time like 2026-11-15T09:30:00Z".into())
}

pub async fn import(options: ImportCommand) -> CommandResult {
    let ImportCommand { file, stock_at, currency, languages, settings, media, .. } = options;
    let import_private_addresses = options.import_private_addresses;
    let path = file.display();
    let format = match file.extension().and_then(|extension| extension.to_str()) {
        Some("json") => ImportFormat::Json,
        Some("csv") => ImportFormat::Csv,
        _ => return Err(format!("{path}: the file name must end in .json or .csv").into()),
    };
    let bytes = std::fs::read(&file).map_err(|why| format!("{path}: {why}"))?;
    let text = String::from_utf8(bytes).map_err(|why| {
        let line =
            why.as_bytes()[..why.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n');
        format!("{path}: line {}: not UTF-8", line.count() + 1)
    })?;
    let (db, clock, random) = open_db(&settings).await?;
    let base = base_currency::agree(&db, currency.currency).await?;
    let mut rows = Import::parse(&text, format, base).map_err(|why| format!("{path}: {why}"))?;
    let languages = served_settings::languages(&languages, &db).await?;
    let others = rows.check_languages(&languages).map_err(|why| format!("{path}: {why}"))?;
    rows.stock_at = stock_at.map(|time| match time {
        StockTime::Now => clock.now(),
        StockTime::At(time) => time,
    });
    let store = media.store(&settings.data_dir, &clock)?;
    let client = HttpClient::new();
    let from = PictureSource {
        db: &db,
        store: &store,
        client: if import_private_addresses { client } else { client.public_only() },
        base_dir: file.parent().unwrap_or(Path::new(".")),
    };
    rows.import_pictures(&from).await.map_err(|why| format!("{path}: {why}"))?;
    let done = catalog::import(&db, &clock, &random, &rows).await;
    print_line!("{}", done.map_err(|why| format!("{path}: {why}"))?);
    if !others.is_empty() {
        let codes: Vec<String> = others.iter().map(|language| language.to_string()).collect();
        let codes = codes.join(", ");
        print_line!(
            "translations: stored to {codes} too, which the setting languages does not name"
        );
    }
    db.close().await;
    Ok(())
}
