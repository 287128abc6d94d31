//! The route table of the pages: the server finds the page of a URL in it, and the browser the code that a link
//! needs (`make types` copies patterns and names). Unknown parameters never reach a page, a link or the cache key.

use std::future::ready;

use futures_util::future::BoxFuture;
use percent_encoding::percent_decode_str;
use platform::error::Result;
use search::SearchParams;
use shop::catalog::{CategoryId, ProductId, choice_query};
use shop::orders::OrderNumber;
use shop::reviews::{ReviewPageQuery, ReviewSort};
use shop::wishlist::is_share_token;

use crate::pages::{Loaded, Pages};
use crate::props::{
    AccountProps, AccountTab, BackInStockProps, CartProps, CartStep, NewsletterProps,
    NewsletterStep, NoProps, PageName, PageProps, Policy,
};

/// The path pattern of a page, where only the last segment can be a variable; the page; and what parses the variable
/// and the parameters of a URL: `None` where there is no such page. Invalid parameters are ignored.
pub type PageRoute = (&'static str, PageName, fn(MatchedUrl<'_>) -> Option<Route>);

pub const ROUTES: &[PageRoute] = &[
    ("/", PageName::Home, |url| url.load(|pages| Box::pin(pages.home()))),
    ("/category/{id}", PageName::Category, category),
    ("/search", PageName::Search, search),
    ("/product/{id}", PageName::Product, product),
    ("/cart", PageName::Cart, cart),
    ("/checkout", PageName::Checkout, |url| url.empty(PageProps::Checkout)),
    ("/track", PageName::Track, |url| url.empty(PageProps::Track)),
    ("/pay/{number}", PageName::Pay, pay),
    ("/gift-card", PageName::GiftCard, |url| url.empty(PageProps::GiftCard)),
    ("/account", PageName::Account, |url| url.account(AccountTab::Dashboard)),
    ("/account/orders", PageName::Account, |url| url.account(AccountTab::Orders)),
    ("/account/orders/{number}", PageName::Account, order),
    ("/account/credit", PageName::Account, |url| url.account(AccountTab::Credit)),
    ("/account/profile", PageName::Account, |url| url.account(AccountTab::Profile)),
    ("/wishlist", PageName::Wishlist, |url| url.empty(PageProps::Wishlist)),
    ("/wishlist/{token}", PageName::SharedWishlist, shared_wishlist),
    ("/back-in-stock/{step}", PageName::BackInStock, back_in_stock),
    ("/login", PageName::Login, |url| url.empty(PageProps::Login)),
    ("/register", PageName::Register, |url| url.empty(PageProps::Register)),
    ("/signup", PageName::Signup, |url| url.empty(PageProps::Signup)),
    ("/auth/action", PageName::AuthAction, |url| url.empty(PageProps::AuthAction)),
    ("/api/docs", PageName::ApiDocs, |url| url.loaded(Pages::api_docs)),
    ("/blog", PageName::Blog, |url| url.loaded(Pages::blog)),
    ("/blog/{slug}", PageName::Post, post),
    ("/about", PageName::About, |url| url.loaded(Pages::about)),
    ("/contact", PageName::Contact, |url| url.loaded(|pages| pages.contact(false))),
    ("/contact/sent", PageName::Contact, |url| url.loaded(|pages| pages.contact(true))),
    ("/privacy", PageName::Policy, |url| url.loaded(|pages| pages.policy(Policy::Privacy))),
    ("/terms_condition", PageName::Policy, |url| url.loaded(|pages| pages.policy(Policy::Terms))),
    ("/refund", PageName::Policy, |url| url.loaded(|pages| pages.policy(Policy::Refund))),
    ("/return", PageName::Policy, |url| url.loaded(|pages| pages.policy(Policy::Return))),
    ("/newsletter", PageName::Newsletter, |url| url.newsletter(NewsletterStep::Form)),
    ("/newsletter/{step}", PageName::Newsletter, newsletter),
    ("/offline", PageName::Offline, |url| url.empty(PageProps::Offline)),
    ("/dev/ui", PageName::DevUi, |url| url.load(|pages| Box::pin(pages.dev_ui()))),
];

/// The page at a URL.
pub struct Route {
    pub page: PageName,
    /// Canonical: without unknown and default parameters.
    pub url: String,
    /// The parameters of a product's page that may choose options. Only the product tells which do: `resolve`.
    choice: Option<ProductChoice>,
    load: Loader,
}

struct ProductChoice {
    id: ProductId,
    params: Vec<(String, String)>,
    reviews: ReviewPageQuery,
}

type Loader = Box<dyn for<'p> FnOnce(&'p Pages) -> BoxFuture<'p, Result<Loaded>> + Send>;

impl Route {
    pub fn parse(path: &str, query: &str) -> Option<Self> {
        let path = percent_decode_str(path).decode_utf8().ok()?;
        let path = match path.strip_suffix('/') {
            Some(rest) if !matches!(rest, "" | "/") => rest,
            _ => &path,
        };
        ROUTES.iter().find_map(|(pattern, page, parse)| {
            let variable = match_path(pattern, path)?;
            parse(MatchedUrl { page: *page, url: path.to_owned(), variable, query })
        })
    }

    /// Drops the parameters that the product does not have as options, so that the URL is canonical.
    pub async fn resolve(self, pages: &Pages) -> Result<Self> {
        let Some(ProductChoice { id, params, reviews }) = self.choice else { return Ok(self) };
        let choice = pages.find_choice(&id, &params).await?;
        Ok(product_route(id, choice, reviews))
    }

    /// `NotFound` where its product, post or category does not exist.
    pub async fn load(self, pages: &Pages) -> Result<Loaded> {
        (self.load)(pages).await
    }
}

/// The value of the pattern's variable, empty where it has none; `None` where the path does not match.
fn match_path<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    match pattern.split_once('{') {
        Some((before, _)) => path.strip_prefix(before).filter(|value| !value.contains('/')),
        None => (path == pattern).then_some(""),
    }
}

/// A URL whose path matches a pattern.
pub struct MatchedUrl<'u> {
    page: PageName,
    /// The canonical URL.
    url: String,
    variable: &'u str,
    query: &'u str,
}

impl MatchedUrl<'_> {
    fn with_query(mut self, query: &str) -> Self {
        if !query.is_empty() {
            self.url.push('?');
            self.url.push_str(query);
        }
        self
    }

    fn load<L>(self, load: L) -> Option<Route>
    where
        L: for<'p> FnOnce(&'p Pages) -> BoxFuture<'p, Result<Loaded>> + Send + 'static,
    {
        Some(Route { page: self.page, url: self.url, choice: None, load: Box::new(load) })
    }

    /// A page whose data is in memory.
    fn loaded(self, load: fn(&Pages) -> Loaded) -> Option<Route> {
        self.load(move |pages| Box::pin(ready(Ok(load(pages)))))
    }

    fn constant(self, props: PageProps) -> Option<Route> {
        self.load(|_| Box::pin(ready(Ok(Loaded::constant(props)))))
    }

    /// A page without props.
    fn empty(self, page: fn(NoProps) -> PageProps) -> Option<Route> {
        self.constant(page(NoProps {}))
    }

    fn account(self, tab: AccountTab) -> Option<Route> {
        self.constant(PageProps::Account(AccountProps { tab }))
    }

    fn newsletter(self, step: NewsletterStep) -> Option<Route> {
        self.constant(PageProps::Newsletter(NewsletterProps { step }))
    }
}

fn category(url: MatchedUrl<'_>) -> Option<Route> {
    let id: CategoryId = url.variable.parse().ok()?;
    let params = SearchParams::from_category_query(id.clone(), url.query);
    url.with_query(&params.to_query(false))
        .load(|pages| Box::pin(async move { pages.category(&id, &params).await }))
}

fn search(url: MatchedUrl<'_>) -> Option<Route> {
    let params = SearchParams::from_page_query(url.query);
    url.with_query(&params.to_query(true))
        .load(|pages| Box::pin(async move { pages.search(&params).await }))
}

fn product(url: MatchedUrl<'_>) -> Option<Route> {
    let id: ProductId = url.variable.parse().ok()?;
    let reviews = reviews(url.query);
    let params = choice_params(url.query);
    let route = product_route(id.clone(), Vec::new(), reviews);
    let choice = (!params.is_empty()).then_some(ProductChoice { id, params, reviews });
    Some(Route { choice, ..route })
}

/// The page of a product with these values of options.
fn product_route(id: ProductId, choice: Vec<(String, String)>, reviews: ReviewPageQuery) -> Route {
    let queries = [choice_query(&choice), review_params(reviews)];
    let query = queries.into_iter().filter(|query| !query.is_empty()).collect::<Vec<_>>().join("&");
    let url = MatchedUrl {
        page: PageName::Product,
        url: format!("/product/{id}"),
        variable: "",
        query: "",
    };
    let MatchedUrl { page, url, .. } = url.with_query(&query);
    let load: Loader =
        Box::new(move |pages| Box::pin(async move { pages.product(&id, &choice, reviews).await }));
    Route { page, url, choice: None, load }
}

/// The parameters of a product's page that may choose options.
fn choice_params(query: &str) -> Vec<(String, String)> {
    const MAX_PARAMS: usize = 8;
    const MAX_CHARS: usize = 200;
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        percent_decode_str(&text).decode_utf8().map(String::from).ok()
    };
    query
        .split('&')
        .filter(|pair| pair.len() <= MAX_CHARS * 4)
        .filter_map(|pair| pair.split_once('='))
        .filter(|(name, _)| !["sort", "reviews"].contains(name))
        .filter_map(|(name, value)| Some((decoded(name)?, decoded(value)?)))
        .take(MAX_PARAMS)
        .collect()
}

fn cart(url: MatchedUrl<'_>) -> Option<Route> {
    let (step, query) = match param(url.query, "step") {
        Some("checkout") => (CartStep::Checkout, "step=checkout"),
        Some("completed") => (CartStep::Completed, "step=completed"),
        _ => (CartStep::Cart, ""),
    };
    url.with_query(query).constant(PageProps::Cart(CartProps { step }))
}

/// All orders have one canonical URL, with a placeholder for the number.
fn order(mut url: MatchedUrl<'_>) -> Option<Route> {
    const PLACEHOLDER: &str = "number";
    if url.variable != PLACEHOLDER {
        url.variable.parse::<OrderNumber>().ok()?;
    }
    url.url = format!("/account/orders/{PLACEHOLDER}");
    url.account(AccountTab::Order)
}

/// Only with the key of its link.
fn pay(url: MatchedUrl<'_>) -> Option<Route> {
    let number = url.variable.parse::<OrderNumber>().ok()?.to_string();
    let key = param(url.query, "key")?;
    let is_key = |key: &&str| key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    let key = Some(key).filter(is_key)?.to_owned();
    let returned = param(url.query, "returned") == Some("1");
    let query = if returned { format!("key={key}&returned=1") } else { format!("key={key}") };
    url.with_query(&query)
        .load(move |pages| Box::pin(async move { pages.pay(&number, &key, returned).await }))
}

fn shared_wishlist(url: MatchedUrl<'_>) -> Option<Route> {
    let token = is_share_token(url.variable).then(|| url.variable.to_owned())?;
    url.load(|pages| Box::pin(async move { pages.shared_wishlist(&token).await }))
}

fn back_in_stock(url: MatchedUrl<'_>) -> Option<Route> {
    let step = url.variable.parse().ok()?;
    url.constant(PageProps::BackInStock(BackInStockProps { step }))
}

fn post(url: MatchedUrl<'_>) -> Option<Route> {
    let slug = valid_slug(url.variable)?.to_owned();
    url.load(|pages| Box::pin(async move { pages.post(&slug).await }))
}

fn newsletter(url: MatchedUrl<'_>) -> Option<Route> {
    let step = url.variable.parse().ok()?;
    url.newsletter(step)
}

/// A post's slug; `feed.xml` is none.
fn valid_slug(slug: &str) -> Option<&str> {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (!slug.is_empty() && slug.bytes().all(letter)).then_some(slug)
}

/// The page of reviews on a product's page: `?sort=helpful&reviews=2`.
fn reviews(query: &str) -> ReviewPageQuery {
    let sort = param(query, "sort").and_then(|word| word.parse().ok());
    let number = param(query, "reviews").and_then(ReviewPageQuery::number);
    ReviewPageQuery { sort: sort.unwrap_or_default(), number: number.unwrap_or(1) }
}

/// The query string of a page of reviews, without defaults.
fn review_params(ReviewPageQuery { sort, number }: ReviewPageQuery) -> String {
    let sort = (sort != ReviewSort::default()).then(|| format!("sort={sort}"));
    let number = (number != 1).then(|| format!("reviews={number}"));
    sort.into_iter().chain(number).collect::<Vec<_>>().join("&")
}

fn param<'q>(query: &'q str, name: &str) -> Option<&'q str> {
    query
        .split('&')
        .find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name))
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use strum::{VariantArray, VariantNames};

    use super::*;

    fn canonical(address: &str) -> Option<String> {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let Route { page, url, .. } = Route::parse(path, query)?;
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        let again = Route::parse(path, query).map(|route| (route.page, route.url));
        assert_eq!(again, Some((page, url.clone())), "{address}");
        Some(url)
    }

    #[test]
    fn pages_have_one_canonical_url() {
        for (address, wanted) in [
            ("/", "/"),
            ("/?utm_source=x&page=2", "/"),
            ("/product/oak-lamp?ref=<script>", "/product/oak-lamp"),
            ("/product/oak%2Dlamp", "/product/oak-lamp"),
            ("/product/oak-lamp/", "/product/oak-lamp"),
            ("/product/oak-lamp?sort=newest&reviews=1", "/product/oak-lamp"),
            ("/product/oak-lamp?sort=price-asc&reviews=0", "/product/oak-lamp"),
            ("/product/oak-lamp?reviews=99999", "/product/oak-lamp"),
            ("/product/oak-lamp?reviews=3&sort=lowest", "/product/oak-lamp?sort=lowest&reviews=3"),
            ("/category/audio?page=1&size=16&sort=default", "/category/audio"),
            (
                "/category/audio?x=1&page=3&sort=best&size=2",
                "/category/audio?sort=best&size=2&page=3",
            ),
            ("/cart?step=else&x=1", "/cart"),
            ("/cart/?step=checkout", "/cart?step=checkout"),
            ("/track?number=7K3M-9QXF", "/track"),
            ("/gift-card?code=ABCD-EFGH-JKLM-NPQR", "/gift-card"),
            ("/account/orders/", "/account/orders"),
            ("/account/orders/0000-0000?x=1", "/account/orders/number"),
            ("/account/orders/oooo%20oooo/", "/account/orders/number"),
            ("/account/credit?x=1", "/account/credit"),
            ("/account/profile?x", "/account/profile"),
            ("/wishlist", "/wishlist"),
            (
                "/wishlist/0123456789abcdef0123456789abcdef/?x",
                "/wishlist/0123456789abcdef0123456789abcdef",
            ),
            ("/back-in-stock/leave?token=secret", "/back-in-stock/leave"),
            ("/offline?x", "/offline"),
            ("/category/audio?page=-1&size=3&sort=abc", "/category/audio"),
            ("/category/audio?page=99999999999999999999", "/category/audio"),
            (
                "/category/audio?q=x&category=y&brand=B&brand=A%20C",
                "/category/audio?brand=A%20C&brand=B",
            ),
            (
                "/category/audio?view=list&new=1&max=150&min=20&rating=4&stock=in&colour=Sand",
                "/category/audio?colour=Sand&min=20&max=150&stock=in&rating=4&new=1&view=list",
            ),
            ("/search", "/search"),
            ("/search?q=", "/search"),
            ("/search/?q=+desk++lamp&sort=relevance&x=1", "/search?q=desk%20lamp"),
            ("/search?category=audio&q=%E0%A6%B9", "/search?q=%E0%A6%B9&category=audio"),
            ("/search?q=%ff&category=../x&min=abc&max=1e309&page=-1&size=3", "/search"),
            ("/search?q=a%22b%26c%3Cscript%3E", "/search?q=a%22b%26c%3Cscript%3E"),
            ("/blog/?page=2", "/blog"),
            ("/blog/looking-after-leather?x", "/blog/looking-after-leather"),
            ("/terms_condition", "/terms_condition"),
            ("/contact?sent", "/contact"),
            ("/newsletter/leave?token=secret", "/newsletter/leave"),
        ] {
            assert_eq!(canonical(address).as_deref(), Some(wanted), "{address}");
        }
    }

    #[test]
    fn other_urls_have_no_route() {
        for address in [
            "/nothing",
            "/product",
            "/product/",
            "/product/a/b",
            "/product/%ff",
            "/product/a b",
            "//",
            "/category/../x",
            "/account/orders/7K3M-9QXA",
            "/account/orders/0000-0000/invoice",
            "/terms",
            "/blog/feed.xml",
            "/blog/A",
            "/newsletter/x",
            "/wishlist/share",
            "/back-in-stock",
            "/back-in-stock/x",
            "",
        ] {
            assert_eq!(canonical(address), None, "{address}");
        }
    }

    #[test]
    fn every_page_has_a_file_and_a_route() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/pages");
        let files = std::fs::read_dir(folder).unwrap().filter_map(|file| {
            let file = file.unwrap().file_name().into_string().unwrap();
            file.strip_suffix(".tsx").map(str::to_owned)
        });
        let files: BTreeSet<String> = files.collect();
        let names = PageName::VARIANTS.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(files, names, "files in web/src/pages and variants of PageProps");
        // What is shown instead of a page.
        let elsewhere = [PageName::NotFound, PageName::Error];
        let pages = ROUTES.iter().map(|(_, page, _)| *page).chain(elsewhere);
        let routed = pages.map(|page| <&str>::from(page).to_owned()).collect();
        assert_eq!(files, routed, "files in web/src/pages and pages in ROUTES");
    }

    #[test]
    fn every_policy_has_a_route() {
        for policy in Policy::VARIANTS {
            let path = format!("/{}", <&str>::from(policy));
            assert_eq!(canonical(&path), Some(path));
        }
    }
}
