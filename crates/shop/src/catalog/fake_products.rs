//! Generates fake products to test large catalogues. Each is derived from its number alone, so that
//! every machine gets the same catalogue; they reuse the demo's pictures.

use std::time::Duration;

use platform::db::{Json, SqlValue, value_rows};
use platform::revisions::{self, CacheTag};
use platform::{Clock, Db, Error, Result, Timestamp, Tx};

use super::{
    Attribute, CategoryId, Import, Photo, ProductId, ProductOption, catalog_tag, categories_tag,
    category_tag, product_tag, stock_journal,
};

/// Products per transaction, so that other writers get their turn in between.
const PER_TRANSACTION: u64 = 5000;
/// Larger statements are no faster, and fill the log when they are slow.
const ROWS_PER_INSERT: usize = 100;
const COLUMNS: &str = "id, category, name, brand, img, options, sort_price, rating, product_type,
    full_description, tags, attributes, popularity, created_at";
const COLUMN_COUNT: usize = 14;
const VARIANT_COLUMNS: &str =
    "id, product, position, options, sku, real_price, offer_price, qtn, units_sold";
const VARIANT_COLUMN_COUNT: usize = 9;
const BRANDS: u64 = 200;
/// Creation times are spread over this many days.
const DAYS: u64 = 700;

pub struct FakeProduct {
    pub id: ProductId,
    pub category: CategoryId,
    pub name: String,
    pub sku: String,
    pub brand: String,
    pub price: i64,
    pub offer: i64,
    pub options: Json<Vec<ProductOption>>,
    /// The first is the default variant.
    pub variants: Vec<FakeVariant>,
    pub tags: Json<Vec<String>>,
    pub attributes: Json<Vec<Attribute>>,
    pub description: String,
    pub sold: i64,
    /// Time since its creation.
    pub age: Duration,
}

pub struct FakeVariant {
    pub id: String,
    pub sku: String,
    pub values: Json<Vec<String>>,
    pub qtn: i64,
    pub sold: i64,
}

/// Names and lowest price of the products of a category.
struct Range {
    category: &'static str,
    short: &'static str,
    /// Separated by `|`, like all lists of words here.
    nouns: &'static str,
    from: i64,
}

const RANGES: [Range; 8] = [
    Range {
        category: "audio",
        short: "AUD",
        nouns: "Headphones|Earbuds|Speaker|Turntable|Radio|Soundbar|Amplifier|Microphone|\
                 Record Stand|Headphone Case",
        from: 2900,
    },
    Range {
        category: "computers",
        short: "COM",
        nouns: "Laptop|Tablet|Keyboard|Mouse|Monitor|Laptop Stand|Webcam|Docking Station|\
                 Laptop Sleeve|Power Bank",
        from: 1900,
    },
    Range {
        category: "watches",
        short: "WAT",
        nouns: "Watch|Chronograph|Dive Watch|Dress Watch|Wall Clock|Alarm Clock|Mantel Clock|\
                 Watch Strap|Travel Clock|Watch Box",
        from: 2500,
    },
    Range {
        category: "lighting",
        short: "LIG",
        nouns: "Desk Lamp|Table Lamp|Floor Lamp|Pendant Light|Wall Light|Candlestick|Lantern|\
                 Reading Light|Night Light|Lampshade",
        from: 1800,
    },
    Range {
        category: "kitchen",
        short: "KIT",
        nouns: "Mug|Kettle|Teapot|Vase|Carafe|Casserole|Pepper Mill|Serving Bowl|Chopping Board|\
                 Coffee Maker",
        from: 900,
    },
    Range {
        category: "beauty",
        short: "BEA",
        nouns: "Face Serum|Cleansing Balm|Face Cream|Hand Wash|Lip Balm|Candle|Reed Diffuser|\
                 Eau de Parfum|Body Oil|Bath Salts",
        from: 700,
    },
    Range {
        category: "furniture",
        short: "FUR",
        nouns: "Dining Chair|Side Table|Writing Desk|Stool|Bookcase|Bench|Dining Table|\
                 Sideboard|Armchair|Coat Rack",
        from: 5900,
    },
    Range {
        category: "accessories",
        short: "ACC",
        nouns: "Tote|Briefcase|Wallet|Sunglasses|Reading Glasses|Notebook|Pen|Backpack|Umbrella|\
                 Key Ring",
        from: 1200,
    },
];

const FIRST: &str = "Al|Bren|Cal|Dor|El|Fen|Gar|Hol|Ing|Jor|Kel|Lor|Mar|Nor|Or|Pel|Quin|Ros|\
    Sten|Ty";
const SECOND: &str = "dra|vik|holt|mere|sel|wick|brook|stad|lin|rune";
const QUALITIES: &str = "Slim|Classic|Compact|Folding|Portable|Quiet|Everyday|Studio|Travel|\
    Modern|Heritage|Soft|Bold|Light|Heavy|Round|Square|Tall|Small|Large|Curved|Plain|Woven|\
    Polished";
const MATERIALS: &str = "Oak|Walnut|Brass|Steel|Leather|Linen|Ceramic|Glass|Aluminium|Cotton|\
    Cork|Bamboo|Marble|Copper|Wool|Ash";
const COLOURS: &str = "Sand|Ink|Moss|Chalk|Clay|Slate|Oat|Sage|Marigold|Navy|Black|Silver";
const USES: &str = "gift|home|work|travel|outdoor|bedroom|office|garden|new home|desk|hallway|\
    living room";
const SENTENCES: &str = "\
    Made in small numbers by people who use what they make.|\
    It feels solid in the hand and looks better with the years.|\
    Every part can be taken off, cleaned and put back without tools.|\
    The finish is rubbed in by hand, which is why no two are quite alike.|\
    It comes in a box that is worth keeping, without any plastic.|\
    We tried eleven of them for a winter and kept this one.|\
    Spare parts are sold for as long as we are in business.|\
    It does one thing, quietly, and does not ask to be charged every night.|\
    Stands as well on a shelf as in the middle of a room.|\
    Two years of guarantee, and a reply within a day when something is wrong.";

/// Deterministic pseudo-random numbers (splitmix64).
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most.max(1)
    }

    /// Smaller numbers are more likely, as most products sell little.
    fn skewed(&mut self, most: u64) -> u64 {
        let (one, other) = (self.below(most), self.below(most));
        one * other / most.max(1)
    }

    fn pick<'t>(&mut self, words: &'t str) -> &'t str {
        let place = self.below(words.split('|').count() as u64);
        word(words, place)
    }
}

fn word(words: &str, place: u64) -> &str {
    words.split('|').nth(place as usize).unwrap_or_default()
}

/// The `n`th fake product.
pub fn fake_product(n: u64) -> Option<FakeProduct> {
    let mut rng = SplitMix64(n.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let range = &RANGES[usize::try_from(n % RANGES.len() as u64).unwrap_or(0)];
    let brand = rng.skewed(BRANDS);
    let brand = format!("{}{}", word(FIRST, brand % 20), word(SECOND, brand / 20 % 10));
    let (quality, material) = (rng.pick(QUALITIES), rng.pick(MATERIALS));
    let noun = rng.pick(range.nouns);
    let line = format!("{}{}", rng.pick(FIRST), rng.pick(SECOND));
    let price = (range.from + i64::try_from(rng.skewed(400)).unwrap_or(0) * 100) / 100 * 100;
    let offer = if rng.below(5) == 0 { price * 8 / 10 } else { price };
    let mut colours: Vec<String> =
        (0..1 + rng.below(4)).map(|_| rng.pick(COLOURS).to_owned()).collect();
    colours.sort_unstable();
    colours.dedup();
    let id = format!("made-{n:07}");
    let sku = format!("MD-{}-{n:07}", range.short);
    let sold = i64::try_from(rng.skewed(5000)).unwrap_or(0);
    let variants = variants(&mut rng, (&id, &sku), (&colours, sold));
    let colour =
        ProductOption { name: "Colour".into(), values: colours, ..ProductOption::default() };
    let described: Vec<&str> = (0..4).map(|_| rng.pick(SENTENCES)).collect();
    let mut tags = vec![noun.to_lowercase(), material.to_lowercase(), rng.pick(USES).to_owned()];
    tags.dedup();
    Some(FakeProduct {
        id: id.parse().ok()?,
        category: range.category.parse().ok()?,
        name: format!("{line} {quality} {material} {noun}"),
        sku,
        brand,
        price,
        offer,
        options: Json(vec![colour]),
        variants,
        tags: Json(tags),
        attributes: Json(vec![
            Attribute {
                name: "Material".into(),
                value: format!("{material}, {}", rng.pick(MATERIALS)),
            },
            Attribute { name: "Weight".into(), value: format!("{} g", 80 + rng.below(4000)) },
        ]),
        description: format!(
            "A {} {} in {}. {}",
            quality.to_lowercase(),
            noun.to_lowercase(),
            material.to_lowercase(),
            described.join(" ")
        ),
        sold,
        age: Duration::from_secs(rng.below(DAYS * 24 * 3600)),
    })
}

/// One for each colour; the units sold are shared out.
fn variants(
    rng: &mut SplitMix64,
    (id, sku): (&str, &str),
    (colours, sold): (&[String], i64),
) -> Vec<FakeVariant> {
    let count = i64::try_from(colours.len()).unwrap_or(1);
    let variant = |(place, colour): (usize, &String)| {
        let first = place == 0;
        FakeVariant {
            id: if first { id.to_owned() } else { format!("{id}--{}", colour.to_lowercase()) },
            sku: if first { sku.to_owned() } else { format!("{sku}-{place}") },
            values: Json(vec![colour.clone()]),
            qtn: i64::try_from(rng.below(60)).unwrap_or(0).saturating_sub(5).max(0),
            sold: if first { sold - sold / count * (count - 1) } else { sold / count },
        }
    };
    colours.iter().enumerate().map(variant).collect()
}

/// Inserts `count` products into a database with the demo's categories, and reports progress after each
/// transaction.
pub async fn insert(
    db: &Db,
    clock: &Clock,
    demo: &Import,
    count: u64,
    mut progress: impl FnMut(u64),
) -> Result<()> {
    let known: Vec<(CategoryId,)> = db.query("select id from categories").all().await?;
    let missing =
        RANGES.iter().find(|range| known.iter().all(|(id,)| id.as_str() != range.category));
    if let Some(Range { category, .. }) = missing {
        return Err(Error::invalid(
            "category",
            format!("the shop has no {category}: it is not the demo's"),
        ));
    }
    let (existing,): (i64,) =
        db.query("select count(*) from products where id like 'made-%'").one().await?;
    let first = u64::try_from(existing).unwrap_or(0);
    let now = clock.now();
    for from in (first..first + count).step_by(usize::try_from(PER_TRANSACTION).unwrap_or(1)) {
        let to = (from + PER_TRANSACTION).min(first + count);
        let items: Vec<FakeProduct> = (from..to).filter_map(fake_product).collect();
        let mut tx = db.begin().await?;
        revisions::lock_bulk_writes(&mut tx).await?;
        for some in items.chunks(ROWS_PER_INSERT) {
            insert_rows(&mut tx, some, demo, now).await?;
        }
        let mut tags: Vec<CacheTag> = items.iter().map(|item| product_tag(&item.id)).collect();
        tags.extend([catalog_tag(), categories_tag()]);
        tags.extend(items.iter().take(RANGES.len()).map(|item| category_tag(&item.category)));
        revisions::bump(&mut tx, tags).await?;
        tx.commit().await?;
        progress(to - first);
    }
    db.analyze().await
}

async fn insert_rows(
    tx: &mut Tx,
    items: &[FakeProduct],
    demo: &Import,
    now: Timestamp,
) -> Result<()> {
    let rows = value_rows(items.len(), COLUMN_COUNT);
    let sql = format!("insert into products ({COLUMNS}) values {rows}");
    let values = items.iter().enumerate().flat_map(|(place, item)| {
        let img = Json(pictures(demo, &item.category, place));
        [
            SqlValue::from(&item.id),
            SqlValue::from(&item.category),
            item.name.as_str().into(),
            item.brand.as_str().into(),
            SqlValue::from(&img),
            SqlValue::from(&item.options),
            item.offer.into(),
            0.0.into(),
            "standard".into(),
            item.description.as_str().into(),
            SqlValue::from(&item.tags),
            SqlValue::from(&item.attributes),
            item.sold.into(),
            now.minus(item.age).into(),
        ]
    });
    tx.query(sql).bind_all(values).execute().await?;
    let rows: usize = items.iter().map(|item| item.variants.len()).sum();
    let rows = value_rows(rows, VARIANT_COLUMN_COUNT);
    let sql = format!("insert into variants ({VARIANT_COLUMNS}) values {rows}");
    let values = items.iter().flat_map(|item| {
        item.variants.iter().enumerate().flat_map(|(position, variant)| {
            [
                SqlValue::from(variant.id.as_str()),
                SqlValue::from(&item.id),
                (position as i64).into(),
                SqlValue::from(&variant.values),
                variant.sku.as_str().into(),
                item.price.into(),
                item.offer.into(),
                variant.qtn.into(),
                variant.sold.into(),
            ]
        })
    });
    tx.query(sql).bind_all(values).execute().await?;
    let ids = items.iter().map(|item| SqlValue::from(&item.id)).collect();
    stock_journal::add_first_entries(tx, ids, "demo-products").await
}

/// The first two pictures of a demo product of this category.
fn pictures(demo: &Import, category: &CategoryId, place: usize) -> Vec<Photo> {
    let like: Vec<_> = demo.products.iter().filter(|row| row.value.category == *category).collect();
    let Some(row) = like.get(place % like.len().max(1)) else { return Vec::new() };
    row.value.img.iter().take(2).map(|photo| Photo { colour: None, ..photo.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn fake_products_are_distinct_and_deterministic() {
        let all: Vec<FakeProduct> = (0..20_000).filter_map(fake_product).collect();
        assert_eq!(all.len(), 20_000);
        let count =
            |of: fn(&FakeProduct) -> String| all.iter().map(of).collect::<HashSet<_>>().len();
        assert_eq!(count(|item| item.id.to_string()), 20_000);
        assert_eq!(count(|item| item.sku.clone()), 20_000);
        assert_eq!(count(|item| item.category.to_string()), 8);
        assert!(count(|item| item.brand.clone()) > 190);
        assert!(count(|item| item.name.clone()) > 19_000);
        let repeated = fake_product(77).unwrap();
        assert_eq!((repeated.name, repeated.price), (all[77].name.clone(), all[77].price));
        for item in &all {
            assert!(item.offer <= item.price && item.price > 0);
            assert_eq!(item.variants[0].id, item.id.as_str());
            assert_eq!(item.variants.iter().map(|variant| variant.sold).sum::<i64>(), item.sold);
        }
    }
}
