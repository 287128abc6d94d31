//! `haat reindex`

use base::Clock;
use base::config::Settings;

use super::{Outcome, log, open};

#[derive(clap::Args)]
pub struct Reindex {
    #[command(flatten)]
    settings: Settings,
}

pub async fn reindex(Reindex { settings }: Reindex) -> Outcome {
    log(&settings)?;
    let db = open(&settings, &Clock::system()).await?;
    let (products, done) = search::rebuild_here(&db, &settings.data_dir).await?;
    match done {
        true => print_line!("the index is made: {products} products"),
        false => print_line!("the shop runs and makes its index anew: {products} products"),
    }
    db.close().await;
    Ok(())
}
