//! Addresses of several countries, as they are typed, stored and printed.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use postal_address::{AddressError, AddressInput, Country, PostalAddress, Problem};

fn country(code: &str) -> Country {
    code.parse().unwrap()
}

/// An input from recipient, lines, city, district, region, postcode.
fn input(
    code: &str,
    [recipient, lines, city, district, region, postcode]: [&str; 6],
) -> AddressInput {
    AddressInput {
        recipient: recipient.into(),
        lines: vec![lines.into()],
        city: city.into(),
        district: district.into(),
        region: region.into(),
        postcode: postcode.into(),
        country: code.into(),
        phone: String::new(),
    }
}

fn parse(code: &str, fields: [&str; 6]) -> PostalAddress {
    PostalAddress::parse(input(code, fields)).unwrap()
}

fn errors(code: &str, fields: [&str; 6]) -> Vec<(&'static str, &'static str)> {
    let errors = PostalAddress::parse(input(code, fields)).unwrap_err();
    errors.iter().map(|error| (error.field, error.problem.code())).collect()
}

#[test]
fn bangladesh_in_two_languages() {
    let typed = ["রহিম উদ্দিন", "বাড়ি ১২, সড়ক ৫", "গুলশান", "ঢাকা", "", "১২১২"];
    let address = parse("BD", typed);
    assert_eq!(
        (&*address.city, &*address.district, &*address.region, &*address.postcode),
        ("Gulshan", "Dhaka", "Dhaka", "1212")
    );
    let bangla = ["রহিম উদ্দিন", "বাড়ি ১২, সড়ক ৫", "গুলশান", "ঢাকা - 1212", "বাংলাদেশ"];
    assert_eq!(address.format_lines("bn", true), bangla);
    let english = ["রহিম উদ্দিন", "বাড়ি ১২, সড়ক ৫", "Gulshan", "Dhaka - 1212"];
    assert_eq!(address.format_lines("en", false), english);

    // Former spellings, another case, a district that implies its division, and no postcode.
    let typed = ["Karim", "Station Road", "bogra sadar", "BOGRA", "", ""];
    let address = parse("BD", typed);
    assert_eq!(
        (&*address.city, &*address.district, &*address.region),
        ("Bogura Sadar", "Bogura", "Rajshahi")
    );
    assert_eq!(
        address.format_lines("en", false),
        ["Karim", "Station Road", "Bogura Sadar", "Bogura"]
    );
    let address = parse("BD", ["Karim", "Sea View", "Inani", "Cox’s bazar", "chittagong", ""]);
    assert_eq!(
        (&*address.city, &*address.district, &*address.region),
        ("Inani", "Cox's Bazar", "Chattogram")
    );
}

#[test]
fn what_is_wrong_in_bangladesh() {
    assert_eq!(
        errors("BD", ["", " \n ", "", "", "", ""]),
        [
            ("recipient", "required"),
            ("region", "required"),
            ("district", "required"),
            ("city", "required"),
            ("lines", "required")
        ]
    );
    let wrong = errors("BD", ["A", "1", "Savar", "Sylhet", "Dhaka", "12"]);
    assert_eq!(wrong, [("district", "unknown_district"), ("postcode", "bad_postcode")]);
    assert_eq!(
        errors("BD", ["A", "1", "Savar", "Dhaka", "Texas", ""]),
        [("region", "unknown_region")]
    );
    assert_eq!(
        errors("BD", ["A", "1", "Savar", "", "Dhaka", ""]),
        [("district", "required")],
        "a division has several districts"
    );
}

#[test]
fn countries_have_their_own_order() {
    for (code, typed, wanted) in [
        (
            "US",
            ["Jane Doe", "1600 Amphitheatre Pkwy", "Mountain View", "", "california", "94043"],
            "Jane Doe|1600 Amphitheatre Pkwy|Mountain View, CA 94043|United States",
        ),
        (
            "GB",
            ["Jane Doe", "10 Downing Street\nWestminster", "London", "", "", "sw1a2aa"],
            "Jane Doe|10 Downing Street|Westminster|London|SW1A 2AA|United Kingdom",
        ),
        (
            "IN",
            ["Asha Rao", "12 MG Road", "Bengaluru", "", "karnataka", "৫৬০০০১"],
            "Asha Rao|12 MG Road|Bengaluru 560001|Karnataka|India",
        ),
        (
            "JP",
            ["Taro Yamada", "1-1 Chiyoda, Chiyoda-ku", "", "", "東京都", "1000001"],
            "Taro Yamada|1-1 Chiyoda, Chiyoda-ku, Tokyo|100-0001|Japan",
        ),
        (
            "DE",
            ["Erika Mustermann", "Heidestraße 17", "Köln", "", "Bayern", "51147"],
            "Erika Mustermann|Heidestraße 17|51147 Köln|Germany",
        ),
        (
            "NL",
            ["Jan Jansen", "Dam 1", "Amsterdam", "", "", "1012js"],
            "Jan Jansen|Dam 1|1012 JS Amsterdam|Netherlands",
        ),
        (
            "CA",
            ["Jean Tremblay", "111 Wellington St", "Ottawa", "", "ON", "k1a0a9"],
            "Jean Tremblay|111 Wellington St|Ottawa ON K1A 0A9|Canada",
        ),
        (
            "BR",
            ["Ana Silva", "Av. Paulista 1578", "São Paulo", "Bela Vista", "sao paulo", "01310200"],
            "Ana Silva|Av. Paulista 1578|Bela Vista|São Paulo-SP|01310-200|Brazil",
        ),
        (
            "HK",
            ["Chan Tai Man", "Flat A, 1 Nathan Road", "Tsim Sha Tsui", "", "九龍", ""],
            "Chan Tai Man|Flat A, 1 Nathan Road|Tsim Sha Tsui|Kowloon|Hong Kong SAR China",
        ),
        (
            "AE",
            ["Ali", "Sheikh Zayed Road 1", "", "", "DU", "00000"],
            "Ali|Sheikh Zayed Road 1|Dubai|United Arab Emirates",
        ),
        (
            "FI",
            ["Matti", "Mannerheimintie 1", "Helsinki", "", "", "FI-00100"],
            "Matti|Mannerheimintie 1|FI-00100 Helsinki|Finland",
        ),
    ] {
        let lines = parse(code, typed).format_lines("en", true);
        assert_eq!(lines.join("|"), wanted);
    }
}

#[test]
fn the_countrys_own_language_has_its_own_order() {
    let address = parse("JP", ["山田太郎", "千代田区千代田1-1", "", "", "Tokyo", "100-0001"]);
    let lines = ["〒100-0001", "東京都", "千代田区千代田1-1", "山田太郎"];
    assert_eq!(address.format_lines("ja-JP", false), lines);
}

#[test]
fn missing_parts_take_their_separators_along() {
    let mut address = parse("US", ["A", "1 Main St", "Austin", "", "TX", "73301"]);
    let third = |address: &PostalAddress| address.format_lines("en", false).get(2).cloned();
    address.city.clear();
    assert_eq!(third(&address).as_deref(), Some("TX 73301"));
    address.region.clear();
    assert_eq!(third(&address).as_deref(), Some("73301"));
    address.city = "Austin".into();
    assert_eq!(third(&address).as_deref(), Some("Austin 73301"));
    address.postcode.clear();
    assert_eq!(third(&address).as_deref(), Some("Austin"));
}

#[test]
fn what_is_wrong_elsewhere() {
    assert_eq!(errors("", [""; 6]), [("country", "required")]);
    assert_eq!(errors("XX", [""; 6]), [("country", "unknown_country")]);
    let wrong = errors("US", ["Jane", "1 Main St", "", "", "Ontario", "K1A 0A9"]);
    assert_eq!(
        wrong,
        [("region", "unknown_region"), ("postcode", "bad_postcode"), ("city", "required")]
    );
    let long = "x".repeat(201);
    let wrong = errors("DE", [&long, &format!("a\nb\nc\n{long}"), &long, "", "", "51147"]);
    let all = [
        ("recipient", "too_long"),
        ("lines", "too_many_lines"),
        ("lines", "too_long"),
        ("city", "too_long"),
    ];
    assert_eq!(wrong, all);
    let bad_postcode =
        AddressError { field: "postcode", problem: Problem::BadPostcode { example: "26133" } };
    let result = PostalAddress::parse(input("DE", ["A", "B", "C", "", "", "1"]));
    assert_eq!(result, Err(vec![bad_postcode]));
}

#[test]
fn the_phone_number_is_normalized() {
    let typed = ["Karim", "Station Road", "Savar", "Dhaka", "", ""];
    let with_phone = |phone: &str| {
        PostalAddress::parse(AddressInput { phone: phone.into(), ..input("BD", typed) })
    };
    assert_eq!(with_phone("০১৭১১-০০০০০১").unwrap().phone, "+8801711000001");
    assert_eq!(with_phone("").unwrap().phone, "");
    let problem = Problem::BadPhone { example: Some("+8801812345678".into()) };
    assert_eq!(with_phone("12"), Err(vec![AddressError { field: "phone", problem }]));
}

#[test]
fn a_plain_text_is_kept_as_it_is() {
    let address =
        PostalAddress::from_text("Rahim", "12 Lake Road,  Dhaka\nBangladesh", country("BD"));
    assert_eq!(address.lines, ["12 Lake Road,  Dhaka", "Bangladesh"]);
    assert_eq!(address.format_lines("en", false), ["Rahim", "12 Lake Road,  Dhaka", "Bangladesh"]);
}

#[test]
fn addresses_are_stored_as_json_without_empty_fields() {
    let address = parse("DE", ["Erika", "Heidestraße 17", "Köln", "", "", "51147"]);
    let json = serde_json::to_value(&address).unwrap();
    let wanted = serde_json::json!({
        "recipient": "Erika", "lines": ["Heidestraße 17"], "city": "Köln", "postcode": "51147", "country": "DE"
    });
    assert_eq!(json, wanted);
    assert_eq!(serde_json::from_value::<PostalAddress>(json).unwrap(), address);
}
