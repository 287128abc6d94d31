//! Splits the fields of an object while serde deserializes it: those with computed names, such as `name@bn` and
//! `realPrice:BDT`, from those that the derived code knows. Errors keep their positions.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::catalog::translated_fields::OtherFields;

pub trait ReadField {
    /// Reads the value of a field with a computed name, or returns false.
    fn read_field<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error>;
}

/// Leaves the fields that the reader does not read to the visitor of the object.
pub struct SplitFields<'r, D, R> {
    pub from: D,
    pub reader: &'r mut R,
}

impl<'de, D: Deserializer<'de>, R: ReadField> Deserializer<'de> for SplitFields<'_, D, R> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let Self { from, reader } = self;
        from.deserialize_any(SplitVisitor { visitor, reader })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct SplitVisitor<'r, V, R> {
    visitor: V,
    reader: &'r mut R,
}

impl<'de, V: Visitor<'de>, R: ReadField> Visitor<'de> for SplitVisitor<'_, V, R> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let Self { visitor, reader } = self;
        let take = |name: &str, map: &mut A| reader.read_field(name, map);
        visitor.visit_map(OtherFields { map, take })
    }
}
