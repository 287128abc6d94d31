//! Postal addresses: checking what people type, and writing the lines of a parcel.

use serde::{Deserialize, Serialize};

use crate::country::Country;
use crate::format::{AddressField, AddressFormat, Layout, Piece};
use crate::phone;
use crate::subdivision::Subdivision;
use crate::text::{ascii_digits, clean};

/// A postal address. One made by `parse` has the fields of its country, in the spelling by which delivery zones
/// compare them; one made by `from_text` has only recipient, lines and country. Fields without a value are empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostalAddress {
    pub recipient: String,
    /// Street, house number, building.
    pub lines: Vec<String>,
    /// City, town or, in Bangladesh, upazila or thana, which may be one that is not in the list.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub city: String,
    /// The key of a district of Bangladesh; elsewhere a part of a city.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub district: String,
    /// The key of one of the country's regions, or free text where the country has no list.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub region: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub postcode: String,
    pub country: Country,
    /// In the form E.164.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub phone: String,
}

/// Where an order goes, as far as delivery and taxes depend on it. What is not known is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Destination {
    pub country: Country,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub region: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub district: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub postcode: String,
}

impl Destination {
    /// Somewhere in the country.
    pub fn of_country(country: Country) -> Self {
        Self { country, region: String::new(), district: String::new(), postcode: String::new() }
    }

    /// In the spelling of a parsed address. Only the country is required.
    pub fn parse(input: &AddressInput) -> Result<Self, Vec<AddressError>> {
        let country = parse_country(&input.country).map_err(|error| vec![error])?;
        let mut parser = Parser { format: country.address_format(), errors: Vec::new() };
        let (region, district, _) = parser.places(input);
        let postcode = parser.postcode(&input.postcode);
        match parser.errors.is_empty() {
            true => Ok(Self { country, region, district, postcode }),
            false => Err(parser.errors),
        }
    }
}

/// An address as it is typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct AddressInput {
    pub recipient: String,
    /// One of them may contain several lines.
    pub lines: Vec<String>,
    pub city: String,
    /// The key of a district, or a name of it in any language.
    pub district: String,
    /// The key of a region, or a name of it in any language.
    pub region: String,
    pub postcode: String,
    pub country: String,
    pub phone: String,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct AddressError {
    pub field: &'static str,
    pub problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("is required")]
    Required,
    #[error("is longer than {most} characters")]
    TooLong { most: usize },
    #[error("has more than {most} lines")]
    TooManyLines { most: usize },
    #[error("is no country")]
    UnknownCountry,
    #[error("is no region of the country")]
    UnknownRegion,
    #[error("is no district of the region")]
    UnknownDistrict,
    #[error("is not like {example}")]
    BadPostcode { example: &'static str },
    #[error("is no telephone number")]
    BadPhone { example: Option<String> },
}

impl Problem {
    /// The code in an API's answer.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::TooLong { .. } => "too_long",
            Self::TooManyLines { .. } => "too_many_lines",
            Self::UnknownCountry => "unknown_country",
            Self::UnknownRegion => "unknown_region",
            Self::UnknownDistrict => "unknown_district",
            Self::BadPostcode { .. } => "bad_postcode",
            Self::BadPhone { .. } => "bad_phone",
        }
    }
}

const MAX_LINES: usize = 3;
const MAX_LINE_CHARS: usize = 200;
const MAX_CHARS: usize = 100;

impl PostalAddress {
    /// Checks an address against the format of its country. Fields that the country does not use are left out:
    /// a form sends those of the country that was chosen before.
    pub fn parse(input: AddressInput) -> Result<Self, Vec<AddressError>> {
        let country = parse_country(&input.country).map_err(|error| vec![error])?;
        let mut parser = Parser { format: country.address_format(), errors: Vec::new() };
        let recipient = parser.text("recipient", &input.recipient, MAX_LINE_CHARS);
        let lines = parser.lines(&input.lines);
        let (region, district, city) = parser.places(&input);
        let postcode = parser.postcode(&input.postcode);
        let phone = parser.phone(&input.phone, country);
        let address = Self { recipient, lines, city, district, region, postcode, country, phone };
        parser.require(&address);
        match parser.errors.is_empty() {
            true => Ok(address),
            false => Err(parser.errors),
        }
    }

    /// An address of which only the text is known. The text is kept as it is.
    pub fn from_text(recipient: &str, text: &str, country: Country) -> Self {
        Self {
            recipient: recipient.to_owned(),
            lines: text.lines().map(str::to_owned).collect(),
            city: String::new(),
            district: String::new(),
            region: String::new(),
            postcode: String::new(),
            country,
            phone: String::new(),
        }
    }

    /// The lines on a parcel, in the order of the country; its name comes last, if at all. Where the language
    /// is that of the country, so are the names of its regions.
    pub fn format_lines(&self, language: &str, with_country: bool) -> Vec<String> {
        let format = self.country.address_format();
        let fields = self.written_fields(format, language);
        let text = fields.write(format.layout(language));
        let country = with_country.then(|| self.country.name(language));
        let lines = text.lines().chain(country).map(str::trim);
        lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    fn written_fields(&self, format: &AddressFormat, language: &str) -> WrittenFields<'_> {
        let region = Subdivision::find(format.regions(), &self.region);
        let district = region.and_then(|region| Subdivision::find(&region.parts, &self.district));
        let city = district.and_then(|district| Subdivision::find(&district.parts, &self.city));
        let written = |place: Option<&Subdivision>, text| {
            // What is in no list is written as it was typed.
            place.map_or(text, |place| place.written_in(language))
        };
        WrittenFields {
            recipient: &self.recipient,
            lines: self.lines.join("\n"),
            city: written(city, &self.city),
            district: written(district, &self.district),
            region: written(region, &self.region),
            postcode: &self.postcode,
        }
    }

    fn is_empty(&self, field: AddressField) -> bool {
        match field {
            AddressField::Recipient => self.recipient.is_empty(),
            AddressField::Lines => self.lines.is_empty(),
            AddressField::City => self.city.is_empty(),
            AddressField::District => self.district.is_empty(),
            AddressField::Region => self.region.is_empty(),
            AddressField::Postcode => self.postcode.is_empty(),
        }
    }
}

/// The texts of a printed address.
struct WrittenFields<'a> {
    recipient: &'a str,
    lines: String,
    city: &'a str,
    district: &'a str,
    region: &'a str,
    postcode: &'a str,
}

impl WrittenFields<'_> {
    fn get(&self, field: AddressField) -> &str {
        match field {
            AddressField::Recipient => self.recipient,
            AddressField::Lines => &self.lines,
            AddressField::City => self.city,
            AddressField::District => self.district,
            AddressField::Region => self.region,
            AddressField::Postcode => self.postcode,
        }
    }

    fn write(&self, layout: &Layout) -> String {
        let rows = layout.0.iter().map(|row| self.row(row));
        rows.collect::<Vec<_>>().join("\n")
    }

    /// A row without its empty fields. A literal goes with an empty field after it, and with one before it that
    /// was the first: without the city, `City, State 12345` is `State 12345`.
    fn row(&self, row: &[Piece]) -> String {
        let is_empty =
            |piece: &Piece| piece.field().is_some_and(|field| self.get(field).is_empty());
        let mut written: Vec<Piece> = Vec::new();
        for (at, piece) in row.iter().enumerate() {
            let is_shown = match piece {
                Piece::Field(_) => !is_empty(piece),
                Piece::Literal(_) => {
                    let follows_field =
                        at == 0 || written.last().is_some_and(|last| last.field().is_some());
                    follows_field && !row.get(at + 1).is_some_and(is_empty)
                }
            };
            if is_shown {
                written.push(*piece);
            }
        }
        let text = |piece: &Piece| match *piece {
            Piece::Field(field) => self.get(field).to_owned(),
            Piece::Literal(literal) => literal.to_owned(),
        };
        written.iter().map(text).collect()
    }
}

fn parse_country(code: &str) -> Result<Country, AddressError> {
    let problem = match code.trim() {
        "" => Problem::Required,
        _ => Problem::UnknownCountry,
    };
    code.trim().parse().map_err(|_| AddressError { field: "country", problem })
}

/// Checks the fields, and collects what is wrong.
struct Parser {
    format: &'static AddressFormat,
    errors: Vec<AddressError>,
}

impl Parser {
    fn reject(&mut self, field: &'static str, problem: Problem) {
        self.errors.push(AddressError { field, problem });
    }

    /// A text of one line, or an empty one if it is too long.
    fn text(&mut self, field: &'static str, text: &str, most: usize) -> String {
        let text = clean(text);
        if text.chars().count() <= most {
            return text;
        }
        self.reject(field, Problem::TooLong { most });
        String::new()
    }

    fn lines(&mut self, lines: &[String]) -> Vec<String> {
        let lines = lines.iter().flat_map(|line| line.lines()).map(clean);
        let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
        if lines.len() > MAX_LINES {
            self.reject("lines", Problem::TooManyLines { most: MAX_LINES });
        }
        if lines.iter().any(|line| line.chars().count() > MAX_LINE_CHARS) {
            self.reject("lines", Problem::TooLong { most: MAX_LINE_CHARS });
        }
        lines
    }

    /// Region, district and city. Where the country has lists of all three, the district implies its region.
    fn places(&mut self, input: &AddressInput) -> (String, String, String) {
        let region = self.used_text(AddressField::Region, &input.region);
        let district = self.used_text(AddressField::District, &input.district);
        let city = self.used_text(AddressField::City, &input.city);
        let regions = self.format.regions();
        if regions.is_empty() {
            return (region, district, city);
        }
        let chosen = Subdivision::find(regions, &region);
        if chosen.is_none() && !region.is_empty() {
            self.reject("region", Problem::UnknownRegion);
        }
        if regions.iter().all(|region| region.parts.is_empty()) || district.is_empty() {
            return (chosen.map_or(region, key), district, city);
        }
        let in_region = |region: &'static Subdivision| {
            Some((region, Subdivision::find(&region.parts, &district)?))
        };
        let mut candidates =
            regions.iter().filter(|region| chosen.is_none_or(|chosen| chosen.key == region.key));
        let Some((found_region, found)) = candidates.find_map(in_region) else {
            self.reject("district", Problem::UnknownDistrict);
            return (chosen.map_or(region, key), district, city);
        };
        // Lists of thanas are never complete.
        let city = Subdivision::find(&found.parts, &city).map_or(city, key);
        (key(found_region), key(found), city)
    }

    /// Empty for a field that addresses of the country do not have.
    fn used_text(&mut self, field: AddressField, text: &str) -> String {
        match self.format.field(field) {
            Some(_) => self.text(field.as_str(), text, MAX_CHARS),
            None => String::new(),
        }
    }

    fn postcode(&mut self, text: &str) -> String {
        let text = self.used_text(AddressField::Postcode, text);
        match &self.format.postcode {
            Some(postcode) if !text.is_empty() => {
                let example = postcode.example;
                let normalized = postcode.normalize(&text);
                normalized.unwrap_or_else(|| {
                    self.reject("postcode", Problem::BadPostcode { example });
                    text
                })
            }
            _ => ascii_digits(&text),
        }
    }

    fn phone(&mut self, text: &str, country: Country) -> String {
        let text = self.text("phone", text, MAX_CHARS);
        if text.is_empty() {
            return text;
        }
        phone::normalize(&text, country).unwrap_or_else(|_| {
            self.reject("phone", Problem::BadPhone { example: phone::example(country) });
            text
        })
    }

    /// Rejects missing fields, but not those that were rejected for another reason.
    fn require(&mut self, address: &PostalAddress) {
        for field in self.format.rows().concat().into_iter().filter(|field| field.required) {
            let name = field.field.as_str();
            if address.is_empty(field.field) && !self.errors.iter().any(|error| error.field == name)
            {
                self.reject(name, Problem::Required);
            }
        }
    }
}

fn key(place: &Subdivision) -> String {
    place.key.to_owned()
}
