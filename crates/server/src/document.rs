//! The HTML document around a page, and its Content-Security-Policy.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use platform::html::escape;

use crate::assets::Assets;
use crate::ssr::Markup;

/// The inline bootstrap script. Before the first paint it sets the selected theme (the system's, where storage
/// is blocked) and hides what only pages without JavaScript need. After the first paint, and after the largest
/// picture if that loads within a second, it loads the page's modules. A page in a background tab is not
/// painted, and does not wait.
const BOOTSTRAP: &str = include_str!("../../../web/src/bootstrap.js");

/// Without an icon the browser would request `/favicon.ico`.
const ICONS: &str = "<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
    <link rel=\"apple-touch-icon\" href=\"/icons/apple-touch.png\">\
    <link rel=\"manifest\" href=\"/manifest.webmanifest\">";

/// Allows scripts from this origin, and the inline bootstrap script by its hash; JSON data blocks are not
/// scripts. The browser may also connect to `hosts`.
pub fn content_security_policy(hosts: &str) -> String {
    let hash = BASE64_STANDARD.encode(digest(&SHA256, BOOTSTRAP.as_bytes()));
    let connect = format!("connect-src 'self' {hosts}");
    format!(
        "default-src 'self'; script-src 'self' 'sha256-{hash}'; style-src 'self'; style-src-attr 'unsafe-inline'; \
         img-src 'self' data:; font-src 'self'; {}; object-src 'none'; base-uri 'self'; \
         form-action 'self'; frame-ancestors 'none'",
        connect.trim_end()
    )
}

/// The policy of the contact page, where the visitor can load a map.
pub fn policy_with_map(policy: &str) -> String {
    format!("{policy}; frame-src https://www.openstreetmap.org")
}

/// A document with server-side markup, or without it one that the browser renders.
pub fn document(
    assets: &Assets,
    page: &str,
    title: &str,
    json: &str,
    markup: Option<&Markup>,
) -> String {
    let style = |file: &&str| format!("<link rel=\"stylesheet\" href=\"/{file}\">");
    let styles: String = assets.styles().iter().map(style).collect();
    let font = |file: &&str| {
        format!(
            "<link rel=\"preload\" href=\"/{file}\" as=\"font\" type=\"font/woff2\" crossorigin>"
        )
    };
    let fonts: String = assets.fonts().iter().map(font).collect();
    let scripts = assets.page_scripts(page).join(" ");
    let data = json.replace('<', "\\u003c");
    let title = escape(title);
    let (head, body, noscript) = match markup {
        Some(Markup { head, body }) => (head.clone(), body.as_str(), String::new()),
        None => (
            format!("<title>{title}</title>"),
            "",
            format!("<noscript><h1>{title}</h1><a href=\"/\">Home</a></noscript>"),
        ),
    };
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <script>{BOOTSTRAP}</script>{styles}{fonts}{ICONS}{head}</head>\
         <body><div id=\"root\">{body}</div>\
         <script type=\"application/json\" data-code=\"{scripts}\" id=\"page\">{data}</script>\
         {noscript}</body></html>"
    )
}
