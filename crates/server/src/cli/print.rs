//! Prints to the terminal. Printed text may come from visitors, so control characters are escaped: no name can move
//! the terminal's cursor, change its title or hide a line.

use std::io::{self, Write};

use platform::text::escape_unsafe;

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
