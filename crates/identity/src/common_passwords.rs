//! Common passwords, which are rejected: those that an attacker tries first. One per line, in lower
//! case, because upper case makes none of them harder to guess.

use std::collections::HashSet;
use std::sync::LazyLock;

static COMMON: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

pub fn contains(password: &str) -> bool {
    COMMON.contains(password.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_is_clean() {
        for line in include_str!("common_passwords.txt").lines() {
            assert!(line.chars().count() >= 8 && line == line.to_lowercase(), "{line}");
        }
        assert!((500..2000).contains(&COMMON.len()), "{}", COMMON.len());
        assert!(!contains("Market#1") && !contains("correct horse battery staple"));
    }
}
