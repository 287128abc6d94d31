-- What was bought. Written by orders alone, but for payments and placings, each by the module of its name.

create table orders (
    id text primary key,
    -- What is said on the phone; not to be guessed from another one.
    number text not null unique,
    customer text not null,
    email text not null,
    name text not null,
    phone text not null,
    address text not null,
    -- The currency that the shopper saw, and its rate at that moment. The amounts are US cents.
    currency text not null,
    rate bigint not null,
    sub_total bigint not null,
    shipping bigint not null,
    vat bigint not null,
    total bigint not null,
    status text not null,
    created_at bigint not null
);
create index orders_of_customer on orders (customer, created_at, id);
create index orders_newest on orders (created_at, id);
create index orders_of_status on orders (status, created_at, id);

-- As it was at that moment: the product may change or go.
create table order_lines (
    order_id text not null references orders (id),
    place bigint not null,
    product text not null,
    name text not null,
    sku text not null,
    picture text not null,
    price bigint not null,
    quantity bigint not null check (quantity > 0),
    primary key (order_id, place)
);

create table order_events (
    order_id text not null references orders (id),
    place bigint not null,
    status text not null,
    at bigint not null,
    note text not null,
    primary key (order_id, place)
);

create table payments (
    id text primary key,
    order_id text not null unique references orders (id),
    provider text not null,
    state text not null,
    amount bigint not null,
    -- The provider's own name for it.
    reference text not null,
    created_at bigint not null,
    changed_at bigint not null
);

-- Which order a customer's Idempotency-Key stands for. Comes before its order, so that whoever sends the
-- same key at the same time waits here, before any stock is touched.
create table placings (
    customer text not null,
    key text not null,
    hash text not null,
    order_id text not null references orders (id) deferrable initially deferred,
    primary key (customer, key)
);
