//! Props of the pages: what the loaders return and the React components get. The browser's types are generated
//! from them (`make types`).

use std::sync::Arc;

use identity::Identity;
use platform::error::ErrorParams;
use platform::{Currency, Language, Languages, Money, Timestamp};
use search::{Listing, SearchProps};
use serde::Serialize;
use shop::addresses::CountryName;
use shop::catalog::{Category, Price, Product, ProductCard, Variant, VariantCard};
use shop::content::{
    Article, ContactForm, Content, Feature, GalleryPicture, PostCard, Section, Sections, Slide,
    Text,
};
use shop::delivery::DeliveryDays;
use shop::payments::PaymentMethod;
use shop::reviews::ReviewPage;
use shop::settlement::PaymentView;
use strum::{EnumDiscriminants, EnumString, IntoStaticStr, VariantArray, VariantNames};
use utoipa::ToSchema;

use crate::external_identity::ExternalProject;

/// The data of a page.
#[derive(Serialize, ToSchema)]
#[schema(as = Page)]
pub struct PageResponse {
    #[serde(flatten)]
    pub props: PageProps,
    /// The page's canonical URL, without the prefix of its language.
    pub url: String,
    /// The language of the page.
    pub language: Language,
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
pub enum PageProps {
    Home(Box<HomeProps>),
    Category(Box<CategoryProps>),
    Search(Box<SearchProps>),
    Product(Box<ProductProps>),
    Cart(CartProps),
    Checkout(NoProps),
    Track(NoProps),
    Pay(Box<PaymentView>),
    GiftCard(NoProps),
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
    /// Of all amounts of the page, except those of orders.
    pub currency: Currency,
    /// Those that the shop offers, the base currency first.
    pub currencies: Vec<Currency>,
    /// Those that the shop delivers to, its own first; none where an address is a text.
    pub countries: Vec<CountryName>,
    /// The shop's languages, the default one first.
    #[schema(value_type = Vec<Language>)]
    pub languages: Languages,
    pub year: i16,
    pub identity: IdentitySettings,
    /// Whether e-mails are sent: there is a mail server, or the demo's mailbox.
    pub sends_email: bool,
    /// Whether text messages are sent: there is a gateway, or the demo's mailbox.
    pub sends_sms: bool,
    /// Whether customers can order without an account.
    pub guest_checkout: bool,
    #[schema(value_type = Vec<Category>)]
    pub categories: Arc<Vec<Category>>,
    /// The footer's pictures.
    pub gallery: Vec<GalleryPicture>,
    /// Whether it is the demo shop, which also shows planned features.
    pub demo: bool,
    /// Available payment methods first.
    #[schema(value_type = Vec<PaymentMethod>)]
    pub payments: Arc<[PaymentMethod]>,
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

/// A provider that the storefront has a button for.
#[derive(Clone, Copy, Debug, EnumString, Serialize, ToSchema)]
pub enum Provider {
    #[serde(rename = "google.com")]
    #[strum(serialize = "google.com")]
    Google,
    #[serde(rename = "facebook.com")]
    #[strum(serialize = "facebook.com")]
    Facebook,
}

impl IdentitySettings {
    pub fn own(identity: &Identity, origin: &str) -> Self {
        let (settings, providers) = (identity.settings(), identity.providers().ids());
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        Self {
            api_key: settings.api_key.clone(),
            project_id: settings.project_id.clone(),
            auth_domain: host.to_owned(),
            hosted: false,
            providers: providers.iter().filter_map(|id| id.parse().ok()).collect(),
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
    /// The language of slides, features and words, where it is not that of the page.
    #[schema(value_type = Language, required = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Language>,
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
#[serde(rename_all = "camelCase")]
pub struct ProductProps {
    pub product: Product,
    /// Its variants or, of more than 100, those that differ from the choice in at most one option.
    pub variants: Vec<Variant>,
    pub all_variants: bool,
    /// The value of each option, as it is shown.
    pub choice: Vec<String>,
    /// The chosen variant; null where there is no such combination.
    #[schema(required)]
    pub variant: Option<Variant>,
    pub category: Category,
    pub related: Vec<ProductCard>,
    pub reviews: ReviewPage,
    pub terms: BuyingTerms,
    pub now: Timestamp,
}

/// What a product page says about delivery, returns and taxes. Where there are delivery zones, by the first method in the
/// shop's own country that is no pickup.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuyingTerms {
    /// The delivery time; null where it is not known.
    #[schema(required)]
    pub delivery: Option<DeliveryDays>,
    /// Null where it depends on the goods, or nothing is delivered there.
    #[schema(required)]
    pub shipping: Option<Money>,
    /// Delivery is free above this subtotal; null where it never is.
    #[schema(required)]
    pub free_delivery_over: Option<Money>,
    /// Days after delivery within which goods can be returned.
    pub return_days: u16,
    /// Of how many days before a reduction the price before it is the lowest; 0: it is the list price.
    pub lowest_price_days: u16,
    /// The taxes that the prices include.
    pub included_taxes: Vec<String>,
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
    pub products: Vec<VariantCard>,
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
    /// The error's code and the values in its message.
    #[schema(value_type = String)]
    pub code: &'static str,
    #[schema(value_type = BTreeMap<String, String>)]
    pub params: ErrorParams,
    /// For browsers without JavaScript.
    pub title: String,
    /// In English.
    pub message: String,
    pub request_id: String,
}

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
    /// The language of the title, where it is not that of the page.
    #[schema(value_type = Language, required = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Language>,
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

/// A policy page. Its text is its path, without the slash.
#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, Serialize, ToSchema, VariantArray)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "lowercase")]
pub enum Policy {
    Privacy,
    #[strum(serialize = "terms_condition")]
    Terms,
    Refund,
    Return,
}

impl Policy {
    pub fn article(self, content: &Content) -> &Article {
        match self {
            Self::Privacy => &content.privacy,
            Self::Terms => &content.terms,
            Self::Refund => &content.refund,
            Self::Return => &content.returns,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct NewsletterProps {
    #[serde(rename = "moment")]
    pub step: NewsletterStep,
}

/// The steps of subscribing to the newsletter, and of unsubscribing: the last segment of the URL.
#[derive(Clone, Copy, Debug, EnumString, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "lowercase")]
pub enum NewsletterStep {
    /// The form, at `/newsletter` itself.
    #[strum(disabled)]
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

#[derive(Serialize, ToSchema)]
pub struct BackInStockProps {
    #[serde(rename = "moment")]
    pub step: StockAlertStep,
}

/// The steps of a back-in-stock alert, and of cancelling it: the last segment of the URL.
#[derive(Clone, Copy, Debug, EnumString, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "lowercase")]
pub enum StockAlertStep {
    /// The alert is saved, by a browser without JavaScript.
    Asked,
    /// The unsubscribe link was followed; a button confirms.
    Leave,
    Left,
    /// The link is invalid.
    Stale,
}
