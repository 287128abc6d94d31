//! Search in a large catalogue, compared with bare tantivy in the same run: plain queries, its own collectors, and
//! terms counted through its columns. Then the same in a running shop, over HTTP.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use platform::{Clock, Currencies, Currency, Exchange, Timestamp};
use search::SearchParams;
use search::index::{ProductIndex, Snapshot, WriterSettings};
use search::indexed_product::{IndexedProduct, IndexedVariants, ProductPrice};
use shop::catalog::fake_products::{FakeProduct, fake_product};
use shop::catalog::{CatalogView, ProductSort};
use tantivy::collector::{Collector, Count, SegmentCollector, TopDocs};
use tantivy::columnar::{Column, StrColumn};
use tantivy::query::{AllQuery, BooleanQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, Order, Score, Searcher, SegmentOrdinal, SegmentReader, Term};

use crate::load_shop::Connection;
use crate::process::{ShopProcess, run};
use crate::{BenchResult, percentile};

/// The environment variable for a shorter run. Not `HAAT_…`: those are settings, and the program refuses unknown ones.
const PRODUCTS: &str = "BENCH_PRODUCTS";
const DEFAULT_PRODUCTS: u64 = 1_000_000;
const ROUNDS: usize = 25;
const DEEP_PAGE: i64 = 625;

/// Common and rare words, several words, misspelt ones, a prefix, a SKU.
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
const PREFIXES: [&str; 8] = ["l", "la", "desk l", "head", "oak di", "wal", "slim lea", "kel"];

pub fn measure(dir: &Path) -> BenchResult {
    let count = std::env::var(PRODUCTS).ok().and_then(|count| count.parse().ok());
    let count = count.unwrap_or(DEFAULT_PRODUCTS);
    let now = Clock::system().now();
    let folder = dir.join("search");
    std::fs::create_dir_all(&folder)?;
    println!("\nsearch in {count} products");
    let (mut index, took) = build_index(&folder, count, now)?;
    println!("{:<36} {:>10.0} products per second", "indexing", count as f64 / took.as_secs_f64());
    let began = Instant::now();
    let snapshot = index.snapshot()?;
    println!("{:<36} {:>10.0} ms", "reading the rows", began.elapsed().as_secs_f64() * 1000.0);

    println!("{:<36} {:>17}   {:>17}   {:>5}", "ms", "haat p50, p99", "tantivy p50, p99", "p99 ×");
    let text_search = |q: &str| SearchParams {
        q: q.to_owned(),
        sort: ProductSort::Relevance,
        ..SearchParams::default()
    };
    let view = CatalogView {
        now,
        to: Exchange::base(Currency::USD),
        language: None,
        lowest_price_days: 0,
    };
    let bare = BareTantivy { searcher: &snapshot.searcher };
    line(
        "search",
        times(&QUERIES, |q| find(&snapshot, &text_search(q), view))?,
        times(&QUERIES, |q| bare.search(q))?,
    );
    line(
        "suggestion",
        times(&PREFIXES, |q| {
            let params = SearchParams { size: 6, ..text_search(q) };
            black_box(snapshot.suggest(&params, view)?);
            Ok(())
        })?,
        times(&PREFIXES, |q| bare.suggest(q))?,
    );
    line(
        "listing with all counts",
        times(&LISTINGS, |query| find(&snapshot, &SearchParams::from_page_query(query), view))?,
        times(&LISTINGS, |_| bare.list(16))?,
    );
    let in_taka = CatalogView { to: taka()?, ..view };
    for (name, page, view) in [
        ("listing, page 1", 1, view),
        ("listing, the deepest page", DEEP_PAGE, view),
        ("the same in another currency", DEEP_PAGE, in_taka),
    ] {
        let params = SearchParams { page, sort: ProductSort::PriceAsc, ..SearchParams::default() };
        let depth = usize::try_from(params.page * params.size)?;
        line(
            name,
            times(&[""; 8], |_| find(&snapshot, &params, view))?,
            times(&[""; 8], |_| bare.list(depth))?,
        );
    }
    println!("{:<36} {:>10.0} MiB at most", "memory", peak_memory_mib()?);
    drop((snapshot, index));
    measure_http(&dir.join("served"), count)
}

/// The same over HTTP, with one client.
fn measure_http(data: &Path, count: u64) -> BenchResult {
    let began = Instant::now();
    run(data, &["demo-products", &count.to_string()])?;
    println!("{:<36} {:>10.0} s", "adding the products to a shop", began.elapsed().as_secs_f64());
    let shop = ShopProcess::open(data, &["--demo"])?;
    let began = Instant::now();
    let mut connection = Connection::open(&shop.address)?;
    while connection.send("GET", "/api/search?size=2", &[], "")?.1["facets"].is_null() {
        std::thread::sleep(Duration::from_millis(100));
    }
    println!("{:<36} {:>10.0} s", "building its index", began.elapsed().as_secs_f64());
    shop.wait_until_idle()?;

    let escaped = |q: &str| q.replace(' ', "+");
    let searches = QUERIES.map(|q| format!("/api/search?q={}", escaped(q)));
    let suggestions = PREFIXES.map(|q| format!("/api/search/suggestions?q={}", escaped(q)));
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
        let times = times(&paths, |path| match connection.send("GET", path, &[], "")? {
            (200, _) => Ok(()),
            (status, body) => Err(format!("{path}: {status} {body}").into()),
        })?;
        println!("{name:<36} {:>8.2} {:>8.2}", percentile(&times, 50), percentile(&times, 99));
    }
    println!("{:<36} {:>10.0} MiB", "the server's memory", shop.memory_mib()?);
    Ok(())
}

fn build_index(folder: &Path, count: u64, now: Timestamp) -> BenchResult<(ProductIndex, Duration)> {
    let mut index = ProductIndex::create(folder, WriterSettings::bulk())?;
    let mut took = Duration::ZERO;
    for from in (0..count).step_by(10_000) {
        // Generating the products is not measured.
        let products: Vec<IndexedProduct> = (from..(from + 10_000).min(count))
            .filter_map(fake_product)
            .map(|product| as_indexed(product, now))
            .collect();
        let began = Instant::now();
        products.iter().try_for_each(|product| index.add(product))?;
        took += began.elapsed();
    }
    let began = Instant::now();
    index.commit(0)?;
    Ok((index, took + began.elapsed()))
}

fn taka() -> BenchResult<Exchange> {
    let currencies = Currencies::new(Currency::USD, vec!["BDT=120.5".parse()?])?;
    Ok(currencies.exchange(Currency::BDT).ok_or("taka are not offered")?)
}

fn as_indexed(product: FakeProduct, now: Timestamp) -> IndexedProduct {
    IndexedProduct {
        id: product.id,
        name: product.name,
        brand: product.brand,
        category: product.category,
        tags: product.tags,
        options: product.options,
        attributes: product.attributes,
        full_description: product.description,
        sort_price: product.offer,
        // Different values for the rating filter.
        rating: 2.5 + (product.sold % 26) as f64 / 10.0,
        popularity: product.sold,
        created_at: now.minus(product.age),
        variants: IndexedVariants {
            skus: product.variants.iter().map(|variant| variant.sku.clone()).collect(),
            in_stock: product.variants.iter().any(|variant| variant.qtn > 0),
            on_offer: product.offer < product.price,
        },
        // One product of ten has a fixed price in taka.
        prices: (product.sold % 10 == 0)
            .then(|| {
                (Currency::BDT, ProductPrice { fixed: Some(product.offer * 120), converted: None })
            })
            .into_iter()
            .collect(),
        translations: Vec::new(),
    }
}

fn find(snapshot: &Snapshot, params: &SearchParams, view: CatalogView) -> BenchResult {
    black_box(snapshot.find(params, view)?);
    Ok(())
}

/// Milliseconds of each query, several times, after a warm-up.
fn times(queries: &[&str], mut run: impl FnMut(&str) -> BenchResult) -> BenchResult<Vec<f64>> {
    let mut times = Vec::new();
    for query in queries {
        run(query)?;
        for _ in 0..ROUNDS {
            let began = Instant::now();
            run(query)?;
            times.push(began.elapsed().as_secs_f64() * 1000.0);
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

fn line(name: &str, haat: Vec<f64>, bare: Vec<f64>) {
    let (ours, theirs) = (percentile(&haat, 99), percentile(&bare, 99));
    println!(
        "{name:<36} {:>8.2} {ours:>8.2}   {:>8.2} {theirs:>8.2}   {:>5.2}",
        percentile(&haat, 50),
        percentile(&bare, 50),
        ours / theirs
    );
}

fn peak_memory_mib() -> BenchResult<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: f64 = line.unwrap_or_default().trim().trim_end_matches(" kB").parse()?;
    Ok(kib / 1024.0)
}

const FIELDS: [&str; 6] =
    ["name_stems", "brand_stems", "category_stems", "tag_stems", "trait_stems", "text_stems"];

/// The same queries with tantivy only.
struct BareTantivy<'s> {
    searcher: &'s Searcher,
}

impl BareTantivy<'_> {
    /// Any word in any field, like tantivy's own query parser; all terms counted.
    fn search(&self, q: &str) -> BenchResult {
        let schema = self.searcher.schema();
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for field in FIELDS {
            let field = schema.get_field(field)?;
            let mut tokenizer = self.searcher.index().tokenizer_for_field(field)?;
            let mut words = tokenizer.token_stream(q);
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
                .search(&query, &(TopDocs::with_limit(16).order_by_score(), Count, TermCounter))?,
        );
        Ok(())
    }

    fn suggest(&self, q: &str) -> BenchResult {
        let last = q.rsplit(' ').next().unwrap_or(q);
        let term = Term::from_field_text(self.searcher.schema().get_field("words")?, last);
        let query = FuzzyTermQuery::new_prefix(term, 0, true);
        black_box(
            self.searcher
                .search(&query, &(TopDocs::with_limit(6).order_by_score(), TermCounter))?,
        );
        Ok(())
    }

    fn list(&self, depth: usize) -> BenchResult {
        let by_price = TopDocs::with_limit(depth).order_by_fast_field::<i64>("price", Order::Asc);
        black_box(self.searcher.search(&AllQuery, &(by_price, Count, TermCounter))?);
        Ok(())
    }
}

/// Counts brands, categories and colours, and the price range, through the columns.
struct TermCounter;

struct SegmentTermCounter {
    columns: Vec<StrColumn>,
    counts: Vec<Vec<u32>>,
    price: Column<i64>,
    span: (i64, i64),
}

impl Collector for TermCounter {
    type Fruit = u64;
    type Child = SegmentTermCounter;

    fn for_segment(
        &self,
        _: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<SegmentTermCounter> {
        let fast = segment.fast_fields();
        let mut columns = Vec::new();
        for name in ["brand", "category", "traits"] {
            columns.extend(fast.str(name)?);
        }
        let counts = columns.iter().map(|column| vec![0; column.num_terms()]).collect();
        Ok(SegmentTermCounter {
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

impl SegmentCollector for SegmentTermCounter {
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
