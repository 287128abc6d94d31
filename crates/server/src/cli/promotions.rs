//! `haat promotions`: creates, lists and ends promotions, and makes batches of codes.

use std::path::Path;

use platform::config::Settings;
use platform::time_zone::Weekday;
use platform::{Amount, Clock, Currency, Db, Random, Timestamp};
use postal_address::Country;
use shop::base_currency;
use shop::catalog::{CategoryId, ProductId, VariantId};
use shop::promotions::{
    self, CodeSummary, Conditions, Effect, Goods, Hours, NewPromotion, Percent, Promotion,
    PromotionCode, PromotionImport, PromotionSummary,
};

use super::print::{Align, format_table, print_value};
use super::{CommandResult, open_existing_db, read_json_file};

#[derive(clap::Args)]
pub struct PromotionsCommand {
    action: PromotionAction,
    /// A code of the promotion, or its id; with create, its new code: without one it is applied automatically; with
    /// import, the file
    name: Option<String>,
    #[command(flatten)]
    effect: EffectOptions,
    #[command(flatten)]
    goods: GoodsOptions,
    #[command(flatten)]
    conditions: ConditionOptions,
    /// With create: what shoppers read [default: the code]
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    title: String,
    /// With create: not together with other promotions; the shopper gets what saves more
    #[arg(long)]
    exclusive: bool,
    /// With create: promotions with a higher number are applied first
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    priority: i64,
    /// With create: from this time on, such as 2026-12-01 (its start in UTC) or 2026-12-01T18:00:00+06:00
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<Timestamp>,
    /// With create: until this time
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<Timestamp>,
    /// With create: how many orders can use it; with list, show and codes: the maximum number of lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..))]
    limit: Option<i64>,
    /// With create: how many orders of one customer can use it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..))]
    per_customer: Option<i64>,
    /// With codes: make this many new codes that can be used once each, and print them
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// With codes: what the new codes start with
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    prefix: String,
    /// With list: also those that have ended
    #[arg(long)]
    ended: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

/// What it does.
#[derive(clap::Args)]
#[group(id = "effect")]
struct EffectOptions {
    /// With create: reduces the goods by a percentage; with --buy and --get, what is got
    #[arg(long, value_name = "PERCENT")]
    percent: Option<Percent>,
    /// With create: reduces the goods by an amount, in the base currency
    #[arg(long, value_name = "AMOUNT")]
    amount: Option<Amount>,
    /// With create: each unit costs this, in the base currency
    #[arg(long, value_name = "AMOUNT")]
    fixed_price: Option<Amount>,
    /// With create, and --get: for this many units, the cheapest further ones are free
    #[arg(long, value_name = "UNITS", requires = "get")]
    buy: Option<i64>,
    /// With create, and --buy: how many are free
    #[arg(long, value_name = "UNITS", requires = "buy")]
    get: Option<i64>,
    /// With create: one unit of this variant is free when it is in the cart
    #[arg(long, value_name = "VARIANT")]
    gift: Option<VariantId>,
    /// With create: delivery is free
    #[arg(long)]
    free_delivery: bool,
}

/// For which goods; all by default.
#[derive(clap::Args)]
#[group(id = "goods")]
struct GoodsOptions {
    /// With create: only for these products, by their ids, separated by commas
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    products: Vec<ProductId>,
    /// With create: only for these categories, by their ids, separated by commas
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    categories: Vec<CategoryId>,
    /// With create: only for these brands, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    brands: Vec<String>,
    /// With create: only for variants with this value of an option, such as colour=Chalk; repeat it for more
    #[arg(long = "option", value_name = "OPTION=VALUE", value_parser = option_value)]
    options: Vec<(String, String)>,
}

#[derive(clap::Args)]
#[group(id = "conditions")]
struct ConditionOptions {
    /// With create: what its goods cost at least, in the base currency
    #[arg(long, value_name = "AMOUNT")]
    min: Option<Amount>,
    /// With create: how many units of its goods at least
    #[arg(long, value_name = "UNITS")]
    min_quantity: Option<i64>,
    /// With create: only for customers of these groups, separated by commas; see haat groups
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = promotions::group_name)]
    groups: Vec<String>,
    /// With create: only for customers without an order
    #[arg(long)]
    first_order: bool,
    /// With create: only for orders in these currencies, separated by commas
    #[arg(long = "in-currencies", value_name = "CODE", value_delimiter = ',')]
    currencies: Vec<Currency>,
    /// With create: only for orders to these countries, separated by commas
    #[arg(long = "to-countries", value_name = "CODE", value_delimiter = ',')]
    countries: Vec<Country>,
    /// With create: only on these weekdays, such as fri,sat, in the shop's time zone
    #[arg(long, value_name = "DAY", value_delimiter = ',')]
    weekdays: Vec<Weekday>,
    /// With create: only at these hours of the day, such as 18:00-22:00, in the shop's time zone
    #[arg(long, value_name = "HOURS")]
    hours: Option<Hours>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum PromotionAction {
    /// Create a promotion, with a code or automatic
    Create,
    /// List the promotions that have not ended
    List,
    /// Show a promotion and its codes
    Show,
    /// End a promotion now
    End,
    /// List the codes of a promotion, or make new ones
    Codes,
    /// Create and change promotions from a JSON file, all or none
    Import,
}

const LINES: i64 = 50;

/// A day means its start.
fn time(text: &str) -> Result<Timestamp, String> {
    let day = format!("{text}T00:00:00Z");
    let parsed = Timestamp::parse(text).or_else(|| Timestamp::parse(&day));
    parsed.ok_or_else(|| "expected a time such as 2026-12-01 or 2026-12-01T18:00:00+06:00".into())
}

fn option_value(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let (name, value) = pair.ok_or("expected an option and its value, such as colour=Chalk")?;
    Ok((name.trim().to_lowercase(), value.trim().to_owned()))
}

impl PromotionsCommand {
    /// Whether an option of create is given.
    fn has_terms(&self) -> bool {
        let Self { title, exclusive, priority, from, until, per_customer, .. } = self;
        let dated = from.is_some() || until.is_some() || per_customer.is_some();
        let goods = &self.goods;
        let chosen =
            [goods.products.len(), goods.categories.len(), goods.brands.len(), goods.options.len()];
        let conditions = &self.conditions;
        let lists = [
            conditions.groups.len(),
            conditions.currencies.len(),
            conditions.countries.len(),
            conditions.weekdays.len(),
        ];
        let least = conditions.min.is_some() || conditions.min_quantity.is_some();
        !self.effect.is_none()
            || !title.is_empty()
            || *exclusive
            || *priority != 0
            || dated
            || least
            || conditions.first_order
            || conditions.hours.is_some()
            || chosen.into_iter().chain(lists).any(|len| len > 0)
    }
}

impl EffectOptions {
    fn is_none(&self) -> bool {
        let Self { percent, amount, fixed_price, buy, gift, free_delivery, .. } = self;
        let amounts = percent.is_none() && amount.is_none() && fixed_price.is_none();
        amounts && buy.is_none() && gift.is_none() && !free_delivery
    }

    fn effect(self) -> Result<Effect, String> {
        let Self { percent, amount, fixed_price, buy, get, gift, free_delivery } = self;
        let buy_get = buy.zip(get).map(|(buy, get)| Effect::BuyGet {
            buy,
            get,
            percent: percent.unwrap_or_default(),
        });
        let percent = percent.filter(|_| buy_get.is_none()).map(Effect::Percent);
        let free_delivery = free_delivery.then_some(Effect::FreeDelivery);
        let effects = [
            percent,
            amount.map(Effect::Amount),
            fixed_price.map(Effect::FixedPrice),
            buy_get,
            gift.map(Effect::Gift),
            free_delivery,
        ];
        let mut effects = effects.into_iter().flatten();
        match (effects.next(), effects.next()) {
            (Some(effect), None) => Ok(effect),
            _ => Err("one of --percent, --amount, --fixed-price, --buy with --get, --gift and --free-delivery is \
                      required"
                .into()),
        }
    }
}

impl GoodsOptions {
    fn goods(self) -> Goods {
        let Self { products, categories, brands, options } = self;
        let mut goods = Goods { products, categories, brands, ..Goods::default() };
        for (name, value) in options {
            goods.options.entry(name).or_default().push(value);
        }
        goods
    }
}

impl ConditionOptions {
    fn conditions(self) -> Conditions {
        let Self { min, min_quantity, groups, first_order, currencies, countries, weekdays, hours } =
            self;
        Conditions {
            min_sub_total: min,
            min_quantity,
            groups,
            first_order,
            currencies,
            countries,
            weekdays,
            hours,
        }
    }
}

pub async fn run(options: PromotionsCommand) -> CommandResult {
    let PromotionsCommand { action, name, settings, json, limit, .. } = &options;
    let required =
        || name.as_deref().ok_or("a code or an id is required: see haat promotions --help");
    if *action != PromotionAction::Create && options.has_terms() {
        return Err(
            "what a promotion does, and for whom and when, is only for haat promotions create"
                .into(),
        );
    }
    if options.count.is_some() && *action != PromotionAction::Codes {
        return Err("--count is only for haat promotions codes".into());
    }
    let (db, clock, random) = open_existing_db(settings).await?;
    let base = base_currency::find(&db).await?.unwrap_or_default();
    let (lines, json) = (limit.unwrap_or(LINES), *json);
    match action {
        PromotionAction::List => {
            let found = promotions::list(&db, clock.now(), options.ended, lines).await?;
            print_value(&found, json, |found| format_promotions(found, base))?;
        }
        PromotionAction::Show => show(&db, required()?, base, (lines, json)).await?,
        PromotionAction::End => {
            let found = find(&db, required()?).await?;
            if !promotions::end(&db, &clock, &found.promotion.id).await? {
                return Err(format!("{} has ended already", found.promotion.title).into());
            }
            show(&db, found.promotion.id.as_str(), base, (lines, json)).await?;
        }
        PromotionAction::Codes => {
            let promotion = find(&db, required()?).await?.promotion;
            match options.count {
                Some(count) => {
                    let batch = (count, options.prefix.as_str());
                    let codes =
                        promotions::add_codes(&db, (&clock, &random), &promotion.id, batch).await;
                    let codes = codes.map_err(|why| why.message())?;
                    print_value(&codes, json, |codes| format_codes(codes))?;
                }
                None => {
                    let codes = promotions::codes_of(&db, &promotion.id, lines).await?;
                    print_value(&codes, json, |codes| format_code_summaries(codes))?;
                }
            }
        }
        PromotionAction::Create => {
            let id = create(&db, (&clock, &random), base, options).await?;
            show(&db, id.as_str(), base, (LINES, json)).await?;
        }
        PromotionAction::Import => {
            let file = name.as_deref().ok_or("a file is required: see haat promotions --help")?;
            let import: PromotionImport = read_json_file(Path::new(file))?;
            let count = import.promotions.len();
            promotions::import(&db, (&clock, &random), base, &import.promotions)
                .await
                .map_err(|why| format!("{file}: {}", why.message()))?;
            print_line!("{count} promotions");
        }
    }
    db.close().await;
    Ok(())
}

async fn create(
    db: &Db,
    (clock, random): (&Clock, &Random),
    base: Currency,
    options: PromotionsCommand,
) -> Result<promotions::PromotionId, Box<dyn std::error::Error>> {
    let code = options.name.map(|name| name.parse::<PromotionCode>()).transpose()?;
    if let Some(code) = &code
        && promotions::find(db, code.as_str()).await?.is_some()
    {
        return Err(format!("there is a promotion with the code {code} already").into());
    }
    let new = NewPromotion {
        id: None,
        title: options.title,
        translations: Default::default(),
        effect: options.effect.effect()?,
        goods: options.goods.goods(),
        conditions: options.conditions.conditions(),
        priority: options.priority,
        combines: !options.exclusive,
        codes: code.into_iter().collect(),
        from: options.from,
        until: options.until,
        limit: options.limit,
        per_customer: options.per_customer,
    };
    let created = promotions::create(db, (clock, random), base, &new).await;
    Ok(created.map_err(|why| why.message())?)
}

async fn find(db: &Db, named: &str) -> Result<PromotionSummary, Box<dyn std::error::Error>> {
    let found = promotions::find(db, named).await.map_err(|why| why.message())?;
    Ok(found.ok_or_else(|| format!("there is no promotion with the code or the id {named}"))?)
}

async fn show(db: &Db, named: &str, base: Currency, (lines, json): (i64, bool)) -> CommandResult {
    let found = find(db, named).await?;
    let codes = promotions::codes_of(db, &found.promotion.id, lines).await?;
    let value = serde_json::json!({ "promotion": found, "codes": codes });
    print_value(&value, json, |_| {
        let summary = format_promotions(std::slice::from_ref(&found), base);
        let terms = serde_json::to_string_pretty(&found.promotion.terms).unwrap_or_default();
        format!("{summary}{terms}\n{}", format_code_summaries(&codes))
    })
}

fn format_promotions(found: &[PromotionSummary], base: Currency) -> String {
    let row = |summary: &PromotionSummary| {
        let PromotionSummary { promotion, code, codes, orders, .. } = summary;
        let code = match codes {
            0 => "automatic".to_owned(),
            1 => code.clone(),
            codes => format!("{codes} codes"),
        };
        let used = match promotion.max_uses {
            Some(most) => format!("{orders} of {most}"),
            None => orders.to_string(),
        };
        let effect = describe(&promotion.terms.effect, base);
        [promotion.id.to_string(), code, effect, used, dates(promotion), promotion.title.clone()]
    };
    let columns = [Align::Left, Align::Left, Align::Left, Align::Right, Align::Left, Align::Left];
    format_table(columns, &found.iter().map(row).collect::<Vec<_>>())
}

fn dates(promotion: &Promotion) -> String {
    let until = promotion.ends_at.map(|end| format!("until {end}"));
    let from = promotion.starts_at.map(|start| format!("from {start}"));
    [from, until].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn describe(effect: &Effect, base: Currency) -> String {
    let shown =
        |amount: &Amount| amount.of(base).map_or(amount.to_string(), |money| money.to_string());
    match effect {
        Effect::Percent(percent) => format!("{percent} %"),
        Effect::Amount(amount) => format!("{} off", shown(amount)),
        Effect::FixedPrice(price) => format!("{} each", shown(price)),
        Effect::BuyGet { buy, get, percent } if *percent == Percent::default() => {
            format!("buy {buy}, get {get} free")
        }
        Effect::BuyGet { buy, get, percent } => {
            format!("buy {buy}, get {get} for {percent} % less")
        }
        Effect::Gift(variant) => format!("gift {variant}"),
        Effect::FreeDelivery => "free delivery".to_owned(),
    }
}

fn format_codes(codes: &[PromotionCode]) -> String {
    codes.iter().map(|code| format!("{code}\n")).collect()
}

fn format_code_summaries(codes: &[CodeSummary]) -> String {
    let row = |CodeSummary { code, max_uses, orders }: &CodeSummary| {
        let used = max_uses.map_or(orders.to_string(), |most| format!("{orders} of {most}"));
        [code.to_string(), used]
    };
    format_table([Align::Left, Align::Right], &codes.iter().map(row).collect::<Vec<_>>())
}
