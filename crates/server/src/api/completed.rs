//! What many calls share in the API's description: how callers prove who they are, and the refusals that
//! come from the extractors and limits around the handlers.

use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Components, ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};

pub fn complete(description: &mut OpenApi) {
    let components = description.components.get_or_insert_with(Components::new);
    for (name, told) in [
        ("accessToken", "The shop's access token, from `/api/user/jwt`; lives for 15 minutes"),
        ("idToken", "The identity provider's ID token"),
    ] {
        let mut bearer = Http::new(HttpAuthScheme::Bearer);
        bearer.bearer_format = Some("JWT".into());
        bearer.description = Some(told.into());
        components.add_security_scheme(name, SecurityScheme::Http(bearer));
    }
    for path in description.paths.paths.values_mut() {
        let methods =
            [&mut path.get, &mut path.put, &mut path.post, &mut path.patch, &mut path.delete];
        methods.into_iter().flatten().for_each(add_refusals);
    }
}

fn add_refusals(operation: &mut Operation) {
    let mut refusals = Vec::new();
    let sends_json = match &operation.request_body {
        Some(RefOr::T(body)) => body.content.contains_key("application/json"),
        _ => false,
    };
    if operation.request_body.is_some() || operation.parameters.is_some() {
        refusals.push(("400", "Something in the request makes no sense"));
    }
    if operation.security.is_some() {
        refusals.push(("401", "The token is missing or not good"));
    }
    if operation.request_body.is_some() {
        refusals.push(("413", "The body is too large"));
    }
    if sends_json {
        refusals.push(("415", "The body is not sent as application/json"));
    }
    for (status, told) in refusals {
        let refusal = || RefOr::T(refusal(told));
        operation.responses.responses.entry(status.into()).or_insert_with(refusal);
    }
}

fn refusal(told: &str) -> Response {
    let body = Ref::from_schema_name("ErrorBody");
    let content = ContentBuilder::new().schema(Some(body)).build();
    ResponseBuilder::new().description(told).content("application/json", content).build()
}
