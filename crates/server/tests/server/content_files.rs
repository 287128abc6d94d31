//! A shop's own content files, with the program as a process.

use platform::Db;
use test_support::on_both;

use super::program::{Sandbox, text};

on_both!(Sandbox:
    a_shops_content_replaces_the_demos,
    a_shop_without_demo_shows_no_demo_texts,
    invalid_content_fails_the_start_with_its_file_name,
);

const LAMP: &[u8] = include_bytes!("lamp.webp");

async fn a_shops_content_replaces_the_demos(sandbox: Sandbox) {
    let dir = sandbox.dir.path();
    for folder in ["words/posts", "words/pictures"] {
        std::fs::create_dir_all(dir.join(folder)).unwrap();
    }
    std::fs::write(dir.join("words/pictures/lamp.webp"), LAMP).unwrap();
    sandbox.file(
        "words/posts/one.md",
        "---\ntitle: Our lamp\ndate: 2026-11-01\nsummary: S\npicture: lamp\nalt: A lamp\n---\n\
         Hello <script>alert(1)</script> [x](javascript:alert(1)) ![The lamp](lamp) {{shop.name}}",
    );
    let options = ["--content-dir", "words", "--shop-name", "Rahim & <i>Sons</i>"];
    let checked = text(&sandbox.run(&[["check"].as_slice(), &options].concat()));
    assert!(checked.contains("content: good, with 1 posts"), "{checked}");

    let shop = sandbox.open_with(&options);
    let get = |path: &str| shop.get(path);
    let post = get("/blog/one");
    assert!(post.contains("&lt;script&gt;alert(1)") && !post.contains("<script>alert"), "{post}");
    assert!(!post.contains("javascript:"));
    assert!(post.contains("Rahim &amp; &lt;i&gt;Sons"));
    assert!(post.contains("/media/") && post.contains("alt=\"The lamp\""), "{post}");
    assert!(!get("/blog").contains("looking-after-leather"), "the demo's stories are the demo's");
    assert!(get("/privacy").contains("Information we collect"), "but no page is empty");
    drop(shop);
    let again = sandbox.open_with(&options);
    assert!(again.get("/blog/one").contains("/media/"), "known by its hash");
    drop(again);

    let plain = sandbox.open_with(&[]);
    assert!(plain.get("/blog").contains("Nothing has been written yet"));
    assert!(!plain.get("/contact").contains("Show the map"), "the demo's place is not ours");
}

const GOODS: &str = r#"{"categories": [{"_id": "bowls", "name": "Bowls", "img": "/favicon.svg"}],
    "products": [{"_id": "bowl", "category": "bowls", "name": "Wide Bowl", "sku": "B1",
      "img": ["/favicon.svg"], "realPrice": 20, "qtn": 4, "rating": 4.5}]}"#;

/// Texts that only the demo may show.
const DEMO_WORDS: [&str; 19] = [
    "Haat",
    "haat.example",
    "Dhaka",
    "Market Lane",
    "+880",
    "Eight shelves",
    "$99",
    "8:00am",
    "openstreetmap.org/",
    "stall",
    "market",
    "Bangladesh",
    "Coming to",
    "2023",
    "24/7",
    "furniture",
    "working day",
    "knows the goods",
    "Find an agent",
];

/// Texts that a shop without a mail server must not show.
const EMAIL_PROMISES: [&str; 6] = [
    "get an e-mail",
    "number and an e-mail",
    "an e-mail a moment later",
    "receipt is on its way",
    "We will write to you",
    "have just sent",
];

async fn a_shop_without_demo_shows_no_demo_texts(sandbox: Sandbox) {
    let goods = sandbox.file("goods.json", GOODS);
    let output = sandbox.run(&["import", goods.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output));
    let settings =
        ["--shop-name", "Nodi Bowls", "--email", "hi@nodi.example", "--return-window", "14"];
    let free = ["--free-delivery-over", "50"];
    let options = [&settings[..], &free].concat();
    let shop = sandbox.open_with(&options);
    let pages = [
        "/",
        "/about",
        "/contact",
        "/privacy",
        "/terms_condition",
        "/refund",
        "/return",
        "/blog",
        "/product/bowl",
        "/category/bowls",
        "/nowhere",
        "/newsletter/confirm",
        "/newsletter/sent",
        "/back-in-stock/asked",
        "/contact/sent",
        "/track",
        "/cart?step=completed",
        "/manifest.webmanifest",
    ];
    for path in pages {
        let page = shop.get(path);
        // Only the document's text: names in the code do not count, nor do the digits of headers and of the port.
        let document = page.split_once("\r\n\r\n").unwrap().1;
        let seen = document.split("<script type=\"application/json\"").next().unwrap();
        let seen = seen.replace("haat_popup", "").replace("maskable", "");
        let seen = seen.replace(&shop.address, "");
        for word in DEMO_WORDS.into_iter().chain(EMAIL_PROMISES) {
            assert!(!seen.contains(word), "{path} says {word:?}");
        }
        assert!(seen.contains("Nodi Bowls"), "{path}");
        assert!(!seen.contains("tel:") && !seen.contains("{{"), "{path}");
    }
    let home = shop.get("/").replace("<!-- -->", "");
    assert!(home.contains("<title>Nodi Bowls</title>"), "{home}");
    for promise in ["for all orders over $50", "14 Days Return", "Cash on Delivery"] {
        assert!(home.contains(promise), "{promise}");
    }
    assert!(!shop.get("/product/bowl").contains("Rated "), "nobody rated it");
    let contact = shop.get("/contact");
    assert!(contact.contains("mailto:hi@nodi.example") && !contact.contains("<td>Phone</td>"));
    let template = "This is a template that came with the shop";
    assert!(shop.get("/return").contains(template) && shop.get("/return").contains("14 days"));
    let message = r#"{"name": "Mina", "email": "mina@mail.example", "message": "Is it blue?"}"#;
    assert!(shop.try_post("/api/contact", message).unwrap().starts_with("HTTP/1.1 202"));
    drop(shop);
    let db = Db::open(&sandbox.database_url()).await.unwrap();
    let emails: Vec<(String,)> =
        db.query("select payload from jobs where kind = 'mail.send'").all().await.unwrap();
    db.close().await;
    let receipt = emails.iter().find(|(email,)| email.contains("We have your message"));
    let (receipt,) = receipt.unwrap();
    assert!(receipt.contains("We read it and answer as soon as we can."), "{receipt}");
    assert!(!receipt.contains("working day"), "{receipt}");

    std::fs::create_dir_all(sandbox.dir.path().join("words/pages")).unwrap();
    let own = "---\ntitle: Privacy\ndescription: Ours\n---\nWe know nothing.\n";
    sandbox.file("words/pages/privacy.md", own);
    let check = [&["check", "--content-dir", "words"][..], &options].concat();
    let checked = text(&sandbox.run(&check));
    assert!(checked.contains("settings: not set yet: tagline, phone, address;"), "{checked}");
    let templates =
        "pages/about.md, pages/contact.md, pages/terms.md, pages/refund.md, pages/return.md";
    assert!(checked.contains(&format!("replace: {templates} (content_dir)")), "{checked}");
    assert!(!text(&sandbox.run(&["check", "--demo"])).contains("template"));
    let shop = sandbox.open_with(&[&["--content-dir", "words"][..], &options].concat());
    let privacy = shop.get("/privacy");
    assert!(privacy.contains("We know nothing.") && !privacy.contains(template));
}

async fn invalid_content_fails_the_start_with_its_file_name(sandbox: Sandbox) {
    let dir = sandbox.dir.path();
    std::fs::create_dir_all(dir.join("words/posts")).unwrap();
    for (file, bytes, why) in [
        ("posts/a.md", "---\ndate: 2026-11-01\nsummary: S\n---\n".into(), "line 1: has no title"),
        (
            "posts/a.md",
            "---\ntitle: T\ndate: soon\nsummary: S\n---\n".into(),
            "line 3: date is a day like 2026-11-08, not \"soon\"",
        ),
        ("posts/a.md", b"---\ntitle: \xff\n".to_vec(), "line 2: not UTF-8"),
        ("posts/a.md", vec![b'a'; (1 << 20) + 1], "is larger than 1 MiB"),
        ("home.json", "{\"heroes\": 1}".into(), "line 1: unknown field `heroes`"),
    ] {
        let bytes: Vec<u8> = bytes;
        std::fs::write(dir.join("words").join(file), bytes).unwrap();
        for command in ["check", "serve"] {
            let output =
                sandbox.run(&[command, "--content-dir", "words", "--listen", "127.0.0.1:0"]);
            let words = text(&output);
            assert!(!output.status.success(), "{words}");
            assert!(words.contains(&format!("words/{file}: ")) && words.contains(why), "{words}");
        }
        std::fs::remove_file(dir.join("words").join(file)).unwrap();
    }
    let output = sandbox.run(&["check", "--content-dir", "nowhere"]);
    assert!(text(&output).contains("nowhere: there is no such folder"), "{}", text(&output));
}
