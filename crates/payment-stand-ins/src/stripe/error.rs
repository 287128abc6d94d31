//! Errors in the form of Stripe's API.

use axum::http::StatusCode;
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct ApiError {
    pub status: StatusCode,
    kind: &'static str,
    code: Option<&'static str>,
    param: Option<String>,
    message: String,
    /// Whether the call had begun: then it is the answer to its idempotency key from now on.
    pub is_outcome: bool,
}

impl ApiError {
    fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        Self { status, kind, code: None, param: None, message: message.into(), is_outcome: false }
    }

    /// A parameter is wrong; the call does not begin.
    pub fn invalid(param: &str, message: impl Into<String>) -> Self {
        let error = Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message);
        Self { param: Some(param.to_owned()), ..error }
    }

    pub fn parameter(code: &'static str, param: &str, message: impl Into<String>) -> Self {
        Self { code: Some(code), ..Self::invalid(param, message) }
    }

    pub fn missing(param: &str) -> Self {
        Self::parameter("parameter_missing", param, format!("Missing required param: {param}."))
    }

    /// The state does not allow the call.
    pub fn state(code: Option<&'static str>, message: impl Into<String>) -> Self {
        let error = Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message);
        Self { code, is_outcome: true, ..error }
    }

    pub fn of_param(self, param: &str) -> Self {
        Self { param: Some(param.to_owned()), ..self }
    }

    pub fn no_such(kind: &str, param: &str, id: &str) -> Self {
        let message = format!("No such {kind}: '{id}'");
        Self {
            status: StatusCode::NOT_FOUND,
            ..Self::parameter("resource_missing", param, message)
        }
    }

    pub fn unauthorised(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "invalid_request_error", message)
    }

    pub fn unrecognised(method: &str, path: &str) -> Self {
        let message = format!("Unrecognized request URL ({method}: {path}).");
        Self::new(StatusCode::NOT_FOUND, "invalid_request_error", message)
    }

    pub fn idempotency(key: &str) -> Self {
        let message = format!(
            "Keys for idempotent requests can only be used with the same parameters they were first used with. \
             Try using a key other than '{key}' if you meant to execute a different request."
        );
        Self::new(StatusCode::BAD_REQUEST, "idempotency_error", message)
    }

    pub fn broken() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "api_error", "The journal cannot be written.")
    }

    pub fn body(&self) -> Value {
        let mut error = json!({ "type": self.kind, "message": self.message });
        for (name, value) in [("code", self.code), ("param", self.param.as_deref())] {
            if let Some(value) = value {
                error[name] = value.into();
            }
        }
        json!({ "error": error })
    }
}
