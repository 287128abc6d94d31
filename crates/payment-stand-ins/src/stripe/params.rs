//! Form-encoded parameters, strictly: what a call does not take is refused, and so is what it misses.

use super::error::ApiError;
use super::model::Metadata;
use crate::page::form_fields;

const MAX_METADATA: usize = 50;
const MAX_METADATA_NAME: usize = 40;
const MAX_METADATA_VALUE: usize = 500;

/// The parameters that were not taken yet.
pub struct Params(Vec<(String, String)>);

type Checked<T> = Result<T, ApiError>;

impl Params {
    pub fn parse(encoded: &[u8]) -> Self {
        Self(form_fields(encoded))
    }

    /// The same for the same parameters in any order.
    pub fn fingerprint(&self) -> String {
        let mut lines: Vec<String> =
            self.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
        lines.sort();
        lines.join("&")
    }

    pub fn text(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.remove(place).1)
    }

    pub fn required(&mut self, name: &str) -> Checked<String> {
        let found = self.text(name).filter(|text| !text.is_empty());
        found.ok_or_else(|| ApiError::missing(name))
    }

    pub fn integer(&mut self, name: &str) -> Checked<Option<i64>> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let invalid = || {
            ApiError::parameter(
                "parameter_invalid_integer",
                name,
                format!("Invalid integer: {text}"),
            )
        };
        text.parse().map(Some).map_err(|_| invalid())
    }

    pub fn one_of(&mut self, name: &str, allowed: &[&str]) -> Checked<Option<String>> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match allowed.contains(&text.as_str()) {
            true => Ok(Some(text)),
            false => Err(ApiError::invalid(
                name,
                format!("Invalid {name}: must be one of {}", allowed.join(", ")),
            )),
        }
    }

    /// `name[key]=value`.
    pub fn metadata(&mut self, name: &str) -> Checked<Metadata> {
        let key = |given: &str| {
            let rest = given.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']')?;
            (!rest.contains(['[', ']'])).then(|| rest.to_owned())
        };
        let (taken, left): (Vec<_>, Vec<_>) =
            self.0.drain(..).partition(|(given, _)| key(given).is_some());
        self.0 = left;
        let found: Metadata =
            taken.into_iter().filter_map(|(given, value)| Some((key(&given)?, value))).collect();
        let fits = |(key, value): (&String, &String)| {
            key.len() <= MAX_METADATA_NAME && value.chars().count() <= MAX_METADATA_VALUE
        };
        match found.len() <= MAX_METADATA && found.iter().all(fits) {
            true => Ok(found),
            false => {
                Err(ApiError::invalid(name, "Metadata is limited in number and length.".to_owned()))
            }
        }
    }

    /// The properties that the answer is to contain as objects.
    pub fn expand(&mut self, allowed: &[&str]) -> Checked<Vec<String>> {
        let is_expand = |name: &str| name.starts_with("expand[") && name.ends_with(']');
        let (taken, left): (Vec<_>, Vec<_>) =
            self.0.drain(..).partition(|(name, _)| is_expand(name));
        self.0 = left;
        let wanted: Vec<String> = taken.into_iter().map(|(_, value)| value).collect();
        match wanted.iter().find(|one| !allowed.contains(&one.as_str())) {
            Some(one) => Err(ApiError::invalid(
                "expand",
                format!("This property cannot be expanded ({one})."),
            )),
            None => Ok(wanted),
        }
    }

    /// Refuses what nobody has taken.
    pub fn finish(self) -> Checked<()> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => {
                let message = format!("Received unknown parameter: {name}");
                Err(ApiError::parameter("parameter_unknown", name, message))
            }
        }
    }
}
