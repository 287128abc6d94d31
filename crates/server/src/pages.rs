//! Page loaders of one language and currency: each turns a route into a page's props and its cache tags. The same data is rendered on the
//! server, inlined for the browser and returned to client-side navigation.

use std::sync::{Arc, Mutex, PoisonError};

use platform::error::Result;
use platform::revisions::{CacheTag, Revisions};
use platform::{Clock, Currencies, Currency, Db, Error, Exchange, Language, Languages, Timestamp};
use search::{ListingPage, Search, SearchParams};
use shop::addresses::Countries;
use shop::catalog::{self, CatalogView, Category, CategoryId, Choice, ProductId, tags_and_expiry};
use shop::contact_messages::{MAX_MESSAGE_LEN, MAX_NAME_LEN};
use shop::content::{Content, Contents, Post, ShopDetails, Slide};
use shop::delivery::{self, DeliveryZones};
use shop::orders::OrderSettings;
use shop::payments::PaymentMethod;
use shop::pricing::Charges;
use shop::reviews::{self, ReviewPageQuery};
use shop::settings::ShopProfile;
use shop::settlement::Settlement;
use shop::taxes::{self, Taxes};
use shop::wishlist;

use crate::props::{
    AboutProps, ApiDocsProps, BlogProps, CategoryProps, ContactProps, DevUiProps, HomeProps,
    HomeSlide, IdentitySettings, PageProps, Policy, PolicyProps, PostLink, PostProps, ProductProps,
    SharedWishlistProps, Shop,
};

const FLASH_SALE_PRODUCTS: i64 = 12;
const NEWEST_PRODUCTS: i64 = 16;
const RELATED_PRODUCTS: i64 = 4;
const HOME_POSTS: usize = 3;

/// A page's props with its cache tags and expiry.
pub struct Loaded {
    pub props: PageProps,
    pub depends_on: Vec<CacheTag>,
    pub expires_at: Option<Timestamp>,
}

impl Loaded {
    /// A page without data that changes.
    pub fn constant(props: PageProps) -> Self {
        Self { props, depends_on: vec![], expires_at: None }
    }
}

#[derive(Clone)]
pub struct Pages {
    pub language: Language,
    pub languages: Languages,
    /// To the currency of the pages.
    pub to: Exchange,
    pub currencies: Currencies,
    pub db: Db,
    pub clock: Clock,
    pub revisions: Revisions,
    pub search: Search,
    pub front: Arc<ShopProfile>,
    pub identity: IdentitySettings,
    pub sends_email: bool,
    pub sends_sms: bool,
    pub guest_checkout: bool,
    pub openapi: Arc<serde_json::Value>,
    pub categories: CategoryCache,
    pub content: Arc<Content>,
    pub orders: OrderSettings,
    pub charges: Charges,
    pub lowest_price_days: u16,
    pub countries: Countries,
    pub zones: DeliveryZones,
    pub taxes: Taxes,
    /// The ways to pay.
    pub payments: Arc<[PaymentMethod]>,
    pub settlement: Settlement,
    /// Whether the developer's pages exist.
    pub demo: bool,
}

/// The categories with their revision. Every page shows them, and reading them counts all products.
pub type CategoryCache = Arc<Mutex<Option<(i64, Arc<Vec<Category>>)>>>;

impl Pages {
    /// The same shop in another language.
    pub fn in_language(&self, language: Language, contents: &Contents) -> Self {
        let content = contents.in_language(language).clone();
        Self {
            language,
            categories: Arc::default(),
            front: Arc::new(content.shop.translate(&self.front)),
            content: Arc::new(content),
            ..self.clone()
        }
    }

    /// The same shop in another currency; in the base currency where that is not offered.
    pub fn in_currency(&self, currency: Currency) -> Self {
        let to = self.currencies.exchange(currency).unwrap_or(self.currencies.in_base());
        Self { to, ..self.clone() }
    }

    fn view(&self) -> CatalogView {
        let (now, language) = (self.clock.now(), self.translation());
        CatalogView { now, to: self.to, language, lowest_price_days: self.lowest_price_days }
    }

    /// The language to translate the catalogue's texts to; `None` for the default one.
    pub(crate) fn translation(&self) -> Option<Language> {
        self.languages.translation(self.language)
    }

    pub(crate) async fn home(&self) -> Result<Loaded> {
        let (db, view @ CatalogView { now, .. }) = (&self.db, self.view());
        let flash = catalog::flash_sale(db, view, FLASH_SALE_PRODUCTS).await?;
        let products = catalog::newest_cards(db, view, NEWEST_PRODUCTS).await?;
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
        let featured = catalog::cards_by_id(db, view, &featured).await?;
        let cards = flash.iter().chain(&products).chain(&featured);
        let (mut depends_on, expires_at) =
            tags_and_expiry(cards.map(|card| (&card.id, &card.totals)));
        depends_on.push(catalog::catalog_tag());
        let flash_ends = flash.iter().filter_map(|card| card.price.sale_end).min();
        let price_of = |slide: &Slide| {
            let card = featured.iter().find(|card| Some(&card.id) == slide.product.as_ref())?;
            Some(card.price.clone())
        };
        let slide = |slide: &Slide| HomeSlide { price: price_of(slide), slide: slide.clone() };
        let posts = self.content.posts.iter().take(HOME_POSTS);
        let props = PageProps::Home(Box::new(HomeProps {
            slides: home.slides.iter().map(slide).collect(),
            features: home.features(&self.details(home.lang)),
            words: home.sections.clone(),
            lang: home.lang,
            posts: posts.map(|post| post.card.clone()).collect(),
            flash,
            flash_ends,
            now,
            products,
            total,
            next,
        }));
        Ok(Loaded { props, depends_on, expires_at })
    }

    /// The shop's details in the currency of the pages, for a text with this `lang`.
    fn details(&self, lang: Option<Language>) -> ShopDetails {
        ShopDetails::new(&self.front)
            .with_languages(&self.languages)
            .in_language(lang.unwrap_or(self.language))
            .with_charges(&self.charges.shown(self.to), self.orders.return_window)
    }

    pub(crate) async fn category(&self, id: &CategoryId, params: &SearchParams) -> Result<Loaded> {
        let category = catalog::category(&self.db, id, self.translation())
            .await?
            .ok_or(Error::NotFound("category"))?;
        let ListingPage { mut listing, depends_on, expires_at, .. } =
            self.search.listing(params, self.view()).await?;
        if let Some(facets) = &mut listing.facets {
            // Counts of other categories would make this page depend on every product.
            facets.categories.retain(|other| other.id == *id);
        }
        let props = PageProps::Category(Box::new(CategoryProps { category, listing }));
        Ok(Loaded { props, depends_on, expires_at })
    }

    /// Not cached: few searches are repeated.
    pub(crate) async fn search(&self, params: &SearchParams) -> Result<Loaded> {
        let results = self.search.search(params, self.view()).await?;
        let expires_at = Some(self.clock.now());
        Ok(Loaded { props: PageProps::Search(Box::new(results)), depends_on: vec![], expires_at })
    }

    /// Not cached: it changes with the wishlist, and its owner can stop sharing it.
    pub(crate) async fn shared_wishlist(&self, token: &str) -> Result<Loaded> {
        let (db, view) = (&self.db, self.view());
        let found = wishlist::shared(db, token).await?;
        let (name, products) = found.ok_or(Error::NotFound("wishlist"))?;
        let products = catalog::variant_cards(db, view, &products).await?;
        let props = PageProps::SharedWishlist(Box::new(SharedWishlistProps { name, products }));
        Ok(Loaded { props, depends_on: vec![], expires_at: Some(view.now) })
    }

    /// Not cached: it changes with the payment, and is for whoever has the link.
    pub(crate) async fn pay(&self, number: &str, key: &str, returned: bool) -> Result<Loaded> {
        let view = self.settlement.fresh_view(number, key, returned).await?;
        let props = PageProps::Pay(Box::new(view));
        Ok(Loaded { props, depends_on: vec![], expires_at: Some(self.clock.now()) })
    }

    /// The choice of a product's URL, without what the product does not have.
    pub(crate) async fn find_choice(
        &self,
        id: &ProductId,
        params: &[(String, String)],
    ) -> Result<Vec<(String, String)>> {
        catalog::find_choice(&self.db, id, params).await
    }

    pub(crate) async fn product(
        &self,
        id: &ProductId,
        choice: &[(String, String)],
        part: ReviewPageQuery,
    ) -> Result<Loaded> {
        let (db, view @ CatalogView { now, language, .. }) = (&self.db, self.view());
        let product = catalog::product(db, view, id).await?.ok_or(Error::NotFound("product"))?;
        let category = self.categories().await?;
        let category = category.iter().find(|category| category.id == product.category);
        let category = category.cloned().ok_or(Error::NotFound("category"))?;
        let Choice { values, variant, variants, has_all_variants } =
            catalog::choose(db, view, &product, choice).await?;
        let related = catalog::related(db, view, &product, RELATED_PRODUCTS).await?;
        let cards = related.iter().map(|card| (&card.id, &card.totals));
        let (mut depends_on, mut expires_at) =
            tags_and_expiry(cards.chain([(&product.id, &product.totals)]));
        depends_on.push(catalog::category_tag(&product.category));
        depends_on.push(reviews::reviews_tag(id));
        let reviews = reviews::page(db, id, part, language).await?;
        let is_odd = variant.is_none() || part.number > 1;
        if part.number > reviews.pages || (is_odd && !choice.is_empty()) {
            // Not cached: there are endlessly many pages beyond the last, and too many combinations that do not exist.
            expires_at = Some(now);
        }
        depends_on.extend([delivery::cache_tag(), taxes::cache_tag()]);
        let terms = self.buying_terms(&product).await?;
        let props = ProductProps {
            product,
            variants,
            all_variants: has_all_variants,
            choice: values,
            variant,
            category,
            related,
            reviews,
            terms,
            now,
        };
        let props = PageProps::Product(Box::new(props));
        Ok(Loaded { props, depends_on, expires_at })
    }

    pub(crate) fn blog(&self) -> Loaded {
        let posts = self.content.posts.iter().map(|post| post.card.clone()).collect();
        Loaded::constant(PageProps::Blog(BlogProps { posts }))
    }

    pub(crate) async fn post(&self, slug: &str) -> Result<Loaded> {
        let post = self.content.post(slug).ok_or(Error::NotFound("post"))?;
        let view @ CatalogView { now, .. } = self.view();
        let products = catalog::cards_by_id(&self.db, view, &post.products).await?;
        let (mut depends_on, expires_at) =
            tags_and_expiry(products.iter().map(|card| (&card.id, &card.totals)));
        // Also products that do not exist now: they may be imported later.
        depends_on.extend(post.products.iter().map(catalog::product_tag));
        let (previous, next) = self.content.adjacent_posts(slug);
        let link = |Post { card, .. }: &Post| PostLink {
            slug: card.slug.clone(),
            title: card.title.clone(),
            lang: card.lang,
        };
        let props = PageProps::Post(Box::new(PostProps {
            post: post.card.clone(),
            text: post.text.clone(),
            previous: previous.map(link),
            next: next.map(link),
            products,
            now,
        }));
        Ok(Loaded { props, depends_on, expires_at })
    }

    pub(crate) fn about(&self) -> Loaded {
        let (article, questions) = (self.content.about.clone(), self.content.questions.clone());
        Loaded::constant(PageProps::About(AboutProps { article, questions }))
    }

    pub(crate) fn contact(&self, sent: bool) -> Loaded {
        Loaded::constant(PageProps::Contact(ContactProps {
            article: self.content.contact.clone(),
            form: self.content.contact_form.clone(),
            sent,
            longest_name: MAX_NAME_LEN,
            longest_message: MAX_MESSAGE_LEN,
        }))
    }

    pub(crate) fn policy(&self, policy: Policy) -> Loaded {
        let article = policy.article(&self.content).clone();
        Loaded::constant(PageProps::Policy(PolicyProps { policy, article }))
    }

    pub(crate) fn api_docs(&self) -> Loaded {
        Loaded::constant(PageProps::ApiDocs(ApiDocsProps { openapi: self.openapi.clone() }))
    }

    pub(crate) async fn dev_ui(&self) -> Result<Loaded> {
        if !self.demo {
            return Err(Error::NotFound("page"));
        }
        let products = catalog::newest_cards(&self.db, self.view(), RELATED_PRODUCTS).await?;
        let (mut depends_on, expires_at) =
            tags_and_expiry(products.iter().map(|card| (&card.id, &card.totals)));
        depends_on.push(catalog::catalog_tag());
        Ok(Loaded { props: PageProps::DevUi(DevUiProps { products }), depends_on, expires_at })
    }

    /// The shop data of every page.
    pub fn shop(&self, categories: Arc<Vec<Category>>) -> Shop {
        let front = &*self.front;
        Shop {
            name: front.shop_name.clone(),
            tagline: front.tagline.clone(),
            phone: front.phone.clone(),
            email: front.email.to_string(),
            address: front.address.clone(),
            currency: self.to.currency,
            currencies: self.currencies.codes().collect(),
            countries: self.countries.named(self.language),
            languages: self.languages.clone(),
            year: self.clock.now().year(),
            identity: self.identity.clone(),
            sends_email: self.sends_email,
            sends_sms: self.sends_sms,
            guest_checkout: self.guest_checkout,
            categories,
            gallery: self.content.gallery.clone(),
            demo: self.demo,
            payments: self.payments.clone(),
        }
    }

    pub async fn categories(&self) -> Result<Arc<Vec<Category>>> {
        let memo = || self.categories.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((as_of, categories)) = &*memo()
            && !self.revisions.changed_since(*as_of, &[catalog::categories_tag()])
        {
            return Ok(categories.clone());
        }
        let as_of = self.revisions.latest();
        let categories = Arc::new(catalog::categories(&self.db, self.translation()).await?);
        *memo() = Some((as_of, categories.clone()));
        Ok(categories)
    }
}
