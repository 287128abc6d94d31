//! The HTML document around a page: what the browser loads, in which order, and the page's data.

use aws_lc_rs::digest::{SHA256, digest};
use base::html::escape;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::assets::Assets;
use crate::ssr::Markup;

/// What runs first, and stands in the page because a request would cost more than its few lines. Before
/// the first paint it sets a chosen theme (the system's, where storage is blocked) and hides what only
/// pages without JavaScript need. After it, it asks for the page's code: what is seen comes before what
/// moves, the picture that the visitor waits for included, if it comes within a second. A page that
/// nobody looks at yet is not painted, and does not wait.
const FIRST: &str = include_str!("../../../web/src/first.js");

/// How the browser shows the shop around the page. Without it, it would ask for `/favicon.ico`.
const ICONS: &str = "<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
    <link rel=\"apple-touch-icon\" href=\"/icons/apple-touch.png\">\
    <link rel=\"manifest\" href=\"/manifest.webmanifest\">";

/// Scripts come from this origin alone, and one stands in the page, which is known by its hash; data
/// blocks are not scripts. `hosts` are those that the browser may talk to beside this one.
pub fn content_security_policy(hosts: &str) -> String {
    let hash = BASE64_STANDARD.encode(digest(&SHA256, FIRST.as_bytes()));
    let connect = format!("connect-src 'self' {hosts}");
    format!(
        "default-src 'self'; script-src 'self' 'sha256-{hash}'; style-src 'self'; style-src-attr 'unsafe-inline'; \
         img-src 'self' data:; font-src 'self'; {}; object-src 'none'; base-uri 'self'; \
         form-action 'self'; frame-ancestors 'none'",
        connect.trim_end()
    )
}

/// The same for the page with the map, which comes from there once the visitor asks for it.
pub fn policy_with_map(policy: &str) -> String {
    format!("{policy}; frame-src https://www.openstreetmap.org")
}

/// A page that is rendered, or, without markup, one for the browser to render.
pub fn document(
    assets: &Assets,
    page: &str,
    title: &str,
    json: &str,
    markup: Option<&Markup>,
) -> String {
    let data = json.replace('<', "\\u003c");
    let (head, body) = match markup {
        Some(Markup { head, body }) => (head.as_str(), body.as_str()),
        None => ("", ""),
    };
    let mut html = String::with_capacity(head.len() + body.len() + data.len() + 2048);
    html.push_str(&format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <script>{FIRST}</script>"
    ));
    for file in assets.styles() {
        html.push_str(&format!("<link rel=\"stylesheet\" href=\"/{file}\">"));
    }
    for file in assets.fonts() {
        html.push_str(&format!(
            "<link rel=\"preload\" href=\"/{file}\" as=\"font\" type=\"font/woff2\" crossorigin>"
        ));
    }
    html.push_str(ICONS);
    if markup.is_none() {
        html.push_str(&format!("<title>{}</title>", escape(title)));
    }
    html.push_str(head);
    html.push_str("</head><body><div id=\"root\">");
    html.push_str(body);
    html.push_str(&format!(
        "</div><script type=\"application/json\" data-code=\"{}\" id=\"page\">",
        assets.code_of(page).join(" ")
    ));
    html.push_str(&data);
    html.push_str("</script>");
    if markup.is_none() {
        html.push_str(&format!(
            "<noscript><h1>{}</h1><a href=\"/\">Home</a></noscript>",
            escape(title)
        ));
    }
    html.push_str("</body></html>");
    html
}
