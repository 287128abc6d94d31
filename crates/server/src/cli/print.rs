//! The one writer of the command line. What it prints may have been typed by strangers: control characters
//! are escaped, so that no name moves the terminal's cursor, changes its title or hides a line.

use std::io::{self, Write};

use base::text::escape_unsafe;

/// Prints a line, as `println!` does.
macro_rules! print_line {
    ($($text:tt)*) => {
        $crate::cli::print::print_text(&(format!($($text)*) + "\n"))
    };
}

/// Whoever stops reading has read enough: that is no failure.
pub fn print_text(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(escape_unsafe(text).as_bytes()).and_then(|()| out.flush());
}

/// A line for people, beside what the command prints.
pub fn print_error(text: &str) {
    let _ = writeln!(io::stderr(), "{}", escape_unsafe(text));
}
