//! What a demo shop shows its developer: the letters and text messages that it would have sent. Exists
//! in demo mode only, and only while no mail server is set up.

use axum::Router;
use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use base::html::escape;
use base::http::PathId;
use base::jobs::Job;
use base::mail::{self, Kept};
use base::{Db, Result};

pub fn router(db: Db) -> Router {
    Router::new()
        .route("/dev/mail", get(letters))
        .route("/dev/mail/{id}", get(letter))
        .with_state(db)
}

/// Letters bring their own styles, and pictures of the shop's own.
const POLICY: (HeaderName, &str) =
    (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'");

async fn letters(State(db): State<Db>) -> Result<Response> {
    let rows = mail::newest_kept(&db).await?;
    let list: String = rows
        .iter()
        .map(|Kept { id, recipient, subject, created_at }| {
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
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Letters and text messages</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><link rel=\"icon\" href=\"/favicon.svg\"><style>\
         body{{max-width:40rem;margin:2rem auto;padding:0 1rem;font:16px/1.6 sans-serif;background:#faf8f4;color:#1c1b19}}\
         ul{{padding:0;list-style:none}}li{{padding:.75rem 0;border-bottom:1px solid #e8e2d8}}\
         a{{color:#0b5d46}}small{{color:#6b665e}}</style></head><body><main><h1>Letters and text messages</h1>\
         <p>What this demo shop has no server for ends here, the newest first.</p>{list}</main></body></html>"
    );
    Ok(([POLICY], Html(page)).into_response())
}

async fn letter(State(db): State<Db>, PathId(id): PathId<Job>) -> Result<Response> {
    let letter = mail::kept(&db, &id).await?;
    Ok(([POLICY], Html(letter.html())).into_response())
}
