-- What lists are sorted by: units sold, as they were a moment ago. Were the count itself in an index, every
-- sale would write all of the product's indexes anew.

drop index products_of_category_by_popularity;
alter table products add column popularity bigint not null default 0;
update products set popularity = units_sold;
create index products_of_category_by_popularity on products (category, popularity, rating, id);
