//! The error type, and its HTTP response: a few kinds, with stable codes and parameters from which the browser
//! makes sentences in the visitor's language, and an English message for programs. The cause of an internal
//! error is logged with the request id and never sent to the client.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::pin::Pin;

use axum::Json;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

pub type Result<T, E = Error> = std::result::Result<T, E>;
/// What a function answers that is called through a pointer, or whose code is to be compiled where it is written.
pub type ResultFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

tokio::task_local! {
    /// The request that this task handles.
    pub static REQUEST_ID: RequestId;
}

/// In log lines, in a response header and in error responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestId(pub u64);

impl RequestId {
    pub fn current() -> Option<Self> {
        REQUEST_ID.try_with(|id| *id).ok()
    }

    pub fn header(self) -> HeaderValue {
        // Never fails: it is sixteen hexadecimal digits.
        HeaderValue::try_from(self.to_string()).unwrap_or(HeaderValue::from_static(""))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[derive(Debug)]
pub enum Error {
    /// 400: a part of the request is invalid; `fields` says which.
    Invalid {
        message: String,
        fields: Vec<Field>,
    },
    /// 422: each part is valid, but not the combination, which no schema can express.
    Unprocessable {
        message: String,
        fields: Vec<Field>,
    },
    /// 401: the token is missing or invalid.
    Unauthenticated(&'static str),
    /// 403: it belongs to someone else.
    Forbidden(&'static str),
    NotFound(&'static str),
    /// Other refusals: a conflict with the present state, method, size, content type, time.
    Refused {
        status: StatusCode,
        code: &'static str,
        message: Cow<'static, str>,
        params: ErrorParams,
    },
    RateLimited(&'static str),
    /// 503: overloaded, or a dependency cannot be reached; a retry may help.
    Unavailable(Box<dyn std::error::Error + Send + Sync>),
    /// 500.
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// The values in a sentence.
pub type ErrorParams = BTreeMap<&'static str, String>;

/// The code of fields that only programs send wrong.
const MALFORMED: &str = "malformed";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Field {
    pub name: Cow<'static, str>,
    /// Stable: programs may depend on it.
    #[schema(value_type = String)]
    pub code: &'static str,
    /// In English; may change.
    pub message: String,
    /// The values in the message.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    pub params: ErrorParams,
}

impl Field {
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self { name: name.into(), code, message: message.into(), params: ErrorParams::new() }
    }

    pub fn malformed(name: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(name, MALFORMED, message)
    }

    pub fn with(mut self, param: &'static str, value: impl ToString) -> Self {
        self.params.insert(param, value.to_string());
        self
    }
}

/// The JSON body of every error response.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    pub error: ErrorDetail,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetail {
    /// Stable: programs may depend on it.
    #[schema(value_type = String)]
    pub code: &'static str,
    /// In English; may change.
    pub message: String,
    /// The values in the message.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    pub params: ErrorParams,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub fields: Vec<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl Error {
    /// A field that only programs send wrong.
    pub fn invalid(name: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Field::malformed(name, message).into()
    }

    pub fn unprocessable(field: Field) -> Self {
        let message = format!("{}: {}", field.name, field.message);
        Self::Unprocessable { message, fields: vec![field] }
    }

    pub fn refused(
        status: StatusCode,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::Refused { status, code, message: message.into(), params: ErrorParams::new() }
    }

    /// 409: outdated by a concurrent change, or not possible in the present state.
    pub fn conflict(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::refused(StatusCode::CONFLICT, code, message)
    }

    /// Adds a value to a refusal.
    pub fn with(mut self, param: &'static str, value: impl ToString) -> Self {
        if let Self::Refused { params, .. } = &mut self {
            params.insert(param, value.to_string());
        }
        self
    }

    pub fn internal(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(why.into())
    }

    pub fn status(&self) -> StatusCode {
        match self {
            Self::Invalid { .. } => StatusCode::BAD_REQUEST,
            Self::Unprocessable { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Refused { status, .. } => *status,
            Self::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "invalid",
            Self::Unprocessable { .. } => "unprocessable",
            Self::Unauthenticated(_) => "unauthenticated",
            Self::Forbidden(_) => "forbidden",
            Self::NotFound(_) => "not_found",
            Self::Refused { code, .. } => code,
            Self::RateLimited(_) => "too_many",
            Self::Unavailable(_) => "unavailable",
            Self::Internal(_) => "internal",
        }
    }

    /// Code and parameters of the sentence for a person: of the field that is wrong, where that is known.
    pub fn reason(&self) -> (&'static str, ErrorParams) {
        let fields = match self {
            Self::Invalid { fields, .. } | Self::Unprocessable { fields, .. } => &fields[..],
            _ => &[],
        };
        match fields.iter().find(|field| field.code != MALFORMED) {
            Some(field) => (field.code, field.params.clone()),
            None => (self.code(), self.params()),
        }
    }

    fn params(&self) -> ErrorParams {
        match self {
            Self::Refused { params, .. } => params.clone(),
            Self::NotFound(what) => ErrorParams::from([("what", (*what).to_owned())]),
            _ => ErrorParams::new(),
        }
    }

    /// The text for the client, without internal details.
    pub fn message(&self) -> String {
        match self {
            Self::Invalid { message, .. } | Self::Unprocessable { message, .. } => message.clone(),
            Self::Unauthenticated(why) | Self::Forbidden(why) | Self::RateLimited(why) => {
                (*why).into()
            }
            Self::NotFound(what) => format!("There is no such {what}."),
            Self::Refused { message, .. } => message.clone().into_owned(),
            Self::Unavailable(_) => "The shop is busy. Please try again in a moment.".into(),
            Self::Internal(_) => "Something went wrong on our side.".into(),
        }
    }

    /// Logs the cause that the response does not contain.
    pub fn log(&self) {
        let request = RequestId::current().map(tracing::field::display);
        match self {
            Self::Unavailable(why) => tracing::warn!(request, %why, "unavailable"),
            Self::Internal(why) => tracing::error!(request, %why, "internal error"),
            _ => {}
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) | Self::Internal(why) => write!(f, "{}: {why}", self.code()),
            _ => f.write_str(&self.message()),
        }
    }
}

impl std::error::Error for Error {}

impl From<sqlx::Error> for Error {
    fn from(why: sqlx::Error) -> Self {
        let code = why.as_database_error().and_then(|why| why.code()).map(Cow::into_owned);
        match (&why, code.as_deref()) {
            (sqlx::Error::PoolTimedOut | sqlx::Error::Io(_), _) => Self::Unavailable(why.into()),
            // PostgreSQL is stopping, has crashed, is starting, or has too many connections.
            (_, Some("57P01" | "57P02" | "57P03" | "53300")) => Self::Unavailable(why.into()),
            // A character that PostgreSQL cannot store, which got past the check of the input.
            (_, Some("22021")) => {
                let message = "It contains a character that cannot be stored.";
                Field::new("text", "bad_character", message).into()
            }
            _ => Self::Internal(why.into()),
        }
    }
}

/// 400.
impl From<Field> for Error {
    fn from(field: Field) -> Self {
        let message = format!("{}: {}", field.name, field.message);
        Self::Invalid { message, fields: vec![field] }
    }
}

impl From<serde_json::Error> for Error {
    fn from(why: serde_json::Error) -> Self {
        Self::Internal(why.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.log();
        let status = self.status();
        let (code, message, params) = (self.code(), self.message(), self.params());
        let fields = match self {
            Self::Invalid { fields, .. } | Self::Unprocessable { fields, .. } => fields,
            _ => Vec::new(),
        };
        let error = ErrorDetail {
            code,
            message,
            params,
            fields,
            request_id: RequestId::current().map(|id| id.to_string()),
        };
        (status, Json(ErrorBody { error })).into_response()
    }
}
