//! The pages that the shop's content files make: blog, about, contact and policies. Content is fixed
//! while the program runs, so these depend on nothing but the products that a post speaks of.

use std::fmt;

use base::Timestamp;
use base::error::Result;
use serde::Serialize;
use shop::catalog::{self, ProductCard, shown};
use shop::content::{Article, ContactForm, Post, PostCard, Section, Text};
use shop::messages::{LONGEST_MESSAGE, LONGEST_NAME};
use utoipa::ToSchema;

use super::{Content, Error, Loaded, Pages};

#[derive(Serialize, ToSchema)]
pub struct BlogProps {
    /// The newest first.
    pub posts: Vec<PostCard>,
}

#[derive(Serialize, ToSchema)]
pub struct PostProps {
    pub post: PostCard,
    pub text: Text,
    /// The one before it in time.
    #[schema(required)]
    pub previous: Option<PostLink>,
    #[schema(required)]
    pub next: Option<PostLink>,
    /// What it speaks of.
    pub products: Vec<ProductCard>,
    pub now: Timestamp,
}

#[derive(Serialize, ToSchema)]
pub struct PostLink {
    pub slug: String,
    pub title: String,
}

#[derive(Serialize, ToSchema)]
pub struct AboutProps {
    pub article: Article,
    pub questions: Vec<Section>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContactProps {
    pub article: Article,
    pub form: ContactForm,
    /// A message was sent just now, by a browser without JavaScript.
    pub sent: bool,
    pub longest_name: usize,
    pub longest_message: usize,
}

#[derive(Serialize, ToSchema)]
pub struct PolicyProps {
    pub policy: Policy,
    pub article: Article,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Policy {
    Privacy,
    Terms,
    Refund,
    Return,
}

impl Policy {
    pub const ALL: [Self; 4] = [Self::Privacy, Self::Terms, Self::Refund, Self::Return];

    /// Its address, without the slash.
    pub fn name(self) -> &'static str {
        match self {
            Self::Privacy => "privacy",
            Self::Terms => "terms_condition",
            Self::Refund => "refund",
            Self::Return => "return",
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct NewsletterProps {
    pub moment: Moment,
}

/// Where somebody stands on the way into the newsletter, or out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Moment {
    /// The form, at `/newsletter` itself.
    Form,
    /// A letter with a link is on its way.
    Sent,
    /// The link was followed; a press confirms.
    Confirm,
    Confirmed,
    /// A press leaves.
    Leave,
    Left,
    /// The link is too old, or none of ours.
    Stale,
}

impl Moment {
    pub const ALL: [Self; 7] = [
        Self::Form,
        Self::Sent,
        Self::Confirm,
        Self::Confirmed,
        Self::Leave,
        Self::Left,
        Self::Stale,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Form => "",
            Self::Sent => "sent",
            Self::Confirm => "confirm",
            Self::Confirmed => "confirmed",
            Self::Leave => "leave",
            Self::Left => "left",
            Self::Stale => "stale",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|moment| !name.is_empty() && moment.name() == name)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str("/newsletter"),
            _ => write!(f, "/newsletter/{}", self.name()),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct BackInStockProps {
    pub moment: AlertMoment,
}

/// Where somebody stands who waits for what is out of stock, or does not want to any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AlertMoment {
    /// It is noted, by a browser without JavaScript.
    Asked,
    /// A press leaves.
    Leave,
    Left,
    /// The link is none of ours.
    Stale,
}

impl AlertMoment {
    pub const ALL: [Self; 4] = [Self::Asked, Self::Leave, Self::Left, Self::Stale];

    fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Leave => "leave",
            Self::Left => "left",
            Self::Stale => "stale",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|moment| moment.name() == name)
    }
}

impl fmt::Display for AlertMoment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/back-in-stock/{}", self.name())
    }
}

impl Pages {
    pub(super) fn blog(&self) -> Loaded {
        let posts = self.content.posts.iter().map(|post| post.card.clone()).collect();
        Loaded::plain(Content::Blog(BlogProps { posts }))
    }

    pub(super) async fn post(&self, slug: &str) -> Result<Loaded> {
        let post = self.content.post(slug).ok_or(Error::NotFound("post"))?;
        let now = self.clock.now();
        let products = catalog::cards_of(&self.db, now, &post.products).await?;
        let (mut shows, until) = shown(products.iter().map(|card| (&card.id, &card.price)), now);
        // One that is not sold today may be tomorrow.
        shows.extend(post.products.iter().map(catalog::scope_of_product));
        let (previous, next) = self.content.around(slug);
        let link =
            |post: &Post| PostLink { slug: post.card.slug.clone(), title: post.card.title.clone() };
        let content = Content::Post(Box::new(PostProps {
            post: post.card.clone(),
            text: post.text.clone(),
            previous: previous.map(link),
            next: next.map(link),
            products,
            now,
        }));
        Ok(Loaded { content, shows, until })
    }

    pub(super) fn about(&self) -> Loaded {
        let (article, questions) = (self.content.about.clone(), self.content.questions.clone());
        Loaded::plain(Content::About(AboutProps { article, questions }))
    }

    pub(super) fn contact(&self, sent: bool) -> Loaded {
        Loaded::plain(Content::Contact(ContactProps {
            article: self.content.contact.clone(),
            form: self.content.contact_form.clone(),
            sent,
            longest_name: LONGEST_NAME,
            longest_message: LONGEST_MESSAGE,
        }))
    }

    pub(super) fn policy(&self, policy: Policy) -> Loaded {
        let article = match policy {
            Policy::Privacy => &self.content.privacy,
            Policy::Terms => &self.content.terms,
            Policy::Refund => &self.content.refund,
            Policy::Return => &self.content.returns,
        };
        Loaded::plain(Content::Policy(PolicyProps { policy, article: article.clone() }))
    }
}
