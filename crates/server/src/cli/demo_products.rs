//! `haat demo-products`

use base::Clock;
use base::config::Settings;
use server::demo;
use shop::catalog::{self, Format, Import, many};

use super::print::print_error;
use super::{Outcome, log, open};

#[derive(clap::Args)]
pub struct DemoProducts {
    /// How many to add
    #[arg(value_name = "N", value_parser = clap::value_parser!(u64).range(1..=5_000_000))]
    count: u64,
    #[command(flatten)]
    settings: Settings,
}

pub async fn fill(DemoProducts { count, settings }: DemoProducts) -> Outcome {
    log(&settings)?;
    let clock = Clock::system();
    let db = open(&settings, &clock).await?;
    demo::check()?;
    let pictures = demo::pictures()?;
    // The demo's categories and pictures are what they show.
    catalog::demo::open(&db, &clock, &demo::FILES, &pictures).await?;
    let mut goods = Import::parse(demo::CATALOG, Format::Json)?;
    goods.take_built_in(&pictures);
    let told = |so_far| {
        if so_far % 100_000 == 0 {
            print_error(&format!("{so_far} of {count}"));
        }
    };
    many::fill(&db, &clock, &goods, count, told).await?;
    print_line!("products: {count} added");
    db.close().await;
    Ok(())
}
