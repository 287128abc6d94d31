//! Parts of the OpenAPI description that many operations share: the security schemes, and the error responses of
//! extractors and middleware.

use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Components, ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};

pub fn add(description: &mut OpenApi) {
    let components = description.components.get_or_insert_with(Components::new);
    for (name, text) in [
        ("accessToken", "The shop's access token, from `/api/user/jwt`; expires after 15 minutes"),
        ("idToken", "The identity provider's ID token"),
    ] {
        let mut bearer = Http::new(HttpAuthScheme::Bearer);
        bearer.bearer_format = Some("JWT".into());
        bearer.description = Some(text.into());
        components.add_security_scheme(name, SecurityScheme::Http(bearer));
    }
    for path in description.paths.paths.values_mut() {
        let methods =
            [&mut path.get, &mut path.put, &mut path.post, &mut path.patch, &mut path.delete];
        methods.into_iter().flatten().for_each(add_error_responses);
    }
}

fn add_error_responses(operation: &mut Operation) {
    let mut errors = Vec::new();
    let sends_json = match &operation.request_body {
        Some(RefOr::T(body)) => body.content.contains_key("application/json"),
        _ => false,
    };
    if operation.request_body.is_some() || operation.parameters.is_some() {
        errors.push(("400", "The request is not valid"));
    }
    if operation.security.is_some() {
        errors.push(("401", "The token is missing or not valid"));
    }
    if operation.request_body.is_some() {
        errors.push(("413", "The body is too large"));
    }
    if sends_json {
        errors.push(("415", "The body is not sent as application/json"));
    }
    for (status, text) in errors {
        let response = || RefOr::T(error_response(text));
        operation.responses.responses.entry(status.into()).or_insert_with(response);
    }
}

fn error_response(text: &str) -> Response {
    let body = Ref::from_schema_name("ErrorBody");
    let content = ContentBuilder::new().schema(Some(body)).build();
    ResponseBuilder::new().description(text).content("application/json", content).build()
}
