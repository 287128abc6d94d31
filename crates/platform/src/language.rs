//! Languages of the shop: their codes, URL prefixes (`/bn/cart`), and the one that a request is answered in
//! (decision 024).

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header::{ACCEPT_LANGUAGE, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sqlx::{Database, Decode, Type, error::BoxDynError};
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type as SchemaType};

/// A language by its ISO 639 code of two or three lower-case letters, such as `en` or `bn`. As an extractor it
/// is the language to answer in: see `Languages::of_request`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language([u8; 3]);

/// Codes that are the first segment of other addresses.
const RESERVED: [&str; 2] = ["api", "dev"];
/// Written from right to left.
const RIGHT_TO_LEFT: [&str; 10] = ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"];

impl Language {
    pub const ENGLISH: Self = Self(*b"en\0");

    pub fn as_str(&self) -> &str {
        let length = if self.0[2] == 0 { 2 } else { 3 };
        std::str::from_utf8(&self.0[..length]).unwrap_or("en")
    }

    /// The `dir` attribute of a document.
    pub fn direction(self) -> &'static str {
        if RIGHT_TO_LEFT.contains(&self.as_str()) { "rtl" } else { "ltr" }
    }
}

/// English, the language of the sources.
impl Default for Language {
    fn default() -> Self {
        Self::ENGLISH
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a language code of two or three lower-case letters, such as en or bn")]
pub struct MalformedLanguage;

impl FromStr for Language {
    type Err = MalformedLanguage;

    fn from_str(text: &str) -> Result<Self, MalformedLanguage> {
        let valid = text.bytes().all(|byte| byte.is_ascii_lowercase()) && !RESERVED.contains(&text);
        match *text.as_bytes() {
            [a, b] if valid => Ok(Self([a, b, 0])),
            [a, b, c] if valid => Ok(Self([a, b, c])),
            _ => Err(MalformedLanguage),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|why| D::Error::custom(format!("{text:?}: {why}")))
    }
}

impl<DB: Database> Type<DB> for Language
where
    String: Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        String::type_info()
    }
    fn compatible(ty: &DB::TypeInfo) -> bool {
        String::compatible(ty)
    }
}

impl<'r, DB: Database> Decode<'r, DB> for Language
where
    String: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(String::decode(value)?.parse()?)
    }
}

impl utoipa::PartialSchema for Language {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::String)
            .pattern(Some("^[a-z]{2,3}$"))
            .examples(["en", "bn"])
            .build()
            .into()
    }
}

impl utoipa::ToSchema for Language {}

/// The query parameter of the calls that have the extractor.
impl utoipa::IntoParams for Language {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let language = ParameterBuilder::new()
            .name("language")
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
            .description(Some(
                "The language of the texts. Without it, or where the shop does not have it, `Accept-Language` \
                 decides, and then the shop's default language",
            ))
            .schema(Some(<Self as utoipa::PartialSchema>::schema()));
        vec![language.build()]
    }
}

/// From the request extension that the HTTP server sets; English for a request that came through no server.
impl<S: Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

/// The languages of the shop, the default one first. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Languages(Arc<[Language]>);

impl Default for Languages {
    fn default() -> Self {
        Self([Language::default()].into())
    }
}

impl Languages {
    /// The first one is the default unless another one is named.
    pub fn new(mut all: Vec<Language>, default: Option<Language>) -> Result<Self, String> {
        let mut seen = Vec::new();
        all.retain(|language| {
            !seen.contains(language) && {
                seen.push(*language);
                true
            }
        });
        if let Some(default) = default {
            let place = all.iter().position(|language| *language == default);
            let place = place.ok_or(format!("language: {default} is none of the languages"))?;
            all[..=place].rotate_right(1);
        }
        match all.is_empty() {
            true => Err("languages: at least one is required".into()),
            false => Ok(Self(all.into())),
        }
    }

    pub fn default_language(&self) -> Language {
        self.0[0]
    }

    /// The language to translate texts to: `None` for the default one, in which they are written.
    pub fn translation(&self, language: Language) -> Option<Language> {
        Some(language).filter(|language| *language != self.default_language())
    }

    pub fn iter(&self) -> impl Iterator<Item = Language> {
        self.0.iter().copied()
    }

    /// The shop's language with this code.
    pub fn find(&self, code: &str) -> Option<Language> {
        self.iter().find(|language| language.as_str() == code)
    }

    /// The language prefix of a path, and the path without it. The default language needs no prefix, but may
    /// have one.
    pub fn split_path<'p>(&self, path: &'p str) -> (Option<Language>, &'p str) {
        let Some(rest) = path.strip_prefix('/') else { return (None, path) };
        let code = &rest[..rest.find('/').unwrap_or(rest.len())];
        match self.find(code) {
            Some(language) => {
                let rest = &rest[code.len()..];
                (Some(language), if rest.is_empty() { "/" } else { rest })
            }
            None => (None, path),
        }
    }

    /// The address of a page in a language, from its path (and query string) without a prefix.
    pub fn localize(&self, language: Language, path: &str) -> String {
        if language == self.default_language() {
            return path.to_owned();
        }
        // The home page is `/bn`.
        let root = path == "/" || path.starts_with("/?");
        format!("/{language}{}", if root { &path[1..] } else { path })
    }

    /// The language that a request is answered in. A page's is the prefix of its path; an API call's is
    /// `?language=`, or that which `Accept-Language` prefers; otherwise it is the default.
    pub fn of_request(&self, url: &Uri, headers: &HeaderMap) -> Language {
        if self.0.len() == 1 {
            return self.default_language();
        }
        let chosen = match url.path().starts_with("/api/") {
            true => self.parameter(url.query()).or_else(|| self.accepted(headers)),
            false => self.split_path(url.path()).0,
        };
        chosen.unwrap_or(self.default_language())
    }

    /// The visitor's own choice, which the cookie `language` holds.
    pub fn chosen(&self, headers: &HeaderMap) -> Option<Language> {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';'));
        pairs.find_map(|pair| self.find(pair.trim().strip_prefix("language=")?))
    }

    fn parameter(&self, query: Option<&str>) -> Option<Language> {
        let mut pairs = query?.split('&');
        self.find(pairs.find_map(|pair| pair.strip_prefix("language="))?)
    }

    /// The language with the highest weight in `Accept-Language`, of equal ones the first; `bn-BD` is `bn`.
    fn accepted(&self, headers: &HeaderMap) -> Option<Language> {
        let list = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
        let mut best = (0.0, None);
        for item in list.split(',') {
            let (range, parameters) = item.split_once(';').unwrap_or((item, ""));
            let primary = range.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
            let language = match primary.as_str() {
                "*" => Some(self.default_language()),
                code => self.find(code),
            };
            let weight = parameters.trim().strip_prefix("q=");
            let weight = weight.map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0));
            if language.is_some() && weight > best.0 {
                best = (weight, language);
            }
        }
        best.1
    }
}

/// The settings of the shop's languages.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(id = "language_settings")]
pub struct LanguageSettings {
    /// The shop's languages, separated by commas: pages of the default one have addresses without a prefix,
    /// the others such as /bn/cart [default: en; in a demo en,bn]
    #[arg(
        long,
        env = "HAAT_LANGUAGES",
        value_name = "CODES",
        value_delimiter = ',',
        help_heading = "The shop"
    )]
    languages: Vec<Language>,
    /// The default language [default: the first of languages]
    #[arg(long, env = "HAAT_LANGUAGE", value_name = "CODE", help_heading = "The shop")]
    language: Option<Language>,
}

impl LanguageSettings {
    const DEMO: [Language; 2] = [Language::ENGLISH, Language(*b"bn\0")];

    pub fn is_unset(&self) -> bool {
        self.languages.is_empty() && self.language.is_none()
    }

    pub fn languages(&self, demo: bool) -> Result<Languages, String> {
        let all = match (self.languages.as_slice(), demo) {
            ([], true) => Self::DEMO.to_vec(),
            ([], false) => vec![self.language.unwrap_or_default()],
            (all, _) => all.to_vec(),
        };
        Languages::new(all, self.language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(code: &str) -> Language {
        code.parse().unwrap()
    }

    fn languages(codes: &str) -> Languages {
        Languages::new(codes.split(',').map(language).collect(), None).unwrap()
    }

    #[test]
    fn codes_have_two_or_three_lower_case_letters() {
        for code in ["en", "bn", "ccp"] {
            assert_eq!(language(code).to_string(), code);
            assert_eq!(serde_json::to_value(language(code)).unwrap(), code);
        }
        for code in ["", "e", "EN", "bn-BD", "bangla", "b1", "api", "dev", "হা"] {
            assert!(code.parse::<Language>().is_err(), "{code}");
        }
        assert_eq!(language("bn").direction(), "ltr");
        assert_eq!(language("ar").direction(), "rtl");
    }

    #[test]
    fn the_default_language_is_the_first_or_the_one_named() {
        let settings = |codes: &str, default: Option<&str>| LanguageSettings {
            languages: codes.split(',').filter_map(|code| code.parse().ok()).collect(),
            language: default.map(language),
        };
        let listed = |settings: LanguageSettings, demo| {
            settings.languages(demo).map(|all| all.iter().map(|one| one.to_string()).collect())
        };
        let all = |codes: &[&str]| {
            Ok::<Vec<String>, String>(codes.iter().map(|&code| code.into()).collect())
        };
        assert_eq!(listed(settings("", None), false), all(&["en"]));
        assert_eq!(listed(settings("", None), true), all(&["en", "bn"]));
        assert_eq!(listed(settings("", Some("bn")), true), all(&["bn", "en"]));
        assert_eq!(listed(settings("", Some("bn")), false), all(&["bn"]));
        assert_eq!(listed(settings("en,ar,bn,en", Some("bn")), true), all(&["bn", "en", "ar"]));
        assert!(listed(settings("en", Some("bn")), false).is_err());
    }

    #[test]
    fn prefixes_are_whole_segments_of_the_shops_languages() {
        let both = languages("en,bn");
        let (bn, en) = (Some(language("bn")), Some(Language::ENGLISH));
        for (path, found) in [
            ("/", (None, "/")),
            ("/bn", (bn, "/")),
            ("/bn/", (bn, "/")),
            ("/bn/cart", (bn, "/cart")),
            ("/en/cart", (en, "/cart")),
            ("/bn//x", (bn, "//x")),
            ("/bnx/cart", (None, "/bnx/cart")),
            ("/fr/cart", (None, "/fr/cart")),
            ("/cart/bn", (None, "/cart/bn")),
            ("*", (None, "*")),
        ] {
            assert_eq!(both.split_path(path), found, "{path}");
        }
        let bn = language("bn");
        for (path, local) in
            [("/", "/bn"), ("/?a=1", "/bn?a=1"), ("/cart?step=checkout", "/bn/cart?step=checkout")]
        {
            assert_eq!(both.localize(bn, path), local);
            assert_eq!(both.localize(Language::ENGLISH, path), path);
        }
    }

    #[test]
    fn a_request_names_its_language_in_the_path_the_query_or_a_header() {
        let chosen = |url: &'static str, accepted: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, accepted.parse().unwrap());
            languages("en,bn").of_request(&Uri::from_static(url), &headers).to_string()
        };
        for (url, accepted, wanted) in [
            ("/cart", "bn", "en"),
            ("/bn/cart?language=en", "en", "bn"),
            ("/api/products", "", "en"),
            ("/api/products", "bn-BD,bn;q=0.9,en;q=0.8", "bn"),
            ("/api/products", "fr, en;q=0.4, BN;q=0.7", "bn"),
            ("/api/products", "bn;q=0, *", "en"),
            ("/api/products", "en,bn", "en"),
            ("/api/products", "de;q=1,x;q=y", "en"),
            ("/api/products?limit=1&language=bn", "en", "bn"),
            ("/api/products?language=fr", "bn", "bn"),
        ] {
            assert_eq!(chosen(url, accepted), wanted, "{url} {accepted}");
        }
    }
}
