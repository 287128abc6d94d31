//! The API's description: from it come `/api/openapi.json`, the page `/api/docs` and the browser's
//! types.

mod completed;
mod typescript;

use axum::Router;
use search::Finding;
use shop::addresses::Addresses;
use shop::cart::Carts;
use shop::catalog::Catalog;
use shop::credit::Ledger;
use shop::customers::Customers;
use shop::messages::Messages;
use shop::newsletter::Newsletter;
use shop::orders::Orders;
use shop::quote::Quotes;
use shop::reviews::Reviews;
use shop::stock_alerts::StockAlerts;
use shop::wishlist::Wishlists;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::pages::Page;
use crate::personal::{self, Personal};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Haat",
        description = "What the storefront speaks to the shop, for other programs to speak too. Errors come as JSON with a stable code, a message for people and the id of the request. Whatever is called may also answer 408, 414, 431 or 503."
    ),
    components(schemas(Page))
)]
struct Description;

/// The nouns that answer.
pub struct Api {
    pub catalog: Catalog,
    pub customers: Customers,
    pub addresses: Addresses,
    pub personal: Personal,
    pub messages: Messages,
    pub newsletter: Newsletter,
    pub quotes: Quotes,
    pub carts: Carts,
    pub orders: Orders,
    pub reviews: Reviews,
    pub credit: Ledger,
    pub finding: Finding,
    pub wishlists: Wishlists,
    pub stock_alerts: StockAlerts,
}

/// The API's routes under `/api`, and their description.
pub fn router(api: Api) -> (Router, utoipa::openapi::OpenApi) {
    let Api { catalog, customers, messages, newsletter, quotes, carts, orders, finding, .. } = api;
    let Api { reviews, credit, wishlists, stock_alerts, .. } = api;
    let addresses = shop::addresses::router().with_state(api.addresses);
    let personal = personal::router().with_state(api.personal);
    let catalog = shop::catalog::router().with_state(catalog);
    let customers = shop::customers::router().with_state(customers);
    let messages = shop::messages::router().with_state(messages);
    let newsletter = shop::newsletter::router().with_state(newsletter);
    let quotes = shop::quote::router().with_state(quotes);
    let carts = shop::cart::router().with_state(carts);
    let orders = shop::checkout::router().merge(shop::orders::router()).with_state(orders);
    let reviews = shop::reviews::router().with_state(reviews);
    let credit = shop::credit::router().with_state(credit);
    let finding = search::router().with_state(finding);
    let wishlists = shop::wishlist::router().with_state(wishlists);
    let stock_alerts = shop::stock_alerts::router().with_state(stock_alerts);
    let all = catalog.merge(customers).merge(addresses).merge(personal);
    let all = all.merge(messages).merge(newsletter).merge(quotes).merge(carts).merge(orders);
    let all = all.merge(reviews).merge(credit).merge(finding).merge(wishlists).merge(stock_alerts);
    let (routes, mut description) =
        described(all.merge(shop::payments::router())).split_for_parts();
    completed::complete(&mut description);
    (routes, description)
}

/// The description alone.
pub fn description() -> utoipa::openapi::OpenApi {
    let mut catalog = shop::catalog::router();
    for other in [
        shop::customers::router().into_openapi(),
        shop::addresses::router().into_openapi(),
        personal::router().into_openapi(),
        shop::messages::router().into_openapi(),
        shop::newsletter::router().into_openapi(),
        shop::quote::router().into_openapi(),
        shop::cart::router().into_openapi(),
        shop::checkout::router().into_openapi(),
        shop::orders::router().into_openapi(),
        shop::reviews::router().into_openapi(),
        shop::credit::router().into_openapi(),
        search::router().into_openapi(),
        shop::wishlist::router().into_openapi(),
        shop::stock_alerts::router().into_openapi(),
        shop::payments::router::<()>().into_openapi(),
    ] {
        catalog.get_openapi_mut().merge(other);
    }
    let mut description = described(catalog).into_openapi();
    completed::complete(&mut description);
    description
}

fn described<S: Clone + Send + Sync + 'static>(routes: OpenApiRouter<S>) -> OpenApiRouter<S> {
    OpenApiRouter::with_openapi(Description::openapi()).nest("/api", routes)
}

/// The browser's types: everything that the API and the pages speak of.
pub fn typescript(description: &utoipa::openapi::OpenApi) -> String {
    typescript::types(description)
}
