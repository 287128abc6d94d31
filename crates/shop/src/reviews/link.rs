//! Link detection in review texts. A false positive only waits for approval; but a missing space after
//! a full stop is not a link.

/// Top-level domains that make a link by themselves. Those that are words too ("me", "to", "store")
/// need a path behind them.
const ENDINGS: [&str; 24] = [
    "com", "net", "org", "info", "biz", "io", "xyz", "ru", "cn", "uk", "de", "fr", "eu", "bd",
    "co", "ly", "gg", "tk", "icu", "club", "vip", "dev", "app", "cc",
];

pub fn contains_link(text: &str) -> bool {
    let text = text.to_lowercase().replace(['。', '．', '｡'], ".");
    text.contains("://") || text.split(between_words).any(is_link)
}

fn between_words(ch: char) -> bool {
    ch.is_whitespace() || "()<>[]{}\"'“”‘’«»,;:|!*=?#&".contains(ch)
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

/// The top-level domain of what could be a host name: `uk` of `shop.example.co.uk`.
fn ending(host: &str) -> Option<&str> {
    let (rest, last) = host.rsplit_once('.')?;
    let part =
        |part: &str| !part.is_empty() && part.chars().all(|ch| ch.is_alphanumeric() || ch == '-');
    let alphabetic = last.chars().count() >= 2 && last.chars().all(char::is_alphabetic);
    (alphabetic && rest.split('.').all(part)).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_detected() {
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
            assert!(contains_link(text), "{text}");
        }
    }

    #[test]
    fn plain_text_is_not_a_link() {
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
            assert!(!contains_link(text), "{text}");
        }
    }
}
