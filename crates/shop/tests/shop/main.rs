//! Tests of the shop against both databases.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod anonymize;
mod cart;
mod catalog;
mod checkout;
mod credit;
mod currencies;
mod delivery;
mod fixed_prices;
mod gift_card_sales;
mod gift_cards;
mod guests;
mod invoices;
mod languages;
mod lifecycle;
mod media;
mod orders;
mod oversell;
mod past_prices;
mod payments;
mod payments_shop;
mod picture_files;
mod promotions;
mod returns;
mod reviews;
mod shop_notices;
mod stock;
mod taxes;
mod test_shop;
mod translations;
mod variants;
mod wishlist;
