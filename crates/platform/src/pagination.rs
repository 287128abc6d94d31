//! Cursor pagination of lists that start with the newest item: reads `limit` and `cursor` of a request, cuts
//! pages, and writes the headers `X-Next-Cursor` and `X-Total-Count`.

use axum::http::{HeaderName, HeaderValue};

use crate::db::SqlValue;
use crate::{Error, Id, Result, Timestamp};

pub const MAX_LIMIT: i64 = 200;

/// The last item of a page; the next page starts after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor<T> {
    pub created_at: Timestamp,
    pub id: Id<T>,
}

impl<T> Cursor<T> {
    pub fn new(created_at: Timestamp, id: &Id<T>) -> Self {
        Self { created_at, id: id.clone() }
    }

    /// From the text of an earlier response.
    pub fn parse(text: &str) -> Result<Self> {
        let parts = text.split_once('.').and_then(|(time, id)| {
            Some(Self { created_at: Timestamp(time.parse().ok()?), id: id.parse().ok()? })
        });
        parts.ok_or_else(|| Error::invalid("cursor", "not one that this shop gave out"))
    }

    pub fn text(&self) -> String {
        format!("{}.{}", self.created_at.0, self.id)
    }
}

/// Which page of a list is wanted.
#[derive(Debug)]
pub struct PageRequest<T> {
    pub after: Option<Cursor<T>>,
    pub limit: i64,
}

impl<T> PageRequest<T> {
    pub fn first(limit: i64) -> Self {
        Self { after: None, limit }
    }

    /// From the query parameters `cursor` and `limit`.
    pub fn parse(cursor: Option<&str>, limit: Option<&str>, default_limit: i64) -> Result<Self> {
        let limit = parse_limit(limit, default_limit)?;
        Ok(Self { after: cursor.map(Cursor::parse).transpose()?, limit })
    }

    /// The SQL condition for the rows after the cursor; adds its values to those of the query.
    pub fn condition(&self, table: &str, values: &mut Vec<SqlValue>) -> Option<String> {
        let after = self.after.as_ref()?;
        values.extend([after.created_at.into(), SqlValue::from(&after.id)]);
        let (time, id) = (values.len() - 1, values.len());
        Some(format!("({table}.created_at, {table}.id) < (${time}, ${id})"))
    }

    /// How many rows to read: with one more than the page has, it is known whether another page follows.
    pub fn rows(&self) -> i64 {
        self.limit.saturating_add(1)
    }

    /// The page of the rows that were read.
    pub fn page<I>(&self, mut items: Vec<I>, cursor: impl Fn(&I) -> Cursor<T>) -> Page<I, T> {
        let limit = usize::try_from(self.limit).unwrap_or_default();
        let more = items.len() > limit;
        items.truncate(limit);
        Page { next: items.last().filter(|_| more).map(cursor), items }
    }
}

/// A number from 1 to `MAX_LIMIT`.
pub fn parse_limit(text: Option<&str>, default: i64) -> Result<i64> {
    match text.map(str::parse) {
        None => Ok(default),
        Some(Ok(limit @ 1..=MAX_LIMIT)) => Ok(limit),
        _ => Err(Error::invalid("limit", format!("a number from 1 to {MAX_LIMIT}"))),
    }
}

/// Items, and the cursor of the next page unless this is the last one.
#[derive(Debug, PartialEq, Eq)]
pub struct Page<I, T = I> {
    pub items: Vec<I>,
    pub next: Option<Cursor<T>>,
}

impl<I, T> Page<I, T> {
    pub fn next_header(&self) -> Option<(HeaderName, HeaderValue)> {
        next_header(self.next.as_ref())
    }
}

/// The header with the cursor of the next page.
pub fn next_header<T>(next: Option<&Cursor<T>>) -> Option<(HeaderName, HeaderValue)> {
    // Never fails: a cursor is digits, a dot and an id.
    let value = HeaderValue::try_from(next?.text()).ok()?;
    Some((HeaderName::from_static("x-next-cursor"), value))
}

pub fn total_header(total: i64) -> (HeaderName, HeaderValue) {
    (HeaderName::from_static("x-total-count"), HeaderValue::from(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Eq)]
    struct Item;

    fn cursor(number: &i64) -> Cursor<Item> {
        Cursor::new(Timestamp(*number), &Id::from_name("item"))
    }

    #[test]
    fn a_cursor_is_read_from_its_text_and_from_nothing_else() {
        let text = cursor(&1_700_000_000_000).text();
        assert_eq!(Cursor::parse(&text).unwrap(), cursor(&1_700_000_000_000));
        for wrong in ["", ".", "1", "1.", ".a", "x.a", "1.a b", "1.a.b", "99999999999999999999.a"] {
            let why = Cursor::<Item>::parse(wrong).unwrap_err();
            assert_eq!(why.status(), 400, "{wrong}");
            assert!(why.message().starts_with("cursor: "), "{}", why.message());
        }
    }

    #[test]
    fn a_limit_is_within_its_bounds() {
        assert_eq!(parse_limit(None, 50).unwrap(), 50);
        assert_eq!(parse_limit(Some("200"), 50).unwrap(), 200);
        for wrong in ["", "0", "-1", "201", "1.5", "ten"] {
            assert_eq!(parse_limit(Some(wrong), 50).unwrap_err().status(), 400, "{wrong}");
        }
    }

    #[test]
    fn only_a_page_with_items_after_it_has_a_next_cursor() {
        let request = PageRequest::first(2);
        assert_eq!(request.rows(), 3);
        assert_eq!(
            request.page(vec![9, 8, 7], cursor),
            Page { items: vec![9, 8], next: Some(cursor(&8)) }
        );
        assert_eq!(request.page(vec![9, 8], cursor), Page { items: vec![9, 8], next: None });
        assert_eq!(request.page(Vec::new(), cursor), Page { items: Vec::new(), next: None });
        let page = PageRequest::first(1).page(vec![9, 8], cursor);
        let (name, value) = page.next_header().unwrap();
        assert_eq!(
            (name.as_str(), value.to_str().unwrap()),
            ("x-next-cursor", &*cursor(&9).text())
        );
        assert_eq!(PageRequest::<Item>::first(i64::MAX).rows(), i64::MAX);
    }

    #[test]
    fn the_condition_continues_the_numbers_of_the_values() {
        let mut values = vec![SqlValue::from(1_i64)];
        assert_eq!(PageRequest::<Item>::first(1).condition("orders", &mut values), None);
        let second = PageRequest { after: Some(cursor(&9)), limit: 1 };
        let condition = second.condition("orders", &mut values).unwrap();
        assert_eq!(condition, "(orders.created_at, orders.id) < ($2, $3)");
        assert_eq!(values.len(), 3);
    }
}
