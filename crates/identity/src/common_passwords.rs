//! The most common passwords that meet the length and would be tried first. One per line, in lower case;
//! how letters are cased makes none of them harder to guess.

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
    use crate::passwords::{SHORTEST, lacks};

    #[test]
    fn the_list_is_clean_and_refuses_what_the_rule_alone_lets_through() {
        for line in include_str!("common_passwords.txt").lines() {
            assert!(line.chars().count() >= SHORTEST && line == line.to_lowercase(), "{line}");
        }
        assert!((500..2000).contains(&COMMON.len()), "{}", COMMON.len());
        for password in ["Password1!", "P@ssw0rd", "PASSWORD123!", "Welcome1!", "Qwerty123!"] {
            assert!(lacks(password).is_empty() && contains(password), "{password}");
        }
        assert!(!contains("Market#1") && !contains("correct horse battery staple"));
    }
}
