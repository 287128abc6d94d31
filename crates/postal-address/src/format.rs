//! The address format of a country: which fields an address has, in which order, and what they are called.

use std::sync::OnceLock;

use serde::Serialize;

use crate::country::Country;
use crate::data;
use crate::postcode::PostcodeFormat;
use crate::subdivision::Subdivision;
use crate::text::primary_language;

/// A part of an address. The country and the telephone number belong to every address and are none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AddressField {
    Recipient,
    /// Street, house number, building: one to three lines.
    Lines,
    /// City, town or, in Bangladesh, upazila or thana.
    City,
    /// The district of Bangladesh; elsewhere a part of a city, such as a neighbourhood or suburb.
    District,
    /// State, province, division, prefecture.
    Region,
    Postcode,
}

impl AddressField {
    /// The name of the field in a form, in an API and in its errors.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Recipient => "recipient",
            Self::Lines => "lines",
            Self::City => "city",
            Self::District => "district",
            Self::Region => "region",
            Self::Postcode => "postcode",
        }
    }
}

/// A field of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FormField {
    pub field: AddressField,
    /// One of `LABELS`.
    pub label: &'static str,
    pub required: bool,
}

/// All labels of form fields, such as `post_town` for a city. A `district` is a city, a part of one, or a region.
#[rustfmt::skip]
pub const LABELS: &[&str] = &[
    "recipient", "lines",
    "area", "county", "department", "district", "division", "do_si", "emirate", "island",
    "oblast", "parish", "prefecture", "province", "state",
    "city", "post_town", "suburb", "upazila", "neighborhood", "townland", "village_township",
    "eircode", "pin", "postal", "zip",
];

/// How addresses of a country are written.
#[derive(Debug)]
pub struct AddressFormat {
    pub(crate) country: Country,
    /// The language of the local layout and of the local names of regions, or empty.
    pub(crate) language: &'static str,
    /// For Latin letters.
    pub(crate) layout: Layout,
    /// For the country's own script, where that has another order.
    pub(crate) local_layout: Option<Layout>,
    /// For a form, where it differs from the printed address.
    pub(crate) form_layout: Option<Layout>,
    /// The letters of the required fields besides recipient and lines.
    pub(crate) required: &'static str,
    pub(crate) labels: Labels,
    pub(crate) postcode: Option<PostcodeFormat>,
    pub(crate) listed_regions: &'static str,
    pub(crate) regions: OnceLock<Vec<Subdivision>>,
}

#[derive(Debug)]
pub struct Labels {
    pub region: &'static str,
    pub city: &'static str,
    pub district: &'static str,
    pub postcode: &'static str,
}

impl AddressFormat {
    /// The fields of a form, in rows: fields of one row belong side by side. The rows are in the order in which
    /// the country writes them, in Bangladesh with the lists first.
    pub fn rows(&self) -> Vec<Vec<FormField>> {
        let rows = self.form().0.iter().map(|row| row.iter().filter_map(|piece| piece.field()));
        let rows = rows.map(|fields| fields.map(|field| self.form_field(field)).collect());
        rows.filter(|row: &Vec<_>| !row.is_empty()).collect()
    }

    /// `None` for a field that addresses of the country do not have.
    pub fn field(&self, field: AddressField) -> Option<FormField> {
        let mut pieces = self.form().0.iter().flatten();
        let is_there = pieces.any(|piece| piece.field() == Some(field));
        is_there.then(|| self.form_field(field))
    }

    /// The regions to choose from, or none where they are free text or no part of an address.
    pub fn regions(&self) -> &[Subdivision] {
        data::regions(self)
    }

    /// A regular expression without anchors for the upper-case postcode. `None` in a country without postcodes.
    pub fn postcode_pattern(&self) -> Option<&'static str> {
        self.postcode.as_ref().map(|postcode| postcode.pattern)
    }

    pub fn postcode_example(&self) -> Option<&'static str> {
        self.postcode.as_ref().map(|postcode| postcode.example)
    }

    /// The layout of the printed address. Only who writes in the country's own language uses its own order, since
    /// the other lines are in Latin letters then.
    pub(crate) fn layout(&self, language: &str) -> &Layout {
        let local = self.local_layout.as_ref();
        local.filter(|_| primary_language(language) == self.language).unwrap_or(&self.layout)
    }

    fn form(&self) -> &Layout {
        self.form_layout.as_ref().unwrap_or(&self.layout)
    }

    fn form_field(&self, field: AddressField) -> FormField {
        let (label, letter) = match field {
            AddressField::Recipient | AddressField::Lines => (field.as_str(), None),
            AddressField::City => (self.labels.city, Some('C')),
            AddressField::District => (self.labels.district, Some('D')),
            AddressField::Region => (self.labels.region, Some('S')),
            AddressField::Postcode => (self.labels.postcode, Some('Z')),
        };
        FormField {
            field,
            label,
            required: letter.is_none_or(|letter| self.required.contains(letter)),
        }
    }
}

/// The rows of an address.
#[derive(Debug)]
pub struct Layout(pub Vec<Vec<Piece>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    Field(AddressField),
    /// What stands between fields, or before one.
    Literal(&'static str),
}

impl Piece {
    pub fn field(self) -> Option<AddressField> {
        match self {
            Self::Field(field) => Some(field),
            Self::Literal(_) => None,
        }
    }
}

impl Layout {
    /// Reads Google's notation: `%N%n%A%n%C, %S %Z`.
    pub fn parse(text: &'static str) -> Self {
        Self(text.split("%n").map(parse_row).collect())
    }
}

fn parse_row(row: &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut parts = row.split('%');
    let literal = |pieces: &mut Vec<Piece>, text: &'static str| {
        if !text.is_empty() {
            pieces.push(Piece::Literal(text));
        }
    };
    literal(&mut pieces, parts.next().unwrap_or_default());
    for part in parts {
        let field = match part.as_bytes().first() {
            Some(b'N') => AddressField::Recipient,
            Some(b'A') => AddressField::Lines,
            Some(b'C') => AddressField::City,
            Some(b'D') => AddressField::District,
            Some(b'S') => AddressField::Region,
            Some(b'Z') => AddressField::Postcode,
            // The tests reject other letters.
            _ => continue,
        };
        pieces.push(Piece::Field(field));
        literal(&mut pieces, &part[1..]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::data::COUNTRIES;

    fn rows(code: &str) -> Vec<String> {
        let show = |one: FormField| format!("{}{}", one.label, if one.required { "*" } else { "" });
        let format = code.parse::<Country>().unwrap().address_format();
        let rows = format.rows().into_iter();
        rows.map(|row| row.into_iter().map(show).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn forms_have_the_fields_of_their_country() {
        for (code, wanted) in [
            ("BD", vec!["recipient*", "division*", "district*", "upazila*", "lines*", "postal"]),
            ("US", vec!["recipient*", "lines*", "city* state* zip*"]),
            ("GB", vec!["recipient*", "lines*", "post_town*", "postal*"]),
            ("IN", vec!["recipient*", "lines*", "city* pin*", "state*"]),
            ("JP", vec!["recipient*", "lines* prefecture*", "postal*"]),
            ("HK", vec!["recipient*", "lines*", "district", "area*"]),
            ("IE", vec!["recipient*", "lines*", "townland", "city*", "county", "eircode"]),
            ("SG", vec!["recipient*", "lines*", "postal*"]),
        ] {
            assert_eq!(rows(code), wanted, "{code}");
        }
    }

    #[test]
    fn every_country_has_recipient_lines_and_known_labels() {
        let mut used = BTreeSet::new();
        for country in Country::all() {
            let fields = country.address_format().rows().concat();
            assert!(fields.iter().any(|one| one.field == AddressField::Recipient), "{country}");
            assert!(fields.iter().any(|one| one.field == AddressField::Lines), "{country}");
            used.extend(fields.iter().map(|one| one.label));
        }
        assert_eq!(used, BTreeSet::from_iter(LABELS.iter().copied()));
    }

    #[test]
    fn layouts_are_understood_whole() {
        let file = include_str!("../data/countries.tsv");
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<_> = line.split('\t').collect();
            let (layout, form) = (columns[4], columns.get(6).copied().unwrap_or_default());
            for text in [layout, columns.get(5).copied().unwrap_or_default(), form] {
                let letters = text.matches('%').count() - text.matches("%n").count();
                let fields = Layout::parse(text).0.concat();
                assert_eq!(fields.iter().filter_map(|one| one.field()).count(), letters, "{line}");
            }
        }
    }

    #[test]
    fn regions_are_distinct_and_found_by_all_their_names() {
        let mut with_regions = 0;
        for entry in COUNTRIES.iter() {
            let format = &entry.format;
            let regions = format.regions();
            with_regions += usize::from(!regions.is_empty());
            assert!(regions.is_empty() || format.field(AddressField::Region).is_some());
            let keys: BTreeSet<_> = regions.iter().map(|region| region.key).collect();
            assert_eq!(keys.len(), regions.len(), "{}", entry.country);
            for region in regions {
                assert!(!region.key.is_empty());
                let names = [region.key, region.name, region.written_in(format.language)];
                for name in names {
                    let found = Subdivision::find(regions, &name.to_ascii_uppercase())
                        .map(|found| found.key);
                    assert_eq!(found, Some(region.key), "{} {name}", entry.country);
                }
            }
        }
        assert_eq!(with_regions, 48);
    }

    #[test]
    fn bangladesh_has_divisions_districts_and_upazilas() {
        let divisions = Country::BANGLADESH.address_format().regions();
        let districts: Vec<_> = divisions.iter().flat_map(|division| &division.parts).collect();
        let upazilas: Vec<_> = districts.iter().flat_map(|district| &district.parts).collect();
        assert_eq!((divisions.len(), districts.len()), (8, 64));
        assert!(upazilas.len() > 580, "{}", upazilas.len());
        for one in divisions.iter().chain(districts.iter().copied()).chain(upazilas.iter().copied())
        {
            let is_bangla = |c: char| matches!(c, '\u{980}'..='\u{9ff}' | ' ');
            assert!(one.local_name.chars().all(is_bangla) && !one.local_name.is_empty(), "{one:?}");
            assert!(
                one.key.chars().all(|c| c.is_ascii_alphabetic() || " -'".contains(c)),
                "{one:?}"
            );
        }
        // A district is found without its division.
        let all_districts: Vec<_> = districts.iter().map(|district| (*district).clone()).collect();
        for district in districts {
            for name in [district.key, district.local_name].iter().chain(&district.aliases) {
                assert_eq!(Subdivision::find(&all_districts, name), Some(district), "{name}");
            }
            for upazila in &district.parts {
                for name in [upazila.key, upazila.local_name].iter().chain(&upazila.aliases) {
                    assert_eq!(Subdivision::find(&district.parts, name), Some(upazila), "{name}");
                }
            }
        }
    }
}
