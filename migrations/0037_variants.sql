-- Variants: what is sold. Every product has at least one, the default variant, whose id is the product's. Price, SKU and
-- stock move from products to variants. A colour of a product becomes a variant; all of the stock goes to the first one.
-- Written by the catalogue alone.

create table products_next (
    id text primary key,
    category text not null references categories (id),
    name text not null,
    brand text not null,
    img text not null,
    -- A JSON list: [{"name": "Colour", "values": ["Chalk", "Ink"]}]. A product without options has one variant.
    options text not null,
    -- The lowest price of its variants when it was last written, to sort by; what is charged is always computed.
    sort_price bigint not null,
    rating double precision not null check (rating between 0 and 5),
    reviews bigint not null default 0,
    product_type text not null,
    full_description text not null,
    tags text not null,
    attributes text not null,
    popularity bigint not null default 0,
    created_at bigint not null,
    status text not null default 'active',
    publish_at bigint,
    related text not null default '[]'
);

create table variants (
    id text primary key,
    product text not null references products_next (id) on delete cascade,
    position bigint not null,
    -- A JSON list: the value of each option of the product, in their order.
    options text not null,
    -- May be empty; otherwise unique among those that are sold.
    sku text not null,
    barcode text not null default '',
    real_price bigint not null check (real_price >= 0),
    -- The real price again where there is no offer.
    offer_price bigint not null check (offer_price between 0 and real_price),
    sale_start bigint,
    sale_end bigint,
    -- Units in stock. Below 0: units that are sold, and not there yet.
    qtn bigint not null,
    -- Sold on when it is out of stock, and promised for this time; null: sales stop at 0.
    back_order bigint,
    -- At or below this it is listed as low; null for the usual limit.
    low_stock bigint,
    -- In grams.
    weight bigint,
    -- Its picture, one of the product's; empty for the one that shows its colour.
    img text not null default '',
    -- 'active' or 'archived'.
    status text not null default 'active',
    units_sold bigint not null default 0
);

-- @sqlite
insert into products_next (id, category, name, brand, img, options, sort_price, rating, reviews, product_type,
    full_description, tags, attributes, popularity, created_at, status, publish_at, related)
select id, category, name, brand, img,
    case when json_array_length(colours) = 0 then '[]' else '[{"name":"Colour","values":' || colours || '}]' end,
    sort_price, rating, reviews, product_type, full_description, tags, attributes, popularity, created_at, status,
    publish_at, related
from products;
insert into variants (id, product, position, options, sku, real_price, offer_price, sale_start, sale_end, qtn, units_sold)
select id, id, 0,
    case when json_array_length(colours) = 0 then '[]' else json_array(json_extract(colours, '$[0]')) end,
    sku, real_price, offer_price, sale_start, sale_end, qtn, units_sold
from products;
insert into variants (id, product, position, options, sku, real_price, offer_price, sale_start, sale_end, qtn)
select lower(hex(randomblob(13))), p.id, c.key, json_array(c.value), '', p.real_price, p.offer_price, p.sale_start,
    p.sale_end, 0
from products p, json_each(p.colours) c where c.key > 0;
-- @postgres
insert into products_next (id, category, name, brand, img, options, sort_price, rating, reviews, product_type,
    full_description, tags, attributes, popularity, created_at, status, publish_at, related)
select id, category, name, brand, img,
    case when json_array_length(colours::json) = 0 then '[]' else '[{"name":"Colour","values":' || colours || '}]' end,
    sort_price, rating, reviews, product_type, full_description, tags, attributes, popularity, created_at, status,
    publish_at, related
from products;
insert into variants (id, product, position, options, sku, real_price, offer_price, sale_start, sale_end, qtn, units_sold)
select id, id, 0,
    case when json_array_length(colours::json) = 0 then '[]' else json_build_array(colours::json ->> 0)::text end,
    sku, real_price, offer_price, sale_start, sale_end, qtn, units_sold
from products;
insert into variants (id, product, position, options, sku, real_price, offer_price, sale_start, sale_end, qtn)
select replace(gen_random_uuid()::text, '-', ''), p.id, c.place - 1, json_build_array(c.colour)::text, '', p.real_price,
    p.offer_price, p.sale_start, p.sale_end, 0
from products p, json_array_elements_text(p.colours::json) with ordinality as c (colour, place) where c.place > 1;
-- @both

-- The values of all options are translated in one list, and so are the options' names.
create table product_translations_next (
    product text not null references products_next (id) on delete cascade,
    language text not null,
    name text not null,
    full_description text not null,
    tags text not null,
    -- JSON objects whose keys are the names and values of options and the names of attributes in the default language,
    -- and the pictures' addresses.
    option_names text not null,
    option_values text not null,
    attributes text not null,
    alts text not null,
    primary key (product, language)
);
insert into product_translations_next
    (product, language, name, full_description, tags, option_names, option_values, attributes, alts)
select product, language, name, full_description, tags,
    case when language = 'bn' and colours <> '{}' then '{"Colour":"রং"}' else '{}' end, colours, attributes, alts
from product_translations;
drop table product_translations;
drop table products;
alter table products_next rename to products;
alter table product_translations_next rename to product_translations;

create index products_newest on products (created_at, id);
create index products_of_category_newest on products (category, created_at, id);
create index products_of_category_by_price on products (category, sort_price, id);
create index products_of_category_by_popularity on products (category, popularity, rating, id);
create index products_by_category_and_status on products (category, status);
create index products_of_type_newest on products (product_type, created_at, id);
create index products_of_brand_newest on products (brand, created_at, id);
create index products_of_category_and_brand_newest on products (category, brand, created_at, id);
create unique index variants_by_sku on variants (sku) where sku <> '' and status = 'active';
create unique index variants_by_options on variants (product, options) where status = 'active';
create index variants_of_product on variants (product, position);

-- Names of option values in filters. Products may translate a value differently; the last import decides.
alter table colour_translations rename to option_value_translations;
alter table option_value_translations rename column colour to value;

-- What was written with a product's id means its default variant.
alter table carts rename column product to variant;
alter table wishes rename column product to variant;
alter table stock_alerts rename column product to variant;
alter table order_lines rename column product to variant;
alter table order_return_lines rename column product to variant;
alter table order_line_translations rename column product to variant;
-- The product and the chosen options, as a JSON object: {"Colour": "Chalk"}. Unknown for older orders.
alter table order_lines add column product text not null default '';
update order_lines set product = variant;
alter table order_lines add column options text not null default '{}';
-- The texts of the options: JSON objects, like those of product_translations.
alter table order_line_translations add column option_names text not null default '{}';
alter table order_line_translations add column option_values text not null default '{}';
-- What the writer of a review bought.
alter table reviews add column options text not null default '{}';
