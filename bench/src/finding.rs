//! Finding among very many goods, each figure beside the same asked of bare tantivy in the same run: plain
//! queries, its own collectors, and terms counted through its columns. Then the same of a shop, through
//! HTTP and with its database.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use base::{Clock, Timestamp};
use search::Choice;
use search::index::{Goods, OpenIndex, Pace, Snapshot};
use shop::catalog::Sort;
use shop::catalog::many::{Made, made};
use tantivy::collector::{Collector, Count, SegmentCollector, TopDocs};
use tantivy::columnar::{Column, StrColumn};
use tantivy::query::{AllQuery, BooleanQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, Order, Score, Searcher, SegmentOrdinal, SegmentReader, Term};

use crate::house::Line;
use crate::shop::{Shop, run};
use crate::{Outcome, part};

/// For a shorter run.
const FEWER: &str = "HAAT_BENCH_PRODUCTS";
const USUAL: u64 = 1_000_000;
const ROUNDS: usize = 25;
const DEEP_PAGE: i64 = 625;

/// What shoppers ask: common and rare words, two of them, misspelt ones, a beginning, a SKU.
const QUERIES: [&str; 16] = [
    "lamp",
    "desk lamp",
    "oak dining chair",
    "headphones",
    "slim leather wallet",
    "walnut",
    "brass candlestick",
    "keybord",
    "headfones",
    "dive watches",
    "folding travel umbrella",
    "MD-AUD-0000800",
    "kelvik",
    "glass carafe",
    "lapt",
    "small round ceramic mug",
];
const LISTINGS: [&str; 4] = [
    "",
    "brand=Fenholt&stock=in",
    "colour=Sand&colour=Ink&min=20&max=150",
    "rating=4&new=1&sort=best",
];
const BEGINNINGS: [&str; 8] = ["l", "la", "desk l", "head", "oak di", "wal", "slim lea", "kel"];

pub fn measure(dir: &Path) -> Outcome {
    let count = std::env::var(FEWER).ok().and_then(|count| count.parse().ok()).unwrap_or(USUAL);
    let now = Clock::system().now();
    let folder = dir.join("finding");
    std::fs::create_dir_all(&folder)?;
    println!("\nfinding among {count} products");
    let (mut index, took) = filled(&folder, count, now)?;
    println!("{:<36} {:>10.0} products per second", "indexing", count as f64 / took.as_secs_f64());
    let began = Instant::now();
    let snapshot = index.show()?;
    println!("{:<36} {:>10.0} ms", "reading the rows", began.elapsed().as_secs_f64() * 1000.0);

    println!("{:<36} {:>17}   {:>17}   {:>5}", "ms", "haat p50, p99", "tantivy p50, p99", "p99 ×");
    let searched = |q: &str| Choice { q: q.to_owned(), sort: Sort::Relevance, ..Choice::default() };
    let bare = Bare { searcher: &snapshot.searcher };
    line(
        "search",
        times(&QUERIES, |q| ask(&snapshot, &searched(q), now))?,
        times(&QUERIES, |q| bare.search(q))?,
    );
    line(
        "suggestion",
        times(&BEGINNINGS, |q| {
            let choice = Choice { size: 6, ..searched(q) };
            black_box(snapshot.suggest(&choice, now)?);
            Ok(())
        })?,
        times(&BEGINNINGS, |q| bare.suggest(q))?,
    );
    line(
        "listing with all counts",
        times(&LISTINGS, |query| ask(&snapshot, &Choice::of_search(query), now))?,
        times(&LISTINGS, |_| bare.list(16))?,
    );
    for (name, number) in [("listing, page 1", 1), ("listing, the deepest page", DEEP_PAGE)] {
        let choice = Choice { number, sort: Sort::PriceAsc, ..Choice::default() };
        let depth = usize::try_from(choice.number * choice.size)?;
        line(
            name,
            times(&[""; 8], |_| ask(&snapshot, &choice, now))?,
            times(&[""; 8], |_| bare.list(depth))?,
        );
    }
    println!("{:<36} {:>10.0} MiB at most", "memory", most_memory_mib()?);
    drop((snapshot, index));
    served(&dir.join("served"), count)
}

/// What one shopper gets of a shop with as many products.
fn served(data: &Path, count: u64) -> Outcome {
    let began = Instant::now();
    run(data, &["demo-products", &count.to_string()])?;
    println!("{:<36} {:>10.0} s", "a shop with as many", began.elapsed().as_secs_f64());
    let shop = Shop::open(data, &["--demo"])?;
    let began = Instant::now();
    let mut line = Line::open(&shop.address)?;
    while line.ask("GET", "/api/search?size=2", &[], "")?.0 == 503 {
        std::thread::sleep(Duration::from_millis(100));
    }
    println!("{:<36} {:>10.0} s", "its index", began.elapsed().as_secs_f64());
    shop.settle()?;

    let escaped = |q: &str| q.replace(' ', "+");
    let searches = QUERIES.map(|q| format!("/api/search?q={}", escaped(q)));
    let suggestions = BEGINNINGS.map(|q| format!("/api/search/suggestions?q={}", escaped(q)));
    let listings = LISTINGS.map(|query| format!("/api/search?{query}"));
    let deep = [1, DEEP_PAGE].map(|page| format!("/api/search?sort=price-asc&page={page}"));
    println!("{:<36} {:>17}", "ms, through HTTP", "p50, p99");
    for (name, paths) in [
        ("search", searches.as_slice()),
        ("suggestion", &suggestions),
        ("listing with all counts", &listings),
        ("listing, page 1", &deep[..1]),
        ("listing, the deepest page", &deep[1..]),
    ] {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let times = times(&paths, |path| match line.ask("GET", path, &[], "")? {
            (200, _) => Ok(()),
            (status, body) => Err(format!("{path}: {status} {body}").into()),
        })?;
        println!("{name:<36} {:>8.2} {:>8.2}", part(&times, 50), part(&times, 99));
    }
    println!("{:<36} {:>10.0} MiB", "the server's memory", shop.memory_mib()?);
    Ok(())
}

fn filled(folder: &Path, count: u64, now: Timestamp) -> Outcome<(OpenIndex, Duration)> {
    let mut index = OpenIndex::create(folder, Pace::whole())?;
    let mut took = Duration::ZERO;
    for from in (0..count).step_by(10_000) {
        // Thinking of them is not indexing.
        let goods: Vec<Goods> = (from..(from + 10_000).min(count))
            .filter_map(made)
            .map(|made| as_goods(made, now))
            .collect();
        let began = Instant::now();
        goods.iter().try_for_each(|goods| index.add(goods))?;
        took += began.elapsed();
    }
    let began = Instant::now();
    index.write(0)?;
    Ok((index, took + began.elapsed()))
}

fn as_goods(made: Made, now: Timestamp) -> Goods {
    Goods {
        id: made.id,
        name: made.name,
        sku: made.sku,
        brand: made.brand,
        category: made.category,
        tags: made.tags,
        colours: made.colours,
        attributes: made.attributes,
        full_description: made.description,
        sort_price: made.offer,
        real_price: made.price,
        // So that the filter by rating has something to choose from.
        rating: 2.5 + (made.sold % 26) as f64 / 10.0,
        qtn: made.qtn,
        popularity: made.sold,
        created_at: now.minus(made.age),
    }
}

fn ask(snapshot: &Snapshot, choice: &Choice, now: Timestamp) -> Outcome {
    black_box(snapshot.find(choice, now)?);
    Ok(())
}

/// Milliseconds, each query a few times, after one that does not count.
fn times(queries: &[&str], mut ask: impl FnMut(&str) -> Outcome) -> Outcome<Vec<f64>> {
    let mut times = Vec::new();
    for query in queries {
        ask(query)?;
        for _ in 0..ROUNDS {
            let began = Instant::now();
            ask(query)?;
            times.push(began.elapsed().as_secs_f64() * 1000.0);
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

fn line(name: &str, haat: Vec<f64>, bare: Vec<f64>) {
    let (ours, theirs) = (part(&haat, 99), part(&bare, 99));
    println!(
        "{name:<36} {:>8.2} {ours:>8.2}   {:>8.2} {theirs:>8.2}   {:>5.2}",
        part(&haat, 50),
        part(&bare, 50),
        ours / theirs
    );
}

fn most_memory_mib() -> Outcome<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: f64 = line.unwrap_or_default().trim().trim_end_matches(" kB").parse()?;
    Ok(kib / 1024.0)
}

const FIELDS: [&str; 6] =
    ["name_stems", "brand_stems", "category_stems", "tag_stems", "trait_stems", "text_stems"];

/// The same questions without a shop around them.
struct Bare<'s> {
    searcher: &'s Searcher,
}

impl Bare<'_> {
    /// Any of the words in any of the fields, as tantivy's own parser would ask; all terms counted.
    fn search(&self, q: &str) -> Outcome {
        let schema = self.searcher.schema();
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for field in FIELDS {
            let field = schema.get_field(field)?;
            let mut cutter = self.searcher.index().tokenizer_for_field(field)?;
            let mut words = cutter.token_stream(q);
            while let Some(word) = words.next() {
                let term = Term::from_field_text(field, &word.text);
                clauses.push((
                    Occur::Should,
                    Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
                ));
            }
        }
        let query = BooleanQuery::new(clauses);
        black_box(
            self.searcher
                .search(&query, &(TopDocs::with_limit(16).order_by_score(), Count, Terms))?,
        );
        Ok(())
    }

    fn suggest(&self, q: &str) -> Outcome {
        let last = q.rsplit(' ').next().unwrap_or(q);
        let term = Term::from_field_text(self.searcher.schema().get_field("words")?, last);
        let query = FuzzyTermQuery::new_prefix(term, 0, true);
        black_box(self.searcher.search(&query, &(TopDocs::with_limit(6).order_by_score(), Terms))?);
        Ok(())
    }

    fn list(&self, depth: usize) -> Outcome {
        let by_price = TopDocs::with_limit(depth).order_by_fast_field::<i64>("price", Order::Asc);
        black_box(self.searcher.search(&AllQuery, &(by_price, Count, Terms))?);
        Ok(())
    }
}

/// Counts brands, categories and colours, and the span of prices, through the columns.
struct Terms;

struct TermsOfSegment {
    columns: Vec<StrColumn>,
    counts: Vec<Vec<u32>>,
    price: Column<i64>,
    span: (i64, i64),
}

impl Collector for Terms {
    type Fruit = u64;
    type Child = TermsOfSegment;

    fn for_segment(
        &self,
        _: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<TermsOfSegment> {
        let fast = segment.fast_fields();
        let mut columns = Vec::new();
        for name in ["brand", "category", "colours"] {
            columns.extend(fast.str(name)?);
        }
        let counts = columns.iter().map(|column| vec![0; column.num_terms()]).collect();
        Ok(TermsOfSegment {
            columns,
            counts,
            price: fast.i64("price")?,
            span: (i64::MAX, i64::MIN),
        })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, fruits: Vec<u64>) -> tantivy::Result<u64> {
        Ok(fruits.into_iter().sum())
    }
}

impl SegmentCollector for TermsOfSegment {
    type Fruit = u64;

    fn collect(&mut self, doc: DocId, _: Score) {
        for (column, counts) in self.columns.iter().zip(&mut self.counts) {
            for ord in column.term_ords(doc) {
                if let Some(count) = usize::try_from(ord).ok().and_then(|ord| counts.get_mut(ord)) {
                    *count += 1;
                }
            }
        }
        let price = self.price.first(doc).unwrap_or(0);
        self.span = (self.span.0.min(price), self.span.1.max(price));
    }

    fn harvest(self) -> u64 {
        black_box(self.span);
        self.counts.iter().flatten().map(|count| u64::from(*count)).sum()
    }
}
