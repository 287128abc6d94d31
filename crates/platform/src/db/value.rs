//! SQL values: what is bound into statements, and JSON columns.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sqlx::error::BoxDynError;
use sqlx::{Arguments, Database, Decode, Type};

use crate::{Currency, Error, ExchangeRate, Id, Language, MinorUnits, Money, Result, Timestamp};

/// A value to bind. Each has a type even when it is null, because PostgreSQL requires one.
#[derive(Clone, Debug)]
pub enum SqlValue {
    Int(Option<i64>),
    Real(Option<f64>),
    Bool(Option<bool>),
    Text(Option<String>),
}

pub(super) fn arguments<A: Arguments>(values: Vec<SqlValue>) -> Result<A>
where
    Option<i64>: for<'t> sqlx::Encode<'t, A::Database> + Type<A::Database>,
    Option<f64>: for<'t> sqlx::Encode<'t, A::Database> + Type<A::Database>,
    Option<bool>: for<'t> sqlx::Encode<'t, A::Database> + Type<A::Database>,
    Option<String>: for<'t> sqlx::Encode<'t, A::Database> + Type<A::Database>,
{
    let mut arguments = A::default();
    for value in values {
        match value {
            SqlValue::Int(value) => arguments.add(value),
            SqlValue::Real(value) => arguments.add(value),
            SqlValue::Bool(value) => arguments.add(value),
            SqlValue::Text(value) => arguments.add(value),
        }
        .map_err(Error::Internal)?;
    }
    Ok(arguments)
}

macro_rules! into_value {
    ($($from:ty => $variant:ident($convert:expr)),* $(,)?) => {$(
        impl From<$from> for SqlValue {
            fn from(value: $from) -> Self {
                Self::$variant(Some($convert(value)))
            }
        }
        impl From<Option<$from>> for SqlValue {
            fn from(value: Option<$from>) -> Self {
                Self::$variant(value.map($convert))
            }
        }
    )*};
}

into_value! {
    i64 => Int(|value| value),
    f64 => Real(|value| value),
    bool => Bool(|value| value),
    String => Text(|value| value),
    &str => Text(str::to_owned),
    Timestamp => Int(|time: Timestamp| time.0),
    Money => Int(|money: Money| money.minor()),
    MinorUnits => Int(|amount: MinorUnits| amount.0),
    ExchangeRate => Int(|rate: ExchangeRate| rate.as_i64()),
    Currency => Text(|currency: Currency| currency.to_string()),
    Language => Text(|language: Language| language.to_string()),
}

impl<T> From<&Id<T>> for SqlValue {
    fn from(id: &Id<T>) -> Self {
        Self::Text(Some(id.as_str().to_owned()))
    }
}

impl<T: Serialize> From<&Json<T>> for SqlValue {
    fn from(json: &Json<T>) -> Self {
        Self::Text(serde_json::to_string(&json.0).ok())
    }
}

/// A value stored as JSON in a text column, which neither database looks into.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json<T>(pub T);

impl<T> std::ops::Deref for Json<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T, DB: Database> Type<DB> for Json<T>
where
    String: Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        String::type_info()
    }
    fn compatible(ty: &DB::TypeInfo) -> bool {
        String::compatible(ty)
    }
}

impl<'r, T: DeserializeOwned, DB: Database> Decode<'r, DB> for Json<T>
where
    String: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(serde_json::from_str(&String::decode(value)?)?))
    }
}
