//! HTTP paths that only the emulator has: its codes, configuration and clock.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use form_urlencoded::Serializer;
use serde_json::{Value, json};

use super::projects::Projects;
use super::widget;
use crate::emulator_mode::Emulator;
use crate::flows::call::Call;
use crate::flows::{account, email_actions};
use crate::services::Services;
use crate::wire::{ApiError, ApiFields, ApiResult, read_body, refuse};

const MAX_BYTES: usize = 64 << 10;

/// The paths that only the emulator has.
pub fn router(projects: Projects) -> Router {
    Router::new()
        .route("/", get(ready))
        .route("/emulator/v1/projects/{project}", delete(reset))
        .route("/emulator/v1/projects/{project}/accounts", delete(delete_accounts))
        .route("/emulator/v1/projects/{project}/oobCodes", get(oob_codes))
        .route("/emulator/v1/projects/{project}/verificationCodes", get(sms_codes))
        .route("/emulator/v1/projects/{project}/config", get(config).patch(update_config))
        .route("/emulator/v1/clock:advance", post(advance_clock))
        .route("/emulator/action", get(email_action))
        .merge(widget::router())
        .with_state(projects)
}

type JsonResult = ApiResult<Json<Value>>;

/// The project that the path names.
struct Project(Arc<Services>);

impl FromRequestParts<Projects> for Project {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, projects: &Projects) -> Result<Self, Response> {
        let path = Path::<String>::from_request_parts(parts, projects).await;
        let Path(project) = path.map_err(IntoResponse::into_response)?;
        let identity = projects.get_or_create(&project).await;
        Ok(Self(identity.map_err(|why| ApiError::from(why).into_response())?))
    }
}

impl Project {
    fn emulator(&self) -> ApiResult<&Emulator> {
        match self.0.emulator() {
            Some(emulator) => Ok(emulator),
            None => refuse("OPERATION_NOT_ALLOWED"),
        }
    }

    async fn delete_rows(&self, tables: &[&str]) -> JsonResult {
        for table in tables {
            self.0.db.query(format!("delete from {table}")).execute().await?;
        }
        Ok(Json(json!({})))
    }
}

async fn ready() -> Json<Value> {
    let docs = "https://firebase.google.com/docs/emulator-suite";
    Json(json!({ "authEmulator": { "ready": true, "docs": docs, "apiSpec": "" } }))
}

async fn delete_accounts(project: Project) -> JsonResult {
    project.delete_rows(&["accounts", "refresh_tokens"]).await
}

async fn reset(project: Project) -> JsonResult {
    project.emulator()?.clear();
    project
        .delete_rows(&[
            "accounts",
            "refresh_tokens",
            "mail_codes",
            "phone_codes",
            "security_events",
        ])
        .await
}

async fn oob_codes(project: Project) -> JsonResult {
    Ok(Json(json!({ "oobCodes": project.emulator()?.email_codes.list() })))
}

async fn sms_codes(project: Project) -> JsonResult {
    Ok(Json(json!({ "verificationCodes": project.emulator()?.sms_codes.list() })))
}

async fn config(project: Project) -> JsonResult {
    Ok(Json(project.emulator()?.config.subset()))
}

async fn update_config(project: Project, body: Body) -> JsonResult {
    let body = ApiFields::parse(&read_body(body, MAX_BYTES).await?)?;
    let config = &project.emulator()?.config;
    let mask = "signIn.allowDuplicateEmails,emailPrivacyConfig.enableImprovedEmailPrivacy";
    config.update(&body, Some(mask))?;
    Ok(Json(config.subset()))
}

/// Advances the clock, so that tests need not wait until codes and tokens expire.
async fn advance_clock(State(projects): State<Projects>, body: Body) -> JsonResult {
    let body = ApiFields::parse(&read_body(body, MAX_BYTES).await?)?;
    let Some(by) = body.integer("milliseconds")?.and_then(|by| u64::try_from(by).ok()) else {
        return refuse("INVALID_ARGUMENT : milliseconds: a number that is not negative");
    };
    projects.clock().advance(Duration::from_millis(by));
    Ok(Json(json!({ "now": projects.clock().now().to_string() })))
}

type Pairs = Vec<(String, String)>;

/// The target of the links that the service would send by e-mail.
async fn email_action(State(projects): State<Projects>, Query(query): Query<Pairs>) -> Response {
    match apply_action(&projects, &query).await {
        Ok(response) => response,
        Err(ApiError::Protocol(_, why, _)) => action_error(&why, true),
        Err(why) => why.into_response(),
    }
}

fn action_error(error: &str, with_instructions: bool) -> Response {
    let mut error_json = json!({ "error": error });
    if with_instructions {
        error_json["instructions"] = "Ask for a new code and follow its link.".into();
    }
    (StatusCode::BAD_REQUEST, Json(json!({ "authEmulator": error_json }))).into_response()
}

async fn apply_action(projects: &Projects, query: &Pairs) -> ApiResult<Response> {
    let field = |name: &str| {
        let found = query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        found.filter(|value| !value.is_empty())
    };
    let (Some(mode), Some(code), Some(_)) = (field("mode"), field("oobCode"), field("apiKey"))
    else {
        return refuse("mode, oobCode and apiKey are needed");
    };
    let continue_url = field("continueUrl");
    let identity = projects.default_project().await?;
    let call = |fields: Value| Call::new(&identity, ApiFields::from(fields));
    let (message, response) = match mode {
        "resetPassword" => {
            let Some(password) = field("newPassword") else {
                return refuse("add &newPassword=… to the link");
            };
            let fields = json!({ "oobCode": code, "newPassword": password });
            let response = email_actions::reset_password(&call(fields)).await?;
            ("The password has been changed.", response)
        }
        "verifyEmail" | "recoverEmail" | "verifyAndChangeEmail" => {
            let response = account::update(&call(json!({ "oobCode": code }))).await?;
            ("The code has been used.", response)
        }
        "signIn" => {
            let Some(continue_url) = continue_url else { return refuse("continueUrl is needed") };
            email_actions::reset_password(&call(json!({ "oobCode": code }))).await?;
            return Ok(Redirect::to(&append_query(continue_url, query)).into_response());
        }
        _ => return Ok(action_error("The mode is not known.", false)),
    };
    if let Some(continue_url) = continue_url {
        return Ok(Redirect::to(continue_url).into_response());
    }
    let mut result = json!({ "success": message });
    let name = if mode == "verifyAndChangeEmail" { "newEmail" } else { "email" };
    result[name] = response[name].clone();
    Ok(Json(json!({ "authEmulator": result })).into_response())
}

/// Appends the query to a URL, without `continueUrl` itself.
fn append_query(continue_url: &str, query: &Pairs) -> String {
    let separator = if continue_url.contains('?') { '&' } else { '?' };
    let added = query.iter().filter(|(name, _)| name != "continueUrl");
    let added = Serializer::new(String::new()).extend_pairs(added).finish();
    format!("{continue_url}{separator}{added}")
}
