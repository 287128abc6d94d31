//! The HTML document around a page, and its Content-Security-Policy.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use messages::Messages;
use platform::html::escape;
use platform::{Language, Languages};

use crate::assets::Assets;
use crate::ssr::Markup;

/// The inline bootstrap script. Before the first paint it sets the selected theme (the system's, where storage
/// is blocked) and hides what only pages without JavaScript need. After the first paint, and after the largest
/// picture if that loads within a second, it loads the page's modules. A page in a background tab is not
/// painted, and does not wait.
const BOOTSTRAP: &str = include_str!("../../../web/src/bootstrap.js");

/// Without an icon the browser would request `/favicon.ico`.
const ICONS: &str = "<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
    <link rel=\"apple-touch-icon\" href=\"/icons/apple-touch.png\">";

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

/// The policy of the page on which an order is paid: its form is answered by a redirect to a provider's page.
pub fn policy_with_payment(policy: &str, origins: &[String]) -> String {
    policy.replace("form-action 'self'", &format!("form-action 'self' {}", origins.join(" ")))
}

/// The content of a document.
pub struct Document<'d> {
    pub language: Language,
    pub languages: &'d Languages,
    pub page: &'d str,
    pub title: &'d str,
    /// The page's data.
    pub json: &'d str,
    /// Server-side markup; without it the browser renders the page.
    pub markup: Option<&'d Markup>,
}

pub fn document(assets: &Assets, content: &Document<'_>) -> String {
    let Document { language, languages, page, title, json, markup } = *content;
    let style = |file: &&str| format!("<link rel=\"stylesheet\" href=\"/{file}\">");
    let styles: String = assets.styles(language).iter().map(style).collect();
    let font = |file: &&str| {
        format!(
            "<link rel=\"preload\" href=\"/{file}\" as=\"font\" type=\"font/woff2\" crossorigin>"
        )
    };
    let fonts: String = assets.fonts(language).iter().map(font).collect();
    let scripts = assets.page_scripts(language, page).join(" ");
    let data = json.replace('<', "\\u003c");
    let title = escape(title);
    let home = languages.localize(language, "/");
    let home_title = Messages::text(language, "server.home", &[]);
    let manifest = languages.localize(language, "/manifest.webmanifest");
    let direction = language.direction();
    let (head, body, noscript) = match markup {
        Some(Markup { head, body }) => (head.clone(), body.as_str(), String::new()),
        None => (
            format!("<title>{title}</title>"),
            "",
            format!("<noscript><h1>{title}</h1><a href=\"{home}\">{home_title}</a></noscript>"),
        ),
    };
    format!(
        "<!doctype html><html lang=\"{language}\" dir=\"{direction}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <script>{BOOTSTRAP}</script>{styles}{fonts}{ICONS}\
         <link rel=\"manifest\" href=\"{manifest}\">{head}</head>\
         <body><div id=\"root\">{body}</div>\
         <script type=\"application/json\" data-code=\"{scripts}\" id=\"page\">{data}</script>\
         {noscript}</body></html>"
    )
}
