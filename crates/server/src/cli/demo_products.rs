//! `haat demo-products`: adds generated products.

use platform::config::Settings;
use platform::exchange::BaseCurrencySetting;
use server::demo;
use shop::base_currency;
use shop::catalog::{Import, ImportFormat, fake_products};

use super::print::print_error;
use super::{CommandResult, open_db};

#[derive(clap::Args)]
pub struct DemoProductsCommand {
    /// The number of products to add
    #[arg(value_name = "N", value_parser = clap::value_parser!(u64).range(1..=5_000_000))]
    count: u64,
    #[command(flatten)]
    currency: BaseCurrencySetting,
    #[command(flatten)]
    settings: Settings,
}

pub async fn fill(options: DemoProductsCommand) -> CommandResult {
    let DemoProductsCommand { count, currency, settings } = options;
    let (db, clock, random) = open_db(&settings).await?;
    let base = base_currency::agree(&db, currency.currency).await?;
    demo::check()?;
    let pictures = demo::pictures()?;
    // They use the demo's categories and pictures.
    shop::demo::seed(&db, &clock, &random, base, &demo::FILES, &pictures).await?;
    let mut samples = Import::parse(demo::CATALOG, ImportFormat::Json, base)?;
    samples.resolve_built_in(&pictures);
    let progress = |so_far| {
        if so_far % 100_000 == 0 {
            print_error(&format!("{so_far} of {count}"));
        }
    };
    fake_products::insert(&db, &clock, &samples, count, progress).await?;
    print_line!("products: {count} added");
    db.close().await;
    Ok(())
}
