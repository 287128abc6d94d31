//! The API's router and OpenAPI description, from which `/api/openapi.json`, the page `/api/docs` and the browser's
//! types are generated.

mod common_responses;
mod typescript;

use axum::Router;
use search::SearchState;
use shop::ShopContext;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::privacy::{self, Privacy};
use crate::props::PageResponse;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Haat",
        description = "The API of the storefront, for other programs too. Errors are JSON with a stable code, a message for people and the request id. Every operation may also return 408, 414, 431 or 503."
    ),
    components(schemas(PageResponse))
)]
struct Description;

/// The states of the API's routers.
pub struct Api {
    pub shop: ShopContext,
    pub search: SearchState,
    pub privacy: Privacy,
}

/// The API's routes under `/api`, and their description; without the states only the description.
pub fn router(api: Option<&Api>) -> (Router, utoipa::openapi::OpenApi) {
    let all = with_state(shop::router(), api.map(|api| &api.shop))
        .merge(with_state(search::router(), api.map(|api| &api.search)))
        .merge(with_state(privacy::router(), api.map(|api| &api.privacy)));
    let described = OpenApiRouter::with_openapi(Description::openapi()).nest("/api", all);
    let (routes, mut description) = described.split_for_parts();
    common_responses::add(&mut description);
    (routes, description)
}

fn with_state<S: Clone + Send + Sync + 'static>(
    router: OpenApiRouter<S>,
    state: Option<&S>,
) -> OpenApiRouter {
    match state {
        Some(state) => router.with_state(state.clone()),
        None => OpenApiRouter::with_openapi(router.into_openapi()),
    }
}

/// The browser's types: all schemas of the API and the pages.
pub fn typescript() -> String {
    typescript::types(&router(None).1)
}
