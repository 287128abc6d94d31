//! Whether a text holds a link. Rather one text too many waits for the shopkeeper than an advertisement is
//! shown; but who forgets the space after a full stop is no advertiser.

/// Endings of addresses that stand for themselves. Those that are words too ("me", "to", "store") count
/// only where something follows them.
const ENDINGS: [&str; 24] = [
    "com", "net", "org", "info", "biz", "io", "xyz", "ru", "cn", "uk", "de", "fr", "eu", "bd",
    "co", "ly", "gg", "tk", "icu", "club", "vip", "dev", "app", "cc",
];

pub fn holds_link(text: &str) -> bool {
    let text = text.to_lowercase().replace(['。', '．', '｡'], ".");
    text.contains("://") || text.split(between_words).any(is_link)
}

fn between_words(letter: char) -> bool {
    letter.is_whitespace() || "()<>[]{}\"'“”‘’«»,;:|!*=?#&".contains(letter)
}

fn is_link(word: &str) -> bool {
    word.split_inclusive('/').any(|part| {
        let (part, goes_on) = match part.strip_suffix('/') {
            Some(part) => (part, true),
            None => (part, false),
        };
        let (mailbox, host) = part.rsplit_once('@').map_or((false, part), |(_, host)| (true, host));
        let host = host.trim_end_matches('.');
        host.strip_prefix("www.").is_some_and(|rest| !rest.is_empty())
            || ending(host).is_some_and(|end| goes_on || mailbox || ENDINGS.contains(&end))
    })
}

/// The last part of what could be a host's name: `uk` of `shop.example.co.uk`.
fn ending(host: &str) -> Option<&str> {
    let (rest, last) = host.rsplit_once('.')?;
    let part = |part: &str| {
        !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
    };
    let letters = last.chars().count() >= 2 && last.chars().all(char::is_alphabetic);
    (letters && rest.split('.').all(part)).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_seen() {
        for text in [
            "http://a.example",
            "See HTTPS://Shop.Example/x now",
            "ftp://x",
            "go to www.cheap-lamps.example.",
            "(www.x.y)",
            "example.com",
            "Better at EXAMPLE.COM!",
            "see:example.com",
            "lamps/example.org",
            "example.co.uk",
            "bit.ly/2abc",
            "t.me/lamps",
            "lamps.store/x?y=z",
            "write to me@lamps.example",
            "пример.com",
            "example。com",
            "<a href=\"//x.com\">x</a>",
            "a\nexample.net\nb",
        ] {
            assert!(holds_link(text), "{text}");
        }
    }

    #[test]
    fn plain_words_are_no_links() {
        for text in [
            "",
            "It hums. A little.",
            "Great lamp.It works.",
            "gave it to me.to my surprise",
            "4.5/5, and/or 3.5mm",
            "e.g. at 9 a.m./p.m. i.e. early...",
            "a.b.c",
            "@ 2.40",
            "node.js and Dr.Smith",
            "wwwow. www.",
            "1.000,50 for 2.5 kg",
            "দারুণ।ভালো",
        ] {
            assert!(!holds_link(text), "{text}");
        }
    }
}
