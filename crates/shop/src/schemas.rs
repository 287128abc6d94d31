//! JSON Schemas of what people type, for the API's description: the rules of `forms`, said to programs.

use utoipa::openapi::schema::{
    Array, ArrayBuilder, KnownFormat, Object, ObjectBuilder, OneOfBuilder, Ref, SchemaFormat, Type,
};

use crate::customers::LONGEST_NAME as LONGEST_CUSTOMER;
use crate::forms::{LONGEST_ADDRESS, LONGEST_EMAIL, LONGEST_PHONE, LONGEST_RECIPIENT};
use crate::messages::{LONGEST_MESSAGE, LONGEST_NAME};
use crate::orders::LONGEST_NOTE;
use crate::quote::MOST_LINES;
use crate::reviews::{LONGEST_BODY, LONGEST_TITLE};

// What `char::is_control` refuses, and, where a text must not be blank, one character that is no space.
const LINE: &str = r"^[^\u0000-\u001F\u007F-\u009F]*$";
const FILLED_LINE: &str = concat!(
    r"^[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F]",
    r"[^\u0000-\u001F\u007F-\u009F]*$",
);
const FILLED_LINES: &str = concat!(
    r"^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F]",
    r"[^\u0000-\u0008\u000B-\u001F\u007F-\u009F]*$",
);
const PHONE: &str = r"^[+(]?[0-9]([ .,/x#*()+-]{0,2}[0-9]){3,19}$";

fn text(pattern: &str, longest: usize) -> ObjectBuilder {
    let text = ObjectBuilder::new().schema_type(Type::String);
    text.pattern(Some(pattern)).max_length(Some(longest))
}

pub fn email() -> Object {
    let email = ObjectBuilder::new().schema_type(Type::String).max_length(Some(LONGEST_EMAIL));
    email.format(Some(SchemaFormat::KnownFormat(KnownFormat::Email))).build()
}

pub fn phone() -> Object {
    text(PHONE, LONGEST_PHONE).build()
}

pub fn recipient() -> Object {
    text(FILLED_LINE, LONGEST_RECIPIENT).build()
}

pub fn address() -> Object {
    text(FILLED_LINES, LONGEST_ADDRESS).build()
}

pub fn contact_name() -> Object {
    text(FILLED_LINE, LONGEST_NAME).build()
}

pub fn contact_message() -> Object {
    text(FILLED_LINES, LONGEST_MESSAGE).build()
}

pub fn customer_name() -> Object {
    text(FILLED_LINE, LONGEST_CUSTOMER).build()
}

pub fn customer_name_or_none() -> Object {
    text(LINE, LONGEST_CUSTOMER).build()
}

pub fn review_title() -> Object {
    text(FILLED_LINE, LONGEST_TITLE).build()
}

pub fn review_body() -> Object {
    text(FILLED_LINES, LONGEST_BODY).build()
}

pub fn order_note() -> Object {
    text(LINE, LONGEST_NOTE).build()
}

/// US dollars, as `Money` reads them.
fn amount(told: &str) -> Object {
    let amount = ObjectBuilder::new().schema_type(Type::Number).multiple_of(Some(0.01));
    amount.minimum(Some(0)).maximum(Some(100_000_000)).description(Some(told)).build()
}

pub fn total() -> Object {
    amount("What the shopper was shown, in US dollars; another total is a 409.")
}

pub fn credit() -> Object {
    amount(
        "What of the total is to be paid with store credit, as the shopper was shown it. Where that is \
         all of it, nothing else is charged, whatever `payment` says.",
    )
}

/// The cart of the specification's order: items, or lists of them.
pub fn specified_items() -> Array {
    let item = || Ref::from_schema_name("CartLine");
    let list = || ArrayBuilder::new().min_items(Some(1)).max_items(Some(MOST_LINES));
    let items = OneOfBuilder::new().item(item()).item(list().items(item()));
    list().items(items).description(Some("Items, or lists of them.")).build()
}
