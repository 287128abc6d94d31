//! A shopkeeper's own content, through the program.

use base::on_both;

use super::program::{Stage, said};

on_both!(Stage:
    a_shops_own_content_stands_in_for_the_demos,
    bad_content_stops_the_start_and_is_named,
);

const LAMP: &[u8] = include_bytes!("lamp.webp");

async fn a_shops_own_content_stands_in_for_the_demos(stage: Stage) {
    let dir = stage.dir.path();
    for folder in ["words/posts", "words/pictures"] {
        std::fs::create_dir_all(dir.join(folder)).unwrap();
    }
    std::fs::write(dir.join("words/pictures/lamp.webp"), LAMP).unwrap();
    stage.file(
        "words/posts/one.md",
        "---\ntitle: Our lamp\ndate: 2026-11-01\nsummary: S\npicture: lamp\nalt: A lamp\n---\n\
         Hello <script>alert(1)</script> [x](javascript:alert(1)) ![The lamp](lamp) {{shop.name}}",
    );
    let options = ["--content-dir", "words", "--shop-name", "Rahim & <i>Sons</i>"];
    let checked = said(&stage.run(&[["check"].as_slice(), &options].concat()));
    assert!(checked.contains("content: good, with 1 posts"), "{checked}");

    let shop = stage.open_with(&options);
    let get = |path: &str| shop.get(path);
    let post = get("/blog/one");
    assert!(post.contains("&lt;script&gt;alert(1)") && !post.contains("<script>alert"), "{post}");
    assert!(!post.contains("javascript:"));
    assert!(post.contains("Rahim &amp; &lt;i&gt;Sons"));
    assert!(post.contains("/media/") && post.contains("alt=\"The lamp\""), "{post}");
    assert!(!get("/blog").contains("looking-after-leather"), "the demo's stories are the demo's");
    assert!(get("/privacy").contains("Children under 13"), "but no page is empty");
    drop(shop);
    let again = stage.open_with(&options);
    assert!(again.get("/blog/one").contains("/media/"), "known by its hash");
    drop(again);

    let plain = stage.open_with(&[]);
    assert!(plain.get("/blog").contains("Nothing has been written yet"));
    assert!(!plain.get("/contact").contains("Show the map"), "the demo's place is not ours");
}

async fn bad_content_stops_the_start_and_is_named(stage: Stage) {
    let dir = stage.dir.path();
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
            let output = stage.run(&[command, "--content-dir", "words", "--listen", "127.0.0.1:0"]);
            let words = said(&output);
            assert!(!output.status.success(), "{words}");
            assert!(words.contains(&format!("words/{file}: ")) && words.contains(why), "{words}");
        }
        std::fs::remove_file(dir.join("words").join(file)).unwrap();
    }
    let output = stage.run(&["check", "--content-dir", "nowhere"]);
    assert!(said(&output).contains("nowhere: there is no such folder"), "{}", said(&output));
}
