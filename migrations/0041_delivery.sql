-- Delivery zones: places with the same delivery methods. Written by the module delivery alone.
create table delivery_zones (
    id text primary key,
    -- Of zones whose places are equally exact, the first one counts.
    position bigint not null,
    -- Places, methods and prices: a JSON object, as import files have it. Amounts are in the base currency.
    terms text not null
);

-- The method of an order: a JSON object; null where there were no zones.
alter table orders add column delivery text;

-- Whether a variant is delivered; not so vouchers, downloads and services.
alter table variants add column needs_delivery boolean not null default true;
