//! A statement with its values, and how several are sent as one.

use std::borrow::Cow;

use super::Value;

/// A statement and its values. Values are always bound, never written into the text.
#[must_use]
pub struct Write {
    pub(super) sql: Cow<'static, str>,
    pub(super) values: Vec<Value>,
}

/// A statement for `Tx::later`.
pub fn write(sql: impl Into<Cow<'static, str>>) -> Write {
    Write { sql: sql.into(), values: Vec::new() }
}

impl Write {
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    pub fn bind_all(mut self, values: impl IntoIterator<Item = Value>) -> Self {
        self.values.extend(values);
        self
    }
}

/// As SQLite takes several, each with its own values.
pub(super) fn one_after_another(
    first: &str,
    writes: impl Iterator<Item = Write>,
) -> (String, Vec<Value>) {
    let (statements, values) = renumbered(writes);
    (format!("{first}{}", statements.join(";\n")), values)
}

/// PostgreSQL takes one statement at a time, but one may hold others.
pub(super) fn in_one_statement(writes: impl Iterator<Item = Write>) -> (String, Vec<Value>) {
    let (mut statements, values) = renumbered(writes);
    let last = statements.pop().unwrap_or_default();
    if statements.is_empty() {
        return (last, values);
    }
    let named = |(n, statement): (usize, String)| format!("later_{n} as ({statement})");
    let held: Vec<String> = statements.into_iter().enumerate().map(named).collect();
    (format!("with {} {last}", held.join(",\n")), values)
}

/// The same with statements that give rows, one after the other: theirs are the statement's rows.
pub(super) fn asked_in_one_statement(
    writes: impl ExactSizeIterator<Item = Write>,
    asked: impl Iterator<Item = Write>,
) -> (String, Vec<Value>) {
    let unasked = writes.len();
    let (statements, values) = renumbered(writes.chain(asked));
    let (mut held, mut rows) = (Vec::new(), Vec::new());
    for (n, statement) in statements.iter().enumerate() {
        held.push(format!("one_{n} as ({statement})"));
        if n >= unasked {
            rows.push(format!("select * from one_{n}"));
        }
    }
    (format!("with {}\n{}", held.join(",\n"), rows.join(" union all ")), values)
}

fn renumbered(writes: impl Iterator<Item = Write>) -> (Vec<String>, Vec<Value>) {
    let (mut statements, mut all) = (Vec::new(), Vec::new());
    for Write { sql, values } in writes {
        statements.push(moved_on(&sql, all.len()));
        all.extend(values);
    }
    (statements, all)
}

/// The same statement with its places counted from `by` on: `$1` is `$3` after two values.
fn moved_on(sql: &str, by: usize) -> String {
    let mut parts = sql.split('$');
    let mut moved = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (place, rest) = part.split_at(digits);
        let place =
            place.parse().map_or_else(|_| place.to_owned(), |n: usize| (n + by).to_string());
        moved.extend(["$", &place, rest]);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_go_together_each_with_its_own_values() {
        let writes = || {
            [
                write("insert into a values ($1, $2)").bind(1_i64).bind("one"),
                write("delete from b"),
                write("update c set x = $2, y = $2 where z = $1").bind("z").bind(true),
            ]
            .into_iter()
        };
        let (sql, values) = in_one_statement(writes());
        assert_eq!(
            sql,
            "with later_0 as (insert into a values ($1, $2)),\nlater_1 as (delete from b) \
             update c set x = $4, y = $4 where z = $3"
        );
        assert_eq!(values.len(), 4);
        assert_eq!(in_one_statement(writes().skip(1).take(1)).0, "delete from b");
        let take = || write("update d set e = $1 returning e").bind(1_i64);
        let (sql, values) = asked_in_one_statement(writes().skip(2), [take(), take()].into_iter());
        assert_eq!(
            sql,
            "with one_0 as (update c set x = $2, y = $2 where z = $1),\n\
             one_1 as (update d set e = $3 returning e),\n\
             one_2 as (update d set e = $4 returning e)\n\
             select * from one_1 union all select * from one_2"
        );
        assert_eq!(values.len(), 4);
        let (sql, values) = one_after_another("first; ", writes().skip(1));
        assert_eq!(sql, "first; delete from b;\nupdate c set x = $2, y = $2 where z = $1");
        assert_eq!(values.len(), 2);
        let twelve: String = (1..=12).map(|place| format!("${place} ")).collect();
        assert!(moved_on(&twelve, 9).starts_with("$10 $11 "));
        assert!(moved_on(&twelve, 9).ends_with(" $21 "));
    }
}
