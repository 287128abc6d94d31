//! What is wrong with an import file: every fault with its place and what was expected, as one error.

use base::Error;
use base::error::Field;

/// How many faults one error names; the others are counted.
pub const MOST_NAMED: usize = 50;

/// Where something stands in a file, both counted from 1. In CSV a column is a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// Where a byte of a text stands.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Self { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
    }
}

#[derive(Debug)]
pub struct Fault {
    pub(super) place: Place,
    pub(super) message: String,
}

/// The faults of one file. One of them is enough that nothing of it is imported.
#[derive(Debug, Default)]
pub struct Faults {
    named: Vec<Fault>,
    left_out: usize,
}

impl Faults {
    pub fn push(&mut self, fault: Fault) {
        if self.named.len() < MOST_NAMED {
            self.named.push(fault);
        } else {
            self.left_out += 1;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// An error where there is a fault.
    pub fn check(self) -> Result<(), Error> {
        if self.is_empty() { Ok(()) } else { Err(self.into()) }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let mut faults = Faults::default();
        faults.push(fault);
        faults.into()
    }
}

impl From<Faults> for Error {
    fn from(Faults { mut named, left_out }: Faults) -> Self {
        named.sort_by_key(|fault| fault.place);
        let fields: Vec<Field> = named
            .into_iter()
            .map(|Fault { place: Place { line, column }, message }| Field {
                name: format!("line {line}, column {column}").into(),
                message,
            })
            .collect();
        let mut lines: Vec<String> =
            fields.iter().map(|Field { name, message }| format!("{name}: {message}")).collect();
        if lines.len() > 1 {
            let count = lines.len() + left_out;
            lines.insert(0, format!("{count} faults, and nothing was imported:"));
        }
        if left_out > 0 {
            lines.push(format!("and {left_out} more"));
        }
        Self::Invalid { message: lines.join("\n  "), fields }
    }
}
