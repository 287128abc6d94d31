-- Addresses with their parts, as JSON: {"lines": ["12 Market Lane"], "region": "Dhaka", "country": "BD"}. Null where only
-- the text is known, which stays as the written form of every address.
alter table orders add column postal_address text;
alter table addresses add column postal_address text;
