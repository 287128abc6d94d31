-- What variants cost, and their offers, since when: rows are added, and deleted when they cannot matter any more. Written by
-- the catalogue alone.
create table past_prices (
    variant text not null references variants (id) on delete cascade,
    since bigint not null,
    -- As in variants.
    real_price bigint not null,
    offer_price bigint not null,
    sale_start bigint,
    sale_end bigint,
    fixed_prices text not null,
    primary key (variant, since)
);
-- What was before is not known, so the present prices are taken for those of ever.
insert into past_prices (variant, since, real_price, offer_price, sale_start, sale_end, fixed_prices)
select id, 0, real_price, offer_price, sale_start, sale_end, fixed_prices from variants;
