//! Very many plausible products, to try a shop's size on. Each is made from its number alone, so that the
//! same shop can be filled anywhere, and shows the pictures of the demo's goods.

use std::time::Duration;

use base::db::{Json, Value};
use base::revisions::{self, Scope};
use base::{Clock, Db, Error, Result, Timestamp, Tx};

use super::{
    Attribute, CategoryId, Import, Photo, ProductId, scope_of_category, scope_of_product, shelves,
    whole,
};

/// Products in a transaction: others come to write in between.
const TOGETHER: u64 = 5000;
/// Rows in a statement: a longer one saves no journey worth the name, and fills the log when it is slow.
const IN_A_STATEMENT: usize = 100;
const COLUMNS: &str = "id, category, name, sku, brand, img, real_price, offer_price, sort_price, rating,
    qtn, product_type, full_description, colours, tags, attributes, units_sold, popularity, created_at";
const COLUMN_COUNT: usize = 19;
const BRANDS: u64 = 200;
/// Over so many days the goods came.
const DAYS: u64 = 700;

/// A product that nobody made.
pub struct Made {
    pub id: ProductId,
    pub category: CategoryId,
    pub name: String,
    pub sku: String,
    pub brand: String,
    pub price: i64,
    pub offer: i64,
    pub qtn: i64,
    pub colours: Json<Vec<String>>,
    pub tags: Json<Vec<String>>,
    pub attributes: Json<Vec<Attribute>>,
    pub description: String,
    pub sold: i64,
    /// How long ago it came.
    pub age: Duration,
}

/// A range of goods: its category, what they are, and what they cost from.
struct Range {
    category: &'static str,
    short: &'static str,
    nouns: &'static [&'static str],
    from: i64,
}

const RANGES: [Range; 8] = [
    Range {
        category: "audio",
        short: "AUD",
        nouns: &[
            "Headphones",
            "Earbuds",
            "Speaker",
            "Turntable",
            "Radio",
            "Soundbar",
            "Amplifier",
            "Microphone",
            "Record Stand",
            "Headphone Case",
        ],
        from: 2900,
    },
    Range {
        category: "computers",
        short: "COM",
        nouns: &[
            "Laptop",
            "Tablet",
            "Keyboard",
            "Mouse",
            "Monitor",
            "Laptop Stand",
            "Webcam",
            "Docking Station",
            "Laptop Sleeve",
            "Power Bank",
        ],
        from: 1900,
    },
    Range {
        category: "watches",
        short: "WAT",
        nouns: &[
            "Watch",
            "Chronograph",
            "Dive Watch",
            "Dress Watch",
            "Wall Clock",
            "Alarm Clock",
            "Mantel Clock",
            "Watch Strap",
            "Travel Clock",
            "Watch Box",
        ],
        from: 2500,
    },
    Range {
        category: "lighting",
        short: "LIG",
        nouns: &[
            "Desk Lamp",
            "Table Lamp",
            "Floor Lamp",
            "Pendant Light",
            "Wall Light",
            "Candlestick",
            "Lantern",
            "Reading Light",
            "Night Light",
            "Lampshade",
        ],
        from: 1800,
    },
    Range {
        category: "kitchen",
        short: "KIT",
        nouns: &[
            "Mug",
            "Kettle",
            "Teapot",
            "Vase",
            "Carafe",
            "Casserole",
            "Pepper Mill",
            "Serving Bowl",
            "Chopping Board",
            "Coffee Maker",
        ],
        from: 900,
    },
    Range {
        category: "beauty",
        short: "BEA",
        nouns: &[
            "Face Serum",
            "Cleansing Balm",
            "Face Cream",
            "Hand Wash",
            "Lip Balm",
            "Candle",
            "Reed Diffuser",
            "Eau de Parfum",
            "Body Oil",
            "Bath Salts",
        ],
        from: 700,
    },
    Range {
        category: "furniture",
        short: "FUR",
        nouns: &[
            "Dining Chair",
            "Side Table",
            "Writing Desk",
            "Stool",
            "Bookcase",
            "Bench",
            "Dining Table",
            "Sideboard",
            "Armchair",
            "Coat Rack",
        ],
        from: 5900,
    },
    Range {
        category: "accessories",
        short: "ACC",
        nouns: &[
            "Tote",
            "Briefcase",
            "Wallet",
            "Sunglasses",
            "Reading Glasses",
            "Notebook",
            "Pen",
            "Backpack",
            "Umbrella",
            "Key Ring",
        ],
        from: 1200,
    },
];

const FIRST: [&str; 20] = [
    "Al", "Bren", "Cal", "Dor", "El", "Fen", "Gar", "Hol", "Ing", "Jor", "Kel", "Lor", "Mar",
    "Nor", "Or", "Pel", "Quin", "Ros", "Sten", "Ty",
];
const SECOND: [&str; 10] =
    ["dra", "vik", "holt", "mere", "sel", "wick", "brook", "stad", "lin", "rune"];
const QUALITIES: [&str; 24] = [
    "Slim", "Classic", "Compact", "Folding", "Portable", "Quiet", "Everyday", "Studio", "Travel",
    "Modern", "Heritage", "Soft", "Bold", "Light", "Heavy", "Round", "Square", "Tall", "Small",
    "Large", "Curved", "Plain", "Woven", "Polished",
];
const MATERIALS: [&str; 16] = [
    "Oak",
    "Walnut",
    "Brass",
    "Steel",
    "Leather",
    "Linen",
    "Ceramic",
    "Glass",
    "Aluminium",
    "Cotton",
    "Cork",
    "Bamboo",
    "Marble",
    "Copper",
    "Wool",
    "Ash",
];
const COLOURS: [&str; 12] = [
    "Sand", "Ink", "Moss", "Chalk", "Clay", "Slate", "Oat", "Sage", "Marigold", "Navy", "Black",
    "Silver",
];
const USES: [&str; 12] = [
    "gift",
    "home",
    "work",
    "travel",
    "outdoor",
    "bedroom",
    "office",
    "garden",
    "new home",
    "desk",
    "hallway",
    "living room",
];
const SENTENCES: [&str; 10] = [
    "Made in small numbers by people who use what they make.",
    "It feels solid in the hand and looks better with the years.",
    "Every part can be taken off, cleaned and put back without tools.",
    "The finish is rubbed in by hand, which is why no two are quite alike.",
    "It comes in a box that is worth keeping, without any plastic.",
    "We tried eleven of them for a winter and kept this one.",
    "Spare parts are sold for as long as we are in business.",
    "It does one thing, quietly, and does not ask to be charged every night.",
    "Stands as well on a shelf as in the middle of a room.",
    "Two years of guarantee, and a reply within a day when something is wrong.",
];

/// Numbers that look like chance, the same for the same seed (splitmix64).
struct Dice(u64);

impl Dice {
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

    /// The smaller, the likelier: most things sell little.
    fn few(&mut self, most: u64) -> u64 {
        let (one, other) = (self.below(most), self.below(most));
        one * other / most.max(1)
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        usize::try_from(self.below(of.len() as u64))
            .ok()
            .and_then(|place| of.get(place))
            .copied()
            .unwrap_or("")
    }
}

/// The `n`th of them.
pub fn made(n: u64) -> Option<Made> {
    let mut dice = Dice(n.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let range = &RANGES[usize::try_from(n % RANGES.len() as u64).unwrap_or(0)];
    let brand = dice.few(BRANDS);
    let brand = format!(
        "{}{}",
        FIRST[usize::try_from(brand % 20).unwrap_or(0)],
        SECOND[usize::try_from(brand / 20 % 10).unwrap_or(0)]
    );
    let (quality, material) = (dice.one(&QUALITIES), dice.one(&MATERIALS));
    let noun = dice.one(range.nouns);
    let line = format!("{}{}", dice.one(&FIRST), dice.one(&SECOND));
    let price = (range.from + i64::try_from(dice.few(400)).unwrap_or(0) * 100) / 100 * 100;
    let offer = if dice.below(5) == 0 { price * 8 / 10 } else { price };
    let mut colours: Vec<String> =
        (0..1 + dice.below(4)).map(|_| dice.one(&COLOURS).to_owned()).collect();
    colours.sort_unstable();
    colours.dedup();
    let described: Vec<&str> = (0..4).map(|_| dice.one(&SENTENCES)).collect();
    let mut tags = vec![noun.to_lowercase(), material.to_lowercase(), dice.one(&USES).to_owned()];
    tags.dedup();
    Some(Made {
        id: format!("made-{n:07}").parse().ok()?,
        category: range.category.parse().ok()?,
        name: format!("{line} {quality} {material} {noun}"),
        sku: format!("MD-{}-{n:07}", range.short),
        brand,
        price,
        offer,
        qtn: i64::try_from(dice.below(60)).unwrap_or(0).saturating_sub(5).max(0),
        colours: Json(colours),
        tags: Json(tags),
        attributes: Json(vec![
            Attribute {
                name: "Material".into(),
                value: format!("{material}, {}", dice.one(&MATERIALS)),
            },
            Attribute { name: "Weight".into(), value: format!("{} g", 80 + dice.below(4000)) },
        ]),
        description: format!(
            "A {} {} in {}. {}",
            quality.to_lowercase(),
            noun.to_lowercase(),
            material.to_lowercase(),
            described.join(" ")
        ),
        sold: i64::try_from(dice.few(5000)).unwrap_or(0),
        age: Duration::from_secs(dice.below(DAYS * 24 * 3600)),
    })
}

/// Adds `count` of them to a shop that has the demo's categories, whose goods lend their pictures. Says
/// after each transaction how many there are so far.
pub async fn fill(
    db: &Db,
    clock: &Clock,
    demo: &Import,
    count: u64,
    mut told: impl FnMut(u64),
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
    let (there,): (i64,) =
        db.query("select count(*) from products where id like 'made-%'").one().await?;
    let first = u64::try_from(there).unwrap_or(0);
    let now = clock.now();
    for from in (first..first + count).step_by(usize::try_from(TOGETHER).unwrap_or(1)) {
        let to = (from + TOGETHER).min(first + count);
        let goods: Vec<Made> = (from..to).filter_map(made).collect();
        let mut tx = db.begin_long().await?;
        revisions::queue(&mut tx).await?;
        for some in goods.chunks(IN_A_STATEMENT) {
            put(&mut tx, some, demo, now).await?;
        }
        let mut scopes: Vec<Scope> = goods.iter().map(|made| scope_of_product(&made.id)).collect();
        scopes.extend([whole(), shelves()]);
        scopes
            .extend(goods.iter().take(RANGES.len()).map(|made| scope_of_category(&made.category)));
        revisions::changed(&mut tx, scopes).await?;
        tx.commit().await?;
        told(to - first);
    }
    db.analyze().await
}

async fn put(tx: &mut Tx, goods: &[Made], demo: &Import, now: Timestamp) -> Result<()> {
    let places = |row: usize| {
        let places = (1..=COLUMN_COUNT).map(|column| format!("${}", row * COLUMN_COUNT + column));
        format!("({})", places.collect::<Vec<_>>().join(", "))
    };
    let rows: Vec<String> = (0..goods.len()).map(places).collect();
    let sql = format!("insert into products ({COLUMNS}) values {}", rows.join(", "));
    let values = goods.iter().enumerate().flat_map(|(place, made)| {
        let img = Json(pictures(demo, &made.category, place));
        [
            Value::from(&made.id),
            Value::from(&made.category),
            made.name.as_str().into(),
            made.sku.as_str().into(),
            made.brand.as_str().into(),
            Value::from(&img),
            made.price.into(),
            made.offer.into(),
            made.offer.into(),
            0.0.into(),
            made.qtn.into(),
            "standard".into(),
            made.description.as_str().into(),
            Value::from(&made.colours),
            Value::from(&made.tags),
            Value::from(&made.attributes),
            made.sold.into(),
            made.sold.into(),
            now.minus(made.age).into(),
        ]
    });
    tx.query(sql).bind_all(values).execute().await.map(drop)
}

/// The first two pictures of one of the demo's goods in this category.
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
    fn they_are_many_and_always_the_same() {
        let all: Vec<Made> = (0..20_000).filter_map(made).collect();
        assert_eq!(all.len(), 20_000);
        let count = |of: fn(&Made) -> String| all.iter().map(of).collect::<HashSet<_>>().len();
        assert_eq!(count(|made| made.id.to_string()), 20_000);
        assert_eq!(count(|made| made.sku.clone()), 20_000);
        assert_eq!(count(|made| made.category.to_string()), 8);
        assert!(count(|made| made.brand.clone()) > 190);
        assert!(count(|made| made.name.clone()) > 19_000);
        let again = made(77).unwrap();
        assert_eq!((again.name, again.price), (all[77].name.clone(), all[77].price));
        for made in &all {
            assert!(made.offer <= made.price && made.price > 0);
        }
    }
}
