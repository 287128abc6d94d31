//! `haat groups`: groups of customers, for whom there are promotions.

use platform::config::Settings;
use shop::customers::CustomerProfile;
use shop::promotions;

use super::credit::find_customer;
use super::print::{Align, format_table, print_value};
use super::{CommandResult, open_existing_db};

#[derive(clap::Args)]
pub struct GroupsCommand {
    action: GroupAction,
    /// The name of the group, such as wholesale
    #[arg(value_parser = promotions::group_name)]
    group: Option<String>,
    /// With add and remove: the customer's verified e-mail address, or the account's id
    customer: Option<String>,
    /// The maximum number of customers to list
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=10_000))]
    limit: i64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum GroupAction {
    /// List the groups or, with the name of one, its customers
    List,
    /// Add a customer to a group
    Add,
    /// Remove a customer from a group
    Remove,
}

pub async fn run(options: GroupsCommand) -> CommandResult {
    let GroupsCommand { action, group, customer, limit, json, settings } = options;
    let (db, ..) = open_existing_db(&settings).await?;
    let belongs = match action {
        GroupAction::List => None,
        GroupAction::Add => Some(true),
        GroupAction::Remove => Some(false),
    };
    if let Some(belongs) = belongs {
        let (group, customer) = group
            .as_deref()
            .zip(customer.as_deref())
            .ok_or("a group and a customer are required: see haat groups --help")?;
        let CustomerProfile { id, email, .. } = find_customer(&db, customer).await?;
        if !promotions::set_member(&db, group, &id, belongs).await? {
            let state = if belongs { "already" } else { "not" };
            return Err(format!("{email} is {state} in the group {group}").into());
        }
    }
    match &group {
        None => {
            let groups = promotions::list_groups(&db).await?;
            print_value(&groups, json, |groups| {
                let row = |(name, count): &(String, i64)| [name.clone(), count.to_string()];
                let rows: Vec<_> = groups.iter().map(row).collect();
                format_table([Align::Left, Align::Right], &rows)
            })?;
        }
        Some(group) => {
            let members = promotions::members(&db, group, limit).await?;
            print_value(&members, json, |members| {
                let row = |one: &CustomerProfile| [one.email.clone(), one.name.clone()];
                format_table([Align::Left; 2], &members.iter().map(row).collect::<Vec<_>>())
            })?;
        }
    }
    db.close().await;
    Ok(())
}
