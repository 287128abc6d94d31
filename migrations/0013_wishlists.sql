-- What customers would like to have, and who waits for what is out of stock.

-- Written by wishlist alone.
create table wishes (
    customer text not null,
    product text not null,
    -- The newest is shown first.
    added_at bigint not null,
    primary key (customer, product)
);

-- Who shows their wishes to others, at an address that nobody can guess. Written by wishlist alone.
create table shared_wishlists (
    customer text primary key,
    token text not null unique,
    created_at bigint not null
);

-- Who is to be told when a product can be had again. Written by stock_alerts alone; a row goes with its
-- letter, after twelve months at the latest.
create table stock_alerts (
    id text primary key,
    product text not null,
    email text not null,
    -- Null: whoever asked was not signed in.
    customer text,
    -- The hash of what the letters to this address carry, to leave by: one for all of its rows.
    leaves_by text not null,
    created_at bigint not null,
    unique (product, email)
);
create index stock_alerts_of_address on stock_alerts (leaves_by);
create index stock_alerts_of_customer on stock_alerts (customer);
create index stock_alerts_by_time on stock_alerts (created_at);
