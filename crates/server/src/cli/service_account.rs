//! `haat service-account`: manages service accounts, with which programs use the identity service's admin API.

use ::identity::service_accounts::{self, ServiceAccount};
use platform::Clock;
use platform::config::Settings;
use serde_json::json;

use super::print::{Align, format_table, print_value};
use super::{CommandResult, open_db};

#[derive(clap::Args)]
pub struct ServiceAccountCommand {
    action: AccountAction,
    /// The name of the account to create, the address of the one to remove, or the key file for a token
    name: Option<String>,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    identity: ::identity::ProjectSettings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum AccountAction {
    /// Create a service account and print its key file, which is stored nowhere else
    Create,
    /// List the service accounts
    List,
    /// Remove a service account, by its address or its key's id
    Remove,
    /// Print a bearer token for the admin API, valid for an hour, from a key file
    Token,
}

pub async fn run(options: ServiceAccountCommand) -> CommandResult {
    let ServiceAccountCommand { action, name, json, settings, identity } = options;
    let required_name = || {
        name.clone()
            .ok_or("a name, address or key file is required: see haat service-account --help")
    };
    if let AccountAction::Token = action {
        let path = required_name()?;
        let file = std::fs::read_to_string(&path).map_err(|why| format!("{path}: {why}"))?;
        print_line!(
            "{}",
            service_accounts::bearer_token(&file, &Clock::system())
                .map_err(|why| format!("{path}: {why}"))?
        );
        return Ok(());
    }
    let (db, clock, random) = open_db(&settings).await?;
    match action {
        AccountAction::Create => {
            let project = &identity.project_id;
            let created =
                service_accounts::create(&db, &clock, &random, project, &required_name()?).await;
            print_line!("{}", created.map_err(|why| why.message())?);
        }
        AccountAction::Remove => match service_accounts::remove(&db, &required_name()?).await? {
            0 => return Err("there is no such service account".into()),
            _ => print_line!("removed"),
        },
        AccountAction::List | AccountAction::Token => {
            let found = service_accounts::list(&db).await?;
            let value = |one: &ServiceAccount| json!({ "email": one.email, "keyId": one.key_id, "createdAt": one.created_at });
            let values: Vec<_> = found.iter().map(value).collect();
            let row = |one: ServiceAccount| [one.email, one.key_id, one.created_at.to_string()];
            let rows: Vec<_> = found.into_iter().map(row).collect();
            print_value(&values, json, |_| format_table([Align::Left; 3], &rows))?;
        }
    }
    db.close().await;
    Ok(())
}
