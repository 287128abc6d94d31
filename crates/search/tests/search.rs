//! Search over the demo's products, against real databases.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use base::revisions::{self, Revisions};
use media::{BuiltIn, Index};
use search::{Choice, Follower, Found, Home, Search};
use shop::catalog::{self, Format, Import, Sort, demo};
use tempfile::TempDir;
use test_support::on_both;
use test_support::{Engine, TestDb, eventually};
use tokio::task::JoinSet;

const DEMO: demo::Files = demo::Files {
    catalog: include_str!("../../../demo/catalog.json"),
    reviews: include_str!("../../../demo/reviews.txt"),
};

on_both!(Stall:
    the_first_three_have_what_was_meant,
    the_closer_correction_comes_first,
    a_change_is_found_within_a_second,
    what_is_not_sold_any_more_is_not_found,
    a_category_is_found_by_its_new_name,
    an_index_goes_on_where_it_was,
    a_damaged_index_is_made_anew,
    a_killed_build_leaves_nothing_behind,
    a_second_server_has_an_index_of_its_own,
    everything_is_indexed_anew_when_asked,
    what_sells_rises,
    orders_are_what_they_say,
    bengali_and_accents_are_found,
);

/// Files that stand in for the demo's own, under the names that its index has.
fn demo_pictures() -> BuiltIn {
    let index = include_bytes!("../../../demo/pictures/index.json");
    let names: Index = serde_json::from_slice(index).unwrap();
    BuiltIn::new(index, names.into_keys().map(|name| (name, Bytes::from_static(b"a master"))))
        .unwrap()
}

/// The demo's goods, and a search over them that follows.
struct Stall {
    given: TestDb,
    dir: TempDir,
    server: Server,
}

/// What one process would have.
struct Server {
    search: Search,
    tasks: JoinSet<()>,
}

impl Server {
    async fn open(given: &TestDb, dir: &Path) -> Self {
        let revisions = Revisions::start(&given.db).await.unwrap();
        let search = Search::new(given.db.clone(), given.clock.clone(), revisions.clone());
        let follower = Follower {
            search: search.clone(),
            db: given.db.clone(),
            revisions: revisions.clone(),
            home: Home::claim(dir).unwrap(),
        };
        let mut tasks = JoinSet::new();
        tasks.spawn(revisions.clone().follow(given.db.clone()));
        tasks.spawn(follower.follow());
        eventually("the index is there", async || search.is_ready()).await;
        assert!(search.catch_up().await);
        Self { search, tasks }
    }

    /// Ends as a process does that is told to.
    async fn close(mut self) {
        self.tasks.shutdown().await;
    }

    async fn find(&self, q: &str) -> Found {
        let choice = Choice { q: q.to_owned(), sort: Sort::Relevance, ..Choice::default() };
        self.search.find(&choice).await.unwrap()
    }

    async fn first(&self, q: &str) -> String {
        self.find(q).await.ids.first().map(ToString::to_string).unwrap_or_default()
    }

    async fn total(&self, q: &str) -> i64 {
        self.find(q).await.total
    }
}

impl Stall {
    async fn new(engine: Engine) -> Self {
        let given = TestDb::filled(engine, "demo", async |given| {
            demo::open(&given.db, &given.clock, &DEMO, &demo_pictures()).await.unwrap();
        });
        let given = given.await;
        let dir = tempfile::tempdir().unwrap();
        let server = Server::open(&given, dir.path()).await;
        Self { given, dir, server }
    }

    async fn import(&self, text: &str) {
        let rows = Import::parse(text, Format::Json).unwrap();
        catalog::import(&self.given.db, &self.given.clock, &rows).await.unwrap();
    }

    /// Closes the server, does something to its folder, and opens it again.
    async fn reopen(mut self, with: impl FnOnce(&Path)) -> Self {
        self.server.close().await;
        // What runs in the background holds the folder until it notices.
        eventually("the folder is free", async || {
            Home::claim(self.dir.path()).unwrap().is_lasting()
        })
        .await;
        with(self.dir.path());
        self.server = Server::open(&self.given, self.dir.path()).await;
        self
    }
}

fn goods(id: &str, name: &str, more: &str) -> String {
    format!(
        r#"{{"products": [{{"_id": "{id}", "category": "audio", "name": "{name}", "sku": "X-{id}",
            "img": ["/favicon.svg"], "realPrice": 77.7, "qtn": 1{more}}}]}}"#
    )
}

const QUERIES: &str = include_str!("queries.tsv");

async fn the_first_three_have_what_was_meant(stall: Stall) {
    let (mut asked, mut misses) = (0, Vec::new());
    for line in QUERIES.lines().filter(|line| !line.starts_with('#')) {
        let [kind, query, meant] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        asked += 1;
        let found = stall.server.find(query).await;
        let first: Vec<&str> = found.ids.iter().take(3).map(|id| id.as_str()).collect();
        if !first.contains(&meant) {
            misses.push(format!("{kind}: {query}: {meant} is not among {first:?}"));
        }
    }
    println!("{} of {asked} found\n{}", asked - misses.len(), misses.join("\n"));
    assert!(asked >= 110);
    assert!(misses.len() * 20 <= asked, "{}", misses.join("\n"));
}

/// A misspelt word finds what is called so before what is only described by it, and before what another
/// letter would make of it.
async fn the_closer_correction_comes_first(stall: Stall) {
    for (query, wanted) in [
        ("wach", "watch"),
        ("wacth", "watch"),
        ("hedphon", "headphones"),
        ("hedphones", "headphones"),
        ("lapm", "lamp"),
    ] {
        let found = stall.server.find(query).await;
        let first: Vec<&str> = found.ids.iter().take(2).map(|id| id.as_str()).collect();
        assert!(
            first.len() == 2 && first.iter().all(|id| id.ends_with(wanted)),
            "{query}: {first:?}"
        );
    }
}

async fn a_change_is_found_within_a_second(stall: Stall) {
    let Stall { server, given, .. } = &stall;
    stall.import(&goods("zither", "Plain Zither", "")).await;
    let began = Instant::now();
    eventually("it is found", async || server.total("zither").await == 1).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    stall.import(&goods("zither", "Plain Zither", "").replace("77.7", "12")).await;
    let cheap = Choice::of_search("q=zither&max=15");
    let began = Instant::now();
    eventually("its price is", async || server.search.find(&cheap).await.unwrap().total == 1).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let mut tx = given.db.begin().await.unwrap();
    let id = "zither".parse().unwrap();
    let (_, moved) = catalog::take_stock(&mut tx, &[(id, 1)]).await.unwrap().unwrap();
    revisions::changed(&mut tx, moved).await.unwrap();
    tx.commit().await.unwrap();
    let there = Choice::of_search("q=zither&stock=in");
    let began = Instant::now();
    eventually("it is sold out", async || server.search.find(&there).await.unwrap().total == 0)
        .await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

async fn what_is_not_sold_any_more_is_not_found(stall: Stall) {
    let before = stall.server.search.products();
    let mut tx = stall.given.db.begin().await.unwrap();
    tx.query("delete from products where id = 'skerry-turntable'").execute().await.unwrap();
    let id = "skerry-turntable".parse().unwrap();
    revisions::changed(&mut tx, [catalog::scope_of_product(&id)]).await.unwrap();
    tx.commit().await.unwrap();
    eventually("it is gone", async || stall.server.total("HT-AUD-006").await == 0).await;
    assert_eq!(stall.server.search.products(), before - 1);
}

async fn a_category_is_found_by_its_new_name(stall: Stall) {
    assert_eq!(stall.server.total("gramophones").await, 0);
    let (img,): (String,) =
        stall.given.db.query("select img from categories where id = 'audio'").one().await.unwrap();
    stall
        .import(&format!(
            r#"{{"categories": [{{"_id": "audio", "name": "Gramophones", "img": "{img}"}}]}}"#
        ))
        .await;
    eventually("the new name is found", async || stall.server.total("gramophones").await == 8)
        .await;
    let found = stall.server.find("gramophones").await;
    assert_eq!(found.facets.categories[0].name, "Gramophones");
}

async fn an_index_goes_on_where_it_was(stall: Stall) {
    let mark = stall.dir.path().join("index/mark");
    std::fs::write(&mark, "").unwrap();
    let Stall { given, dir, server } = stall;
    server.close().await;
    let stall = Stall { server: Server::open_nothing(&given).await, given, dir };
    stall.import(&goods("zither", "Plain Zither", "")).await;
    let stall = stall.reopen(|_| {}).await;
    assert!(mark.exists(), "the index was not made anew");
    eventually("what changed meanwhile is found", async || stall.server.total("zither").await == 1)
        .await;
}

impl Server {
    /// No server at all.
    async fn open_nothing(given: &TestDb) -> Self {
        let revisions = Revisions::start(&given.db).await.unwrap();
        let search = Search::new(given.db.clone(), given.clock.clone(), revisions);
        Self { search, tasks: JoinSet::new() }
    }
}

async fn a_damaged_index_is_made_anew(stall: Stall) {
    let ways: [fn(&Path); 4] = [
        |folder| std::fs::remove_dir_all(folder).unwrap(),
        |folder| std::fs::write(folder.join("meta.json"), "{").unwrap(),
        |folder| {
            // One byte in the middle of the words.
            let mut files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
            let file =
                files.find(|file| file.extension().is_some_and(|ending| ending == "term")).unwrap();
            let mut bytes = std::fs::read(&file).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0x55;
            std::fs::remove_file(&file).unwrap();
            std::fs::write(&file, bytes).unwrap();
        },
        |folder| {
            let meta = std::fs::read_to_string(folder.join("meta.json")).unwrap();
            let other = meta.replace(r#"\"version\":2"#, r#"\"version\":1"#);
            assert_ne!(meta, other);
            std::fs::write(folder.join("meta.json"), other).unwrap();
        },
    ];
    let mut stall = stall;
    for way in ways {
        stall = stall.reopen(|dir| way(&dir.join("index"))).await;
        assert_eq!(stall.server.first("HT-AUD-006").await, "skerry-turntable");
    }
}

async fn a_killed_build_leaves_nothing_behind(stall: Stall) {
    // Killed while it was written, and between the two steps of putting it in place.
    let stall = stall
        .reopen(|dir| {
            std::fs::create_dir(dir.join("index.new")).unwrap();
            std::fs::write(dir.join("index.new/meta.json"), "half").unwrap();
            std::fs::rename(dir.join("index"), dir.join("index.old")).unwrap();
        })
        .await;
    assert_eq!(stall.server.first("HT-AUD-006").await, "skerry-turntable");
    for left in ["index.new", "index.old"] {
        assert!(!stall.dir.path().join(left).exists(), "{left}");
    }
}

async fn a_second_server_has_an_index_of_its_own(stall: Stall) {
    let second = Server::open(&stall.given, stall.dir.path()).await;
    stall.import(&goods("zither", "Plain Zither", "")).await;
    let began = Instant::now();
    for server in [&stall.server, &second] {
        eventually("both find it", async || server.total("zither").await == 1).await;
    }
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

async fn everything_is_indexed_anew_when_asked(stall: Stall) {
    let mark = stall.dir.path().join("index/mark");
    std::fs::write(&mark, "").unwrap();
    let (db, dir) = (&stall.given.db, stall.dir.path());
    assert_eq!(search::rebuild_here(db, dir).await.unwrap(), (64, false));
    eventually("it is made anew", async || !mark.exists()).await;
    eventually("and found in", async || {
        stall.server.first("HT-AUD-006").await == "skerry-turntable"
    })
    .await;
    let Stall { given, dir, server } = stall;
    server.close().await;
    eventually("the folder is free", async || Home::claim(dir.path()).unwrap().is_lasting()).await;
    assert_eq!(search::rebuild_here(&given.db, dir.path()).await.unwrap(), (64, true));
}

async fn what_sells_rises(stall: Stall) {
    let best = Choice::of_search("sort=best");
    let first = async || stall.server.search.find(&best).await.unwrap().ids[0].to_string();
    assert_ne!(first().await, "skerry-turntable");
    let sql = "update products set units_sold = 1000000 where id = 'skerry-turntable'";
    stall.given.db.query(sql).execute().await.unwrap();
    catalog::count_popularity(&stall.given.db, None).await.unwrap();
    eventually("it is first", async || first().await == "skerry-turntable").await;
}

async fn orders_are_what_they_say(stall: Stall) {
    let Stall { given, server, .. } = &stall;
    let audio = "audio".parse().unwrap();
    for sort in Sort::ALL {
        let choice = Choice { sort, category: Some("audio".parse().unwrap()), ..Choice::default() };
        let found = server.search.find(&choice).await.unwrap();
        let page = catalog::category_page(&given.db, given.clock.now(), &audio, sort, 16, 1)
            .await
            .unwrap();
        let shown = catalog::cards_of(&given.db, given.clock.now(), &found.ids).await.unwrap();
        // Two of them cost the same, and may stand either way.
        let in_order = |cards: &[catalog::ProductCard]| -> Vec<String> {
            let by_price = matches!(sort, Sort::PriceAsc | Sort::PriceDesc);
            let key = |card: &catalog::ProductCard| match by_price {
                true => card.price.buy_price.to_string(),
                false => card.id.to_string(),
            };
            cards.iter().map(key).collect()
        };
        assert_eq!(in_order(&shown), in_order(&page), "{sort:?}");
        assert_eq!(found.total, 8);
    }
}

async fn bengali_and_accents_are_found(stall: Stall) {
    stall.import(&goods("haat", "হাতে বোনা শাড়ি Café Crème", "")).await;
    for q in ["শাড়ি", "হাতে বোনা", "cafe creme", "CAFÉ", "crème"] {
        eventually(q, async || stall.server.first(q).await == "haat").await;
    }
    assert_eq!(stall.server.total("শাড").await, 1, "what is typed is completed");
}
