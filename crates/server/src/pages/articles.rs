//! Loaders of content pages: blog, about, contact and policies. Content is read at the start, so these pages
//! depend only on the products that a post links to.

use std::fmt;

use platform::Timestamp;
use platform::error::Result;
use serde::Serialize;
use shop::catalog::{self, ProductCard, tags_and_expiry};
use shop::content::{Article, ContactForm, Post, PostCard, Section, Text};
use shop::messages::{MAX_MESSAGE_LEN, MAX_NAME_LEN};
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
    /// The next older post.
    #[schema(required)]
    pub previous: Option<PostLink>,
    #[schema(required)]
    pub next: Option<PostLink>,
    /// The products that it links to.
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
    /// Whether a message was just sent, by a browser without JavaScript.
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

    /// Its path, without the slash.
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
    #[serde(rename = "moment")]
    pub step: NewsletterStep,
}

/// The steps of subscribing to the newsletter, and of unsubscribing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum NewsletterStep {
    /// The form, at `/newsletter` itself.
    Form,
    /// The confirmation e-mail is sent.
    Sent,
    /// The e-mail's link was followed; a button confirms.
    Confirm,
    Confirmed,
    /// The unsubscribe link was followed; a button confirms.
    Leave,
    Left,
    /// The link is expired or invalid.
    Stale,
}

impl NewsletterStep {
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

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| !name.is_empty() && step.name() == name)
    }
}

impl fmt::Display for NewsletterStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str("/newsletter"),
            _ => write!(f, "/newsletter/{}", self.name()),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct BackInStockProps {
    #[serde(rename = "moment")]
    pub step: StockAlertStep,
}

/// The steps of a back-in-stock alert, and of cancelling it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum StockAlertStep {
    /// The alert is saved, by a browser without JavaScript.
    Asked,
    /// The unsubscribe link was followed; a button confirms.
    Leave,
    Left,
    /// The link is invalid.
    Stale,
}

impl StockAlertStep {
    pub const ALL: [Self; 4] = [Self::Asked, Self::Leave, Self::Left, Self::Stale];

    fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Leave => "leave",
            Self::Left => "left",
            Self::Stale => "stale",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }
}

impl fmt::Display for StockAlertStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/back-in-stock/{}", self.name())
    }
}

impl Pages {
    pub(crate) fn blog(&self) -> Loaded {
        let posts = self.content.posts.iter().map(|post| post.card.clone()).collect();
        Loaded::constant(Content::Blog(BlogProps { posts }))
    }

    pub(crate) async fn post(&self, slug: &str) -> Result<Loaded> {
        let post = self.content.post(slug).ok_or(Error::NotFound("post"))?;
        let now = self.clock.now();
        let products = catalog::cards_by_id(&self.db, now, &post.products).await?;
        let (mut depends_on, expires_at) =
            tags_and_expiry(products.iter().map(|card| (&card.id, &card.price)), now);
        // Also products that do not exist now: they may be imported later.
        depends_on.extend(post.products.iter().map(catalog::product_tag));
        let (previous, next) = self.content.adjacent_posts(slug);
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
        Ok(Loaded { content, depends_on, expires_at })
    }

    pub(crate) fn about(&self) -> Loaded {
        let (article, questions) = (self.content.about.clone(), self.content.questions.clone());
        Loaded::constant(Content::About(AboutProps { article, questions }))
    }

    pub(crate) fn contact(&self, sent: bool) -> Loaded {
        Loaded::constant(Content::Contact(ContactProps {
            article: self.content.contact.clone(),
            form: self.content.contact_form.clone(),
            sent,
            longest_name: MAX_NAME_LEN,
            longest_message: MAX_MESSAGE_LEN,
        }))
    }

    pub(crate) fn policy(&self, policy: Policy) -> Loaded {
        let article = match policy {
            Policy::Privacy => &self.content.privacy,
            Policy::Terms => &self.content.terms,
            Policy::Refund => &self.content.refund,
            Policy::Return => &self.content.returns,
        };
        Loaded::constant(Content::Policy(PolicyProps { policy, article: article.clone() }))
    }
}
