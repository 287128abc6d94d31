//! `haat reindex`: rebuilds the search index.

use platform::Clock;
use platform::config::Settings;

use super::{CommandResult, init_logging, open_db};

pub async fn reindex(settings: Settings) -> CommandResult {
    init_logging(&settings)?;
    let db = open_db(&settings, &Clock::system()).await?;
    let (products, done) = search::rebuild(&db, &settings.data_dir).await?;
    match done {
        true => print_line!("the index is rebuilt: {products} products"),
        false => print_line!("the running shop rebuilds its index: {products} products"),
    }
    db.close().await;
    Ok(())
}
