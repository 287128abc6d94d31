//! One loader per page: a route in, one props struct out, with what the page depends on. The same
//! data is rendered on the server, inlined for the browser and answered to client navigation.

mod articles;

use std::sync::{Arc, Mutex, PoisonError};

use base::config::Shopfront;
use base::error::Result;
use base::revisions::{Revisions, Scope};
use base::{Clock, Currency, Db, Error, Money, Rate, Timestamp};
use identity::Identity;
use search::{Choice, Listed, Listing, Search, SearchProps};
use serde::Serialize;
use shop::catalog::{self, Category, CategoryId, Price, Product, ProductCard, ProductId, shown};
use shop::content::{self, Feature, GalleryPicture, PostCard, Sections, Slide};
use shop::orders;
use shop::payments::{self, PaymentMethod};
use shop::quote::Charges;
use shop::reviews::{self, Part, ReviewPage};
use shop::wishlist;
use utoipa::ToSchema;

use crate::hosted::Host;
use crate::route::{AccountTab, CartStep, Route};

pub use articles::*;

const FLASH_SALE_SHOWN: i64 = 12;
const NEWEST_SHOWN: i64 = 16;
const RELATED_SHOWN: i64 = 4;
const POSTS_SHOWN: usize = 3;

/// Everything that a page is made from.
#[derive(Serialize, ToSchema)]
pub struct Page {
    #[serde(flatten)]
    pub content: Content,
    /// The page's one address.
    pub url: String,
    /// Where the shop stands, for addresses that must be whole.
    pub origin: String,
    /// Which build of the storefront made this.
    pub build: String,
    pub shop: Shop,
}

/// What a page shows, by its name.
#[derive(Serialize, ToSchema)]
#[serde(tag = "page", content = "props", rename_all = "camelCase")]
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

impl Content {
    /// The name of the file that draws it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Home(_) => "home",
            Self::Category(_) => "category",
            Self::Search(_) => "search",
            Self::Product(_) => "product",
            Self::Cart(_) => "cart",
            Self::Checkout(_) => "checkout",
            Self::Track(_) => "track",
            Self::Account(_) => "account",
            Self::Wishlist(_) => "wishlist",
            Self::SharedWishlist(_) => "shared-wishlist",
            Self::BackInStock(_) => "back-in-stock",
            Self::Login(_) => "login",
            Self::Register(_) => "register",
            Self::Signup(_) => "signup",
            Self::AuthAction(_) => "auth-action",
            Self::ApiDocs(_) => "api-docs",
            Self::Blog(_) => "blog",
            Self::Post(_) => "post",
            Self::About(_) => "about",
            Self::Contact(_) => "contact",
            Self::Policy(_) => "policy",
            Self::Newsletter(_) => "newsletter",
            Self::Offline(_) => "offline",
            Self::DevUi(_) => "dev-ui",
            Self::NotFound(_) => "not-found",
            Self::Error(_) => "error",
        }
    }
}

/// What stands around every page.
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
    pub rate: Rate,
    pub year: i16,
    pub identity: IdentitySettings,
    /// Whether e-mails reach anybody: a mail server is set up, or the demo's mailbox keeps them.
    pub sends_email: bool,
    #[schema(value_type = Vec<Category>)]
    pub categories: Arc<Vec<Category>>,
    /// The footer's pictures.
    pub gallery: Vec<GalleryPicture>,
    /// Whether it is the demo, which shows what a shop of its kind may have one day.
    pub demo: bool,
    pub terms: Terms,
    /// Those that can be chosen first.
    pub payments: Vec<PaymentMethod>,
}

/// What a shopper wants to know before buying, from the shop's settings.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// How long a delivery takes: `2–4 days`; null where the shop does not say.
    #[schema(required)]
    pub delivery: Option<String>,
    pub shipping: Money,
    /// Goods that cost more than this are delivered for nothing; null where that is never so.
    #[schema(required)]
    pub free_delivery_over: Option<Money>,
    /// Days after delivery within which something can be returned.
    pub return_days: u16,
}

impl Terms {
    pub fn new(orders: &orders::Settings, charges: &Charges) -> Self {
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

/// How the browser reaches the identity provider.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdentitySettings {
    pub api_key: String,
    pub project_id: String,
    pub auth_domain: String,
    /// Whether it is a hosted Google project instead of this shop's own service.
    pub hosted: bool,
    /// The social providers that are set up.
    pub providers: Vec<Provider>,
    /// Where a hosted service is, when it is not Google's own.
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
    /// One that the storefront has a button for.
    fn of(id: &str) -> Option<Self> {
        match id {
            "google.com" => Some(Self::Google),
            "facebook.com" => Some(Self::Facebook),
            _ => None,
        }
    }
}

impl IdentitySettings {
    /// This shop's own identity service.
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
                .filter_map(|id| Provider::of(id))
                .collect(),
            service_url: None,
        }
    }

    /// A hosted project.
    pub fn hosted(host: &Host) -> Self {
        Self {
            api_key: host.api_key.clone(),
            project_id: host.project_id.clone(),
            auth_domain: host.auth_domain.clone(),
            hosted: true,
            providers: Vec::new(),
            service_url: host.url.clone(),
        }
    }

    /// Where the browser has to be let through to, beside this shop.
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
    /// When the first of the flash sale's offers ends.
    #[schema(required)]
    pub flash_ends: Option<Timestamp>,
    pub now: Timestamp,
    pub products: Vec<ProductCard>,
    pub total: i64,
    /// Where the products after these start, as `/api/products` takes it.
    #[schema(required)]
    pub next: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct HomeSlide {
    #[serde(flatten)]
    pub slide: Slide,
    /// What its product costs.
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

#[derive(Serialize, ToSchema)]
pub struct CartProps {
    pub step: CartStep,
}

/// Somebody's wishes, as others see them.
#[derive(Serialize, ToSchema)]
pub struct SharedWishlistProps {
    /// What its owner is called; may be empty.
    pub name: String,
    pub products: Vec<ProductCard>,
}

#[derive(Serialize, ToSchema)]
pub struct AccountProps {
    pub tab: AccountTab,
}

/// Everything that the storefront is built from, with goods to show it on.
#[derive(Serialize, ToSchema)]
pub struct DevUiProps {
    pub products: Vec<ProductCard>,
}

#[derive(Serialize, ToSchema)]
pub struct ApiDocsProps {
    #[schema(value_type = Value)]
    pub openapi: Arc<serde_json::Value>,
}

/// A page that is the same for everyone has none.
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

/// A page's content and what it depends on.
pub struct Loaded {
    pub content: Content,
    pub shows: Vec<Scope>,
    pub until: Option<Timestamp>,
}

impl Loaded {
    /// A page that shows nothing that changes.
    pub fn plain(content: Content) -> Self {
        Self { content, shows: vec![], until: None }
    }
}

/// Loads pages.
#[derive(Clone)]
pub struct Pages {
    pub db: Db,
    pub clock: Clock,
    pub revisions: Revisions,
    pub search: Search,
    pub front: Arc<Shopfront>,
    pub identity: IdentitySettings,
    pub sends_email: bool,
    pub openapi: Arc<serde_json::Value>,
    pub categories: CategoryMemo,
    pub content: Arc<content::Content>,
    pub terms: Terms,
    /// Whether the pages that only a developer needs are there.
    pub demo: bool,
}

/// The categories stand on every page and count all products: read again only when they changed.
pub type CategoryMemo = Arc<Mutex<Option<(i64, Arc<Vec<Category>>)>>>;

impl Pages {
    /// `NotFound` where the route leads to nothing.
    pub async fn load(&self, route: &Route) -> Result<Loaded> {
        match route {
            Route::Home => self.home().await,
            Route::Category { id, choice } => self.category(id, choice).await,
            Route::Search(choice) => self.search(choice).await,
            Route::Product { id, reviews } => self.product(id, *reviews).await,
            Route::Cart { step } => Ok(Loaded::plain(Content::Cart(CartProps { step: *step }))),
            Route::Checkout => Ok(Loaded::plain(Content::Checkout(NoProps {}))),
            Route::Track => Ok(Loaded::plain(Content::Track(NoProps {}))),
            Route::Account { tab } => {
                Ok(Loaded::plain(Content::Account(AccountProps { tab: *tab })))
            }
            Route::Wishlist => Ok(Loaded::plain(Content::Wishlist(NoProps {}))),
            Route::SharedWishlist { token } => self.shared_wishlist(token).await,
            Route::BackInStock(moment) => {
                Ok(Loaded::plain(Content::BackInStock(BackInStockProps { moment: *moment })))
            }
            Route::Offline => Ok(Loaded::plain(Content::Offline(NoProps {}))),
            Route::DevUi => self.dev_ui().await,
            Route::Login => Ok(Loaded::plain(Content::Login(NoProps {}))),
            Route::Register => Ok(Loaded::plain(Content::Register(NoProps {}))),
            Route::Signup => Ok(Loaded::plain(Content::Signup(NoProps {}))),
            Route::AuthAction => Ok(Loaded::plain(Content::AuthAction(NoProps {}))),
            Route::ApiDocs => {
                let openapi = self.openapi.clone();
                Ok(Loaded::plain(Content::ApiDocs(ApiDocsProps { openapi })))
            }
            Route::Blog => Ok(self.blog()),
            Route::Post { slug } => self.post(slug).await,
            Route::About => Ok(self.about()),
            Route::Contact { sent } => Ok(self.contact(*sent)),
            Route::Policy(policy) => Ok(self.policy(*policy)),
            Route::Newsletter(moment) => {
                Ok(Loaded::plain(Content::Newsletter(NewsletterProps { moment: *moment })))
            }
        }
    }

    async fn home(&self) -> Result<Loaded> {
        let (db, now) = (&self.db, self.clock.now());
        let flash = catalog::flash_sale(db, now, FLASH_SALE_SHOWN).await?;
        let products = catalog::newest_cards(db, now, NEWEST_SHOWN).await?;
        let total: i64 = self.categories().await?.iter().map(|category| category.products).sum();
        let next = match products.last() {
            Some(last) if products.len() < usize::try_from(total).unwrap_or_default() => {
                catalog::cursor_after(db, &last.id).await?
            }
            _ => None,
        };
        let home = &self.content.home;
        let shown_off: Vec<ProductId> =
            home.slides.iter().filter_map(|slide| slide.product.clone()).collect();
        let shown_off = catalog::cards_of(db, now, &shown_off).await?;
        let cards = flash.iter().chain(&products).chain(&shown_off);
        let (mut shows, until) = shown(cards.map(|card| (&card.id, &card.price)), now);
        shows.push(catalog::whole());
        let flash_ends = flash.iter().filter_map(|card| card.price.sale_end).min();
        let price_of = |slide: &Slide| {
            let card = shown_off.iter().find(|card| Some(&card.id) == slide.product.as_ref())?;
            Some(card.price.clone())
        };
        let slide = |slide: &Slide| HomeSlide { price: price_of(slide), slide: slide.clone() };
        let posts = self.content.posts.iter().take(POSTS_SHOWN);
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
        Ok(Loaded { content, shows, until })
    }

    async fn category(&self, id: &CategoryId, choice: &Choice) -> Result<Loaded> {
        let category = catalog::category(&self.db, id).await?.ok_or(Error::NotFound("category"))?;
        let Listed { mut listing, shows, until, .. } = self.search.listing(choice).await?;
        if let Some(facets) = &mut listing.facets {
            // Others would make every category's pages change with every product.
            facets.categories.retain(|other| other.id == *id);
        }
        let content = Content::Category(Box::new(CategoryProps { category, listing }));
        Ok(Loaded { content, shows, until })
    }

    /// Whatever is typed is a page, but none that anybody else will ask for: it is not kept.
    async fn search(&self, choice: &Choice) -> Result<Loaded> {
        let answer = self.search.answer(choice).await?;
        let until = Some(self.clock.now());
        Ok(Loaded { content: Content::Search(Box::new(answer)), shows: vec![], until })
    }

    /// It ends when its owner says so, and changes with every wish: it is not kept.
    async fn shared_wishlist(&self, token: &str) -> Result<Loaded> {
        let (db, now) = (&self.db, self.clock.now());
        let found = wishlist::shared(db, token).await?;
        let (name, products) = found.ok_or(Error::NotFound("wishlist"))?;
        let products = catalog::cards_of(db, now, &products).await?;
        let content = Content::SharedWishlist(Box::new(SharedWishlistProps { name, products }));
        Ok(Loaded { content, shows: vec![], until: Some(now) })
    }

    async fn product(&self, id: &ProductId, part: Part) -> Result<Loaded> {
        let (db, now) = (&self.db, self.clock.now());
        let product = catalog::product(db, now, id).await?.ok_or(Error::NotFound("product"))?;
        let category = self.categories().await?;
        let category = category.iter().find(|category| category.id == product.category);
        let category = category.cloned().ok_or(Error::NotFound("category"))?;
        let related = catalog::related(db, now, &product, RELATED_SHOWN).await?;
        let prices = related.iter().map(|card| (&card.id, &card.price));
        let (mut shows, mut until) = shown(prices.chain([(&product.id, &product.price)]), now);
        shows.push(catalog::scope_of_category(&product.category));
        shows.push(reviews::scope_of_reviews(id));
        let reviews = reviews::page(db, id, part).await?;
        if part.number > reviews.pages {
            // Anybody can think of pages that there are not.
            until = Some(now);
        }
        let props = ProductProps { product, category, related, reviews, now };
        let content = Content::Product(Box::new(props));
        Ok(Loaded { content, shows, until })
    }

    async fn dev_ui(&self) -> Result<Loaded> {
        if !self.demo {
            return Err(Error::NotFound("page"));
        }
        let now = self.clock.now();
        let products = catalog::newest_cards(&self.db, now, RELATED_SHOWN).await?;
        let (mut shows, until) = shown(products.iter().map(|card| (&card.id, &card.price)), now);
        shows.push(catalog::whole());
        Ok(Loaded { content: Content::DevUi(DevUiProps { products }), shows, until })
    }

    /// What stands around the page, in this shopper's currency.
    pub async fn shop(&self, currency: Currency) -> Result<Shop> {
        Ok(self.shop_with(currency, self.categories().await?))
    }

    /// The same without the database, for the page that says it cannot be reached.
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
            && !self.revisions.moved_since(*as_of, &[catalog::shelves()])
        {
            return Ok(categories.clone());
        }
        let as_of = self.revisions.latest();
        let categories = Arc::new(catalog::categories(&self.db).await?);
        *memo() = Some((as_of, categories.clone()));
        Ok(categories)
    }
}
