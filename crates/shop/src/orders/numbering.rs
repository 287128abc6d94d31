//! The numbers of invoices and credit notes: how the shop writes them, and which series they are counted in. Pure functions.

use std::fmt;
use std::str::FromStr;

use platform::Timestamp;
use platform::time_zone::TimeZone;
use serde::{Deserialize, Serialize};

use super::DocumentKind;
use super::invoice::InvoiceForm;

const MAX_FORMAT_CHARS: usize = 40;
const DEFAULT_DIGITS: usize = 4;
const MAX_DIGITS: usize = 12;
const MAX_SIGNATORY_CHARS: usize = 200;

/// Settings of invoices and credit notes.
#[derive(Clone, Debug, Default, Serialize, Deserialize, clap::Args)]
#[group(id = "invoices")]
pub struct InvoiceSettings {
    /// How invoices are numbered. {number} has four digits or more, {number:6} six; {year} starts the numbers again each
    /// year, {year:7} each July (2026-27) [default: INV-{year}-{number}]
    #[arg(long, env = "HAAT_INVOICE_NUMBER", value_name = "FORMAT", help_heading = HEADING)]
    pub invoice_number: Option<NumberFormat>,
    /// How credit notes are numbered [default: CN-{year}-{number}]
    #[arg(long, env = "HAAT_CREDIT_NOTE_NUMBER", value_name = "FORMAT", help_heading = HEADING)]
    pub credit_note_number: Option<NumberFormat>,
    /// The form of invoices: standard, or mushak-6.3 of the National Board of Revenue of Bangladesh [default: standard]
    #[arg(long, env = "HAAT_INVOICE_FORM", value_name = "FORM", help_heading = HEADING)]
    pub invoice_form: Option<InvoiceForm>,
    /// Who signs invoices of the form mushak-6.3: "Name, designation"
    #[arg(long, env = "HAAT_INVOICE_SIGNATORY", value_name = "TEXT", value_parser = signatory,
          help_heading = HEADING)]
    pub invoice_signatory: Option<String>,
    /// The shop's, in which a year and a day begin.
    #[arg(skip)]
    #[serde(default)]
    pub time_zone: TimeZone,
}

const HEADING: &str = "The shop";

fn signatory(text: &str) -> Result<String, String> {
    match text.chars().count() > MAX_SIGNATORY_CHARS || text.contains(char::is_control) {
        true => Err(format!("at most {MAX_SIGNATORY_CHARS} characters in one line are allowed")),
        false => Ok(text.trim().to_owned()),
    }
}

impl InvoiceSettings {
    /// Fills what is not set with the settings of the running shop.
    pub fn with_defaults(self, served: Option<Self>) -> Self {
        let Some(served) = served else { return self };
        Self {
            invoice_number: self.invoice_number.or(served.invoice_number),
            credit_note_number: self.credit_note_number.or(served.credit_note_number),
            invoice_form: self.invoice_form.or(served.invoice_form),
            invoice_signatory: self.invoice_signatory.or(served.invoice_signatory),
            time_zone: served.time_zone,
        }
    }

    pub(super) fn format(&self, kind: DocumentKind) -> NumberFormat {
        let (set, prefix) = match kind {
            DocumentKind::Invoice => (&self.invoice_number, "INV-"),
            DocumentKind::CreditNote => (&self.credit_note_number, "CN-"),
        };
        set.clone().unwrap_or_else(|| NumberFormat::of_year(prefix))
    }
}

/// A format of numbers, such as `INV-{year}-{number}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NumberFormat(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// The year that begins in this month, 1 to 12.
    Year(u8),
    /// With at least so many digits.
    Number(usize),
}

impl NumberFormat {
    fn of_year(prefix: &str) -> Self {
        let text = |text: &str| Part::Text(text.to_owned());
        Self(vec![text(prefix), Part::Year(1), text("-"), Part::Number(DEFAULT_DIGITS)])
    }

    /// The series of a day, by the local time: the format with its year. The number of digits makes no other series.
    pub(super) fn series(&self, local: Timestamp) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Year(first_month) => year(local, *first_month),
            Part::Number(_) => "{number}".to_owned(),
        };
        self.0.iter().map(part).collect()
    }

    /// A number of the series, as it is printed.
    pub(super) fn write(&self, series: &str, number: i64) -> String {
        let digits = self.0.iter().find_map(|part| match part {
            Part::Number(digits) => Some(*digits),
            _ => None,
        });
        let digits = digits.unwrap_or(DEFAULT_DIGITS);
        series.replace("{number}", &format!("{number:0digits$}"))
    }
}

/// `2026`, or `2026-27` where the year begins in another month than January.
fn year(local: Timestamp, first_month: u8) -> String {
    let (year, month) = (i32::from(local.year()), local.month());
    let first = if month < first_month { year - 1 } else { year };
    match first_month {
        1 => first.to_string(),
        _ => format!("{first}-{:02}", (first + 1) % 100),
    }
}

impl FromStr for NumberFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.chars().count() > MAX_FORMAT_CHARS || text.contains(char::is_control) {
            return Err(format!("at most {MAX_FORMAT_CHARS} characters in one line are allowed"));
        }
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or("a { has no }")?;
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            parts.push(placeholder(name)?);
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        let texts = parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        if texts.into_iter().any(|text| text.contains('}')) {
            return Err("a } has no {".into());
        }
        let count = |is: fn(&Part) -> bool| parts.iter().filter(|part| is(part)).count();
        if count(|part| matches!(part, Part::Number(_))) != 1 {
            return Err("{number} is required, once".into());
        }
        if count(|part| matches!(part, Part::Year(_))) > 1 {
            return Err("{year} is allowed once".into());
        }
        check_neighbours(&parts)?;
        Ok(Self(parts))
    }
}

fn placeholder(name: &str) -> Result<Part, String> {
    let value = |text: &str| text.parse::<u8>().ok();
    let part = match name.split_once(':') {
        None if name == "number" => Some(Part::Number(DEFAULT_DIGITS)),
        None if name == "year" => Some(Part::Year(1)),
        Some(("number", digits)) => {
            let digits = value(digits).map(usize::from);
            digits.filter(|digits| (1..=MAX_DIGITS).contains(digits)).map(Part::Number)
        }
        Some(("year", month)) => {
            value(month).filter(|month| (1..=12).contains(month)).map(Part::Year)
        }
        _ => None,
    };
    part.ok_or_else(|| {
        format!(
            "{{{name}}} is none of {{number}}, {{number:6}} (1 to {MAX_DIGITS} digits), {{year}}, {{year:7}} (from month 1 to 12)"
        )
    })
}

/// A digit beside the number could not be told from it.
fn check_neighbours(parts: &[Part]) -> Result<(), String> {
    let is_digit = |letter: Option<char>| letter.is_some_and(char::is_numeric);
    let beside = parts.windows(2).any(|pair| match pair {
        [Part::Number(_), Part::Year(_)] | [Part::Year(_), Part::Number(_)] => true,
        [Part::Number(_), Part::Text(text)] => is_digit(text.chars().next()),
        [Part::Text(text), Part::Number(_)] => is_digit(text.chars().next_back()),
        _ => false,
    });
    match beside {
        true => Err("a separator is required between {number} and other digits".into()),
        false => Ok(()),
    }
}

impl fmt::Display for NumberFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.0 {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Year(1) => f.write_str("{year}")?,
                Part::Year(month) => write!(f, "{{year:{month}}}")?,
                Part::Number(DEFAULT_DIGITS) => f.write_str("{number}")?,
                Part::Number(digits) => write!(f, "{{number:{digits}}}")?,
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for NumberFormat {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<NumberFormat> for String {
    fn from(format: NumberFormat) -> Self {
        format.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: &str, day: &str, number: i64) -> String {
        let format: NumberFormat = format.parse().unwrap();
        let series = format.series(Timestamp::parse(&format!("{day}T12:00:00Z")).unwrap());
        format.write(&series, number)
    }

    #[test]
    fn numbers_have_their_year_and_digits() {
        for (format, day, number, expected) in [
            ("INV-{year}-{number}", "2026-11-15", 7, "INV-2026-0007"),
            ("INV-{year}-{number}", "2026-11-15", 12_345, "INV-2026-12345"),
            ("{number:1}", "2026-11-15", 7, "7"),
            ("FV {number:2}/{year}", "2026-11-15", 7, "FV 07/2026"),
            ("{year:7}/{number:6}", "2026-06-30", 1, "2025-26/000001"),
            ("{year:7}/{number:6}", "2026-07-01", 1, "2026-27/000001"),
            ("{year:4}/{number}", "2099-04-01", 1, "2099-00/0001"),
            ("মূসক-{number}", "2026-07-01", 1, "মূসক-0001"),
        ] {
            assert_eq!(written(format, day, number), expected);
        }
    }

    #[test]
    fn a_series_is_a_format_and_a_year() {
        let series = |format: &str, day: &str| {
            let format: NumberFormat = format.parse().unwrap();
            format.series(Timestamp::parse(&format!("{day}T00:00:00Z")).unwrap())
        };
        assert_eq!(series("A{year}-{number}", "2026-12-31"), "A2026-{number}");
        assert_eq!(series("A{year}-{number}", "2027-01-01"), "A2027-{number}");
        assert_eq!(series("A-{number:9}", "2027-01-01"), series("A-{number}", "2028-01-01"));
    }

    #[test]
    fn wrong_formats_are_explained() {
        for (format, why) in [
            ("", "{number} is required"),
            ("INV-{year}", "{number} is required"),
            ("{number}-{number}", "{number} is required, once"),
            ("{year}-{year}-{number}", "{year} is allowed once"),
            ("{year}{number}", "separator"),
            ("INV2{number}", "separator"),
            ("{number}5", "separator"),
            ("{nummer}", "{nummer} is none of"),
            ("{number:0}", "none of"),
            ("{number:13}", "none of"),
            ("{year:13}-{number}", "none of"),
            ("{number", "a { has no }"),
            ("number}-{number}", "a } has no {"),
            ("{number}\n", "in one line"),
        ] {
            let found = format.parse::<NumberFormat>().unwrap_err();
            assert!(found.contains(why), "{format}: {found}");
        }
        assert!(format!("{}{{number}}", "x".repeat(33)).parse::<NumberFormat>().is_err());
    }

    #[test]
    fn formats_are_stored_as_they_are_written() {
        for format in
            ["INV-{year}-{number}", "{year:7}/{number:6}", "R {number}", "{number} / {year}"]
        {
            assert_eq!(format.parse::<NumberFormat>().unwrap().to_string(), format);
        }
        let default = InvoiceSettings::default();
        assert_eq!(default.format(DocumentKind::Invoice).to_string(), "INV-{year}-{number}");
        assert_eq!(default.format(DocumentKind::CreditNote).to_string(), "CN-{year}-{number}");
    }
}
