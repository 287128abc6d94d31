//! Page loaders: each turns a route into a props struct and the page's cache tags. The same data is rendered on
//! the server, inlined for the browser and returned to client-side navigation.

mod articles;

use std::sync::{Arc, Mutex, PoisonError};

use identity::Identity;
use platform::error::Result;
use platform::revisions::{CacheTag, Revisions};
use platform::{Clock, Currency, Db, Error, Money, Timestamp};
use search::{Listing, ListingPage, Search, SearchParams, SearchProps};
use serde::Serialize;
use shop::catalog::{
    self, Category, CategoryId, Price, Product, ProductCard, ProductId, tags_and_expiry,
};
use shop::content::{self, Feature, GalleryPicture, PostCard, Sections, Slide};
use shop::exchange_rate::ExchangeRate;
use shop::orders;
use shop::payments::{self, PaymentMethod};
use shop::quote::Charges;
use shop::reviews::{self, ReviewPage, ReviewPageQuery};
use shop::settings::ShopProfile;
use shop::wishlist;
use strum::{EnumDiscriminants, IntoStaticStr, VariantNames};
use utoipa::ToSchema;

use crate::external_identity::ExternalProject;

pub use articles::*;

const FLASH_SALE_PRODUCTS: i64 = 12;
const NEWEST_PRODUCTS: i64 = 16;
const RELATED_PRODUCTS: i64 = 4;
const HOME_POSTS: usize = 3;

/// The data of a page.
#[derive(Serialize, ToSchema)]
pub struct Page {
    #[serde(flatten)]
    pub content: Content,
    /// The page's canonical URL.
    pub url: String,
    /// The shop's public origin, for absolute URLs.
    pub origin: String,
    /// The storefront's build id.
    pub build: String,
    pub shop: Shop,
}

/// A page's name and props. The name is that of its file in `web/src/pages`.
#[derive(EnumDiscriminants, Serialize, ToSchema)]
#[strum_discriminants(
    name(PageName),
    derive(IntoStaticStr, VariantNames),
    strum(serialize_all = "kebab-case")
)]
#[serde(tag = "page", content = "props", rename_all = "kebab-case")]
pub enum Content {
    Home(Box<HomeProps>),
    Category(Box<CategoryProps>),
    Search(Box<SearchProps>),
    Product(Box<ProductProps>),
    Cart(CartProps),
    Checkout(NoProps),
    Track(NoProps),
    Account(AccountProps),
    Wishlist(NoProps),
    SharedWishlist(Box<SharedWishlistProps>),
    BackInStock(BackInStockProps),
    Login(NoProps),
    Register(NoProps),
    Signup(NoProps),
    AuthAction(NoProps),
    ApiDocs(ApiDocsProps),
    Blog(BlogProps),
    Post(Box<PostProps>),
    About(AboutProps),
    Contact(ContactProps),
    Policy(PolicyProps),
    Newsletter(NewsletterProps),
    Offline(NoProps),
    DevUi(DevUiProps),
    NotFound(NoProps),
    Error(ErrorProps),
}

/// Shop data that every page has.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shop {
    pub name: String,
    pub tagline: String,
    pub phone: String,
    pub email: String,
    pub address: String,
    pub currency: Currency,
    /// Taka per US dollar, in ten-thousandths.
    #[schema(value_type = i64)]
    pub rate: ExchangeRate,
    pub year: i16,
    pub identity: IdentitySettings,
    /// Whether e-mails are sent: there is a mail server, or the demo's mailbox.
    pub sends_email: bool,
    #[schema(value_type = Vec<Category>)]
    pub categories: Arc<Vec<Category>>,
    /// The footer's pictures.
    pub gallery: Vec<GalleryPicture>,
    /// Whether it is the demo shop, which also shows planned features.
    pub demo: bool,
    pub terms: Terms,
    /// Available payment methods first.
    pub payments: Vec<PaymentMethod>,
}

/// Delivery and return terms, from the shop's settings.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// The delivery time: `2–4 days`; null where it is not set.
    #[schema(required)]
    pub delivery: Option<String>,
    pub shipping: Money,
    /// Delivery is free above this subtotal; null where it never is.
    #[schema(required)]
    pub free_delivery_over: Option<Money>,
    /// Days after delivery within which goods can be returned.
    pub return_days: u16,
}

impl Terms {
    pub fn new(orders: &orders::OrderSettings, charges: &Charges) -> Self {
        Self {
            delivery: orders.delivery_days.map(|days| days.to_string()),
            shipping: charges.shipping,
            free_delivery_over: charges.free_delivery_over,
            return_days: orders.return_window,
        }
    }
}

const GOOGLE_HOSTS: &str =
    "https://identitytoolkit.googleapis.com https://securetoken.googleapis.com";

/// The browser's settings for the identity provider.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdentitySettings {
    pub api_key: String,
    pub project_id: String,
    pub auth_domain: String,
    /// Whether it is an external Google project instead of the shop's own service.
    pub hosted: bool,
    /// The configured social sign-in providers.
    pub providers: Vec<Provider>,
    /// The URL of an external service, if it is not Google's own.
    #[schema(required)]
    pub service_url: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub enum Provider {
    #[serde(rename = "google.com")]
    Google,
    #[serde(rename = "facebook.com")]
    Facebook,
}

impl Provider {
    /// `None` for a provider that the storefront has no button for.
    fn from_id(id: &str) -> Option<Self> {
        match id {
            "google.com" => Some(Self::Google),
            "facebook.com" => Some(Self::Facebook),
            _ => None,
        }
    }
}

impl IdentitySettings {
    pub fn own(identity: &Identity, origin: &str) -> Self {
        let settings = identity.settings();
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        Self {
            api_key: settings.api_key.clone(),
            project_id: settings.project_id.clone(),
            auth_domain: host.to_owned(),
            hosted: false,
            providers: identity
                .providers()
                .ids()
                .iter()
                .filter_map(|id| Provider::from_id(id))
                .collect(),
            service_url: None,
        }
    }

    pub fn external(project: &ExternalProject) -> Self {
        Self {
            api_key: project.api_key.clone(),
            project_id: project.project_id.clone(),
            auth_domain: project.auth_domain.clone(),
            hosted: true,
            providers: Vec::new(),
            service_url: project.url.clone(),
        }
    }

    /// The hosts that the Content-Security-Policy must allow for sign-in.
    pub fn hosts(&self) -> String {
        match (&self.service_url, self.hosted) {
            (Some(url), _) => url.clone(),
            (None, true) => GOOGLE_HOSTS.into(),
            (None, false) => String::new(),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HomeProps {
    pub slides: Vec<HomeSlide>,
    pub features: Vec<Feature>,
    pub words: Sections,
    /// The newest posts.
    pub posts: Vec<PostCard>,
    pub flash: Vec<ProductCard>,
    /// When the first offer of the flash sale ends.
    #[schema(required)]
    pub flash_ends: Option<Timestamp>,
    pub now: Timestamp,
    pub products: Vec<ProductCard>,
    pub total: i64,
    /// The cursor of the next products for `/api/products`.
    #[schema(required)]
    pub next: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct HomeSlide {
    #[serde(flatten)]
    pub slide: Slide,
    /// The price of its product.
    #[schema(required)]
    pub price: Option<Price>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CategoryProps {
    pub category: Category,
    #[serde(flatten)]
    pub listing: Listing,
}

#[derive(Serialize, ToSchema)]
pub struct ProductProps {
    pub product: Product,
    pub category: Category,
    pub related: Vec<ProductCard>,
    pub reviews: ReviewPage,
    pub now: Timestamp,
}

/// The steps of the cart page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CartStep {
    #[default]
    Cart,
    Checkout,
    Completed,
}

/// The tabs of the account page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AccountTab {
    Dashboard,
    Orders,
    /// One order. Only the browser reads its number from the URL, so that one cached page serves all numbers.
    Order,
    Credit,
    Profile,
}

#[derive(Serialize, ToSchema)]
pub struct CartProps {
    pub step: CartStep,
}

/// A shared wishlist, as others see it.
#[derive(Serialize, ToSchema)]
pub struct SharedWishlistProps {
    /// The owner's name; may be empty.
    pub name: String,
    pub products: Vec<ProductCard>,
}

#[derive(Serialize, ToSchema)]
pub struct AccountProps {
    pub tab: AccountTab,
}

/// The page that shows all UI components, with some products as examples.
#[derive(Serialize, ToSchema)]
pub struct DevUiProps {
    pub products: Vec<ProductCard>,
}

#[derive(Serialize, ToSchema)]
pub struct ApiDocsProps {
    #[schema(value_type = Value)]
    pub openapi: Arc<serde_json::Value>,
}

/// The props of a page without data.
#[derive(Serialize, ToSchema)]
pub struct NoProps {}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorProps {
    pub status: u16,
    pub title: String,
    pub message: String,
    pub request_id: String,
}

/// A page's content with its cache tags and expiry.
pub struct Loaded {
    pub content: Content,
    pub depends_on: Vec<CacheTag>,
    pub expires_at: Option<Timestamp>,
}

impl Loaded {
    /// A page without data that changes.
    pub fn constant(content: Content) -> Self {
        Self { content, depends_on: vec![], expires_at: None }
    }
}

#[derive(Clone)]
pub struct Pages {
    pub db: Db,
    pub clock: Clock,
    pub revisions: Revisions,
    pub search: Search,
    pub front: Arc<ShopProfile>,
    pub identity: IdentitySettings,
    pub sends_email: bool,
    pub openapi: Arc<serde_json::Value>,
    pub categories: CategoryCache,
    pub content: Arc<content::Content>,
    pub terms: Terms,
    /// Whether the developer's pages exist.
    pub demo: bool,
}

/// The categories with their revision. Every page shows them, and reading them counts all products.
pub type CategoryCache = Arc<Mutex<Option<(i64, Arc<Vec<Category>>)>>>;

impl Pages {
    pub(crate) async fn home(&self) -> Result<Loaded> {
        let (db, now) = (&self.db, self.clock.now());
        let flash = catalog::flash_sale(db, now, FLASH_SALE_PRODUCTS).await?;
        let products = catalog::newest_cards(db, now, NEWEST_PRODUCTS).await?;
        let total: i64 = self.categories().await?.iter().map(|category| category.products).sum();
        let next = match products.last() {
            Some(last) if products.len() < usize::try_from(total).unwrap_or_default() => {
                catalog::cursor_after(db, &last.id).await?
            }
            _ => None,
        };
        let home = &self.content.home;
        let featured: Vec<ProductId> =
            home.slides.iter().filter_map(|slide| slide.product.clone()).collect();
        let featured = catalog::cards_by_id(db, now, &featured).await?;
        let cards = flash.iter().chain(&products).chain(&featured);
        let (mut depends_on, expires_at) =
            tags_and_expiry(cards.map(|card| (&card.id, &card.price)), now);
        depends_on.push(catalog::catalog_tag());
        let flash_ends = flash.iter().filter_map(|card| card.price.sale_end).min();
        let price_of = |slide: &Slide| {
            let card = featured.iter().find(|card| Some(&card.id) == slide.product.as_ref())?;
            Some(card.price.clone())
        };
        let slide = |slide: &Slide| HomeSlide { price: price_of(slide), slide: slide.clone() };
        let posts = self.content.posts.iter().take(HOME_POSTS);
        let content = Content::Home(Box::new(HomeProps {
            slides: home.slides.iter().map(slide).collect(),
            features: home.features.clone(),
            words: home.sections.clone(),
            posts: posts.map(|post| post.card.clone()).collect(),
            flash,
            flash_ends,
            now,
            products,
            total,
            next,
        }));
        Ok(Loaded { content, depends_on, expires_at })
    }

    pub(crate) async fn category(&self, id: &CategoryId, params: &SearchParams) -> Result<Loaded> {
        let category = catalog::category(&self.db, id).await?.ok_or(Error::NotFound("category"))?;
        let ListingPage { mut listing, depends_on, expires_at, .. } =
            self.search.listing(params).await?;
        if let Some(facets) = &mut listing.facets {
            // Counts of other categories would make this page depend on every product.
            facets.categories.retain(|other| other.id == *id);
        }
        let content = Content::Category(Box::new(CategoryProps { category, listing }));
        Ok(Loaded { content, depends_on, expires_at })
    }

    /// Not cached: few searches are repeated.
    pub(crate) async fn search(&self, params: &SearchParams) -> Result<Loaded> {
        let results = self.search.search(params).await?;
        let expires_at = Some(self.clock.now());
        Ok(Loaded { content: Content::Search(Box::new(results)), depends_on: vec![], expires_at })
    }

    /// Not cached: it changes with the wishlist, and its owner can stop sharing it.
    pub(crate) async fn shared_wishlist(&self, token: &str) -> Result<Loaded> {
        let (db, now) = (&self.db, self.clock.now());
        let found = wishlist::shared(db, token).await?;
        let (name, products) = found.ok_or(Error::NotFound("wishlist"))?;
        let products = catalog::cards_by_id(db, now, &products).await?;
        let content = Content::SharedWishlist(Box::new(SharedWishlistProps { name, products }));
        Ok(Loaded { content, depends_on: vec![], expires_at: Some(now) })
    }

    pub(crate) async fn product(&self, id: &ProductId, part: ReviewPageQuery) -> Result<Loaded> {
        let (db, now) = (&self.db, self.clock.now());
        let product = catalog::product(db, now, id).await?.ok_or(Error::NotFound("product"))?;
        let category = self.categories().await?;
        let category = category.iter().find(|category| category.id == product.category);
        let category = category.cloned().ok_or(Error::NotFound("category"))?;
        let related = catalog::related(db, now, &product, RELATED_PRODUCTS).await?;
        let prices = related.iter().map(|card| (&card.id, &card.price));
        let (mut depends_on, mut expires_at) =
            tags_and_expiry(prices.chain([(&product.id, &product.price)]), now);
        depends_on.push(catalog::category_tag(&product.category));
        depends_on.push(reviews::reviews_tag(id));
        let reviews = reviews::page(db, id, part).await?;
        if part.number > reviews.pages {
            // Not cached: there are endlessly many pages beyond the last.
            expires_at = Some(now);
        }
        let props = ProductProps { product, category, related, reviews, now };
        let content = Content::Product(Box::new(props));
        Ok(Loaded { content, depends_on, expires_at })
    }

    pub(crate) fn api_docs(&self) -> Loaded {
        Loaded::constant(Content::ApiDocs(ApiDocsProps { openapi: self.openapi.clone() }))
    }

    pub(crate) async fn dev_ui(&self) -> Result<Loaded> {
        if !self.demo {
            return Err(Error::NotFound("page"));
        }
        let now = self.clock.now();
        let products = catalog::newest_cards(&self.db, now, RELATED_PRODUCTS).await?;
        let (mut depends_on, expires_at) =
            tags_and_expiry(products.iter().map(|card| (&card.id, &card.price)), now);
        depends_on.push(catalog::catalog_tag());
        Ok(Loaded { content: Content::DevUi(DevUiProps { products }), depends_on, expires_at })
    }

    /// The shop data of every page, in the visitor's currency.
    pub async fn shop(&self, currency: Currency) -> Result<Shop> {
        Ok(self.shop_with(currency, self.categories().await?))
    }

    /// The same without the database, for error pages.
    pub fn shop_without_categories(&self, currency: Currency) -> Shop {
        self.shop_with(currency, Arc::default())
    }

    fn shop_with(&self, currency: Currency, categories: Arc<Vec<Category>>) -> Shop {
        let front = &*self.front;
        Shop {
            name: front.shop_name.clone(),
            tagline: front.tagline.clone(),
            phone: front.phone.clone(),
            email: front.email.to_string(),
            address: front.address.clone(),
            currency,
            rate: front.bdt_rate,
            year: self.clock.now().year(),
            identity: self.identity.clone(),
            sends_email: self.sends_email,
            categories,
            gallery: self.content.gallery.clone(),
            demo: self.demo,
            terms: self.terms.clone(),
            payments: payments::methods(),
        }
    }

    async fn categories(&self) -> Result<Arc<Vec<Category>>> {
        let memo = || self.categories.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((as_of, categories)) = &*memo()
            && !self.revisions.changed_since(*as_of, &[catalog::categories_tag()])
        {
            return Ok(categories.clone());
        }
        let as_of = self.revisions.latest();
        let categories = Arc::new(catalog::categories(&self.db).await?);
        *memo() = Some((as_of, categories.clone()));
        Ok(categories)
    }
}
