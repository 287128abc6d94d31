//! The templates of e-mails, as HTML and as plain text (`templates/`).

use std::sync::LazyLock;

use messages::Messages;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, Output, State, UndefinedBehavior, context};
use platform::html::escape;
use platform::{Error, Result};

use super::{Email, EmailBody};

static TEMPLATES: LazyLock<Result<Environment<'static>, minijinja::Error>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_formatter(write_value);
    templates.add_filter("line_breaks", |text: &str| {
        Value::from_safe_string(escape(text).replace('\n', "<br>"))
    });
    templates.add_template("email.html", include_str!("../templates/email.html"))?;
    templates.add_template("email.txt", include_str!("../templates/email.txt"))?;
    Ok(templates)
});

/// Escapes as all other HTML of the program is.
fn write_value(out: &mut Output, state: &mut State, value: &Value) -> Result<(), minijinja::Error> {
    let text = value.to_string();
    let escaped = matches!(state.auto_escape(), AutoEscape::Html) && !value.is_safe();
    out.write_str(&if escaped { escape(&text) } else { text })?;
    Ok(())
}

impl<To> Email<To> {
    pub fn html(&self) -> Result<String> {
        self.render("email.html")
    }

    pub fn text(&self) -> Result<String> {
        self.render("email.txt")
    }

    fn render(&self, template: &str) -> Result<String> {
        let templates = TEMPLATES.as_ref().map_err(Error::internal)?;
        let template = templates.get_template(template).map_err(Error::internal)?;
        let text = template.render(self.values()).map_err(Error::internal)?;
        // The engine leaves out the last line break of a template.
        Ok(text + "\n")
    }

    /// What the templates insert.
    fn values(&self) -> Value {
        let EmailBody { language, shop, heading, paragraphs, button, footnote } = &self.body;
        let text = |key| Messages::text(*language, key, &[]);
        let button = button.as_ref().map(|(label, url)| context! { label, url });
        context! {
            language => language.as_str(),
            direction => language.direction(),
            text_font => text("email.textFont"),
            heading_font => text("email.headingFont"),
            shop,
            heading,
            paragraphs,
            totals => self.rows(),
            has_pictures => !self.pictures.is_empty(),
            button,
            footnote,
            unsubscribe => text("email.unsubscribe"),
            unsubscribe_url => self.unsubscribe_url.as_deref(),
        }
    }

    /// The groups of totals; the first one has the pictures.
    fn rows(&self) -> Vec<Vec<Value>> {
        let groups = self.totals.iter().enumerate().map(|(place, group)| {
            let rows = group.iter().enumerate().map(|(row, (name, amount))| {
                let picture = self.pictures.get(row).filter(|_| place == 0);
                context! { name, amount, picture, has_picture => picture.is_some() }
            });
            rows.collect()
        });
        groups.collect()
    }
}

#[cfg(test)]
mod tests {
    use platform::Language;

    use super::*;
    use crate::Purpose;

    fn email(language: Language) -> Email<&'static str> {
        Email {
            to: "a@b.c",
            subject: "s".into(),
            body: EmailBody {
                language,
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
        }
    }

    #[test]
    fn html_is_escaped_and_plain_text_has_the_same_content() {
        let email = email(Language::ENGLISH);
        let (html, text) = (email.html().unwrap(), email.text().unwrap());
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

    #[test]
    fn the_language_decides_direction_and_fonts() {
        let html = |code: &str| email(code.parse().unwrap()).html().unwrap();
        let (bangla, arabic) = (html("bn"), html("ar"));
        assert!(bangla.contains("<html lang=\"bn\" dir=\"ltr\">"), "{bangla}");
        assert!(bangla.contains("font-family:Inter,Noto Sans Bengali,"), "{bangla}");
        assert!(bangla.contains("তালিকা থেকে আমার ঠিকানা বাদ দিন"), "{bangla}");
        assert!(arabic.contains("<html lang=\"ar\" dir=\"rtl\">"), "{arabic}");
        assert!(arabic.contains("padding-right:16px;text-align:left"), "{arabic}");
    }
}
