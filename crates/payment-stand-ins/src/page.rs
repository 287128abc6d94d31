//! HTML pages of the stand-ins: a minimal layout in the style of the shop, with security headers and without scripts.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use platform::html::escape;

const STYLE: &str = "\
    :root{color-scheme:light dark;--page:#faf8f4;--card:#fff;--ink:#1c1b19;--quiet:#6b665e;\
    --line:#8d867c;--hair:#e8e2d8;--brand:#0b5d46;--on-brand:#fff;--alert:#a3321f;--note:#fdf3d7;--on-note:#5b4300}\
    @media(prefers-color-scheme:dark){:root{--page:#151412;--card:#1f1d1a;--ink:#f3efe8;\
    --quiet:#aaa398;--line:#7d766b;--hair:#3a362f;--brand:#4fb08f;--on-brand:#10201a;--alert:#f08f7d;\
    --note:#3a2f10;--on-note:#f7e3ad}}\
    *{box-sizing:border-box}\
    body{min-height:100vh;margin:0;padding:16px;display:grid;place-content:center;\
    grid-template-columns:minmax(0,480px);background:var(--page);color:var(--ink);\
    font:16px/1.5 Inter,Helvetica,Arial,sans-serif;overflow-wrap:anywhere}\
    main{padding:24px;border-radius:12px;background:var(--card);box-shadow:0 1px 3px rgba(28,27,25,.08)}\
    .label{margin:0 0 16px;padding:8px 12px;border-radius:8px;background:var(--note);color:var(--on-note);\
    font-size:14px}\
    h1{margin:0 0 8px;font:500 24px/1.2 Fraunces,Georgia,serif}\
    h2{margin:24px 0 8px;font:500 18px/1.3 Fraunces,Georgia,serif}\
    p{margin:0 0 12px}main>:last-child,form>:last-child{margin-bottom:0}a{color:var(--brand)}\
    .amount{font-size:28px;line-height:1.2}\
    p[role=alert]{color:var(--alert)}small,label{color:var(--quiet);font-size:14px;line-height:1.4}\
    form{display:grid;gap:8px;margin:0 0 8px}label{display:grid;gap:4px}\
    .pair{display:grid;grid-template-columns:1fr 1fr;gap:8px}\
    input{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--line);\
    border-radius:8px;background:var(--card);color:var(--ink);font:inherit;font-size:16px}\
    button,a.button{display:block;width:100%;min-height:44px;padding:9px 16px;border:1px solid var(--line);\
    border-radius:8px;background:var(--page);color:var(--ink);font:inherit;line-height:1.3;\
    text-align:left;text-decoration:none;cursor:pointer}\
    button:hover,a.button:hover{border-color:var(--brand)}\
    :focus-visible{outline:2px solid var(--brand);outline-offset:2px}\
    button.main{border-color:var(--brand);background:var(--brand);color:var(--on-brand);\
    text-align:center}\
    table{width:100%;border-collapse:collapse;margin:0 0 12px}\
    th,td{padding:6px 8px 6px 0;border-bottom:1px solid var(--hair);text-align:left;vertical-align:top}\
    th{color:var(--quiet);font-weight:400;white-space:nowrap;overflow-wrap:normal}\
    hr{margin:12px 0;border:0;border-top:1px solid var(--hair)}";

/// `content` is HTML. Its forms lead to the stand-in itself.
pub(crate) fn page(title: &str, content: &str) -> Response {
    page_with(StatusCode::OK, title, content, "")
}

/// A page whose forms lead, directly or by a redirect, also to the origin of `url`, which is the shop's.
pub(crate) fn page_to(url: &str, title: &str, content: &str) -> Response {
    page_with(StatusCode::OK, title, content, origin(url).unwrap_or_default())
}

/// A page that says what is wrong. `text` is plain text.
pub(crate) fn error_page(status: StatusCode, title: &str, text: &str) -> Response {
    page_with(status, title, &format!("<p>{}</p>", escape(text)), "")
}

/// 303: the browser loads the address with GET.
pub(crate) fn redirect(url: &str) -> Response {
    match HeaderValue::from_str(url) {
        Ok(url) => {
            with_security_headers((StatusCode::SEE_OTHER, [(LOCATION, url)]).into_response(), "")
        }
        Err(_) => {
            error_page(StatusCode::BAD_REQUEST, "No way back", "The return address is malformed.")
        }
    }
}

/// A hidden field of a form.
pub(crate) fn hidden(name: &str, value: &str) -> String {
    format!("<input type=\"hidden\" name=\"{}\" value=\"{}\">", escape(name), escape(value))
}

/// The fields of a posted form or of a query, in their order.
pub(crate) fn form_fields(encoded: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(encoded).into_owned().collect()
}

/// The first field of this name; empty where there is none.
pub(crate) fn field<'f>(fields: &'f [(String, String)], name: &str) -> &'f str {
    fields.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
}

fn page_with(status: StatusCode, title: &str, content: &str, form_origin: &str) -> Response {
    let title = escape(title);
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><style>{STYLE}</style></head>\
         <body><main><p class=\"label\">Test payment: no real money moves</p>\
         <h1>{title}</h1>{content}</main></body></html>"
    );
    with_security_headers((status, Html(html)).into_response(), form_origin)
}

fn with_security_headers(mut response: Response, form_origin: &str) -> Response {
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self' {form_origin}; \
         frame-ancestors 'none'"
    );
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let strictest = HeaderValue::from_static("default-src 'none'");
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).unwrap_or(strictest));
    response
}

/// The scheme and host of an address, if nothing in them could end a directive of the content policy.
fn origin(url: &str) -> Option<&str> {
    let host = url.find("://")? + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |end| host + end);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    (url.starts_with("http") && url[host..end].bytes().all(plain)).then_some(&url[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_origins_enter_the_policy() {
        assert_eq!(origin("http://127.0.0.1:80/a?b"), Some("http://127.0.0.1:80"));
        assert_eq!(origin("https://shop.example?a"), Some("https://shop.example"));
        for url in ["", "/a", "javascript://x", "https://a.example;script-src *", "https://a b/"] {
            assert_eq!(origin(url), None, "{url}");
        }
    }
}
