//! Routing of pages: parses a URL into a `Route`, and writes a route as its canonical URL. Unknown parameters
//! never reach a page, a link or the cache key.

use std::fmt;

use percent_encoding::percent_decode_str;
use platform::Id;
use search::SearchParams;
use serde::Serialize;
use shop::catalog::{CategoryId, Product};
use shop::orders::OrderNumber;
use shop::reviews::{ReviewPageQuery, ReviewSort};
use shop::wishlist::is_share_token;
use utoipa::ToSchema;

use crate::pages::{NewsletterStep, Policy, StockAlertStep};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    Home,
    Category {
        id: CategoryId,
        params: Box<SearchParams>,
    },
    Search(Box<SearchParams>),
    Product {
        id: Id<Product>,
        reviews: ReviewPageQuery,
    },
    Cart {
        step: CartStep,
    },
    Checkout,
    Track,
    Account {
        tab: AccountTab,
    },
    Wishlist,
    /// Another customer's wishlist, by its secret token.
    SharedWishlist {
        token: String,
    },
    BackInStock(StockAlertStep),
    Login,
    Register,
    Signup,
    AuthAction,
    ApiDocs,
    Blog,
    Post {
        slug: String,
    },
    About,
    Contact {
        sent: bool,
    },
    Policy(Policy),
    Newsletter(NewsletterStep),
    Offline,
    DevUi,
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

/// The placeholder for an order's number in the canonical URL of the order page.
const NUMBER_PLACEHOLDER: &str = "number";

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

impl Route {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Category { .. } => "category",
            Self::Search(_) => "search",
            Self::Product { .. } => "product",
            Self::Cart { .. } => "cart",
            Self::Checkout => "checkout",
            Self::Track => "track",
            Self::Account { .. } => "account",
            Self::Wishlist => "wishlist",
            Self::SharedWishlist { .. } => "shared-wishlist",
            Self::BackInStock(_) => "back-in-stock",
            Self::Login => "login",
            Self::Register => "register",
            Self::Signup => "signup",
            Self::AuthAction => "auth-action",
            Self::ApiDocs => "api-docs",
            Self::Blog => "blog",
            Self::Post { .. } => "post",
            Self::About => "about",
            Self::Contact { .. } => "contact",
            Self::Policy(_) => "policy",
            Self::Newsletter(_) => "newsletter",
            Self::Offline => "offline",
            Self::DevUi => "dev-ui",
        }
    }

    /// The page at a URL; `None` where there is none. Invalid parameters are ignored.
    pub fn parse(path: &str, query: &str) -> Option<Self> {
        let path = percent_decode_str(path).decode_utf8().ok()?;
        let path = path.strip_prefix('/')?;
        let mut parts =
            path.strip_suffix('/').filter(|rest| !rest.is_empty()).unwrap_or(path).split('/');
        let route = match (parts.next()?, parts.next(), parts.next()) {
            ("", None, None) => Self::Home,
            ("category", Some(id), None) => {
                let id: CategoryId = id.parse().ok()?;
                Self::Category {
                    params: Box::new(SearchParams::from_category_query(id.clone(), query)),
                    id,
                }
            }
            ("search", None, None) => Self::Search(Box::new(SearchParams::from_page_query(query))),
            ("product", Some(id), None) => {
                Self::Product { id: id.parse().ok()?, reviews: reviews(query) }
            }
            ("cart", None, None) => Self::Cart {
                step: match param(query, "step") {
                    Some("checkout") => CartStep::Checkout,
                    Some("completed") => CartStep::Completed,
                    _ => CartStep::Cart,
                },
            },
            ("checkout", None, None) => Self::Checkout,
            ("track", None, None) => Self::Track,
            ("account", None, None) => Self::Account { tab: AccountTab::Dashboard },
            ("account", Some("orders"), None) => Self::Account { tab: AccountTab::Orders },
            ("account", Some("orders"), Some(number)) if parts.next().is_none() => {
                if number != NUMBER_PLACEHOLDER {
                    number.parse::<OrderNumber>().ok()?;
                }
                Self::Account { tab: AccountTab::Order }
            }
            ("account", Some("credit"), None) => Self::Account { tab: AccountTab::Credit },
            ("account", Some("profile"), None) => Self::Account { tab: AccountTab::Profile },
            ("wishlist", None, None) => Self::Wishlist,
            ("wishlist", Some(token), None) if is_share_token(token) => {
                Self::SharedWishlist { token: token.to_owned() }
            }
            ("back-in-stock", Some(name), None) => {
                Self::BackInStock(StockAlertStep::from_name(name)?)
            }
            ("offline", None, None) => Self::Offline,
            ("login", None, None) => Self::Login,
            ("register", None, None) => Self::Register,
            ("signup", None, None) => Self::Signup,
            ("auth", Some("action"), None) => Self::AuthAction,
            ("api", Some("docs"), None) => Self::ApiDocs,
            ("dev", Some("ui"), None) => Self::DevUi,
            ("blog", None, None) => Self::Blog,
            ("blog", Some(slug), None) => Self::Post { slug: valid_slug(slug)?.to_owned() },
            ("about", None, None) => Self::About,
            ("contact", None, None) => Self::Contact { sent: false },
            ("contact", Some("sent"), None) => Self::Contact { sent: true },
            ("newsletter", None, None) => Self::Newsletter(NewsletterStep::Form),
            ("newsletter", Some(name), None) => Self::Newsletter(NewsletterStep::from_name(name)?),
            (name, None, None) => {
                Self::Policy(Policy::ALL.into_iter().find(|policy| policy.name() == name)?)
            }
            _ => return None,
        };
        Some(route)
    }
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

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Home => f.write_str("/"),
            Self::Category { id, params } => {
                with_params(f, &format!("/category/{id}"), &params.to_query(false))
            }
            Self::Search(params) => with_params(f, "/search", &params.to_query(true)),
            Self::Product { id, reviews } => {
                with_params(f, &format!("/product/{id}"), &review_params(*reviews))
            }
            Self::Cart { step: CartStep::Cart } => f.write_str("/cart"),
            Self::Cart { step: CartStep::Checkout } => f.write_str("/cart?step=checkout"),
            Self::Cart { step: CartStep::Completed } => f.write_str("/cart?step=completed"),
            Self::Checkout => f.write_str("/checkout"),
            Self::Track => f.write_str("/track"),
            Self::Account { tab: AccountTab::Dashboard } => f.write_str("/account"),
            Self::Account { tab: AccountTab::Orders } => f.write_str("/account/orders"),
            Self::Account { tab: AccountTab::Order } => {
                write!(f, "/account/orders/{NUMBER_PLACEHOLDER}")
            }
            Self::Account { tab: AccountTab::Credit } => f.write_str("/account/credit"),
            Self::Account { tab: AccountTab::Profile } => f.write_str("/account/profile"),
            Self::Wishlist => f.write_str("/wishlist"),
            Self::SharedWishlist { token } => write!(f, "/wishlist/{token}"),
            Self::BackInStock(step) => write!(f, "{step}"),
            Self::Login => f.write_str("/login"),
            Self::Register => f.write_str("/register"),
            Self::Signup => f.write_str("/signup"),
            Self::AuthAction => f.write_str("/auth/action"),
            Self::ApiDocs => f.write_str("/api/docs"),
            Self::Blog => f.write_str("/blog"),
            Self::Post { slug } => write!(f, "/blog/{slug}"),
            Self::About => f.write_str("/about"),
            Self::Contact { sent: false } => f.write_str("/contact"),
            Self::Contact { sent: true } => f.write_str("/contact/sent"),
            Self::Policy(policy) => write!(f, "/{}", policy.name()),
            Self::Newsletter(step) => write!(f, "{step}"),
            Self::Offline => f.write_str("/offline"),
            Self::DevUi => f.write_str("/dev/ui"),
        }
    }
}

fn with_params(f: &mut fmt::Formatter<'_>, path: &str, params: &str) -> fmt::Result {
    match params {
        "" => f.write_str(path),
        params => write!(f, "{path}?{params}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(address: &str) -> Option<String> {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let route = Route::parse(path, query)?;
        let text = route.to_string();
        let (path, query) = text.split_once('?').unwrap_or((&text, ""));
        assert_eq!(Route::parse(path, query), Some(route), "{address}");
        Some(text)
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
}
