//! Translations of the catalogue: imported, changed, deleted, and read with what is missing from them.

use platform::revisions::Revisions;
use platform::{Currency, Language};
use shop::catalog::{
    self, CatalogView, Import, ImportFormat, ImportSummary, Product, ProductCard, TextField,
};
use test_support::TestDb;
use test_support::on_both;

use super::test_shop::view;

on_both!(TestDb:
    texts_fall_back_one_by_one,
    an_update_changes_only_the_translations_it_names,
    a_changed_translation_bumps_the_tags_of_its_product,
    categories_and_colours_have_names,
    a_colours_name_follows_the_products,
    translations_of_many_products_are_read_in_chunks,
    a_list_that_does_not_fit_is_refused,
);

const LAMP: &str = r#"{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1", "realPrice": 30, "qtn": 3,
    "img": [{"src": "/l.svg", "alt": "A lamp.", "alt@bn": "একটি বাতি।"}, {"src": "/m.svg", "alt": "Its foot.", "colour": "Ink"}],
    "fullDescription": "A small lamp.", "tags": ["desk"], "colours": ["Sand", "Ink"],
    "attributes": [{"name": "Height", "value": "9 cm"}]"#;

const TRANSLATIONS: &str = r#", "name@bn": "বাতি", "fullDescription@bn": "ছোট বাতি।", "tags@bn": ["টেবিল", "আলো"],
    "colours@bn": ["বালু", "কালি"], "attributes@bn": [{"name": "উচ্চতা", "value": "৯ সেমি"}]"#;

fn bangla() -> Option<Language> {
    Some("bn".parse().unwrap())
}

async fn import(given: &TestDb, more: &str) -> platform::Result<ImportSummary> {
    let file = format!(
        r#"{{"categories": [{{"_id": "light", "name": "Light", "name@bn": "আলো", "img": "/l.svg"}}],
            "products": [{LAMP}{more}}}]}}"#
    );
    import_text(given, &file, ImportFormat::Json).await
}

async fn import_text(
    given: &TestDb,
    text: &str,
    format: ImportFormat,
) -> platform::Result<ImportSummary> {
    let rows = Import::parse(text, format, Currency::USD)?;
    catalog::import(&given.db, &given.clock, &given.random, &rows).await
}

async fn lamp(given: &TestDb, language: Option<Language>) -> Product {
    let (db, id) = (&given.db, "lamp".parse().unwrap());
    catalog::product(db, CatalogView { language, ..view(given.clock.now()) }, &id)
        .await
        .unwrap()
        .unwrap()
}

async fn card(given: &TestDb, language: Option<Language>) -> ProductCard {
    let ids = ["lamp".parse().unwrap()];
    let view = CatalogView { language, ..view(given.clock.now()) };
    let cards = catalog::cards_by_id(&given.db, view, &ids).await;
    cards.unwrap().pop().unwrap()
}

async fn texts_fall_back_one_by_one(given: TestDb) {
    import(&given, TRANSLATIONS).await.unwrap();
    let english = lamp(&given, None).await;
    assert_eq!((english.name.as_str(), english.untranslated.len()), ("Lamp", 0));
    assert_eq!(english.pictures[1].in_colour.as_deref(), Some("Ink"));

    let product = lamp(&given, bangla()).await;
    assert_eq!(product.name, "বাতি");
    assert_eq!(product.full_description, "ছোট বাতি।");
    assert_eq!(*product.tags, ["টেবিল", "আলো"]);
    assert_eq!(product.options[0].values, ["বালু", "কালি"]);
    assert_eq!(
        (product.attributes[0].name.as_str(), product.attributes[0].value.as_str()),
        ("উচ্চতা", "৯ সেমি")
    );
    let alts: Vec<&str> = product.pictures.iter().map(|picture| picture.alt.as_str()).collect();
    assert_eq!(alts, ["একটি বাতি।", "Its foot."]);
    assert_eq!(product.pictures[1].in_colour.as_deref(), Some("কালি"), "as in its colours");
    assert_eq!(product.untranslated, [TextField::Alt]);
    let card = card(&given, bangla()).await;
    assert_eq!((card.name.as_str(), &card.untranslated[..]), ("বাতি", &[TextField::Alt][..]));

    // Nobody translated it to French.
    let french = lamp(&given, Some("fr".parse().unwrap())).await;
    let fields = &french.untranslated;
    assert_eq!(Product { untranslated: vec![], ..french.clone() }, english);
    use TextField::*;
    assert_eq!(fields[..], [Name, FullDescription, Options, Tags, Attributes, Alt]);
}

async fn an_update_changes_only_the_translations_it_names(given: TestDb) {
    import(&given, TRANSLATIONS).await.unwrap();
    let before = lamp(&given, bangla()).await;
    let again = import(&given, TRANSLATIONS).await.unwrap();
    assert_eq!((again.products.unchanged, again.categories.unchanged), (1, 1));
    let csv = "_id,category,name,sku,img,realPrice\nlamp,light,Lamp,L1,/l.svg|/m.svg,30\n";
    let summary = import_text(&given, csv, ImportFormat::Csv).await.unwrap();
    assert_eq!(summary.products.unchanged, 1);
    assert_eq!(lamp(&given, bangla()).await, before);

    // Colours and attributes keep their translations when they move; what is new has none.
    let moved = LAMP
        .replace(r#"["Sand", "Ink"]"#, r#"["Ink", "Moss", "Sand"]"#)
        .replace(r#""colour": "Ink""#, r#""colour": "Moss""#);
    let file = format!(r#"{{"products": [{moved}, "name@bn": "টেবিল বাতি"}}]}}"#);
    let summary = import_text(&given, &file, ImportFormat::Json).await.unwrap();
    assert_eq!(summary.products.updated, 1);
    let product = lamp(&given, bangla()).await;
    assert_eq!(product.name, "টেবিল বাতি");
    assert_eq!(product.options[0].values, ["কালি", "Moss", "বালু"]);
    assert_eq!(product.untranslated, [TextField::Options, TextField::Alt]);
    assert_eq!(product.full_description, before.full_description);

    // An empty value deletes, in JSON and in CSV.
    import(&given, r#", "name@bn": "", "tags@bn": null"#).await.unwrap();
    let product = lamp(&given, bangla()).await;
    assert_eq!((product.name.as_str(), &product.tags[..]), ("Lamp", &["desk".to_owned()][..]));
    let header = "_id,category,name,sku,img,realPrice,colours,name@bn,colours@bn,attributes@bn,fullDescription@bn,alt@bn";
    let csv = format!("{header}\nlamp,light,Lamp,L1,/l.svg|/m.svg,30,Sand|Ink,,,,,\n");
    import_text(&given, &csv, ImportFormat::Csv).await.unwrap();
    let (product, english) = (lamp(&given, bangla()).await, lamp(&given, None).await);
    assert_eq!(Product { untranslated: vec![], ..product }, english);
    let sql = "select count(*) from product_translations";
    let (rows,): (i64,) = given.db.query(sql).one().await.unwrap();
    assert_eq!(rows, 0);
}

async fn a_changed_translation_bumps_the_tags_of_its_product(given: TestDb) {
    import(&given, TRANSLATIONS).await.unwrap();
    let revisions = Revisions::load(&given.db).await.unwrap();
    let before = revisions.latest();
    let tag = [catalog::product_tag(&"lamp".parse().unwrap())];
    import(&given, TRANSLATIONS).await.unwrap();
    revisions.poll(&given.db).await.unwrap();
    assert!(!revisions.changed_since(before, &tag), "nothing changed");
    import(&given, r#", "name@bn": "টেবিল বাতি""#).await.unwrap();
    revisions.poll(&given.db).await.unwrap();
    assert!(revisions.changed_since(before, &tag));
    assert!(revisions.changed_since(before, &[catalog::catalog_tag()]), "lists show names");

    let before = revisions.latest();
    let category =
        r#"{"categories": [{"_id": "light", "name": "Light", "name@bn": "", "img": "/l.svg"}]}"#;
    let summary = import_text(&given, category, ImportFormat::Json).await.unwrap();
    assert_eq!(summary.categories.updated, 1);
    revisions.poll(&given.db).await.unwrap();
    assert!(revisions.changed_since(before, &[catalog::categories_tag()]));
}

async fn categories_and_colours_have_names(given: TestDb) {
    import(&given, TRANSLATIONS).await.unwrap();
    let id = "light".parse().unwrap();
    let english = catalog::categories(&given.db, None).await.unwrap();
    assert_eq!((english[0].name.as_str(), english[0].untranslated.len()), ("Light", 0));
    let all = catalog::categories(&given.db, bangla()).await.unwrap();
    let one = catalog::category(&given.db, &id, bangla()).await.unwrap().unwrap();
    assert_eq!((all[0].name.as_str(), one.name.as_str()), ("আলো", "আলো"));
    let language = bangla().unwrap();
    let names = catalog::option_value_names(&given.db, language, &["Sand", "Moss"]).await.unwrap();
    assert_eq!((names.len(), names["Sand"].as_str()), (1, "বালু"));
    import(&given, r#", "colours@bn": ["বেলে", ""]"#).await.unwrap();
    let names = catalog::option_value_names(&given.db, language, &["Sand", "Ink"]).await.unwrap();
    assert_eq!(names["Sand"], "বেলে", "the last import decides");

    let category =
        r#"{"categories": [{"_id": "light", "name": "Light", "name@bn": null, "img": "/l.svg"}]}"#;
    import_text(&given, category, ImportFormat::Json).await.unwrap();
    let one = catalog::category(&given.db, &id, bangla()).await.unwrap().unwrap();
    assert_eq!((one.name.as_str(), &one.untranslated[..]), ("Light", &[TextField::Name][..]));
}

fn colour(product: &str, names: &str) -> String {
    format!(
        r#"{{"_id": "{product}", "category": "c{product}", "name": "{product}", "sku": "{product}", "realPrice": 30,
            "qtn": 3, "img": ["/l.svg"], "colours": ["Sand", "Ink"], "colours@bn": {names}}}"#
    )
}

async fn a_colours_name_follows_the_products(given: TestDb) {
    let import = async |products: &[String]| {
        let category = |id| format!(r#"{{"_id": "{id}", "name": "{id}", "img": "/l.svg"}}"#);
        let categories = ["ca", "cb", "cc"].map(category).join(",");
        let products = products.join(",");
        let file = format!(r#"{{"categories": [{categories}], "products": [{products}]}}"#);
        import_text(&given, &file, ImportFormat::Json).await.unwrap()
    };
    let sand = async || {
        let names = catalog::option_value_names(&given.db, bangla().unwrap(), &["Sand"]).await;
        names.unwrap().remove("Sand").unwrap_or_default()
    };
    import(&[colour("a", r#"["বালু", ""]"#), colour("b", r#"["বেলে", "কালি"]"#)]).await;
    assert_eq!(sand().await, "বেলে", "the last row");
    let revisions = Revisions::load(&given.db).await.unwrap();
    for (rows, name, changes) in [
        (vec![colour("b", r#"["বেলে", "কালি"]"#)], "বেলে", false),
        // The product is unchanged, but it is the last that names the colour.
        (vec![colour("a", r#"["বালু", ""]"#)], "বালু", true),
        (vec![colour("c", r#"["", ""]"#)], "বালু", false),
        // Another product has a name.
        (vec![colour("a", r#"["", ""]"#)], "বেলে", true),
        (vec![colour("a", r#"["", ""]"#), colour("c", r#"["বেলে", ""]"#)], "বেলে", false),
        (vec![colour("b", "[]")], "বেলে", true),
        (vec![colour("c", "null")], "", true),
    ] {
        let before = revisions.latest();
        import(&rows).await;
        revisions.poll(&given.db).await.unwrap();
        assert_eq!(sand().await, name, "{rows:?}");
        let bumped = revisions.changed_since(before, &[catalog::option_values_tag()]);
        assert_eq!(bumped, changes, "{rows:?}");
    }
    let sql = "select count(*) from option_value_translations";
    let (rows,): (i64,) = given.db.query(sql).one().await.unwrap();
    assert_eq!(rows, 0, "the name of Ink has gone with that of the lamp b");
}

async fn translations_of_many_products_are_read_in_chunks(given: TestDb) {
    let rows: String =
        (0..1100).map(|n| format!("p{n},light,Lamp {n},S{n},/l.svg,1,1,বাতি {n}\n")).collect();
    let csv = |rows: &str| format!("_id,category,name,sku,img,realPrice,qtn,name@bn\n{rows}");
    import(&given, "").await.unwrap();
    let summary = import_text(&given, &csv(&rows), ImportFormat::Csv).await.unwrap();
    assert_eq!(summary.products.added, 1100);
    let changed = rows.replace("বাতি 700\n", "আলো\n");
    let summary = import_text(&given, &csv(&changed), ImportFormat::Csv).await.unwrap();
    assert_eq!((summary.products.updated, summary.products.unchanged), (1, 1099));
}

async fn a_list_that_does_not_fit_is_refused(given: TestDb) {
    import(&given, "").await.unwrap();
    // The product's colours are those that are stored.
    let header = "_id,category,name,sku,img,realPrice,colours@bn,name@bn";
    let csv = format!("{header}\nlamp,light,Lamp,L1,/l.svg|/m.svg,30,বালু,বাতি\n");
    let why = import_text(&given, &csv, ImportFormat::Csv).await.unwrap_err().to_string();
    assert_eq!(why, "line 2, column 7: colours@bn: has 1 entries, and colours has 2");
    assert_eq!(lamp(&given, bangla()).await.name, "Lamp", "nothing was imported");
}
