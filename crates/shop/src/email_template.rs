//! The HTML template of e-mails, in light and dark, with the colours of `web/src/styles/tokens.css`. Mail
//! programs support little CSS, so styles are inline, and only the optional dark mode is in a style sheet.

use email::{Email, EmailBody, UNSUBSCRIBE};
use platform::html::escape;

const SANS: &str = "font-family:Inter,Helvetica,Arial,sans-serif";
const SERIF: &str = "font-family:Fraunces,Georgia,serif";

const STYLES: &str = "\
@media (max-width:480px){.card{padding:24px 20px !important}}
@media (prefers-color-scheme:dark){\
.paper{background:#141311 !important}\
.card{background:#1d1b18 !important}\
.ink{color:#f3efe8 !important}\
.muted{color:#a79f93 !important}\
.brand{color:#4fbf9a !important}\
.line{border-color:#2e2a25 !important}\
.button{background:#4fbf9a !important;color:#141311 !important}}";

pub fn html<To>(email: &Email<To>) -> String {
    let EmailBody { shop, heading, paragraphs, button, footnote } = &email.body;
    let (shop, heading, footnote) = (escape(shop), escape(heading), escape(footnote));
    let paragraphs: String = paragraphs.iter().map(|text| paragraph(text)).collect();
    let totals = totals_html(email);
    let button = button.as_ref().map_or_else(String::new, |(label, link)| {
        format!(
            "\n<p style=\"margin:24px 0 8px\"><a class=\"button\" href=\"{}\" style=\"display:inline-block;\
             padding:12px 24px;border-radius:999px;background:#0b5d46;color:#ffffff;\
             text-decoration:none;{SANS};font-size:16px\">{}</a></p>",
            escape(link),
            escape(label)
        )
    });
    let unsubscribe = email.unsubscribe_url.as_ref().map_or_else(String::new, |link| {
        format!(
            "<br><a class=\"brand\" href=\"{}\" style=\"color:#0b5d46\">{UNSUBSCRIBE}</a>",
            escape(link)
        )
    });
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>{heading}</title>
<style>{STYLES}</style>
</head>
<body class=\"paper\" style=\"margin:0;padding:32px 16px;background:#faf8f4\">
<div style=\"max-width:520px;margin:0 auto\">
<p class=\"brand\" style=\"margin:0 0 24px;{SERIF};font-size:22px;color:#0b5d46\">{shop}</p>
<div class=\"card\" style=\"padding:32px;border-radius:12px;background:#ffffff\">
<h1 class=\"ink\" style=\"margin:0 0 16px;{SERIF};font-size:28px;line-height:1.2;font-weight:500;color:#1c1b19\">{heading}</h1>{paragraphs}{totals}{button}
</div>
<p class=\"muted\" style=\"margin:24px 0 0;{SANS};font-size:14px;line-height:1.6;color:#6b665e\">{footnote}{unsubscribe}</p>
</div>
</body>
</html>
"
    )
}

fn totals_html<To>(email: &Email<To>) -> String {
    if email.totals.is_empty() {
        return String::new();
    }
    let last = email.totals.len() - 1;
    let groups = email.totals.iter().enumerate().map(|(place, group)| {
        let rows = group.iter().enumerate().map(|(row, (name, amount))| {
            let rule = if place > 0 && row == 0 { "border-top:1px solid #e8e2d8;" } else { "" };
            let is_total = place == last && row + 1 == group.len();
            let weight = if is_total { "font-weight:600;" } else { "" };
            let cell = format!(
                "{rule}{weight}padding:8px 0;vertical-align:top;{SANS};font-size:16px;\
                 line-height:1.5;color:#1c1b19"
            );
            let (picture, span) = match email.pictures.get(row).filter(|_| place == 0) {
                Some(address) => (picture(address, name), ""),
                None if email.pictures.is_empty() => (String::new(), ""),
                None => (String::new(), " colspan=\"2\""),
            };
            format!(
                "\n<tr>{picture}<td class=\"ink line\"{span} style=\"{cell}\">{}</td>\
                 <td class=\"ink line\" style=\"{cell};padding-left:16px;text-align:right;\
                 white-space:nowrap\">{}</td></tr>",
                escape(name),
                escape(amount)
            )
        });
        rows.collect::<String>()
    });
    let groups: String = groups.collect();
    format!(
        "\n<table role=\"presentation\" style=\"width:100%;margin:0 0 16px;border-collapse:collapse\">{groups}\n</table>"
    )
}

/// A small picture before an order line, with the product's name for mail programs that show no pictures.
fn picture(address: &str, name: &str) -> String {
    let shown = match address {
        "" => String::new(),
        address => format!(
            "<img src=\"{}\" width=\"56\" height=\"56\" alt=\"{}\" style=\"display:block;width:56px;\
             height:56px;object-fit:cover;border:0;border-radius:8px;{SANS};font-size:11px;\
             line-height:1.2;overflow:hidden\">",
            escape(address),
            escape(name)
        ),
    };
    format!("<td style=\"width:56px;padding:8px 16px 8px 0;vertical-align:top\">{shown}</td>")
}

fn paragraph(text: &str) -> String {
    let text = escape(text).replace('\n', "<br>");
    format!(
        "\n<p class=\"ink\" style=\"margin:0 0 16px;{SANS};font-size:16px;line-height:1.6;color:#1c1b19;\
         overflow-wrap:anywhere\">{text}</p>"
    )
}

#[cfg(test)]
mod tests {
    use email::Purpose;

    use super::*;

    #[test]
    fn html_is_escaped_and_plain_text_has_the_same_content() {
        let email = Email {
            to: "a@b.c",
            subject: "s".into(),
            body: EmailBody {
                shop: "<Shop>".into(),
                heading: "<h>".into(),
                paragraphs: vec!["one\n<two>".into()],
                button: Some(("<go>".into(), "https://a.example/?a=1&b=\"".into())),
                footnote: "<note>".into(),
            },
            unsubscribe_url: Some("https://a.example/leave?x=1&y=2".into()),
            totals: vec![
                vec![("2 × <lamp>".into(), "$1".into())],
                vec![("Total".into(), "$1".into())],
            ],
            pictures: vec!["https://a.example/media/x/160.jpg?a&b".into()],
            purpose: Purpose::default(),
        };
        let (html, text) = (html(&email), email.text());
        for word in ["Shop", "h", "two", "go", "note", "lamp"] {
            assert!(html.contains(&format!("&lt;{word}&gt;")), "{word}: {html}");
            assert!(text.contains(&format!("<{word}>")), "{word}: {text}");
        }
        assert!(html.contains("one<br>&lt;two&gt;"));
        let picture = "src=\"https://a.example/media/x/160.jpg?a&amp;b\" width=\"56\" height=\"56\" \
                       alt=\"2 × &lt;lamp&gt;\"";
        assert!(html.contains(picture), "{html}");
        assert_eq!((html.matches("<img").count(), html.matches("colspan").count()), (1, 1));
        assert!(html.contains("href=\"https://a.example/?a=1&amp;b=&quot;\""));
        assert!(html.contains("href=\"https://a.example/leave?x=1&amp;y=2\""));
        assert!(
            text.contains("2 × <lamp>: $1\n\nTotal: $1\n\n<go>:\nhttps://a.example/?a=1&b=\"\n")
        );
        assert!(text.ends_with("Take my address off the list:\nhttps://a.example/leave?x=1&y=2\n"));
    }
}
