//! What the shop says: posts, pages, questions and the home page's words, from Markdown and JSON files
//! that a shopkeeper edits. Read and rendered once, at the start; a file that is not right stops it
//! and says where. Touches no database but for the pictures that the files name.

mod facts;
mod files;
mod front_matter;
mod markdown;
mod pictures;
mod read;

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::catalog::ProductId;
use media::Picture;

pub use facts::Facts;
pub use files::Files;
pub use pictures::{listed_pictures, take_pictures};

/// Says which picture a name stands for.
pub type Resolve<'r> = &'r dyn Fn(&str) -> Option<Picture>;

/// Everything that the files say.
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
}

/// A text as pages show it, in HTML that can only be read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Text {
    /// What stands before the first heading.
    pub lead: String,
    pub sections: Vec<Section>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Section {
    /// Its address within the page.
    pub id: String,
    pub title: String,
    pub html: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    pub card: PostCard,
    pub text: Text,
    /// The products that it speaks of.
    pub products: Vec<ProductId>,
}

/// What a list shows of a post.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PostCard {
    pub slug: String,
    pub title: String,
    /// The day: 2026-11-08.
    pub date: String,
    pub author: String,
    pub summary: String,
    #[schema(required)]
    pub picture: Option<Picture>,
    /// What the picture shows.
    pub alt: String,
    pub tags: Vec<String>,
    /// How long it takes to read.
    pub minutes: i64,
}

/// A page of information.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Article {
    pub title: String,
    pub description: String,
    /// The day of its last change.
    #[schema(required)]
    pub updated: Option<String>,
    pub text: Text,
    /// Where the shop stands, on the page that says how to reach it.
    #[schema(required)]
    pub map: Option<Spot>,
    /// It came with the program, and the shopkeeper has not checked it yet.
    pub template: bool,
}

/// What the form on the contact page says.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ContactForm {
    /// What its button says.
    pub button: String,
    /// Who answers a message, and when; for the page and the receipt.
    pub reply: String,
}

/// A place on the map, in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Spot {
    pub latitude: f64,
    pub longitude: f64,
}

/// The home page's words.
#[derive(Clone, Debug, Default)]
pub struct Home {
    pub slides: Vec<Slide>,
    pub features: Vec<Feature>,
    pub sections: Sections,
}

/// What stands above the parts of the home page.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sections {
    #[schema(required)]
    pub flash: Words,
    #[schema(required)]
    pub products: Words,
    #[schema(required)]
    pub categories: Words,
    #[schema(required)]
    pub posts: Words,
    #[schema(required)]
    pub newsletter: Words,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Words {
    pub title: String,
    #[serde(default)]
    #[schema(required)]
    pub text: String,
    /// What leads on says so.
    #[serde(default)]
    #[schema(required)]
    pub more: String,
}

impl Default for Sections {
    fn default() -> Self {
        let words = |title: &str, more: &str| Words {
            title: title.into(),
            text: String::new(),
            more: more.into(),
        };
        Self {
            flash: words("Flash Deal", "View more"),
            products: words("Products", "Show more"),
            categories: words("Explore Popular Categories", ""),
            posts: words("Latest Blog", "Read all posts"),
            newsletter: words("Newsletter", ""),
        }
    }
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
    /// The point of the picture that stays in sight where it is cropped, in percent from the left and
    /// from the top.
    #[schema(required)]
    pub focus: Option<[u8; 2]>,
}

/// A promise of the shop.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    pub icon: Icon,
    pub title: String,
    pub text: String,
    #[schema(required)]
    pub link: Option<String>,
}

/// The pictures beside a promise.
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

    pub fn post(&self, slug: &str) -> Option<&Post> {
        self.posts.iter().find(|post| post.card.slug == slug)
    }

    /// The posts before and after one in time.
    pub fn around(&self, slug: &str) -> (Option<&Post>, Option<&Post>) {
        let Some(place) = self.posts.iter().position(|post| post.card.slug == slug) else {
            return (None, None);
        };
        (self.posts.get(place + 1), place.checked_sub(1).and_then(|newer| self.posts.get(newer)))
    }
}

/// A file that is not right.
#[derive(Debug, PartialEq, Eq)]
pub struct Bad {
    pub file: String,
    /// Nought where it is the file itself.
    pub line: usize,
    pub why: String,
}

impl Bad {
    fn new(file: &str, line: usize, why: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, why: why.into() }
    }
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.why),
            line => write!(f, "{}: line {line}: {}", self.file, self.why),
        }
    }
}

impl std::error::Error for Bad {}
