//! `haat reindex`: rebuilds the search index.

use platform::config::Settings;

use super::{CommandResult, open_existing_db};

pub async fn reindex(settings: Settings) -> CommandResult {
    let (db, clock, _) = open_existing_db(&settings).await?;
    let (products, done) = search::rebuild(&db, &clock, &settings.data_dir).await?;
    match done {
        true => print_line!("the index is rebuilt: {products} products"),
        false => print_line!("the running shop rebuilds its index: {products} products"),
    }
    db.close().await;
    Ok(())
}
