//! Content of the storefront: blog posts, pages, FAQ and home page, from Markdown and JSON files.
//! Parsed and rendered once, at start-up, for each language; an invalid file prevents the start and is
//! reported with its line. A file that is not translated is shown in the default language, and marked with
//! it (`lang`). Uses the database only for pictures.

mod files;
mod front_matter;
mod markdown;
mod parse;
mod pictures;
mod shop_details;

use std::collections::BTreeMap;
use std::fmt;

use platform::Language;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::catalog::ProductId;
use media::Picture;

pub use files::ContentFiles;
pub use pictures::{built_in_pictures, import_pictures};
pub use shop_details::{ShopDetails, ShopTexts};

/// Finds a picture by the name in the file.
pub type PictureResolver<'r> = &'r dyn Fn(&str) -> Option<Picture>;

#[derive(Clone, Debug)]
pub struct Content {
    /// The newest first.
    pub posts: Vec<Post>,
    pub about: Article,
    pub contact: Article,
    pub contact_form: ContactForm,
    pub privacy: Article,
    pub terms: Article,
    pub refund: Article,
    pub returns: Article,
    pub questions: Vec<Section>,
    pub home: Home,
    pub gallery: Vec<GalleryPicture>,
    /// The shop's settings in the language.
    pub shop: ShopTexts,
}

/// The content in all languages of the shop.
#[derive(Clone, Debug)]
pub struct Contents {
    /// In the default language.
    pub default: Content,
    pub translations: BTreeMap<Language, Content>,
}

impl Contents {
    pub fn in_language(&self, language: Language) -> &Content {
        self.translations.get(&language).unwrap_or(&self.default)
    }
}

/// Rendered text, in safe HTML.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Text {
    /// The text before the first heading.
    pub lead: String,
    pub sections: Vec<Section>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Section {
    /// Its fragment id in the page.
    pub id: String,
    pub title: String,
    pub html: String,
    /// The language of its texts, where it is not that of the page.
    #[schema(value_type = Language, required = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Language>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    pub card: PostCard,
    pub text: Text,
    /// The products that it links to.
    pub products: Vec<ProductId>,
}

/// The fields of a post that lists show.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PostCard {
    pub slug: String,
    pub title: String,
    /// A date such as 2026-11-08.
    pub date: String,
    pub author: String,
    pub summary: String,
    #[schema(required)]
    pub picture: Option<Picture>,
    /// Alternative text of the picture.
    pub alt: String,
    pub tags: Vec<String>,
    /// Reading time.
    pub minutes: i64,
    /// The language of its texts, where it is not that of the page.
    #[schema(value_type = Language, required = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Language>,
}

/// A static page.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Article {
    pub title: String,
    pub description: String,
    /// The date of its last change.
    #[schema(required)]
    pub updated: Option<String>,
    pub text: Text,
    /// The shop's position on the map, on the contact page.
    #[schema(required)]
    pub map: Option<Spot>,
    /// Whether it is the built-in template, which the shopkeeper has not reviewed.
    pub template: bool,
    /// The language of its texts, where it is not that of the page.
    #[schema(value_type = Language, required = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Language>,
}

/// Texts of the contact form.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ContactForm {
    pub button: String,
    /// Who answers a message, and when; on the page and in the confirmation e-mail.
    pub reply: String,
}

/// A position in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Spot {
    pub latitude: f64,
    pub longitude: f64,
}

/// Content of the home page.
#[derive(Clone, Debug)]
pub struct Home {
    pub slides: Vec<Slide>,
    /// Its own, with placeholders.
    features: Option<Vec<Feature>>,
    pub sections: Sections,
    /// The language of its texts, where it is not that of the page.
    pub lang: Option<Language>,
}

impl Home {
    /// Those of `home.json`, or the ones derived from the settings. Not rendered at start-up: amounts in them are in
    /// the currency of the page.
    pub fn features(&self, details: &ShopDetails) -> Vec<Feature> {
        let Some(own) = &self.features else { return details.features() };
        let filled = |feature: &Feature| {
            let [title, text] =
                [&feature.title, &feature.text].map(|text| details.interpolate(text));
            Feature { title, text, ..feature.clone() }
        };
        own.iter().filter(|feature| !details.is_unset(&feature.text)).map(filled).collect()
    }
}

/// Headings of the home page's sections.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Sections {
    #[schema(required)]
    pub flash: SectionHeading,
    #[schema(required)]
    pub products: SectionHeading,
    #[schema(required)]
    pub categories: SectionHeading,
    #[schema(required)]
    pub posts: SectionHeading,
    #[schema(required)]
    pub newsletter: SectionHeading,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[schema(as = Words)]
#[serde(deny_unknown_fields)]
pub struct SectionHeading {
    pub title: String,
    #[serde(default)]
    #[schema(required)]
    pub text: String,
    /// The text of the "more" link.
    #[serde(default)]
    #[schema(required)]
    pub more: String,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Slide {
    #[schema(required)]
    pub picture: Option<Picture>,
    #[serde(skip)]
    pub product: Option<ProductId>,
    pub eyebrow: String,
    pub title: String,
    pub text: String,
    pub link: String,
    pub link_text: String,
    /// The focal point when the picture is cropped, in percent from the left and from the top.
    #[schema(required)]
    pub focus: Option<[u8; 2]>,
}

/// A selling point on the home page.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    pub icon: Icon,
    pub title: String,
    pub text: String,
    #[schema(required)]
    pub link: Option<String>,
}

/// Icons of selling points.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Icon {
    Delivery,
    Return,
    Payment,
    Support,
    Guarantee,
    Gift,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GalleryPicture {
    #[schema(required)]
    pub picture: Option<Picture>,
    pub link: String,
    /// The language of its texts, where it is not that of the page.
    #[schema(value_type = Language, required = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Language>,
}

impl Content {
    /// The files of pages that are still templates.
    pub fn templates(&self) -> Vec<&'static str> {
        let pages = [
            ("pages/about.md", &self.about),
            ("pages/contact.md", &self.contact),
            ("pages/privacy.md", &self.privacy),
            ("pages/terms.md", &self.terms),
            ("pages/refund.md", &self.refund),
            ("pages/return.md", &self.returns),
        ];
        pages.into_iter().filter(|(_, page)| page.template).map(|(file, _)| file).collect()
    }

    /// The files that are shown in the default language, because they are not translated.
    pub fn untranslated(&self) -> Vec<String> {
        let files = [
            ("pages/about.md", self.about.lang),
            ("pages/contact.md", self.contact.lang),
            ("pages/privacy.md", self.privacy.lang),
            ("pages/terms.md", self.terms.lang),
            ("pages/refund.md", self.refund.lang),
            ("pages/return.md", self.returns.lang),
            ("faq.md", self.questions.first().and_then(|question| question.lang)),
            ("home.json", self.home.lang),
            ("gallery.json", self.gallery.first().and_then(|picture| picture.lang)),
        ];
        let files = files.into_iter().filter(|(_, lang)| lang.is_some());
        let posts = self.posts.iter().filter(|post| post.card.lang.is_some());
        files
            .map(|(file, _)| file.to_owned())
            .chain(posts.map(|post| format!("posts/{}.md", post.card.slug)))
            .collect()
    }

    pub fn post(&self, slug: &str) -> Option<&Post> {
        self.posts.iter().find(|post| post.card.slug == slug)
    }

    /// The older and the newer post.
    pub fn adjacent_posts(&self, slug: &str) -> (Option<&Post>, Option<&Post>) {
        let Some(place) = self.posts.iter().position(|post| post.card.slug == slug) else {
            return (None, None);
        };
        (self.posts.get(place + 1), place.checked_sub(1).and_then(|newer| self.posts.get(newer)))
    }
}

/// An error in a content file.
#[derive(Debug, PartialEq, Eq)]
pub struct ContentError {
    pub file: String,
    /// 0 when it concerns the whole file.
    pub line: usize,
    pub why: String,
}

impl ContentError {
    fn new(file: &str, line: usize, why: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, why: why.into() }
    }
}

impl fmt::Display for ContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.why),
            line => write!(f, "{}: line {line}: {}", self.file, self.why),
        }
    }
}

impl std::error::Error for ContentError {}
