-- What the shop sells. Written by the catalog alone.

create table categories (
    id text primary key,
    name text not null,
    img text not null,
    position bigint not null
);

create table products (
    id text primary key,
    category text not null references categories (id),
    name text not null,
    sku text not null unique,
    brand text not null,
    img text not null,
    real_price bigint not null check (real_price >= 0),
    -- The real price again where there is no offer.
    offer_price bigint not null check (offer_price between 0 and real_price),
    sale_start bigint,
    sale_end bigint,
    -- What it cost when it was last looked at, to sort by; what is charged is always computed.
    sort_price bigint not null,
    rating double precision not null check (rating between 0 and 5),
    qtn bigint not null check (qtn >= 0),
    product_type text not null,
    full_description text not null,
    colours text not null,
    tags text not null,
    attributes text not null,
    units_sold bigint not null,
    created_at bigint not null
);
create index products_newest on products (created_at, id);
create index products_of_category_newest on products (category, created_at, id);
create index products_of_category_by_price on products (category, sort_price, id);
create index products_of_category_by_popularity on products (category, units_sold, rating, id);
create index products_of_type_newest on products (product_type, created_at, id);
create index products_of_brand_newest on products (brand, created_at, id);
create index products_of_category_and_brand_newest on products (category, brand, created_at, id);
