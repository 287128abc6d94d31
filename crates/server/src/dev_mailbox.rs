//! The dev mailbox: shows the developer the e-mails and text messages that a demo shop would have sent. Exists
//! in demo mode only, and only without a mail server.

use axum::Router;
use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use email::StoredEmail;
use platform::html::escape;
use platform::http::PathId;
use platform::jobs::QueuedJob;
use platform::{Db, Result};

pub fn router(db: Db) -> Router {
    Router::new()
        .route("/dev/mail", get(list_emails))
        .route("/dev/mail/{id}", get(show_email))
        .with_state(db)
}

/// E-mails have inline styles, and the shop's pictures.
const POLICY: (HeaderName, &str) =
    (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'");

async fn list_emails(State(db): State<Db>) -> Result<Response> {
    let rows = email::recent_emails(&db).await?;
    let list: String = rows
        .iter()
        .map(|StoredEmail { id, recipient, subject, created_at }| {
            let (to, subject) = (escape(recipient), escape(subject));
            format!(
                "<li><a href=\"/dev/mail/{id}\">{subject}</a><br>\
                 <small>to {to}, {created_at}</small></li>"
            )
        })
        .collect();
    let list =
        if list.is_empty() { "<p>None yet.</p>".to_owned() } else { format!("<ul>{list}</ul>") };
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>E-mails and text messages</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><link rel=\"icon\" href=\"/favicon.svg\"><style>\
         body{{max-width:40rem;margin:2rem auto;padding:0 1rem;font:16px/1.6 sans-serif;background:#faf8f4;color:#1c1b19}}\
         ul{{padding:0;list-style:none}}li{{padding:.75rem 0;border-bottom:1px solid #e8e2d8}}\
         a{{color:#0b5d46}}small{{color:#6b665e}}</style></head><body><main><h1>E-mails and text messages</h1>\
         <p>This demo shop sends nothing: its e-mails and text messages are shown here, newest first.</p>{list}</main></body></html>"
    );
    Ok(([POLICY], Html(page)).into_response())
}

async fn show_email(State(db): State<Db>, PathId(id): PathId<QueuedJob>) -> Result<Response> {
    let email = email::find_stored_email(&db, &id).await?;
    Ok(([POLICY], Html(email.html()?)).into_response())
}
