//! SQL statements with their bound values, and how several are joined into one round trip.

use std::borrow::Cow;

use super::SqlValue;

/// Values are always bound, never written into the text.
#[must_use]
pub struct Statement {
    pub(super) sql: Cow<'static, str>,
    pub(super) values: Vec<SqlValue>,
}

/// A statement for `Tx::defer`.
pub fn statement(sql: impl Into<Cow<'static, str>>) -> Statement {
    Statement { sql: sql.into(), values: Vec::new() }
}

impl Statement {
    pub fn bind(mut self, value: impl Into<SqlValue>) -> Self {
        self.values.push(value.into());
        self
    }

    pub fn bind_all(mut self, values: impl IntoIterator<Item = SqlValue>) -> Self {
        self.values.extend(values);
        self
    }
}

/// SQLite executes several statements that are separated by semicolons.
pub(super) fn join_statements(
    statements: impl Iterator<Item = Statement>,
) -> (String, Vec<SqlValue>) {
    let (texts, values) = renumber_all(statements);
    (texts.join(";\n"), values)
}

/// PostgreSQL executes one statement with bound values at a time, but it may contain others as CTEs.
pub(super) fn join_as_ctes(statements: impl Iterator<Item = Statement>) -> (String, Vec<SqlValue>) {
    let (mut texts, values) = renumber_all(statements);
    let last = texts.pop().unwrap_or_default();
    if texts.is_empty() {
        return (last, values);
    }
    let named = |(n, text): (usize, String)| format!("later_{n} as ({text})");
    let ctes: Vec<String> = texts.into_iter().enumerate().map(named).collect();
    (format!("with {} {last}", ctes.join(",\n")), values)
}

/// The same, and the rows of the `returning` statements are the rows of the whole.
pub(super) fn join_as_returning_ctes(
    deferred: impl ExactSizeIterator<Item = Statement>,
    returning: impl Iterator<Item = Statement>,
) -> (String, Vec<SqlValue>) {
    let without_rows = deferred.len();
    let (texts, values) = renumber_all(deferred.chain(returning));
    let (mut ctes, mut rows) = (Vec::new(), Vec::new());
    for (n, text) in texts.iter().enumerate() {
        ctes.push(format!("one_{n} as ({text})"));
        if n >= without_rows {
            rows.push(format!("select * from one_{n}"));
        }
    }
    (format!("with {}\n{}", ctes.join(",\n"), rows.join(" union all ")), values)
}

fn renumber_all(statements: impl Iterator<Item = Statement>) -> (Vec<String>, Vec<SqlValue>) {
    let (mut texts, mut all) = (Vec::new(), Vec::new());
    for Statement { sql, values } in statements {
        texts.push(shift_placeholders(&sql, all.len()));
        all.extend(values);
    }
    (texts, all)
}

/// Adds `by` to each placeholder: `$1` becomes `$3` after two values.
fn shift_placeholders(sql: &str, by: usize) -> String {
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
    fn joined_statements_keep_their_own_values() {
        let statements = || {
            [
                statement("insert into a values ($1, $2)").bind(1_i64).bind("one"),
                statement("delete from b"),
                statement("update c set x = $2, y = $2 where z = $1").bind("z").bind(true),
            ]
            .into_iter()
        };
        let (sql, values) = join_as_ctes(statements());
        assert_eq!(
            sql,
            "with later_0 as (insert into a values ($1, $2)),\nlater_1 as (delete from b) \
             update c set x = $4, y = $4 where z = $3"
        );
        assert_eq!(values.len(), 4);
        assert_eq!(join_as_ctes(statements().skip(1).take(1)).0, "delete from b");
        let update = || statement("update d set e = $1 returning e").bind(1_i64);
        let (sql, values) =
            join_as_returning_ctes(statements().skip(2), [update(), update()].into_iter());
        assert_eq!(
            sql,
            "with one_0 as (update c set x = $2, y = $2 where z = $1),\n\
             one_1 as (update d set e = $3 returning e),\n\
             one_2 as (update d set e = $4 returning e)\n\
             select * from one_1 union all select * from one_2"
        );
        assert_eq!(values.len(), 4);
        let (sql, values) = join_statements(statements().skip(1));
        assert_eq!(sql, "delete from b;\nupdate c set x = $2, y = $2 where z = $1");
        assert_eq!(values.len(), 2);
        let twelve: String = (1..=12).map(|place| format!("${place} ")).collect();
        assert!(shift_placeholders(&twelve, 9).starts_with("$10 $11 "));
        assert!(shift_placeholders(&twelve, 9).ends_with(" $21 "));
    }
}
