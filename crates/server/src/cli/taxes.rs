//! `haat taxes`: shows and changes the tax rates, and who is exempt.

use std::path::Path;

use platform::config::Settings;
use platform::time_zone::CalendarDay;
use platform::{Clock, Db};
use postal_address::{AddressInput, Country, Destination};
use serde::Serialize;
use shop::customers::CustomerProfile;
use shop::taxes::{
    self, DeliveryTax, TaxClass, TaxExemption, TaxPercent, TaxRate, TaxRateId, TaxRounding,
    TaxRules,
};

use super::credit::find_customer;
use super::print::{Align, format_table, print_text, print_value};
use super::{CommandResult, open_existing_db, read_json_file};

#[derive(clap::Args)]
pub struct TaxesCommand {
    action: TaxAction,
    /// With set and remove, the rate's id; with preset, its name; with import and export, the file; with exempt and
    /// unexempt, the customer's verified e-mail address or the account's id
    name: Option<String>,
    /// With set: the percentage, such as 15 or 7.5
    #[arg(long, value_name = "PERCENT")]
    percent: Option<TaxPercent>,
    /// With set: what the tax is called; of the rates of one tax, one holds for a line
    #[arg(long, value_name = "TEXT", default_value = "VAT")]
    title: String,
    /// With set and at: the class of goods
    #[arg(long, value_name = "CLASS", default_value = TaxClass::STANDARD)]
    class: TaxClass,
    /// With set: the countries, separated by commas; none for everywhere. With exempt: where it holds. With at: the country
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    country: Vec<Country>,
    /// With set and at: the region
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    region: String,
    /// With at: the postcode
    #[arg(long, value_name = "CODE", default_value = "", hide_default_value = true)]
    postcode: String,
    /// With set: the first day on which it holds
    #[arg(long, value_name = "DAY")]
    from: Option<CalendarDay>,
    /// With set: the last day on which it holds
    #[arg(long, value_name = "DAY")]
    until: Option<CalendarDay>,
    /// With set: charged on the price with the other taxes
    #[arg(long)]
    compound: bool,
    /// With at: the day [default: today, by UTC]
    #[arg(long, value_name = "DAY")]
    day: Option<CalendarDay>,
    /// With rules: whether prices include the tax
    #[arg(long, value_name = "BOOL")]
    prices_include_tax: Option<bool>,
    /// With rules: where a tax is rounded: line or order
    #[arg(long, value_name = "WHERE")]
    rounding: Option<TaxRounding>,
    /// With rules: how the delivery is taxed: goods (like the goods), none, or a class
    #[arg(long, value_name = "HOW")]
    delivery: Option<DeliveryTax>,
    /// With exempt: the customer's tax number, for invoices
    #[arg(long, value_name = "NUMBER")]
    tax_number: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum TaxAction {
    /// List the rates
    List,
    /// Create or replace a rate; import has all that a rate can have
    Set,
    /// Remove a rate
    Remove,
    /// Show or change what holds for all rates: prices with or without tax, rounding, tax of the delivery
    Rules,
    /// Begin with the rates of bd (Bangladesh) or eu (European Union)
    Preset,
    /// Say which rates hold at a place
    At,
    /// Replace all rates and rules by those of a JSON file
    Import,
    /// Write all rates and rules to a JSON file, as import reads it; without a file, print them
    Export,
    /// List the customers who pay no tax
    Exemptions,
    /// Let a customer pay no tax
    Exempt,
    /// Let a customer pay tax again
    Unexempt,
}

pub async fn run(options: TaxesCommand) -> CommandResult {
    let (db, ..) = open_existing_db(&options.settings).await?;
    let done = run_action(&db, &options).await;
    db.close().await;
    done
}

async fn run_action(db: &Db, options: &TaxesCommand) -> CommandResult {
    let required = || options.name.as_deref().ok_or("a name is required: see haat taxes --help");
    let rules = match options.action {
        TaxAction::List => taxes::find(db).await?,
        TaxAction::Set => {
            let rate = options.rate(required()?.parse()?)?;
            update(db, |rules| {
                match rules.rates.iter_mut().find(|known| known.id == rate.id) {
                    Some(known) => *known = rate,
                    None => rules.rates.push(rate),
                }
                Ok(())
            })
            .await?
        }
        TaxAction::Remove => {
            let id: TaxRateId = required()?.parse()?;
            update(db, |rules| {
                let before = rules.rates.len();
                rules.rates.retain(|rate| rate.id != id);
                match rules.rates.len() == before {
                    true => Err(format!("there is no rate {id}")),
                    false => Ok(()),
                }
            })
            .await?
        }
        TaxAction::Rules => {
            let TaxesCommand { prices_include_tax, rounding, delivery, .. } = options;
            update(db, |rules| {
                rules.prices_include_tax = prices_include_tax.unwrap_or(rules.prices_include_tax);
                rules.rounding = rounding.unwrap_or(rules.rounding);
                rules.delivery = delivery.clone().unwrap_or(rules.delivery.clone());
                Ok(())
            })
            .await?
        }
        TaxAction::Preset => {
            let preset = taxes::preset(required()?)?;
            update(db, |rules| match rules.rates.is_empty() {
                true => {
                    *rules = preset;
                    Ok(())
                }
                false => {
                    Err("there are rates already: remove them, or replace them with import".into())
                }
            })
            .await?
        }
        TaxAction::At => return print_rates_at(&taxes::find(db).await?, options),
        TaxAction::Import => {
            let file = required()?;
            let read: TaxRules = read_json_file(Path::new(file))?;
            taxes::import(db, read).await.map_err(|why| format!("{file}: {}", why.message()))?
        }
        TaxAction::Export => {
            let text = serde_json::to_string_pretty(&taxes::find(db).await?)? + "\n";
            match &options.name {
                Some(file) => {
                    std::fs::write(file, text).map_err(|why| format!("{file}: {why}"))?;
                }
                None => print_text(&text),
            }
            return Ok(());
        }
        TaxAction::Exemptions => return print_exemptions(db, options).await,
        TaxAction::Exempt => {
            let CustomerProfile { id, .. } = find_customer(db, required()?).await?;
            let number = options.tax_number.as_deref().ok_or("--tax-number is required")?;
            let terms = (number, &options.country[..]);
            let exempted = taxes::exempt(db, &id, terms, Clock::system().now()).await;
            exempted.map_err(|why| why.message())?;
            return print_exemptions(db, options).await;
        }
        TaxAction::Unexempt => {
            let CustomerProfile { id, email, .. } = find_customer(db, required()?).await?;
            if !taxes::unexempt(db, &id).await? {
                return Err(format!("{email} is not exempt").into());
            }
            return print_exemptions(db, options).await;
        }
    };
    print_value(&rules, options.json, format_rules)
}

async fn update(
    db: &Db,
    change: impl FnOnce(&mut TaxRules) -> Result<(), String>,
) -> Result<TaxRules, String> {
    taxes::update(db, change).await.map_err(|why| why.message())
}

impl TaxesCommand {
    fn rate(&self, id: TaxRateId) -> Result<TaxRate, Box<dyn std::error::Error>> {
        if self.country.is_empty() && !self.region.is_empty() {
            return Err("--region requires --country".into());
        }
        let place = |country: &Country| {
            serde_json::from_value(serde_json::json!({ "country": country, "region": self.region }))
        };
        Ok(TaxRate {
            id,
            name: self.title.clone(),
            translations: Default::default(),
            class: self.class.clone(),
            percent: self.percent.ok_or("--percent is required")?,
            places: self.country.iter().map(place).collect::<Result<_, _>>()?,
            from: self.from,
            until: self.until,
            compound: self.compound,
        })
    }
}

fn print_rates_at(rules: &TaxRules, options: &TaxesCommand) -> CommandResult {
    let country = options.country.first().ok_or("--country is required")?;
    let input = AddressInput {
        country: country.to_string(),
        region: options.region.clone(),
        postcode: options.postcode.clone(),
        ..AddressInput::default()
    };
    let destination = Destination::parse(&input)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))?;
    let today = || platform::time_zone::TimeZone::default().day(Clock::system().now());
    let day = options.day.unwrap_or_else(today);
    #[derive(Serialize)]
    struct RateAt<'r> {
        #[serde(rename = "_id")]
        id: &'r TaxRateId,
        name: &'r str,
        percent: TaxPercent,
    }
    let rates = rules.rates_at(Some(&destination), day).of_class(options.class.as_str());
    let rows = rates.into_iter().map(|TaxRate { id, name, percent, .. }| RateAt {
        id,
        name,
        percent: *percent,
    });
    let rows: Vec<RateAt<'_>> = rows.collect();
    print_value(&rows, options.json, |rows| {
        let cells = |row: &RateAt<'_>| {
            [row.id.to_string(), row.name.to_owned(), format!("{} %", row.percent)]
        };
        let rows: Vec<_> = rows.iter().map(cells).collect();
        format_table([Align::Left, Align::Left, Align::Right], &rows)
    })
}

async fn print_exemptions(db: &Db, options: &TaxesCommand) -> CommandResult {
    let exemptions = taxes::list_exemptions(db).await?;
    print_value(&exemptions, options.json, |exemptions| {
        let row = |one: &TaxExemption| {
            let countries: Vec<String> = one.countries.iter().map(ToString::to_string).collect();
            let places =
                if countries.is_empty() { "everywhere".to_owned() } else { countries.join(", ") };
            [one.email.clone(), one.tax_number.clone(), places]
        };
        format_table([Align::Left; 3], &exemptions.iter().map(row).collect::<Vec<_>>())
    })
}

fn format_rules(rules: &TaxRules) -> String {
    let prices = if rules.prices_include_tax { "include" } else { "do not include" };
    let TaxRules { rounding, delivery, rates, .. } = rules;
    let row = |rate: &TaxRate| {
        let places: Vec<String> = rate.places.iter().map(ToString::to_string).collect();
        let day = |day: Option<CalendarDay>| day.map_or_else(String::new, |day| day.to_string());
        let days = match (day(rate.from), day(rate.until)) {
            (from, until) if from.is_empty() && until.is_empty() => String::new(),
            (from, until) => format!("{from} – {until}"),
        };
        let compound = if rate.compound { " compound" } else { "" };
        [
            rate.id.to_string(),
            format!("{}{compound}", rate.name),
            format!("{} %", rate.percent),
            rate.class.to_string(),
            if places.is_empty() { "everywhere".to_owned() } else { places.join("; ") },
            days,
        ]
    };
    let rows: Vec<_> = rates.iter().map(row).collect();
    let mut columns = [Align::Left; 6];
    columns[2] = Align::Right;
    format!(
        "Prices {prices} the tax; rounding per {rounding}; delivery taxed: {delivery}\n{}",
        format_table(columns, &rows)
    )
}
