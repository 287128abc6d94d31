//! The small pages of this service, in the shop's look, with no more than they need.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};

const STYLE: &str = "\
    *{box-sizing:border-box}\
    body{min-height:100vh;margin:0;padding:24px 16px;display:grid;place-items:center;\
    background:#faf8f4;color:#1c1b19;font:16px/1.6 Inter,Helvetica,Arial,sans-serif}\
    main{width:100%;max-width:420px;padding:32px;border-radius:12px;background:#fff;\
    box-shadow:0 1px 3px rgba(28,27,25,.08)}\
    h1{margin:0 0 12px;font:500 26px/1.2 Fraunces,Georgia,serif}\
    p{margin:0 0 16px}small,label{color:#6b665e;font-size:14px}form{margin:0 0 12px}\
    label{display:block;margin:0 0 8px}\
    input{width:100%;padding:10px 12px;border:1px solid #e8e2d8;border-radius:8px;font:inherit}\
    button{width:100%;padding:10px 16px;border:1px solid #e8e2d8;border-radius:8px;\
    background:#faf8f4;color:#1c1b19;font:inherit;text-align:left;cursor:pointer}\
    button:hover{border-color:#0b5d46}\
    button.main{border-color:#0b5d46;background:#0b5d46;color:#fff;text-align:center}\
    button.quiet{border-color:transparent;background:none;color:#6b665e;text-align:center}\
    hr{margin:20px 0;border:0;border-top:1px solid #e8e2d8}";

/// A page. `attributes` and `content` are HTML.
pub fn page(status: StatusCode, title: &str, attributes: &str, content: &str) -> Response {
    let title = base::html::escape(title);
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><style>{STYLE}</style></head>\
         <body{attributes}><main><h1>{title}</h1>{content}</main></body></html>"
    );
    private((status, Html(html)).into_response())
}

/// Puts what keeps an answer between the visitor and us on it.
pub fn private(mut response: Response) -> Response {
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; \
        base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // A window that comes back from a provider keeps its opener only if neither page asks to be alone.
    headers.insert(OPENER_POLICY, HeaderValue::from_static("unsafe-none"));
    response
}

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
