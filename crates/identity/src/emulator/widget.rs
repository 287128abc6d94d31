//! The emulator's pages for the SDK's `signInWithPopup` and `signInWithRedirect`: the handler, on which
//! the user chooses an account, and the hidden iframe that passes the choice to the app. Test suites
//! rely on the ids and class names, which are those of Google's emulator.

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use platform::Db;
use platform::html::escape;
use serde_json::json;

use super::projects::Projects;
use crate::accounts::LinkedProvider;
use crate::html_page::{html_page, script};
use crate::wire::ApiResult;

const MAX_ACCOUNTS: i64 = 200;

pub fn router() -> Router<Projects> {
    Router::new()
        .route("/emulator/auth/handler", get(handler))
        .route("/emulator/auth/handler.js", get(async || script(include_str!("handler.js"))))
        .route("/emulator/auth/iframe", get(async || iframe()))
        .route("/emulator/auth/iframe.js", get(async || script(include_str!("iframe.js"))))
}

#[derive(serde::Deserialize)]
struct HandlerQuery {
    #[serde(default, rename = "apiKey")]
    api_key: String,
    #[serde(default, rename = "providerId")]
    provider_id: String,
}

async fn handler(State(projects): State<Projects>, Query(query): Query<HandlerQuery>) -> Response {
    if query.api_key.is_empty() || query.provider_id.is_empty() {
        let why = json!({ "error": "missing apiKey or providerId query parameters" });
        return (StatusCode::BAD_REQUEST, axum::Json(json!({ "authEmulator": why })))
            .into_response();
    }
    account_chooser(&projects, &query.provider_id).await.into_response()
}

/// Lists the provider's known accounts, and offers to create one.
async fn account_chooser(projects: &Projects, provider: &str) -> ApiResult<Response> {
    let known = linked_accounts(&projects.default_project().await?.db, provider).await?;
    let known: String = known.iter().map(account_choice).collect();
    let title = format!("Auth Emulator: sign in with {provider}");
    let provider = escape(provider);
    let content = format!(
        "<style>ul{{list-style:none;margin:0;padding:0}}li,#accounts-list>button{{margin:0 0 8px}}\
         </style><p>No provider is contacted and no password is needed: sign in as anyone.</p>\
         <div id=\"accounts-list\"><ul>{known}</ul>\
         <button type=\"button\" class=\"js-new-account main\">Add new account</button></div>\
         <div id=\"add-user\" hidden><form id=\"main-form\">\
         <button type=\"button\" id=\"autogen-button\">Auto-generate user information</button>\
         <label>Email<input id=\"email-input\" type=\"email\" required autocomplete=\"off\"></label>\
         <label>Display name (optional)<input id=\"display-name-input\" autocomplete=\"off\"></label>\
         <label>Screen name (optional)<input id=\"screen-name-input\" autocomplete=\"off\"></label>\
         <label>Profile photo URL (optional)\
         <input id=\"profile-photo-input\" type=\"url\" autocomplete=\"off\"></label>\
         <button id=\"sign-in\" class=\"main\">Sign in with {provider}</button>\
         <button type=\"button\" id=\"back-button\" class=\"quiet\">Back</button>\
         </form></div><p role=\"alert\" hidden></p>\
         <script src=\"/emulator/auth/handler.js\"></script>"
    );
    Ok(html_page(StatusCode::OK, &title, "", &content))
}

async fn linked_accounts(db: &Db, provider: &str) -> platform::Result<Vec<LinkedProvider>> {
    db.query(
        "select p.provider_id, p.raw_id, p.federated_id, p.email, p.display_name, p.photo_url,
           p.screen_name
         from account_providers p join accounts a on a.id = p.account
         where p.provider_id = $1 order by a.created_at, a.id limit $2",
    )
    .bind(provider)
    .bind(MAX_ACCOUNTS)
    .all()
    .await
}

fn account_choice(known: &LinkedProvider) -> String {
    let claims = json!({
        "sub": known.raw_id,
        "email": known.email,
        "email_verified": true,
        "name": known.display_name,
        "picture": known.photo_url,
        "screen_name": known.screen_name,
    });
    let name = known.display_name.as_deref().unwrap_or("(No display name)");
    let email = known.email.as_deref().unwrap_or_default();
    format!(
        "<li class=\"js-reuse-account\" data-claims=\"{}\"><button type=\"button\">{}<br>\
         <small>{}</small></button></li>",
        escape(&claims.to_string()),
        escape(name),
        escape(email),
    )
}

/// May be embedded by any page. Loads Google's `api.js` for the communication with that page; a stricter
/// policy could break that script.
fn iframe() -> Response {
    const HTML: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
        <title>Auth Emulator iframe</title><script src=\"/emulator/auth/iframe.js\"></script>\
        <script src=\"https://apis.google.com/js/api.js?onload=gapiLoaded\"></script></html>";
    let headers = [(CONTENT_SECURITY_POLICY, "frame-ancestors *"), (CACHE_CONTROL, "no-cache")];
    (headers, Html(HTML)).into_response()
}
