//! `haat delivery`: shows and changes the delivery zones.

use std::path::Path;

use platform::config::Settings;
use platform::{Amount, Currency, Db, Exchange, Money};
use postal_address::{AddressInput, Destination};
use serde::{Deserialize, Serialize};
use shop::base_currency;
use shop::delivery::{
    self, DeliveryDays, DeliveryMethod, DeliveryZone, MethodId, MethodPrice, ZoneId, zone_of,
};

use super::print::{Align, format_table, print_value};
use super::{CommandResult, open_existing_db, read_json_file};

#[derive(clap::Args)]
pub struct DeliveryCommand {
    action: DeliveryAction,
    /// With set and remove, the zone's id; with import and export, the file
    name: Option<String>,
    /// With set: what the zone is called [default: its id]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// With set: the countries of the zone, separated by commas; none for everywhere else. With quote: the country
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    country: Vec<String>,
    /// With quote: the region of the destination
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    region: String,
    /// With quote: the district of the destination
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    district: String,
    /// With quote: the postcode of the destination
    #[arg(long, value_name = "CODE", default_value = "", hide_default_value = true)]
    postcode: String,
    /// With quote: what the goods cost, in the base currency
    #[arg(long, value_name = "AMOUNT", default_value = "0")]
    sub_total: Amount,
    /// With quote: what the goods weigh, in grams
    #[arg(long, value_name = "GRAMS", default_value_t = 0)]
    weight: i64,
    /// With set: the price of the zone's method, in the base currency
    #[arg(long, value_name = "AMOUNT")]
    price: Option<Amount>,
    /// With set: what the method is called
    #[arg(long, value_name = "TEXT", default_value = "Standard")]
    method: String,
    /// With set: free where the goods cost more than this, in the base currency
    #[arg(long, value_name = "AMOUNT")]
    free_over: Option<Amount>,
    /// With set: what cash on delivery costs in addition, in the base currency
    #[arg(long, value_name = "AMOUNT")]
    cash_on_delivery_fee: Option<Amount>,
    /// With set: how many days it takes, such as 3 or 2-4
    #[arg(long, value_name = "DAYS")]
    days: Option<DeliveryDays>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum DeliveryAction {
    /// List the zones with their methods
    List,
    /// Create or replace a zone with one method; import has all that a zone can have
    Set,
    /// Remove a zone
    Remove,
    /// Say what delivery to a place costs
    Quote,
    /// Replace all zones by those of a JSON file
    Import,
    /// Write all zones to a JSON file, as import reads it; without a file, print them
    Export,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ZonesFile {
    zones: Vec<DeliveryZone>,
}

pub async fn run(options: DeliveryCommand) -> CommandResult {
    let (db, ..) = open_existing_db(&options.settings).await?;
    let base = base_currency::find(&db).await?.unwrap_or_default();
    let required = || options.name.as_deref().ok_or("a name is required: see haat delivery --help");
    match options.action {
        DeliveryAction::List => {}
        DeliveryAction::Set => set(&db, base, required()?, &options).await?,
        DeliveryAction::Remove => {
            let id: ZoneId = required()?.parse()?;
            if !delivery::remove(&db, &id).await? {
                return Err(format!("there is no zone {id}").into());
            }
        }
        DeliveryAction::Quote => {
            print_quote(&delivery::list(&db).await?, base, &options)?;
            db.close().await;
            return Ok(());
        }
        DeliveryAction::Import => {
            let file = required()?;
            let ZonesFile { zones } = read_json_file(Path::new(file))?;
            let imported = delivery::import(&db, base, &zones).await;
            imported.map_err(|why| format!("{file}: {}", why.message()))?;
        }
        DeliveryAction::Export => {
            let zones = ZonesFile { zones: delivery::list(&db).await? };
            let text = serde_json::to_string_pretty(&zones)? + "\n";
            match &options.name {
                Some(file) => {
                    std::fs::write(file, text).map_err(|why| format!("{file}: {why}"))?;
                }
                None => super::print::print_text(&text),
            }
            db.close().await;
            return Ok(());
        }
    }
    let zones = delivery::list(&db).await?;
    print_value(&zones, options.json, |zones| format_zones(zones, base))?;
    db.close().await;
    Ok(())
}

async fn set(db: &Db, base: Currency, id: &str, options: &DeliveryCommand) -> CommandResult {
    let id: ZoneId = id.parse()?;
    let method = DeliveryMethod {
        id: "standard".parse::<MethodId>()?,
        name: options.method.clone(),
        translations: Default::default(),
        price: MethodPrice::Flat(options.price.ok_or("--price is required")?),
        free_over: options.free_over,
        cash_on_delivery_fee: options.cash_on_delivery_fee,
        days: options.days,
        skip: Vec::new(),
        pickup: None,
    };
    let place = |code: &String| serde_json::from_value(serde_json::json!({ "country": code }));
    let zone = DeliveryZone {
        name: options.title.clone().unwrap_or_else(|| id.to_string()),
        id,
        places: options.country.iter().map(place).collect::<Result<_, _>>()?,
        methods: vec![method],
    };
    let mut zones = delivery::list(db).await?;
    match zones.iter_mut().find(|before| before.id == zone.id) {
        Some(before) if before.methods.len() > 1 => {
            return Err(format!(
                "{} has several methods: change it with export and import",
                zone.id
            )
            .into());
        }
        Some(before) => *before = zone,
        None => zones.push(zone),
    }
    Ok(delivery::import(db, base, &zones).await.map_err(|why| why.message())?)
}

fn print_quote(zones: &[DeliveryZone], base: Currency, options: &DeliveryCommand) -> CommandResult {
    let input = AddressInput {
        country: options.country.first().cloned().unwrap_or_default(),
        region: options.region.clone(),
        district: options.district.clone(),
        postcode: options.postcode.clone(),
        ..AddressInput::default()
    };
    let destination = Destination::parse(&input)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))?;
    let zone = zone_of(zones, Some(&destination)).ok_or("no zone contains this place")?;
    let sub_total = options.sub_total.named("--sub-total", base)?;
    let row = |method: &DeliveryMethod| {
        let price = method.price(sub_total, options.weight, Exchange::base(base));
        let price =
            price.map_or_else(|| "not for these goods".to_owned(), |price| price.to_string());
        [zone.name.clone(), method.name.clone(), price, days(method), fee(method, base)]
    };
    let rows: Vec<_> = zone.methods.iter().map(row).collect();
    let columns = [Align::Left, Align::Left, Align::Right, Align::Left, Align::Left];
    print_value(&rows, options.json, |rows| format_table(columns, rows))
}

fn days(method: &DeliveryMethod) -> String {
    method.days.map_or_else(String::new, |days| match days.to_string().as_str() {
        "1" => "1 day".to_owned(),
        days => format!("{days} days"),
    })
}

fn format_zones(zones: &[DeliveryZone], base: Currency) -> String {
    let rows: Vec<_> = zones
        .iter()
        .flat_map(|zone| {
            let places = match zone.places.len() {
                0 => "everywhere else".to_owned(),
                _ => zone.places.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
            };
            zone.methods.iter().map(move |method| {
                let names =
                    [zone.id.to_string(), zone.name.clone(), places.clone(), method.name.clone()];
                let [id, zone, places, name] = names;
                let price = price(method, base);
                [id, zone, places, name, price, days(method), fee(method, base)]
            })
        })
        .collect();
    let mut columns = [Align::Left; 7];
    columns[4] = Align::Right;
    format_table(columns, &rows)
}

fn fee(method: &DeliveryMethod, base: Currency) -> String {
    let fee = method.cash_on_delivery_fee(Exchange::base(base));
    if fee.is_zero() { String::new() } else { format!("cash on delivery {fee}") }
}

fn price(method: &DeliveryMethod, base: Currency) -> String {
    match &method.price {
        MethodPrice::Flat(amount) => {
            amount.of(base).map_or_else(String::new, |price: Money| price.to_string())
        }
        MethodPrice::ByWeight { .. } => "by weight".to_owned(),
        MethodPrice::BySubTotal { .. } => "by sub total".to_owned(),
    }
}
