//! `haat service-account`: programs that may act as admins of the identity service.

use ::identity::service_accounts;
use base::config::Settings;
use base::{Clock, Random};

use super::{Outcome, log, open};

#[derive(clap::Args)]
pub struct ServiceAccount {
    action: Action,
    /// The account's name to create or its address to remove; the key file to make a token from
    name: Option<String>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    identity: ::identity::Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Action {
    /// Make one and print its key file, which is kept nowhere else
    Create,
    /// Show those there are
    List,
    /// End one, by its address or its key's id
    Remove,
    /// Print a bearer token for the admin calls, good for an hour, from a key file
    Token,
}

pub async fn run(options: ServiceAccount) -> Outcome {
    let ServiceAccount { action, name, settings, identity } = options;
    log(&settings)?;
    let (clock, random) = (Clock::system(), Random::system());
    let named = || name.clone().ok_or("a name is wanted: see haat service-account --help");
    if let Action::Token = action {
        let path = named()?;
        let file = std::fs::read_to_string(&path).map_err(|why| format!("{path}: {why}"))?;
        print_line!(
            "{}",
            service_accounts::bearer(&file, &clock).map_err(|why| format!("{path}: {why}"))?
        );
        return Ok(());
    }
    let db = open(&settings, &clock).await?;
    match action {
        Action::Create => {
            let project = &identity.project_id;
            let made = service_accounts::create(&db, &clock, &random, project, &named()?).await;
            print_line!("{}", made.map_err(|why| why.message())?);
        }
        Action::Remove => match service_accounts::remove(&db, &named()?).await? {
            0 => return Err("there is no such service account".into()),
            _ => print_line!("removed"),
        },
        Action::List | Action::Token => {
            for account in service_accounts::list(&db).await? {
                print_line!("{}  {}  {}", account.email, account.key_id, account.created_at);
            }
        }
    }
    db.close().await;
    Ok(())
}
