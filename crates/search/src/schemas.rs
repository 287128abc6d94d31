//! JSON Schemas of search parameters, for the OpenAPI description.

use utoipa::openapi::schema::{Array, ArrayBuilder, Object, ObjectBuilder, Type};

use crate::{MAX_VALUE_CHARS, MAX_VALUES, PAGE_SIZES};

/// No character that `char::is_control` matches.
const LINE: &str = r"^[^\u0000-\u001F\u007F-\u009F]*$";

/// Brands or colours.
pub fn filter_values() -> Array {
    let value = ObjectBuilder::new().schema_type(Type::String).pattern(Some(LINE));
    let values = ArrayBuilder::new().items(value.max_length(Some(MAX_VALUE_CHARS)));
    values.max_items(Some(MAX_VALUES)).build()
}

pub fn page_size() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(PAGE_SIZES)).build()
}
