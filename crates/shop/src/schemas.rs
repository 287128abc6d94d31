//! JSON Schemas of text inputs, for the OpenAPI description: the rules of `validation`.

use utoipa::openapi::schema::{
    Array, ArrayBuilder, KnownFormat, Object, ObjectBuilder, OneOfBuilder, Ref, SchemaFormat, Type,
};

use platform::money::MAX_UNITS;

use crate::validation::{MAX_EMAIL_LEN, MAX_PHONE_LEN};

// Excludes what `char::is_control` matches; `FILLED_` patterns require one character that is no space.
const LINE: &str = r"^[^\u0000-\u001F\u007F-\u009F]*$";
const FILLED_LINE: &str = concat!(
    r"^[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F]",
    r"[^\u0000-\u001F\u007F-\u009F]*$",
);
const FILLED_LINES: &str = concat!(
    r"^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F]",
    r"[^\u0000-\u0008\u000B-\u001F\u007F-\u009F]*$",
);
const PHONE: &str = r"^[+(]?[0-9\u09E6-\u09EF]([ .,/x#*()+-]{0,2}[0-9\u09E6-\u09EF]){3,19}$";

fn text(pattern: &str, longest: usize) -> ObjectBuilder {
    let text = ObjectBuilder::new().schema_type(Type::String);
    text.pattern(Some(pattern)).max_length(Some(longest))
}

pub fn email() -> Object {
    let email = ObjectBuilder::new().schema_type(Type::String).max_length(Some(MAX_EMAIL_LEN));
    email.format(Some(SchemaFormat::KnownFormat(KnownFormat::Email))).build()
}

pub fn phone() -> Object {
    text(PHONE, MAX_PHONE_LEN).build()
}

/// A day such as 2026-12-24, or nothing.
pub fn day() -> Object {
    text("^([0-9]{4}-[0-9]{2}-[0-9]{2})?$", 10).build()
}

/// One line; may be empty.
pub fn line<const MAX: usize>() -> Object {
    text(LINE, MAX).build()
}

pub fn filled_line<const MAX: usize>() -> Object {
    text(FILLED_LINE, MAX).build()
}

pub fn filled_lines<const MAX: usize>() -> Object {
    text(FILLED_LINES, MAX).build()
}

/// An amount of any currency, as `Amount` parses it.
fn amount(description: &str) -> Object {
    let amount = ObjectBuilder::new().schema_type(Type::Number).multiple_of(Some(0.001));
    amount.minimum(Some(0)).maximum(Some(MAX_UNITS)).description(Some(description)).build()
}

pub fn total() -> Object {
    amount("What the shopper was shown, in the currency of the order; another total is a 409.")
}

pub fn credit() -> Object {
    amount(
        "What of the total is to be paid with store credit, as the shopper was shown it. Where that is \
         all of it, nothing else is charged, whatever `payment` says.",
    )
}

pub fn gift_card() -> Object {
    let least = amount(
        "What the gift card pays, as the shopper was shown it, in the currency of the order. Where gift cards and store \
         credit are all of the total, nothing else is charged, whatever `payment` says.",
    );
    ObjectBuilder::from(least).minimum(None::<i64>).exclusive_minimum(Some(0)).build()
}

/// The items of a `SpecifiedOrderRequest`, or lists of them.
pub fn specified_items<const MAX_LINES: usize>() -> Array {
    let item = || Ref::from_schema_name("CartLine");
    let list = || ArrayBuilder::new().min_items(Some(1)).max_items(Some(MAX_LINES));
    let items = OneOfBuilder::new().item(item()).item(list().items(item()));
    list().items(items).description(Some("Items, or lists of them.")).build()
}
