//! Renders Markdown to safe HTML: raw HTML is escaped, links lead to this shop, https, mailto or tel,
//! and pictures are the shop's own.

use std::collections::BTreeMap;

use platform::html::escape;
use pulldown_cmark::{
    CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeStream, html,
};

use super::{PictureResolver, Section, ShopDetails, Text};
use crate::catalog::ProductId;
use media::{Picture, WIDTHS};

const WORDS_PER_MINUTE: usize = 220;
const MAX_PRODUCTS: usize = 8;

pub struct Rendered {
    pub text: Text,
    pub minutes: i64,
    /// The products that it links to, in the order of the text.
    pub products: Vec<ProductId>,
}

pub fn render(markdown: &str, details: &ShopDetails, resolve: PictureResolver) -> Rendered {
    let markdown = details.without_unset_lines(markdown);
    let parser = Parser::new_ext(
        &markdown,
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_SMART_PUNCTUATION,
    );
    let mut writer = Writer { details, resolve, products: Vec::new(), words: 0, in_link: false };
    let mut text = Text::default();
    let mut ids = BTreeMap::new();
    let mut open = Vec::new();
    let mut events = TextMergeStream::new(parser);
    while let Some(event) = events.next() {
        match event {
            // The page's title is the h1, so sections start at h2.
            Event::Start(Tag::Heading { level: HeadingLevel::H1 | HeadingLevel::H2, .. }) => {
                close(&mut text, &mut open);
                let title = writer.plain(
                    events
                        .by_ref()
                        .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_)))),
                );
                let id = unique(&mut ids, &slug(&title));
                text.sections.push(Section { id, title, html: String::new(), lang: None });
            }
            event => writer.write(event, &mut events, &mut open),
        }
    }
    close(&mut text, &mut open);
    let minutes = writer.words.div_ceil(WORDS_PER_MINUTE).max(1) as i64;
    Rendered { text, minutes, products: writer.products }
}

/// Ends the current section.
fn close(text: &mut Text, open: &mut Vec<Event<'_>>) {
    let place = match text.sections.last_mut() {
        Some(section) => &mut section.html,
        None => &mut text.lead,
    };
    html::push_html(place, open.drain(..));
}

struct Writer<'f> {
    details: &'f ShopDetails,
    resolve: PictureResolver<'f>,
    products: Vec<ProductId>,
    words: usize,
    in_link: bool,
}

impl Writer<'_> {
    fn write<'e>(
        &mut self,
        event: Event<'e>,
        more: &mut impl Iterator<Item = Event<'e>>,
        out: &mut Vec<Event<'e>>,
    ) {
        match event {
            Event::Text(text) => self.text(&text, out),
            Event::Code(code) => out.push(Event::Code(self.details.interpolate(&code).into())),
            Event::Html(raw) | Event::InlineHtml(raw) => {
                out.push(Event::Text(raw.into_string().into()));
            }
            Event::Start(Tag::HtmlBlock) => out.push(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => out.push(Event::End(TagEnd::Paragraph)),
            Event::Start(Tag::Link { dest_url, .. }) => self.link(&dest_url, more, out),
            Event::Start(Tag::Image { dest_url, .. }) => {
                let alt = self
                    .plain(more.take_while(|event| !matches!(event, Event::End(TagEnd::Image))));
                match (self.resolve)(&dest_url) {
                    Some(picture) => out.push(markup(illustration(&picture, &alt))),
                    None => out.push(Event::Text(alt.into())),
                }
            }
            Event::Start(Tag::Table(alignments)) => {
                // Wide tables scroll on small screens; `tabindex` makes them scrollable by keyboard.
                let label = self.details.message("server.table", &[]);
                out.push(markup(format!(
                    "<div class=\"table\" role=\"group\" aria-label=\"{}\" tabindex=\"0\">",
                    escape(&label)
                )));
                out.push(Event::Start(Tag::Table(alignments)));
            }
            Event::End(TagEnd::Table) => {
                out.push(Event::End(TagEnd::Table));
                out.push(markup("</div>"));
            }
            Event::Start(Tag::TableHead) => self.table_head(more, out),
            event => out.push(event),
        }
    }

    /// An empty head is how Markdown writes a table without one.
    fn table_head<'e>(
        &mut self,
        more: &mut impl Iterator<Item = Event<'e>>,
        out: &mut Vec<Event<'e>>,
    ) {
        let head: Vec<Event<'e>> =
            more.take_while(|event| !matches!(event, Event::End(TagEnd::TableHead))).collect();
        let empty = !head.iter().any(|event| matches!(event, Event::Text(_) | Event::Code(_)));
        out.push(Event::Start(Tag::TableHead));
        if empty {
            // The HTML writer opens the body at the end of the head, so an empty head must stay.
            out.push(Event::End(TagEnd::TableHead));
            return;
        }
        let mut head = head.into_iter().peekable();
        while let Some(event) = head.next() {
            let starts = matches!(event, Event::Start(Tag::TableCell));
            if starts && head.next_if_eq(&Event::End(TagEnd::TableCell)).is_some() {
                // An empty corner cell is no heading.
                out.push(markup("<td></td>"));
                continue;
            }
            self.write(event, &mut head, out);
        }
        out.push(Event::End(TagEnd::TableHead));
    }

    fn link<'e>(
        &mut self,
        address: &str,
        more: &mut impl Iterator<Item = Event<'e>>,
        out: &mut Vec<Event<'e>>,
    ) {
        let address = self.details.interpolate(address);
        let good = allowed(&address);
        if good {
            self.note_product(&address);
            let rel = if address.starts_with("https:") { " rel=\"noopener\"" } else { "" };
            let address = self.details.localize(address);
            out.push(markup(format!("<a href=\"{}\"{rel}>", escape(&address))));
        }
        self.in_link = true;
        while let Some(event) = more.next() {
            if matches!(event, Event::End(TagEnd::Link)) {
                break;
            }
            self.write(event, more, out);
        }
        self.in_link = false;
        if good {
            out.push(markup("</a>"));
        }
    }

    fn note_product(&mut self, address: &str) {
        let Some(rest) = address.strip_prefix("/product/") else { return };
        let id = rest.split(['?', '#', '/']).next().and_then(|id| id.parse::<ProductId>().ok());
        if let Some(id) = id
            && self.products.len() < MAX_PRODUCTS
            && !self.products.contains(&id)
        {
            self.products.push(id);
        }
    }

    /// Text with placeholders filled in; e-mail addresses and phone numbers become links.
    fn text<'e>(&mut self, text: &str, out: &mut Vec<Event<'e>>) {
        self.words += text.split_whitespace().count();
        let mut rest = text;
        while let Some((before, name, after)) = super::shop_details::next_placeholder(rest) {
            let value = self.details.lookup(name).unwrap_or_default();
            let link = match name {
                "shop.email" => Some(format!("mailto:{value}")),
                "shop.phone" => Some(format!("tel:{}", dialled(&value))),
                _ => None,
            };
            out.push(Event::Text(before.to_owned().into()));
            match link.filter(|link| !self.in_link && allowed(link)) {
                Some(link) => out.push(markup(format!(
                    "<a href=\"{}\">{}</a>",
                    escape(&link),
                    escape(&value)
                ))),
                None => out.push(Event::Text(value.into_owned().into())),
            }
            rest = after;
        }
        out.push(Event::Text(rest.to_owned().into()));
    }

    /// The plain text of some events.
    fn plain<'e>(&mut self, events: impl Iterator<Item = Event<'e>>) -> String {
        let mut words = String::new();
        for event in events {
            match event {
                Event::Text(text) | Event::Code(text) => {
                    words.push_str(&self.details.interpolate(&text))
                }
                Event::SoftBreak | Event::HardBreak => words.push(' '),
                _ => {}
            }
        }
        self.words += words.split_whitespace().count();
        words
    }
}

fn markup<'e>(html: impl Into<CowStr<'e>>) -> Event<'e> {
    Event::InlineHtml(html.into())
}

fn dialled(phone: &str) -> String {
    phone.chars().filter(|ch| *ch == '+' || ch.is_ascii_digit()).collect()
}

/// Whether a link target is allowed.
pub fn allowed(address: &str) -> bool {
    // Browsers treat a backslash as a slash, and drop line breaks.
    let plain = !address.contains(|ch: char| ch == '\\' || ch.is_control());
    let local = address.starts_with('/') && !address.starts_with("//");
    let lower = address.to_ascii_lowercase();
    let outside = ["https://", "mailto:", "tel:"].iter().any(|scheme| lower.starts_with(scheme));
    plain && (local || outside || address.starts_with('#'))
}

/// An `img` tag with responsive sizes.
fn illustration(picture: &Picture, alt: &str) -> String {
    let alt = escape(alt);
    let (Some(width), Some(height)) = (picture.width, picture.height) else {
        return format!("<img src=\"{}\" alt=\"{alt}\" loading=\"lazy\">", escape(&picture.src));
    };
    let stem = picture.src.rsplit_once('/').map_or("", |(stem, _)| stem);
    let sizes: Vec<String> = WIDTHS
        .into_iter()
        .filter(|each| i64::from(*each) <= width)
        .map(|each| format!("{stem}/{each}.webp {each}w"))
        .collect();
    format!(
        "<img src=\"{}\" srcset=\"{}\" sizes=\"(min-width: 48rem) 44rem, 100vw\" width=\"{width}\" \
         height=\"{height}\" alt=\"{alt}\" loading=\"lazy\" decoding=\"async\">",
        escape(&picture.src),
        escape(&sizes.join(", "))
    )
}

fn slug(title: &str) -> String {
    let mut slug = String::new();
    for ch in title.chars() {
        match ch {
            ch if ch.is_alphanumeric() || is_indic_mark(ch) => slug.extend(ch.to_lowercase()),
            '\'' | '\u{2019}' => {}
            _ if !slug.ends_with('-') && !slug.is_empty() => slug.push('-'),
            _ => {}
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "part".to_owned() } else { slug.to_owned() }
}

/// Signs of Indic scripts inside of words that are no letters, such as the one that joins consonants; full stops
/// are among them.
fn is_indic_mark(ch: char) -> bool {
    ('\u{0900}'..='\u{0dff}').contains(&ch) && !matches!(ch, '\u{0964}' | '\u{0965}')
}

fn unique(used: &mut BTreeMap<String, usize>, slug: &str) -> String {
    let count = used.entry(slug.to_owned()).and_modify(|count| *count += 1).or_insert(1);
    if *count == 1 { slug.to_owned() } else { format!("{slug}-{count}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn details() -> ShopDetails {
        ShopDetails {
            name: "Rahim & <b>Sons</b>".into(),
            email: "hello@haat.example".into(),
            phone: "+880 1700".into(),
            address: "1 *Lane*".into(),
            ..ShopDetails::default()
        }
    }

    fn html(markdown: &str) -> String {
        let Rendered { text, .. } = render(markdown, &details(), &|_| None);
        let sections = text.sections.iter().map(|part| format!("[{}]{}", part.id, part.html));
        text.lead.clone() + &sections.collect::<String>()
    }

    #[test]
    fn rendered_markdown_contains_no_active_content() {
        for attack in [
            "<script>alert(1)</script>",
            "x <img src=x onerror=alert(1)> y",
            "<div onclick=alert(1)>\n\nhey\n\n</div>",
            "[a](javascript:alert(1))",
            "[a](JaVaScRiPt:alert(1))",
            "[a](<java\nscript:alert(1)>)",
            "[a](&#106;avascript:alert(1))",
            "[a](data:text/html;base64,PHNjcmlwdD4=)",
            "[a](vbscript:x)",
            "[a](//evil.example)",
            "[a](/\\evil.example)",
            "[a](http://plain.example)",
            "![a](javascript:alert(1))",
            "![a](https://evil.example/pixel.gif)",
            "<javascript:alert(1)>",
            "[a]\n\n[a]: javascript:alert(1)",
            "[x](/a\"onmouseover=alert(1)//)",
            "a <!-- <script> --> b",
            "<svg/onload=alert(1)>",
            "<a href=\"javascript:alert(1)\">x</a>",
        ] {
            let made = html(attack);
            // Only our own tags, attributes and allowed link targets may appear.
            for tag in made.split('<').skip(1) {
                let tag = tag.split('>').next().unwrap();
                let known = ["p", "/p", "br /", "/a"].contains(&tag)
                    || (tag.starts_with("a href=\"/a&quot;onmouseover") && tag.ends_with('"'));
                assert!(known, "{attack}: {made}");
            }
        }
    }

    #[test]
    fn allowed_links_stay_and_external_ones_have_rel_noopener() {
        let links = html("[a](/return) [b](#x) [c](https://x.example/?a=1&b=2) [d](mailto:a@b.c)");
        assert_eq!(
            links,
            "<p><a href=\"/return\">a</a> <a href=\"#x\">b</a> <a href=\"https://x.example/?a=1&amp;b=2\" \
             rel=\"noopener\">c</a> <a href=\"mailto:a@b.c\">d</a></p>\n"
        );
    }

    #[test]
    fn placeholders_are_filled_in_and_escaped() {
        assert_eq!(
            html("{{shop.name}} *x*"),
            "<p>Rahim &amp; &lt;b&gt;Sons&lt;/b&gt; <em>x</em></p>\n"
        );
        assert_eq!(html("{{shop.address}}"), "<p>1 *Lane*</p>\n");
        assert_eq!(
            html("{{shop.email}}, {{shop.phone}}."),
            "<p><a href=\"mailto:hello@haat.example\">hello@haat.example</a>, \
             <a href=\"tel:+8801700\">+880 1700</a>.</p>\n"
        );
        assert_eq!(
            html("[write](mailto:{{shop.email}})"),
            "<p><a href=\"mailto:hello@haat.example\">write</a></p>\n"
        );
    }

    #[test]
    fn headings_start_sections_with_unique_ids() {
        let made = html("lead\n\n## How we sell\n\none\n\n# How we sell\n\n## Don't! `x`\n\ntwo");
        assert_eq!(
            made,
            "<p>lead</p>\n[how-we-sell]<p>one</p>\n[how-we-sell-2][dont-x]<p>two</p>\n"
        );
    }

    #[test]
    fn empty_table_heads_are_left_out() {
        let made = html("| | |\n|---|---|\n| Email | {{shop.email}} |");
        assert!(made.contains("<td>Email</td><td><a href=\"mailto:"), "{made}");
        assert!(!made.contains("<th>"), "{made}");
        assert!(html("| A | B |\n|---|---|\n| 1 | 2 |").contains("<th>A</th>"));
        let corner = html("| | B |\n|---|---|\n| 1 | 2 |");
        assert!(corner.contains("<tr><td></td><th>B</th></tr>"), "{corner}");
    }

    #[test]
    fn linked_products_are_listed_once() {
        let text = "[a](/product/oak-lamp) [b](/product/mug?x=1) [c](/product/oak-lamp#top)";
        let Rendered { products, minutes, .. } = render(text, &details(), &|_| None);
        assert_eq!(products.iter().map(ProductId::as_str).collect::<Vec<_>>(), ["oak-lamp", "mug"]);
        assert_eq!(minutes, 1);
    }
}
