//! Import errors: every problem of a file with its line and column, reported as one `Error`.

use platform::Error;
use platform::error::Field;

/// How many errors are listed; the rest are only counted.
pub const MAX_LISTED: usize = 50;

/// A position in the file, counted from 1. In CSV the column is the number of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl Position {
    /// The position of a byte offset.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Self { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
    }
}

/// A text in quotation marks. `Debug` would escape the vowel signs of Bangla.
pub fn quoted(text: &str) -> String {
    let shown = text.chars().map(|ch| if ch.is_control() { '\u{fffd}' } else { ch });
    format!("\"{}\"", shown.collect::<String>())
}

#[derive(Debug)]
pub struct ImportError {
    pub(super) place: Position,
    pub(super) message: String,
}

/// All errors of a file. With a single one nothing is imported.
#[derive(Debug, Default)]
pub struct ImportErrors {
    named: Vec<ImportError>,
    left_out: usize,
}

impl ImportErrors {
    pub fn push(&mut self, error: ImportError) {
        if self.named.len() < MAX_LISTED {
            self.named.push(error);
        } else {
            self.left_out += 1;
        }
    }

    pub fn push_at(&mut self, line: usize, column: usize, message: impl Into<String>) {
        self.push(ImportError { place: Position { line, column }, message: message.into() });
    }

    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    pub fn check(self) -> Result<(), Error> {
        if self.is_empty() { Ok(()) } else { Err(self.into()) }
    }
}

impl From<ImportErrors> for Error {
    fn from(ImportErrors { mut named, left_out }: ImportErrors) -> Self {
        named.sort_by_key(|error| error.place);
        let fields: Vec<Field> = named
            .into_iter()
            .map(|ImportError { place: Position { line, column }, message }| {
                Field::malformed(format!("line {line}, column {column}"), message)
            })
            .collect();
        let mut lines: Vec<String> =
            fields.iter().map(|field| format!("{}: {}", field.name, field.message)).collect();
        if lines.len() > 1 {
            let count = lines.len() + left_out;
            lines.insert(0, format!("{count} errors, and nothing was imported:"));
        }
        if left_out > 0 {
            lines.push(format!("and {left_out} more"));
        }
        Self::Invalid { message: lines.join("\n  "), fields }
    }
}
