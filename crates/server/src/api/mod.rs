//! The API's router and OpenAPI description, from which `/api/openapi.json`, the page `/api/docs` and the browser's
//! types are generated.

mod common_responses;
mod typescript;

use axum::Router;
use search::SearchState;
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
use crate::privacy::{self, Privacy};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Haat",
        description = "The API of the storefront, for other programs too. Errors are JSON with a stable code, a message for people and the request id. Every operation may also return 408, 414, 431 or 503."
    ),
    components(schemas(Page))
)]
struct Description;

pub struct Api {
    pub catalog: Catalog,
    pub customers: Customers,
    pub addresses: Addresses,
    pub privacy: Privacy,
    pub messages: Messages,
    pub newsletter: Newsletter,
    pub quotes: Quotes,
    pub carts: Carts,
    pub orders: Orders,
    pub reviews: Reviews,
    pub credit: Ledger,
    pub search: SearchState,
    pub wishlists: Wishlists,
    pub stock_alerts: StockAlerts,
}

/// The API's routes under `/api`, and their description.
pub fn router(api: Api) -> (Router, utoipa::openapi::OpenApi) {
    let Api { catalog, customers, messages, newsletter, quotes, carts, orders, search, .. } = api;
    let Api { reviews, credit, wishlists, stock_alerts, .. } = api;
    let addresses = shop::addresses::router().with_state(api.addresses);
    let privacy = privacy::router().with_state(api.privacy);
    let catalog = shop::catalog::router().with_state(catalog);
    let customers = shop::customers::router().with_state(customers);
    let messages = shop::messages::router().with_state(messages);
    let newsletter = shop::newsletter::router().with_state(newsletter);
    let quotes = shop::quote::router().with_state(quotes);
    let carts = shop::cart::router().with_state(carts);
    let orders = shop::checkout::router().merge(shop::orders::router()).with_state(orders);
    let reviews = shop::reviews::router().with_state(reviews);
    let credit = shop::credit::router().with_state(credit);
    let search = search::router().with_state(search);
    let wishlists = shop::wishlist::router().with_state(wishlists);
    let stock_alerts = shop::stock_alerts::router().with_state(stock_alerts);
    let all = catalog.merge(customers).merge(addresses).merge(privacy);
    let all = all.merge(messages).merge(newsletter).merge(quotes).merge(carts).merge(orders);
    let all = all.merge(reviews).merge(credit).merge(search).merge(wishlists).merge(stock_alerts);
    let (routes, mut description) =
        with_description(all.merge(shop::payments::router())).split_for_parts();
    common_responses::add(&mut description);
    (routes, description)
}

pub fn description() -> utoipa::openapi::OpenApi {
    let mut catalog = shop::catalog::router();
    for other in [
        shop::customers::router().into_openapi(),
        shop::addresses::router().into_openapi(),
        privacy::router().into_openapi(),
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
    let mut description = with_description(catalog).into_openapi();
    common_responses::add(&mut description);
    description
}

fn with_description<S: Clone + Send + Sync + 'static>(
    routes: OpenApiRouter<S>,
) -> OpenApiRouter<S> {
    OpenApiRouter::with_openapi(Description::openapi()).nest("/api", routes)
}

/// The browser's types: all schemas of the API and the pages.
pub fn typescript(description: &utoipa::openapi::OpenApi) -> String {
    typescript::types(description)
}
