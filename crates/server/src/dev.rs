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
use base::{Db, Error, Id, Result, Timestamp};

pub fn router(db: Db) -> Router {
    Router::new()
        .route("/dev/mail", get(letters))
        .route("/dev/mail/{id}", get(letter))
        .with_state(db)
}

/// Letters bring their own styles and nothing else.
const POLICY: (HeaderName, &str) =
    (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'");

async fn letters(State(db): State<Db>) -> Result<Response> {
    let rows: Vec<(Id<Job>, String, String, Timestamp)> = db
        .query(
            "select id, recipient, subject, created_at from kept_letters
             order by created_at desc, id desc limit 100",
        )
        .all()
        .await?;
    let list: String = rows
        .iter()
        .map(|(id, to, subject, at)| {
            let (to, subject) = (escape(to), escape(subject));
            format!(
                "<li><a href=\"/dev/mail/{id}\">{subject}</a><br><small>to {to}, {at}</small></li>"
            )
        })
        .collect();
    let list =
        if list.is_empty() { "<p>None yet.</p>".to_owned() } else { format!("<ul>{list}</ul>") };
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Letters and text messages</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>\
         body{{max-width:40rem;margin:2rem auto;padding:0 1rem;font:16px/1.6 sans-serif;background:#faf8f4;color:#1c1b19}}\
         ul{{padding:0;list-style:none}}li{{padding:.75rem 0;border-bottom:1px solid #e8e2d8}}\
         a{{color:#0b5d46}}small{{color:#6b665e}}</style></head><body><h1>Letters and text messages</h1>\
         <p>What this demo shop has no server for ends here, the newest first.</p>{list}</body></html>"
    );
    Ok(([POLICY], Html(page)).into_response())
}

async fn letter(State(db): State<Db>, PathId(id): PathId<Job>) -> Result<Response> {
    let found: Option<(String,)> =
        db.query("select html from kept_letters where id = $1").bind(&id).optional().await?;
    let (html,) = found.ok_or(Error::NotFound("letter"))?;
    Ok(([POLICY], Html(html)).into_response())
}
