//! Parses content files.

use platform::{Language, Timestamp};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::files::{ContentFile, ContentFiles, SHOP_TEXTS};
use super::front_matter::FrontMatter;
use super::markdown::{self, Rendered};
use super::shop_details::next_placeholder;
use super::{
    Article, ContactForm, Content, ContentError, Contents, Feature, GalleryPicture, Home,
    PictureResolver, Post, PostCard, Section, SectionHeading, Sections, ShopDetails, ShopTexts,
    Slide, Spot,
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
const MAX_SLUG_LEN: usize = 100;

impl Contents {
    /// Parses the files of all languages, or returns the first error.
    pub fn read(
        files: &ContentFiles,
        details: &ShopDetails,
        resolve: PictureResolver,
    ) -> Result<Self, ContentError> {
        let translated = details.languages.iter().skip(1).map(|language| {
            let texts = shop_texts(files, language)?;
            let translated = details.translated(language, &texts);
            let original = ShopDetails { links: Some(language), ..details.clone() };
            let reader =
                ContentReader { files, details: &translated, original: &original, resolve };
            Ok((language, Content { shop: texts, ..reader.content()? }))
        });
        Ok(Self {
            default: ContentReader { files, details, original: details, resolve }.content()?,
            translations: translated.collect::<Result<_, ContentError>>()?,
        })
    }
}

fn shop_texts(files: &ContentFiles, language: Language) -> Result<ShopTexts, ContentError> {
    files.get(Some(language), SHOP_TEXTS).map_or_else(|| Ok(ShopTexts::default()), json)
}

/// `home.json`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct HomeFile {
    hero: Vec<SlideFile>,
    /// Derived from the settings when missing.
    features: Option<Vec<Feature>>,
    sections: SectionsFile,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SectionsFile {
    flash: Option<SectionHeading>,
    products: Option<SectionHeading>,
    categories: Option<SectionHeading>,
    posts: Option<SectionHeading>,
    newsletter: Option<SectionHeading>,
}

impl SectionsFile {
    fn or(self, default: Sections) -> Sections {
        Sections {
            flash: self.flash.unwrap_or(default.flash),
            products: self.products.unwrap_or(default.products),
            categories: self.categories.unwrap_or(default.categories),
            posts: self.posts.unwrap_or(default.posts),
            newsletter: self.newsletter.unwrap_or(default.newsletter),
        }
    }
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
    /// For files that are not translated.
    original: &'r ShopDetails,
    resolve: PictureResolver<'r>,
}

impl ContentReader<'_> {
    fn content(&self) -> Result<Content, ContentError> {
        for (page, file) in self.files.markdown(self.details.language, "pages") {
            if !PAGES.contains(&page) {
                let why = format!("there is no page {page}; there are {}", PAGES.join(", "));
                return Err(ContentError::new(&file.path, 1, why));
            }
        }
        Ok(Content {
            posts: self.posts()?,
            about: self.article("about")?,
            contact: self.article("contact")?,
            contact_form: self.contact_form()?,
            privacy: self.article("privacy")?,
            terms: self.article("terms")?,
            refund: self.article("refund")?,
            returns: self.article("return")?,
            questions: self.questions()?,
            home: self.home()?,
            gallery: self.gallery()?,
            shop: ShopTexts::default(),
        })
    }

    /// A file in the language of the content, otherwise in the default language, which is then its `lang`.
    fn find(&self, path: &str) -> Option<(&ContentFile, Option<Language>)> {
        let translated = self.files.get(self.details.language, path).map(|file| (file, None));
        translated.or_else(|| Some((self.files.get(None, path)?, self.fallback_language())))
    }

    /// The details in a text with this `lang`.
    fn details(&self, lang: Option<Language>) -> &ShopDetails {
        if lang.is_some() { self.original } else { self.details }
    }

    /// The `lang` of a text that is not translated.
    fn fallback_language(&self) -> Option<Language> {
        self.details.language.map(|_| self.details.languages.default_language())
    }

    fn posts(&self) -> Result<Vec<Post>, ContentError> {
        let mut posts: Vec<(Post, &str)> = Vec::new();
        for (name, file) in self.files.markdown(None, "posts") {
            let (post, slug_line) = self.post(name, file, self.fallback_language(), &[])?;
            let slug = &post.card.slug;
            if let Some((_, other)) = posts.iter().find(|(other, _)| other.card.slug == *slug) {
                let why = format!("{slug} is the slug of {other} too");
                return Err(ContentError::new(&file.path, slug_line, why));
            }
            posts.push((post, &file.path));
        }
        let mut posts: Vec<Post> = posts.into_iter().map(|(post, _)| post).collect();
        if self.details.language.is_some() {
            self.translate_posts(&mut posts)?;
        }
        posts.sort_by(|a, b| (&b.card.date, &b.card.slug).cmp(&(&a.card.date, &a.card.slug)));
        Ok(posts)
    }

    /// Replaces posts by their translations, which have the same slugs.
    fn translate_posts(&self, posts: &mut [Post]) -> Result<(), ContentError> {
        for (name, file) in self.files.markdown(self.details.language, "posts") {
            let (translated, slug_line) = self.post(name, file, None, posts)?;
            let slug = &translated.card.slug;
            match posts.iter_mut().find(|post| post.card.slug == *slug) {
                Some(post) => *post = translated,
                None => {
                    let why = format!("{slug} is the slug of no post in the default language");
                    return Err(ContentError::new(&file.path, slug_line, why));
                }
            }
        }
        Ok(())
    }

    /// A post, and the line of its slug. A translation takes what it leaves out from its original.
    fn post(
        &self,
        name: &str,
        file: &ContentFile,
        lang: Option<Language>,
        originals: &[Post],
    ) -> Result<(Post, usize), ContentError> {
        let details = self.details(lang);
        let text = self.text(file)?;
        let front = FrontMatter::parse(&file.path, text, &POST_KEYS)?;
        let title = details.interpolate(front.need("title")?);
        // A file name may start with the date, so that directories sort by time.
        let undated = name.get(11..).filter(|_| name.get(..10).and_then(day).is_some());
        let slug = front.read("slug", "lower case letters, digits and hyphens", slug)?;
        let slug = slug.or_else(|| slug_of(undated.unwrap_or(name))).ok_or_else(|| {
            ContentError::new(&file.path, 1, "has no slug, nor a name to make it from")
        })?;
        let original = originals.iter().find(|post| post.card.slug == slug);
        let original_sections = original.map(|post| post.text.sections.as_slice());
        let original = original.map(|post| &post.card);
        let date = match (front.read("date", "a day like 2026-11-08", day)?, original) {
            (Some(date), _) => date,
            (None, Some(original)) => original.date.clone(),
            (None, None) => front.need("date")?.to_owned(),
        };
        let summary = details.interpolate(front.need("summary")?);
        let picture = match front.get("picture") {
            Some(name) => (self.resolve)(name),
            None => original.and_then(|original| original.picture.clone()),
        };
        let alt = match (front.get("alt"), original) {
            (Some(alt), _) => details.interpolate(alt),
            (None, Some(original)) => original.alt.clone(),
            (None, None) if front.get("picture").is_some() => front.need("alt")?.to_owned(),
            (None, None) => String::new(),
        };
        let author = front.get("author").or(original.map(|original| original.author.as_str()));
        let Rendered { mut text, minutes, products } =
            markdown::render(front.body, details, self.resolve);
        share_ids(&mut text.sections, original_sections.unwrap_or_default());
        let card = PostCard {
            slug,
            title,
            date,
            author: author.unwrap_or(&details.name).to_owned(),
            summary,
            picture,
            alt,
            tags: match (front.get("tags"), original) {
                (None, Some(original)) => original.tags.clone(),
                (tags, _) => list(tags.unwrap_or_default()),
            },
            minutes,
            lang,
        };
        Ok((Post { card, text, products }, front.line_of("slug")))
    }

    fn page(&self, name: &str) -> Result<(FrontMatter<'_>, Option<Language>), ContentError> {
        let path = format!("pages/{name}.md");
        let (file, lang) =
            self.find(&path).ok_or_else(|| ContentError::new(&path, 0, "is missing"))?;
        Ok((self.page_front_matter(name, file)?, lang))
    }

    /// The page in the default language, for what a translation leaves out.
    fn original_page(&self, name: &str) -> Result<Option<FrontMatter<'_>>, ContentError> {
        let file = self.files.get(None, &format!("pages/{name}.md"));
        file.map(|file| self.page_front_matter(name, file)).transpose()
    }

    fn page_front_matter<'f>(
        &self,
        name: &str,
        file: &'f ContentFile,
    ) -> Result<FrontMatter<'f>, ContentError> {
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
        let (front, lang) = self.page("contact")?;
        let details = self.details(lang);
        let text = |key, default| match front.get(key) {
            Some(text) => details.interpolate(text),
            None => details.message(default, &[]),
        };
        Ok(ContactForm {
            button: text("button", "server.contactButton"),
            reply: text("reply", "server.contactReply"),
        })
    }

    fn article(&self, name: &str) -> Result<Article, ContentError> {
        let (front, lang) = self.page(name)?;
        let details = self.details(lang);
        let original = self.original_page(name)?;
        let map = |front: &FrontMatter| front.read("map", "latitude, longitude in degrees", spot);
        let map = match (map(&front)?, &original) {
            (None, Some(original)) => map(original)?,
            (map, _) => map,
        };
        let mut text = markdown::render(front.body, details, self.resolve).text;
        if let (Some(original), None) = (&original, lang) {
            share_ids(&mut text.sections, &self.sections(original.body));
        }
        Ok(Article {
            title: details.interpolate(front.need("title")?),
            description: details.interpolate(front.need("description")?),
            updated: front.read("updated", "a day like 2026-11-08", day)?,
            text,
            map,
            template: front
                .read("template", "true or false", |value| value.parse().ok())?
                .unwrap_or(false),
            lang,
        })
    }

    /// The sections of a text in the default language.
    fn sections(&self, markdown: &str) -> Vec<Section> {
        markdown::render(markdown, self.original, &|_| None).text.sections
    }

    fn questions(&self) -> Result<Vec<Section>, ContentError> {
        let Some((file, lang)) = self.find("faq.md") else { return Ok(Vec::new()) };
        let text = self.text(file)?;
        if let Some((question, line)) = unanswered(text) {
            let why = format!("{question:?} has no answer below it");
            return Err(ContentError::new(&file.path, line, why));
        }
        let mut questions = markdown::render(text, self.details(lang), self.resolve).text.sections;
        if let (Some(original), None) = (self.files.get(None, "faq.md"), lang) {
            share_ids(&mut questions, &self.sections(self.text(original)?));
        }
        // Every line of an answer may be about a setting that is empty.
        questions.retain(|question| !question.html.is_empty());
        questions.iter_mut().for_each(|question| question.lang = lang);
        Ok(questions)
    }

    fn home(&self) -> Result<Home, ContentError> {
        let Some((file, lang)) = self.find("home.json") else {
            let sections = self.details.sections();
            return Ok(Home { slides: Vec::new(), features: None, sections, lang: None });
        };
        self.text(file)?;
        let HomeFile { hero, features, sections } = json(file)?;
        let sections = sections.or(self.details(lang).sections());
        let links = hero.iter().map(|slide| &slide.link);
        let of_features = features.iter().flatten().filter_map(|feature| feature.link.as_ref());
        for link in links.chain(of_features) {
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
        Ok(Home { slides: hero.into_iter().map(slide).collect(), features, sections, lang })
    }

    fn gallery(&self) -> Result<Vec<GalleryPicture>, ContentError> {
        let Some((file, lang)) = self.find("gallery.json") else { return Ok(Vec::new()) };
        let gallery: Vec<GalleryFile> = json(file)?;
        for one in &gallery {
            check_link(file, &one.link)?;
        }
        let entry = |one: GalleryFile| GalleryPicture {
            picture: self.picture(&one.picture, one.alt),
            link: one.link,
            lang,
        };
        Ok(gallery.into_iter().map(entry).collect())
    }

    fn picture(&self, name: &str, alt: String) -> Option<Picture> {
        (self.resolve)(name).map(|picture| Picture { alt, ..picture })
    }

    /// A file's text, with all placeholders known.
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

fn json<T: DeserializeOwned>(file: &ContentFile) -> Result<T, ContentError> {
    let wrong = |why: serde_json::Error| {
        let (line, message) = (why.line(), why.to_string());
        let message =
            message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        ContentError::new(&file.path, line, message)
    };
    serde_json::from_str(utf8(file)?).map_err(wrong)
}

/// Gives the sections of a translation the ids of the original's, so that links to them fit all languages.
fn share_ids(sections: &mut [Section], originals: &[Section]) {
    if sections.len() == originals.len() {
        let pairs = sections.iter_mut().zip(originals);
        pairs.for_each(|(section, original)| section.id.clone_from(&original.id));
    }
}

/// The words between commas.
fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
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
        let contents = Contents::read(&files, &ShopDetails::default(), &|_| None);
        contents.map(|contents| contents.default).map_err(|why| why.to_string())
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
                "home.json",
                "{\n\"features\": [{\"icon\": \"gift\", \"title\": \"T\", \"text\": \"{{shop.over}}\"}]}"
                    .to_owned(),
                "home.json: line 2: {{shop.over}} is unknown",
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
            Contents::read(&files, &ShopDetails::default(), &|_| None).unwrap_err().to_string();
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
