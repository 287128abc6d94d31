//! Front matter: the `key: value` lines between `---` at the top of a Markdown file. Keys are unique
//! and known.

use super::ContentError;

pub struct FrontMatter<'t> {
    file: &'t str,
    lines: Vec<(&'t str, &'t str, usize)>,
    /// The text after the front matter.
    pub body: &'t str,
}

impl<'t> FrontMatter<'t> {
    pub fn parse(file: &'t str, text: &'t str, known: &[&str]) -> Result<Self, ContentError> {
        let missing =
            || ContentError::new(file, 1, "must start with a line --- and the keys below it");
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut rest = text;
        let mut lines: Vec<(&str, &str, usize)> = Vec::new();
        let mut number = 0;
        loop {
            number += 1;
            let (line, after) = rest.split_once('\n').ok_or_else(|| match number {
                1 => missing(),
                _ => ContentError::new(file, number, "the keys must end with a line ---"),
            })?;
            rest = after;
            let line = line.trim_end();
            match (number, line) {
                (1, "---") => continue,
                (1, _) => return Err(missing()),
                (_, "---") => break,
                (_, "") => continue,
                _ => {}
            }
            let (key, value) = line
                .split_once(':')
                .ok_or_else(|| ContentError::new(file, number, "expected key: value"))?;
            let (key, value) = (key.trim(), unquoted(value.trim()));
            if !known.contains(&key) {
                let why = format!("{key:?} is no key here; there are {}", known.join(", "));
                return Err(ContentError::new(file, number, why));
            }
            if lines.iter().any(|(name, ..)| *name == key) {
                return Err(ContentError::new(file, number, format!("{key} appears twice")));
            }
            lines.push((key, value, number));
        }
        Ok(Self { file, lines, body: rest })
    }

    fn find(&self, key: &str) -> Option<(&'t str, usize)> {
        let line = self.lines.iter().find(|(name, value, _)| *name == key && !value.is_empty());
        line.map(|(_, value, number)| (*value, *number))
    }

    pub fn get(&self, key: &str) -> Option<&'t str> {
        self.find(key).map(|(value, _)| value)
    }

    pub fn need(&self, key: &str) -> Result<&'t str, ContentError> {
        self.get(key).ok_or_else(|| ContentError::new(self.file, 1, format!("has no {key}")))
    }

    /// Parses a key's value; `wanted` describes the format in the error.
    pub fn read<T>(
        &self,
        key: &str,
        wanted: &str,
        read: impl Fn(&'t str) -> Option<T>,
    ) -> Result<Option<T>, ContentError> {
        let Some((value, line)) = self.find(key) else { return Ok(None) };
        let wrong =
            || ContentError::new(self.file, line, format!("{key} is {wanted}, not {value:?}"));
        read(value).map(Some).ok_or_else(wrong)
    }

    /// The line number of a key.
    pub fn line_of(&self, key: &str) -> usize {
        self.find(key).map_or(1, |(_, line)| line)
    }
}

fn unquoted(value: &str) -> &str {
    let inside = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    inside.unwrap_or(value)
}
