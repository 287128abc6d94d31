//! Postal addresses of all countries: the fields of each country in its order, their labels, which of them are
//! required, the lists of regions, the patterns of postcodes, and the lines on a parcel. Telephone numbers too.
//!
//! The facts are in `data/`, which a script generates from Google's address data, CLDR and others. They are
//! compiled into the program and parsed at the first use. This crate knows no database, no HTTP and no shop.

mod address;
mod country;
mod data;
mod format;
pub mod phone;
mod postcode;
mod subdivision;
mod text;

pub use address::{AddressError, AddressInput, Destination, PostalAddress, Problem};
pub use country::{Country, UnknownCountry};
pub use format::{AddressField, AddressFormat, FormField, LABELS};
pub use subdivision::Subdivision;
