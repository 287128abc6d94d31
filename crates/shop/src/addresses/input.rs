//! An address as it is typed: a text, as the specification has it, or its parts, checked against the format of the
//! country.

use platform::db::{Json, SqlValue};
use platform::error::Field;
use platform::{Error, Language, Result};
use postal_address::{
    AddressError, AddressInput, Country, Destination, PostalAddress, Problem, phone,
};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;
use utoipa::openapi::{OneOfBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::Countries;
use crate::schemas;
use crate::validation::{self, MAX_ADDRESS_LEN, MAX_RECIPIENT_LEN};

/// The address of a request.
#[derive(Clone, Debug)]
pub enum TypedAddress {
    Text(String),
    Parts(AddressParts),
}

impl<'de> Deserialize<'de> for TypedAddress {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Value::deserialize(from)? {
            Value::String(text) => Ok(Self::Text(text)),
            parts @ Value::Object(_) => {
                let parts = serde_json::from_value(parts);
                parts.map(Self::Parts).map_err(|why| D::Error::custom(format!("address: {why}")))
            }
            _ => Err(D::Error::custom("address: expected a text or an object")),
        }
    }
}

impl PartialSchema for TypedAddress {
    fn schema() -> RefOr<Schema> {
        let text = schemas::filled_lines::<MAX_ADDRESS_LEN>();
        let parts = Ref::from_schema_name("AddressParts");
        Schema::OneOf(OneOfBuilder::new().item(text).item(parts).build()).into()
    }
}

impl ToSchema for TypedAddress {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((AddressParts::name().into(), AddressParts::schema()));
        AddressParts::schemas(schemas);
    }
}

/// The parts of an address. Which of them there are, and which are required, follows from the country
/// (`GET /countries/{code}`); others are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AddressParts {
    /// Two letters, of a country that the shop delivers to.
    pub country: String,
    /// Street, house number, building.
    #[schema(max_items = 3)]
    pub lines: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub city: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub district: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub region: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub postcode: String,
}

/// An address that can be delivered to.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedAddress {
    pub name: String,
    /// In the form E.164 where the country is known.
    pub phone: String,
    /// As it is written on a parcel, without the name.
    pub text: String,
    pub parts: Option<Json<StoredParts>>,
}

/// The parts of an address, as stored and as answers have them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StoredParts {
    #[schema(value_type = String)]
    pub country: Country,
    pub lines: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub city: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub district: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub region: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub postcode: String,
}

impl StoredParts {
    /// What delivery and taxes depend on.
    pub fn destination(&self) -> Destination {
        let Self { country, region, district, postcode, .. } = self.clone();
        Destination { country, region, district, postcode }
    }
}

impl From<PostalAddress> for StoredParts {
    fn from(address: PostalAddress) -> Self {
        let PostalAddress { country, lines, city, district, region, postcode, .. } = address;
        Self { country, lines, city, district, region, postcode }
    }
}

impl CheckedAddress {
    /// To bind: JSON, or null.
    pub fn stored_parts(&self) -> SqlValue {
        self.parts.as_ref().map_or(SqlValue::Text(None), SqlValue::from)
    }
}

impl TypedAddress {
    /// Checks name, phone and address together; an error has all of their fields.
    pub fn check(
        self,
        (name, phone): (&str, &str),
        countries: &Countries,
        language: Language,
    ) -> Result<CheckedAddress> {
        match self {
            Self::Text(text) => check_text(name, phone, &text, countries),
            Self::Parts(parts) => check_parts(name, phone, parts, countries, language),
        }
    }
}

fn check_text(
    name: &str,
    phone: &str,
    text: &str,
    countries: &Countries,
) -> Result<CheckedAddress> {
    let name = validation::line("name", name, MAX_RECIPIENT_LEN);
    let phone = validation::phone(phone);
    let text = validation::lines("address", text, MAX_ADDRESS_LEN);
    match (name, phone, text) {
        (Ok(name), Ok(phone), Ok(text)) => {
            let normalized = countries.own().and_then(|own| phone::normalize(&phone, own).ok());
            let phone = normalized.unwrap_or(phone);
            Ok(CheckedAddress { name, phone, text, parts: None })
        }
        (name, phone, text) => {
            let errors = [name.err(), phone.err(), text.err()];
            let fields = errors.into_iter().flatten().flat_map(|why| match why {
                Error::Invalid { fields, .. } => fields,
                why => vec![Field::malformed("address", why.message())],
            });
            Err(invalid(fields.collect()))
        }
    }
}

fn check_parts(
    name: &str,
    phone: &str,
    parts: AddressParts,
    countries: &Countries,
    language: Language,
) -> Result<CheckedAddress> {
    let AddressParts { country, lines, city, district, region, postcode } = parts;
    let (recipient, phone) = (name.to_owned(), phone.to_owned());
    let input = AddressInput { recipient, lines, city, district, region, postcode, country, phone };
    let delivered =
        |code: &str| code.parse::<Country>().map_or(true, |country| countries.contains(country));
    if !delivered(&input.country) {
        let error = AddressError { field: "country", problem: Problem::UnknownCountry };
        return Err(invalid(vec![field(error)]));
    }
    let has_phone = !input.phone.trim().is_empty();
    let parsed = PostalAddress::parse(input);
    let mut fields: Vec<Field> = match &parsed {
        Err(errors) => errors.iter().cloned().map(field).collect(),
        Ok(_) => Vec::new(),
    };
    if !has_phone {
        fields.push(field(AddressError { field: "phone", problem: Problem::Required }));
    }
    match parsed {
        Ok(address) if fields.is_empty() => {
            let (name, phone) = (address.recipient.clone(), address.phone.clone());
            // The name is shown above the address.
            let nameless = PostalAddress { recipient: String::new(), ..address };
            let abroad = Some(nameless.country) != countries.own();
            let text = nameless.format_lines(&language.to_string(), abroad).join("\n");
            Ok(CheckedAddress { name, phone, text, parts: Some(Json(nameless.into())) })
        }
        _ => Err(invalid(fields)),
    }
}

fn field(AddressError { field, problem }: AddressError) -> Field {
    let name = match field {
        "recipient" => "name".to_owned(),
        "phone" => "phone".to_owned(),
        field => format!("address.{field}"),
    };
    let wrong = Field::new(name, problem.code(), problem.to_string());
    match problem {
        Problem::TooLong { most } | Problem::TooManyLines { most } => wrong.with("most", most),
        Problem::BadPostcode { example } => wrong.with("example", example),
        Problem::BadPhone { example: Some(example) } => wrong.with("example", example),
        _ => wrong,
    }
}

fn invalid(fields: Vec<Field>) -> Error {
    let texts = fields.iter().map(|field| format!("{}: {}", field.name, field.message));
    Error::Invalid { message: texts.collect::<Vec<_>>().join("; "), fields }
}
