//! Error responses in the OpenAPI description of handlers, for where the status says all.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

macro_rules! error_responses {
    ($($name:ident = $status:literal),*) => {
        $(pub enum $name {}

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                BTreeMap::from([($status.to_owned(), RefOr::T(error_response()))])
            }
        })*
    };
}

error_responses!(BadRequest = "400", Forbidden = "403", NotFound = "404", TooManyRequests = "429");

fn error_response() -> Response {
    let body = Ref::from_schema_name("ErrorBody");
    let content = ContentBuilder::new().schema(Some(body)).build();
    ResponseBuilder::new().content("application/json", content).build()
}
