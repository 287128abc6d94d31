//! HTML pages of the service: a minimal layout in the style of the shop, with security headers.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use platform::Language;

const STYLE: &str = "\
    :root{color-scheme:light dark;--page:#faf8f4;--card:#fff;--ink:#1c1b19;--quiet:#6b665e;\
    --line:#e8e2d8;--brand:#0b5d46;--on-brand:#fff;--alert:#a3321f}\
    @media(prefers-color-scheme:dark){:root{--page:#151412;--card:#1f1d1a;--ink:#f3efe8;\
    --quiet:#aaa398;--line:#3a362f;--brand:#4fb08f;--on-brand:#10201a;--alert:#f08f7d}}\
    *{box-sizing:border-box}\
    body{min-height:100vh;margin:0;padding:16px;display:grid;place-content:center;\
    grid-template-columns:minmax(0,420px);background:var(--page);color:var(--ink);\
    font:16px/1.5 Inter,Helvetica,Arial,sans-serif;overflow-wrap:anywhere}\
    main{padding:24px;border-radius:12px;background:var(--card);\
    box-shadow:0 1px 3px rgba(28,27,25,.08)}\
    h1{margin:0 0 8px;font:500 24px/1.2 Fraunces,Georgia,serif}\
    p{margin:0 0 12px}main>:last-child,form>:last-child{margin-bottom:0}a{color:var(--brand)}\
    p[role=alert]{color:var(--alert)}small,label{color:var(--quiet);font-size:14px;line-height:1.4}\
    form{display:grid;gap:8px;margin:0 0 8px}label{display:grid;gap:4px}\
    input{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--line);\
    border-radius:8px;background:var(--card);color:var(--ink);font:inherit;font-size:16px}\
    button{width:100%;min-height:44px;padding:6px 16px;border:1px solid var(--line);\
    border-radius:8px;background:var(--page);color:var(--ink);font:inherit;line-height:1.3;\
    text-align:left;cursor:pointer}\
    button:hover{border-color:var(--brand)}\
    :focus-visible{outline:2px solid var(--brand);outline-offset:2px}\
    button.main{border-color:var(--brand);background:var(--brand);color:var(--on-brand);\
    text-align:center}\
    button.quiet{border-color:transparent;background:none;color:var(--quiet);text-align:center}\
    hr{margin:12px 0;border:0;border-top:1px solid var(--line)}";

/// A page in English.
pub fn html_page(status: StatusCode, title: &str, attributes: &str, content: &str) -> Response {
    localized_page(Language::ENGLISH, status, title, attributes, content)
}

/// `attributes` (of the body element) and `content` are HTML.
pub fn localized_page(
    language: Language,
    status: StatusCode,
    title: &str,
    attributes: &str,
    content: &str,
) -> Response {
    let (title, direction) = (platform::html::escape(title), language.direction());
    let html = format!(
        "<!doctype html><html lang=\"{language}\" dir=\"{direction}\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><style>{STYLE}</style></head>\
         <body{attributes}><main><h1>{title}</h1>{content}</main></body></html>"
    );
    with_security_headers((status, Html(html)).into_response())
}

/// A script of a page.
pub fn script(text: &'static str) -> Response {
    let headers = [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "no-cache")];
    (headers, text).into_response()
}

/// Forbids caching, referrers, framing and foreign scripts.
pub fn with_security_headers(mut response: Response) -> Response {
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; \
        base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // A popup that returns from a provider keeps its opener only if no page isolates itself.
    headers.insert(OPENER_POLICY, HeaderValue::from_static("unsafe-none"));
    response
}

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
