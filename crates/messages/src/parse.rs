//! Parser of ICU MessageFormat: `{name}`, `{count, number}`, `{count, plural, =0 {none} one {# item} other {# items}}`,
//! `{kind, select, a {…} other {…}}`. An apostrophe quotes the special character after it, up to the next apostrophe;
//! two are one. Tags are for the web only.

use std::iter::Peekable;
use std::str::Chars;

pub type Message = Vec<Part>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Text(String),
    /// `{name}`, inserted as it is.
    Argument(String),
    /// `{name, number}`, and `#` in a plural of `name`: with the language's digits and grouping.
    Number(String),
    /// The branch whose key is `=` and the number, otherwise its plural category, otherwise `other`.
    Plural(String, Vec<(String, Message)>),
    /// The branch whose key is the value, otherwise `other`.
    Select(String, Vec<(String, Message)>),
}

pub fn parse(text: &str) -> Result<Message, String> {
    let mut parser = Parser { rest: text.chars().peekable() };
    let message = parser.message(None)?;
    match parser.rest.next() {
        None => Ok(message),
        Some(_) => Err("a } without its {".into()),
    }
}

struct Parser<'t> {
    rest: Peekable<Chars<'t>>,
}

impl Parser<'_> {
    /// Up to the closing brace or the end. `plural` is the argument that `#` stands for.
    fn message(&mut self, plural: Option<&str>) -> Result<Message, String> {
        let (mut parts, mut text) = (Vec::new(), String::new());
        while let Some(next) = self.rest.next_if(|next| *next != '}') {
            let part = match (next, plural) {
                ('\'', _) => {
                    self.quoted(plural.is_some(), &mut text)?;
                    continue;
                }
                ('{', _) => self.placeholder(plural)?,
                ('#', Some(name)) => Part::Number(name.to_owned()),
                ('<', _) => return Err("a tag: they are for the web only".into()),
                _ => {
                    text.push(next);
                    continue;
                }
            };
            if !text.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut text)));
            }
            parts.push(part);
        }
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        Ok(parts)
    }

    /// After an apostrophe, which quotes only if a special character follows.
    fn quoted(&mut self, in_plural: bool, text: &mut String) -> Result<(), String> {
        let special = |next: &char| "{}<>".contains(*next) || in_plural && *next == '#';
        if !self.rest.peek().is_some_and(special) {
            self.rest.next_if_eq(&'\'');
            text.push('\'');
            return Ok(());
        }
        loop {
            match self.rest.next() {
                Some('\'') if self.rest.next_if_eq(&'\'').is_none() => return Ok(()),
                Some(letter) => text.push(letter),
                None => return Err("an apostrophe opens a quotation without an end".into()),
            }
        }
    }

    /// After the opening brace.
    fn placeholder(&mut self, plural: Option<&str>) -> Result<Part, String> {
        let name = self.word()?;
        if self.take('}') {
            return Ok(Part::Argument(name));
        }
        self.expect(',')?;
        let kind = self.word()?;
        if kind == "number" {
            self.expect('}')?;
            return Ok(Part::Number(name));
        }
        self.expect(',')?;
        match kind.as_str() {
            "plural" => Ok(Part::Plural(name.clone(), self.branches(Some(&name))?)),
            "select" => Ok(Part::Select(name, self.branches(plural)?)),
            _ => Err(format!("{{{name}, {kind}}} is not supported")),
        }
    }

    /// `key {message}` several times, and the closing brace.
    fn branches(&mut self, plural: Option<&str>) -> Result<Vec<(String, Message)>, String> {
        let mut branches = Vec::new();
        while !self.take('}') {
            let key = self.word()?;
            self.expect('{')?;
            let message = self.message(plural)?;
            self.expect('}')?;
            branches.push((key, message));
        }
        match branches.iter().any(|(key, _)| key == "other") {
            true => Ok(branches),
            false => Err("no branch named other".into()),
        }
    }

    /// The name of an argument, a kind or a branch.
    fn word(&mut self) -> Result<String, String> {
        self.skip_spaces();
        let mut word = String::new();
        while let Some(letter) =
            self.rest.next_if(|next| next.is_alphanumeric() || "_=-".contains(*next))
        {
            word.push(letter);
        }
        if word.is_empty() { Err("a name is missing".into()) } else { Ok(word) }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip_spaces();
        self.rest.next_if_eq(&wanted).is_some()
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(format!("a {wanted} is missing")) }
    }

    fn skip_spaces(&mut self) {
        while self.rest.next_if(|next| next.is_whitespace()).is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Part {
        Part::Text(text.into())
    }

    #[test]
    fn apostrophes_quote_special_characters_only() {
        assert_eq!(parse("the product's page"), Ok(vec![text("the product's page")]));
        assert_eq!(parse("it''s '{not}' a 'name'"), Ok(vec![text("it's {not} a 'name'")]));
        assert_eq!(parse("a '<b''>' # '#'"), Ok(vec![text("a <b'> # '#'")]));
        assert_eq!(
            parse("{n, plural, other {'#' #}}"),
            Ok(vec![Part::Plural(
                "n".into(),
                vec![("other".into(), vec![text("# "), Part::Number("n".into())])]
            )])
        );
    }

    #[test]
    fn placeholders_may_contain_spaces_and_other_messages() {
        let spaced = parse("{ who , select , me { {n , number} } other{}}");
        let inner = vec![text(" "), Part::Number("n".into()), text(" ")];
        let branches = vec![("me".into(), inner), ("other".into(), vec![])];
        assert_eq!(spaced, Ok(vec![Part::Select("who".into(), branches)]));
        // In a select within a plural, # is still the plural's number.
        let nested = parse("{n, plural, other {{a, select, other {#}}}}").unwrap();
        assert!(format!("{nested:?}").contains("Number(\"n\")"), "{nested:?}");
    }

    #[test]
    fn malformed_messages_are_rejected() {
        for (malformed, why) in [
            ("{", "a name is missing"),
            ("}", "a } without its {"),
            ("a } b", "a } without its {"),
            ("{name", "a , is missing"),
            ("{name}}", "a } without its {"),
            ("{na me}", "a , is missing"),
            ("{}", "a name is missing"),
            ("{n, number, integer}", "a } is missing"),
            ("{n, date, short}", "{n, date} is not supported"),
            ("{n, plural}", "a , is missing"),
            ("{n, plural, one {a}}", "no branch named other"),
            ("{n, plural, other a}", "a { is missing"),
            ("{n, plural, other {a}", "a name is missing"),
            ("{n, select, other {a}", "a name is missing"),
            ("{n, selectordinal, other {a}}", "{n, selectordinal} is not supported"),
            ("{n, plural, other {a {b}", "a } is missing"),
            ("an '{open quotation", "an apostrophe opens a quotation without an end"),
            ("a <b>tag</b>", "a tag: they are for the web only"),
        ] {
            assert_eq!(parse(malformed), Err(why.to_owned()), "{malformed}");
        }
    }
}
