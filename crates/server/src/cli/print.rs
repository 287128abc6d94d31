//! Prints to the terminal. Printed text may come from visitors, so control characters are escaped: no name can move
//! the terminal's cursor, change its title or hide a line.

use std::io::{self, Write};

use platform::text::escape_unsafe;
use serde::Serialize;

use super::CommandResult;

/// Prints a line, as `println!` does.
macro_rules! print_line {
    ($($text:tt)*) => {
        $crate::cli::print::print_text(&(format!($($text)*) + "\n"))
    };
}

/// A closed pipe is no error.
pub fn print_text(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(escape_unsafe(text).as_bytes()).and_then(|()| out.flush());
}

pub fn print_error(text: &str) {
    let _ = writeln!(io::stderr(), "{}", escape_unsafe(text));
}

/// Prints a value as JSON, or as the text that `format` makes of it.
pub fn print_value<T: Serialize + ?Sized>(
    value: &T,
    json: bool,
    format: impl FnOnce(&T) -> String,
) -> CommandResult {
    match json {
        true => print_line!("{}", serde_json::to_string_pretty(value)?),
        false => print_text(&format(value)),
    }
    Ok(())
}

#[derive(Clone, Copy)]
pub enum Align {
    Left,
    Right,
}

/// A table without a header: columns as wide as their widest cell, two spaces apart.
pub fn format_table<const N: usize>(columns: [Align; N], rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; N] = std::array::from_fn(|column| width(column).unwrap_or_default());
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(columns).zip(widths).map(|((cell, align), width)| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows =
            [["a", "$1.00", "হাট"], ["long", "-$20.00", ""]].map(|row| row.map(str::to_owned));
        let text = format_table([Align::Left, Align::Right, Align::Left], &rows);
        assert_eq!(text, "a       $1.00  হাট\nlong  -$20.00\n");
        assert_eq!(format_table([Align::Left], &[]), "");
    }
}
