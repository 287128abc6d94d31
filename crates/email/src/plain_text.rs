//! E-mails as plain text. Their HTML is made by a function of the program (`HtmlTemplate`).

use super::{Email, EmailBody};

pub const UNSUBSCRIBE: &str = "Take my address off the list";

impl<To> Email<To> {
    pub fn text(&self) -> String {
        let EmailBody { shop, heading, paragraphs, button, footnote } = &self.body;
        let mut parts = vec![heading.clone()];
        parts.extend(paragraphs.iter().cloned());
        parts.extend(self.totals.iter().map(|group| {
            let lines: Vec<String> =
                group.iter().map(|(name, amount)| format!("{name}: {amount}")).collect();
            lines.join("\n")
        }));
        parts.extend(button.as_ref().map(|(label, link)| format!("{label}:\n{link}")));
        parts.push(format!("--\n{shop}\n{footnote}"));
        parts.extend(self.unsubscribe_url.as_ref().map(|link| format!("{UNSUBSCRIBE}:\n{link}")));
        parts.join("\n\n") + "\n"
    }
}
