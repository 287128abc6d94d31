//! JSON Schemas of what a search takes, for the API's description.

use utoipa::openapi::schema::{Array, ArrayBuilder, Object, ObjectBuilder, Type};

use crate::{LONGEST_VALUE, MOST_VALUES, SIZES};

/// What `char::is_control` refuses.
const LINE: &str = r"^[^\u0000-\u001F\u007F-\u009F]*$";

/// Brands or colours.
pub fn choice_values() -> Array {
    let value = ObjectBuilder::new().schema_type(Type::String).pattern(Some(LINE));
    let values = ArrayBuilder::new().items(value.max_length(Some(LONGEST_VALUE)));
    values.max_items(Some(MOST_VALUES)).build()
}

pub fn page_size() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(SIZES)).build()
}
