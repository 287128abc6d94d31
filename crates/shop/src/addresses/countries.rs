//! The countries that the shop delivers to, and the fields of their addresses. Without any, an address is a text.

use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRef, State};
use platform::http::PathString;
use platform::{Error, Language, Result};
use postal_address::{Country, Subdivision, phone};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::error_responses::NotFound;

/// As a setting, the first one is the shop's own. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Countries(Arc<[Country]>);

/// A list of codes, separated by commas, or `all`.
impl std::str::FromStr for Countries {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut countries: Vec<Country> = Vec::new();
        for code in text.split(',').map(str::trim).filter(|code| !code.is_empty()) {
            if code == "all" {
                let missing = Country::all().filter(|country| !countries.contains(country));
                countries.extend(missing.collect::<Vec<_>>());
                continue;
            }
            let country: Country = code.parse().map_err(|why| format!("{code:?}: {why}"))?;
            if !countries.contains(&country) {
                countries.push(country);
            }
        }
        Ok(Self(countries.into()))
    }
}

impl Countries {
    /// The shop's own country.
    pub fn own(&self) -> Option<Country> {
        self.0.first().copied()
    }

    pub fn contains(&self, country: Country) -> bool {
        self.0.contains(&country)
    }

    pub fn iter(&self) -> impl Iterator<Item = Country> {
        self.0.iter().copied()
    }

    /// With their names in a language; the shop's own first, the others by name.
    pub fn named(&self, language: Language) -> Vec<CountryName> {
        let language = language.to_string();
        let named = |country: Country| CountryName {
            code: country.to_string(),
            name: country.name(&language),
        };
        let mut names: Vec<CountryName> = self.iter().map(named).collect();
        if let [_, others @ ..] = &mut names[..] {
            others.sort_by_key(|country| country.name);
        }
        names
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CountryName {
    /// Two letters: `BD`.
    pub code: String,
    pub name: &'static str,
}

/// The fields of a country's addresses.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddressForm {
    country: String,
    /// The fields in the order in which they are filled in, in rows.
    rows: Vec<Vec<AddressFormField>>,
    /// The regions to choose from; none where the region is a text.
    regions: Vec<AddressRegion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postcode_example: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_example: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct AddressFormField {
    /// `lines`, `city`, `district`, `region` or `postcode`.
    field: &'static str,
    /// What it is called there: `state`, `division`, `upazila`, `zip` …
    label: &'static str,
    required: bool,
}

/// A region, its districts, and their cities.
#[derive(Serialize, ToSchema)]
pub struct AddressRegion {
    /// What an address stores.
    key: &'static str,
    /// In the language of the request.
    name: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    parts: Vec<AddressRegion>,
}

impl AddressRegion {
    fn new(place: &Subdivision, language: &str) -> Self {
        let parts = place.parts.iter().map(|part| Self::new(part, language)).collect();
        Self { key: place.key, name: place.name_in(language), parts }
    }
}

impl AddressForm {
    pub fn new(country: Country, language: Language) -> Self {
        let (format, language) = (country.address_format(), language.to_string());
        let row = |row: Vec<postal_address::FormField>| -> Vec<AddressFormField> {
            let shown = row.into_iter().filter(|field| field.field.as_str() != "recipient");
            let field = |field: postal_address::FormField| AddressFormField {
                field: field.field.as_str(),
                label: field.label,
                required: field.required,
            };
            shown.map(field).collect()
        };
        let rows = format.rows().into_iter().map(row).filter(|row| !row.is_empty()).collect();
        let region = |region: &Subdivision| AddressRegion::new(region, &language);
        Self {
            country: country.to_string(),
            rows,
            regions: format.regions().iter().map(region).collect(),
            postcode_example: format.postcode_example(),
            phone_example: phone::example(country),
        }
    }
}

pub(super) fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Countries: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_countries)).routes(routes!(get_address_form))
}

/// List the countries that the shop delivers to
///
/// None where an address is a text.
#[utoipa::path(
    get, path = "/countries", tag = "Orders", params(Language),
    responses((status = 200, body = Vec<CountryName>))
)]
async fn list_countries(
    State(countries): State<Countries>,
    language: Language,
) -> Json<Vec<CountryName>> {
    Json(countries.named(language))
}

/// Get the fields of a country's addresses
#[utoipa::path(
    get, path = "/countries/{code}", tag = "Orders",
    params(("code" = String, Path, pattern = "^[A-Z]{2}$", description = "Two letters"), Language),
    responses((status = 200, body = AddressForm), NotFound)
)]
async fn get_address_form(
    State(countries): State<Countries>,
    language: Language,
    PathString(code): PathString,
) -> Result<Json<AddressForm>> {
    let country = code.parse().ok().filter(|country| countries.contains(*country));
    let country = country.ok_or(Error::NotFound("country"))?;
    Ok(Json(AddressForm::new(country, language)))
}
