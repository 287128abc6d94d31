//! Any input of any country is parsed or rejected, and what is parsed is printed.

use postal_address::{AddressField, AddressInput, Country, PostalAddress, Subdivision, phone};
use proptest::prelude::*;

fn any_country() -> impl Strategy<Value = Country> {
    let all: Vec<_> = Country::all().collect();
    prop::sample::select(all)
}

/// Unsafe characters, digits of several scripts and combining marks among others.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,12}", "[a-zA-Z০-৯٠-٩ড়য়\\u{202e}\\n\\r \\-]{0,12}", ".{0,220}"]
}

prop_compose! {
    /// An address whose fields are all filled in correctly for its country.
    fn valid_input()(
        country in any_country(),
        recipient in "[A-Za-z]{1,20}",
        lines in prop::collection::vec("[A-Za-z0-9]{1,20}", 1..=3),
        city in "[A-Za-z]{1,20}",
        district in "[A-Za-z]{1,20}",
        free_region in "[A-Za-z]{1,20}",
        place in any::<(prop::sample::Index, prop::sample::Index)>(),
    ) -> AddressInput {
        let format = country.address_format();
        let choose = |list: &'static [Subdivision], index: prop::sample::Index| {
            (!list.is_empty()).then(|| &list[index.index(list.len())])
        };
        let region = choose(format.regions(), place.0);
        let listed = region.and_then(|region| choose(&region.parts, place.1));
        AddressInput {
            recipient,
            lines,
            city,
            district: listed.map_or(district, |district| district.name.to_owned()),
            region: region.map_or(free_region, |region| region.name.to_owned()),
            postcode: format.postcode_example().unwrap_or_default().to_owned(),
            country: country.to_string(),
            phone: phone::example(country).unwrap_or_default(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parsing_never_panics(
        country in any_country(),
        recipient in any_text(),
        lines in prop::collection::vec(any_text(), 0..5),
        (city, district, region) in (any_text(), any_text(), any_text()),
        (postcode, phone) in (any_text(), any_text()),
        language in "[a-z]{0,2}",
    ) {
        let country = country.to_string();
        let input = AddressInput { recipient, lines, city, district, region, postcode, country, phone };
        if let Ok(address) = PostalAddress::parse(input) {
            address.format_lines(&language, true);
        }
    }

    #[test]
    fn a_parsed_address_is_printed_with_its_parts(input in valid_input()) {
        let address = PostalAddress::parse(input);
        prop_assert!(address.is_ok(), "{address:?}");
        let address = address.unwrap();
        let format = address.country.address_format();
        let lines = address.format_lines("en", true);
        let text = lines.join("\n");
        let mut parts = vec![&address.recipient, &address.city, &address.district, &address.postcode];
        parts.extend(&address.lines);
        // The district implies the division of Bangladesh.
        if address.country != Country::BANGLADESH {
            parts.push(&address.region);
        }
        for part in parts {
            prop_assert!(text.contains(part.as_str()), "{part} in {text}");
        }
        prop_assert_eq!(lines.last().map(String::as_str), Some(address.country.name("en")));
        prop_assert!(format.regions().is_empty() || address.region.is_empty()
            || format.regions().iter().any(|region| region.key == address.region));
        let has_region = format.field(AddressField::Region).is_some();
        prop_assert_eq!(has_region, !address.region.is_empty());
    }

    #[test]
    fn parsing_twice_changes_nothing(input in valid_input()) {
        let address = PostalAddress::parse(input).unwrap();
        let again = AddressInput {
            recipient: address.recipient.clone(),
            lines: address.lines.clone(),
            city: address.city.clone(),
            district: address.district.clone(),
            region: address.region.clone(),
            postcode: address.postcode.clone(),
            country: address.country.to_string(),
            phone: address.phone.clone(),
        };
        prop_assert_eq!(PostalAddress::parse(again), Ok(address));
    }

    #[test]
    fn normalized_numbers_are_e164(text in "[+০-৯0-9 ()-]{0,20}", country in any_country()) {
        if let Ok(number) = phone::normalize(&text, country) {
            prop_assert!(number.starts_with('+') && number.len() <= 16, "{number}");
            prop_assert!(number[1..].bytes().all(|byte| byte.is_ascii_digit()), "{number}");
            prop_assert_eq!(phone::normalize(&number, country), Ok(number));
        }
    }
}
