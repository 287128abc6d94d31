//! Parses content files.

use platform::Timestamp;
use serde::Deserialize;

use super::files::{ContentFile, ContentFiles};
use super::front_matter::FrontMatter;
use super::markdown::{self, Rendered};
use super::shop_details::next_placeholder;
use super::{
    Article, ContactForm, Content, ContentError, Feature, GalleryPicture, Home, PictureResolver,
    Post, PostCard, Section, Sections, ShopDetails, Slide, Spot,
};
use crate::catalog::ProductId;
use crate::settings::Retention;
use media::Picture;

const PAGES: [&str; 6] = ["about", "contact", "privacy", "terms", "refund", "return"];
const POST_KEYS: [&str; 8] =
    ["title", "slug", "date", "author", "summary", "picture", "alt", "tags"];
const PAGE_KEYS: [&str; 7] =
    ["title", "description", "updated", "map", "button", "reply", "template"];
const CONTACT_KEYS: [&str; 3] = ["map", "button", "reply"];
const BUTTON: &str = "Send message";
/// True for every shop.
const REPLY: &str = "We read it and answer as soon as we can.";
const MAX_SLUG_LEN: usize = 100;

impl Content {
    /// Parses all files, or returns the first error.
    pub fn read(
        files: &ContentFiles,
        details: &ShopDetails,
        resolve: PictureResolver,
    ) -> Result<Self, ContentError> {
        let reader = ContentReader { files, details, resolve };
        for path in files.0.keys() {
            let page = path.strip_prefix("pages/").and_then(|name| name.strip_suffix(".md"));
            if let Some(page) = page.filter(|page| !PAGES.contains(page)) {
                let why = format!("there is no page {page}; there are {}", PAGES.join(", "));
                return Err(ContentError::new(&files.0[path].path, 1, why));
            }
        }
        Ok(Self {
            posts: reader.posts()?,
            about: reader.article("about")?,
            contact: reader.article("contact")?,
            contact_form: reader.contact_form()?,
            privacy: reader.article("privacy")?,
            terms: reader.article("terms")?,
            refund: reader.article("refund")?,
            returns: reader.article("return")?,
            questions: reader.questions()?,
            home: reader.home()?,
            gallery: reader.gallery()?,
        })
    }
}

/// `home.json`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct HomeFile {
    hero: Vec<SlideFile>,
    /// Derived from the settings when missing.
    features: Option<Vec<Feature>>,
    sections: Sections,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SlideFile {
    picture: String,
    alt: String,
    product: Option<ProductId>,
    #[serde(default)]
    eyebrow: String,
    title: String,
    #[serde(default)]
    text: String,
    link: String,
    link_text: String,
    focus: Option<[u8; 2]>,
}

/// An entry of `gallery.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GalleryFile {
    picture: String,
    alt: String,
    link: String,
}

struct ContentReader<'r> {
    files: &'r ContentFiles,
    details: &'r ShopDetails,
    resolve: PictureResolver<'r>,
}

impl ContentReader<'_> {
    fn posts(&self) -> Result<Vec<Post>, ContentError> {
        let mut posts: Vec<(Post, &str)> = Vec::new();
        for (path, file) in &self.files.0 {
            let Some(name) = path.strip_prefix("posts/").and_then(|name| name.strip_suffix(".md"))
            else {
                continue;
            };
            let (post, slug_line) = self.post(name, file)?;
            let slug = &post.card.slug;
            if let Some((_, other)) = posts.iter().find(|(other, _)| other.card.slug == *slug) {
                let why = format!("{slug} is the slug of {other} too");
                return Err(ContentError::new(&file.path, slug_line, why));
            }
            posts.push((post, &file.path));
        }
        let mut posts: Vec<Post> = posts.into_iter().map(|(post, _)| post).collect();
        posts.sort_by(|a, b| (&b.card.date, &b.card.slug).cmp(&(&a.card.date, &a.card.slug)));
        Ok(posts)
    }

    fn post(&self, name: &str, file: &ContentFile) -> Result<(Post, usize), ContentError> {
        let text = self.text(file)?;
        let front = FrontMatter::parse(&file.path, text, &POST_KEYS)?;
        let title = self.details.interpolate(front.need("title")?);
        front.need("date")?;
        let date = front.read("date", "a day like 2026-11-08", day)?.unwrap_or_default();
        // A file name may start with the date, so that directories sort by time.
        let undated = name.get(11..).filter(|_| name.get(..10).and_then(day).is_some());
        let slug = front.read("slug", "lower case letters, digits and hyphens", slug)?;
        let slug = slug.or_else(|| slug_of(undated.unwrap_or(name))).ok_or_else(|| {
            ContentError::new(&file.path, 1, "has no slug, nor a name to make it from")
        })?;
        let summary = self.details.interpolate(front.need("summary")?);
        let alt = match front.get("picture") {
            Some(_) => self.details.interpolate(front.need("alt")?),
            None => String::new(),
        };
        let tags = front.get("tags").unwrap_or_default().split(',').map(str::trim);
        let Rendered { text, minutes, products } =
            markdown::render(front.body, self.details, self.resolve);
        let card = PostCard {
            slug,
            title,
            date,
            author: front.get("author").unwrap_or(&self.details.name).to_owned(),
            summary,
            picture: front.get("picture").and_then(self.resolve),
            alt,
            tags: tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect(),
            minutes,
        };
        Ok((Post { card, text, products }, front.line_of("slug")))
    }

    fn page(&self, name: &str) -> Result<FrontMatter<'_>, ContentError> {
        let path = format!("pages/{name}.md");
        let file =
            self.files.0.get(&path).ok_or_else(|| ContentError::new(&path, 0, "is missing"))?;
        let front = FrontMatter::parse(&file.path, self.text(file)?, &PAGE_KEYS)?;
        let foreign = CONTACT_KEYS.iter().find(|key| name != "contact" && front.get(key).is_some());
        match foreign {
            Some(key) => {
                let why = format!("only contact.md has a {key}");
                Err(ContentError::new(&file.path, front.line_of(key), why))
            }
            None => Ok(front),
        }
    }

    fn contact_form(&self) -> Result<ContactForm, ContentError> {
        let front = self.page("contact")?;
        let text = |key, default| self.details.interpolate(front.get(key).unwrap_or(default));
        Ok(ContactForm { button: text("button", BUTTON), reply: text("reply", REPLY) })
    }

    fn article(&self, name: &str) -> Result<Article, ContentError> {
        let front = self.page(name)?;
        Ok(Article {
            title: self.details.interpolate(front.need("title")?),
            description: self.details.interpolate(front.need("description")?),
            updated: front.read("updated", "a day like 2026-11-08", day)?,
            text: markdown::render(front.body, self.details, self.resolve).text,
            map: front.read("map", "latitude, longitude in degrees", spot)?,
            template: front
                .read("template", "true or false", |value| value.parse().ok())?
                .unwrap_or(false),
        })
    }

    fn questions(&self) -> Result<Vec<Section>, ContentError> {
        let Some(file) = self.files.0.get("faq.md") else { return Ok(Vec::new()) };
        let text = self.text(file)?;
        if let Some((question, line)) = unanswered(text) {
            let why = format!("{question:?} has no answer below it");
            return Err(ContentError::new(&file.path, line, why));
        }
        let mut questions = markdown::render(text, self.details, self.resolve).text.sections;
        // Every line of an answer may be about a setting that is empty.
        questions.retain(|question| !question.html.is_empty());
        Ok(questions)
    }

    fn home(&self) -> Result<Home, ContentError> {
        let Some(file) = self.files.0.get("home.json") else {
            return Ok(Home { features: self.details.features(), ..Home::default() });
        };
        let HomeFile { hero, features, sections } = self.json(file)?;
        let features = features.unwrap_or_else(|| self.details.features());
        let links = hero.iter().map(|slide| &slide.link);
        for link in links.chain(features.iter().filter_map(|feature| feature.link.as_ref())) {
            check_link(file, link)?;
        }
        let slide = |slide: SlideFile| Slide {
            picture: self.picture(&slide.picture, slide.alt),
            product: slide.product,
            eyebrow: slide.eyebrow,
            title: slide.title,
            text: slide.text,
            link: slide.link,
            link_text: slide.link_text,
            focus: slide.focus.map(|focus| focus.map(|percent| percent.min(100))),
        };
        Ok(Home { slides: hero.into_iter().map(slide).collect(), features, sections })
    }

    fn gallery(&self) -> Result<Vec<GalleryPicture>, ContentError> {
        let Some(file) = self.files.0.get("gallery.json") else { return Ok(Vec::new()) };
        let gallery: Vec<GalleryFile> = self.json(file)?;
        for one in &gallery {
            check_link(file, &one.link)?;
        }
        let entry = |one: GalleryFile| GalleryPicture {
            picture: self.picture(&one.picture, one.alt),
            link: one.link,
        };
        Ok(gallery.into_iter().map(entry).collect())
    }

    fn picture(&self, name: &str, alt: String) -> Option<Picture> {
        (self.resolve)(name).map(|picture| Picture { alt, ..picture })
    }

    fn json<T: serde::de::DeserializeOwned>(&self, file: &ContentFile) -> Result<T, ContentError> {
        let wrong = |why: serde_json::Error| {
            let (line, message) = (why.line(), why.to_string());
            let message =
                message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
            ContentError::new(&file.path, line, message)
        };
        serde_json::from_str(utf8(file)?).map_err(wrong)
    }

    /// A Markdown file's text, with all placeholders known.
    fn text<'f>(&self, file: &'f ContentFile) -> Result<&'f str, ContentError> {
        let text = utf8(file)?;
        let mut rest = text;
        while let Some((before, name, after)) = next_placeholder(rest) {
            if self.details.lookup(name).is_none() {
                let line = line_at(text, text.len() - rest.len() + before.len());
                let kept = Retention::NAMES.map(|name| format!(", kept.{name}")).concat();
                let known = format!("{}{kept}", ShopDetails::NAMES.join(", "));
                let why = format!("{{{{{name}}}}} is unknown; there are {known}");
                return Err(ContentError::new(&file.path, line, why));
            }
            rest = after;
        }
        Ok(text)
    }
}

/// The first heading without text below it, and its line.
fn unanswered(text: &str) -> Option<(&str, usize)> {
    let mut bare = None;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let title = line.strip_prefix("## ").or_else(|| line.strip_prefix("# "));
        match (title, bare) {
            (Some(_), Some(_)) => break,
            (Some(title), None) => bare = Some((title.trim(), number + 1)),
            (None, _) => bare = None,
        }
    }
    bare
}

fn utf8(file: &ContentFile) -> Result<&str, ContentError> {
    std::str::from_utf8(&file.bytes).map_err(|why| {
        let good = &file.bytes[..why.valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        ContentError::new(&file.path, line, "not UTF-8")
    })
}

fn line_at(text: &str, place: usize) -> usize {
    text.bytes().take(place).filter(|byte| *byte == b'\n').count() + 1
}

fn check_link(file: &ContentFile, link: &str) -> Result<(), ContentError> {
    if markdown::allowed(link) {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&file.bytes);
    let line = line_at(&text, text.find(link).unwrap_or(0));
    let why = format!("{link:?} is no link that a page may have: https://, mailto:, tel:, / or #");
    Err(ContentError::new(&file.path, line, why))
}

fn day(text: &str) -> Option<String> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    (shaped && Timestamp::parse(&format!("{text}T00:00:00Z")).is_some()).then(|| text.to_owned())
}

fn slug(text: &str) -> Option<String> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (text.len() <= MAX_SLUG_LEN && text.bytes().all(allowed)).then(|| text.to_owned())
}

/// Derives a slug from the file name.
fn slug_of(name: &str) -> Option<String> {
    slug(&name.to_ascii_lowercase().replace([' ', '_'], "-")).filter(|slug| !slug.is_empty())
}

fn spot(text: &str) -> Option<Spot> {
    let (latitude, longitude) = text.split_once(',')?;
    let degrees = |text: &str, most: f64| {
        text.trim().parse().ok().filter(|degrees: &f64| degrees.abs() <= most)
    };
    Some(Spot { latitude: degrees(latitude, 85.0)?, longitude: degrees(longitude, 180.0)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARTICLE: &str = "---\ntitle: T\ndescription: D\n---\ntext";

    fn with(path: &str, bytes: &[u8]) -> Result<Content, String> {
        let pages = PAGES.map(|page| (format!("pages/{page}.md"), ARTICLE.as_bytes()));
        let files = ContentFiles::embedded(pages.into_iter().chain([(path.to_owned(), bytes)]));
        Content::read(&files, &ShopDetails::default(), &|_| None).map_err(|why| why.to_string())
    }

    #[test]
    fn errors_name_file_and_line() {
        let post = |front: &str| format!("---\n{front}\n---\ntext");
        let whole = "title: T\ndate: 2026-11-08\nsummary: S";
        for (path, text, why) in [
            ("posts/a.md", "text".to_owned(), "posts/a.md: line 1: must start with a line ---"),
            ("posts/a.md", "---\ntitle: T".to_owned(), "posts/a.md: line 2: the keys must end"),
            (
                "posts/a.md",
                post("date: 2026-11-08\nsummary: S"),
                "posts/a.md: line 1: has no title",
            ),
            ("posts/a.md", post("title: T\nsummary: S"), "posts/a.md: line 1: has no date"),
            (
                "posts/a.md",
                post("title: T\ndate: 2026-02-30\nsummary: S"),
                "posts/a.md: line 3: date is a day like 2026-11-08, not \"2026-02-30\"",
            ),
            ("posts/a.md", post("title: T\ndate: 1/2/26\nsummary: S"), "line 3: date is"),
            ("posts/a.md", post(&format!("{whole}\nslug: A B")), "line 5: slug is"),
            ("posts/a.md", post(&format!("{whole}\ncolour: red")), "line 5: \"colour\" is no key"),
            ("posts/a.md", post(&format!("{whole}\ntitle: T")), "line 5: title appears twice"),
            ("posts/a.md", post(&format!("{whole}\npicture: x")), "has no alt"),
            (
                "posts/a.md",
                post(whole) + "\n\n{{shop.phones}}",
                "line 8: {{shop.phones}} is unknown",
            ),
            ("pages/jobs.md", ARTICLE.to_owned(), "pages/jobs.md: line 1: there is no page jobs"),
            ("pages/about.md", post("title: T"), "pages/about.md: line 1: has no description"),
            ("pages/about.md", post("title: T\ndescription: D\nmap: 1, 2"), "only contact.md"),
            ("pages/contact.md", post("title: T\ndescription: D\nmap: 91, 2"), "line 4: map is"),
            (
                "pages/terms.md",
                post("title: T\ndescription: D\nreply: R"),
                "only contact.md has a reply",
            ),
            ("faq.md", "## Why?\n".to_owned(), "has no answer"),
            (
                "home.json",
                "{\n\"heros\": []}".to_owned(),
                "home.json: line 2: unknown field `heros`",
            ),
            (
                "gallery.json",
                "[\n{\"picture\": \"a\", \"alt\": \"b\", \"link\": \"javascript:x\"}]".to_owned(),
                "gallery.json: line 2: \"javascript:x\" is no link",
            ),
        ] {
            let message = with(path, text.as_bytes()).unwrap_err();
            assert!(message.contains(why), "{message}, not {why}");
        }
        let message = with("posts/a.md", b"---\ntitle: \xff").unwrap_err();
        assert_eq!(message, "posts/a.md: line 2: not UTF-8");
    }

    #[test]
    fn duplicate_slugs_are_refused() {
        let post = "---\ntitle: T\ndate: 2026-11-08\nsummary: S\nslug: tea\n---\n";
        let pages = PAGES.map(|page| (format!("pages/{page}.md"), ARTICLE.as_bytes()));
        let posts = ["posts/a.md", "posts/b.md"].map(|path| (path.to_owned(), post.as_bytes()));
        let files = ContentFiles::embedded(pages.into_iter().chain(posts));
        let message =
            Content::read(&files, &ShopDetails::default(), &|_| None).unwrap_err().to_string();
        assert_eq!(message, "posts/b.md: line 5: tea is the slug of posts/a.md too");
    }

    #[test]
    fn the_default_slug_is_the_file_name() {
        let post = "---\ntitle: \"T: or not\"\ndate: 2026-11-08\nsummary: S\n---\n";
        let content = with("posts/2026-11-08-green_tea.md", post.as_bytes()).unwrap();
        assert_eq!(content.posts[0].card.slug, "green-tea");
        assert_eq!(content.posts[0].card.title, "T: or not");
        assert!(content.post("green-tea").is_some() && content.post("tea").is_none());
    }
}
