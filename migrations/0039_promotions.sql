-- Promotions: reductions of prices, automatic or by a code, with limits that hold. Written by the module promotions alone, except the
-- adjustments, which are written with their order.

create table promotions (
    id text primary key,
    -- Shown to shoppers; in other languages a JSON object: {"bn": "…"}.
    title text not null,
    translations text not null default '{}',
    -- What it does, for which goods, and under which conditions: a JSON object. Amounts are in the base currency.
    terms text not null,
    -- Higher ones are applied first.
    priority bigint not null default 0,
    -- Whether it is applied together with others.
    combines boolean not null default true,
    -- Whether a code is needed.
    by_code boolean not null,
    starts_at bigint,
    ends_at bigint,
    max_uses bigint check (max_uses > 0),
    max_uses_per_customer bigint check (max_uses_per_customer > 0),
    -- Counted only where there is a limit, so that other orders do not wait for each other.
    uses bigint not null default 0,
    created_at bigint not null
);
create index promotions_by_end on promotions (ends_at);

create table promotion_codes (
    -- In upper case.
    code text primary key,
    promotion text not null references promotions (id) on delete cascade,
    -- 1 for the codes of a batch.
    max_uses bigint check (max_uses > 0),
    -- Counted only where there is a limit.
    uses bigint not null default 0,
    created_at bigint not null
);
create index promotion_codes_by_promotion on promotion_codes (promotion);

-- The promotions of orders that are not cancelled.
create table promotion_uses (
    order_id text not null references orders (id) on delete cascade,
    promotion text not null references promotions (id) on delete cascade,
    -- Empty where it was applied without one.
    code text not null,
    -- A JSON list of the keys under which the customer's uses were counted; empty where there is no limit.
    customer_keys text not null,
    primary key (order_id, promotion)
);
create index promotion_uses_by_promotion on promotion_uses (promotion);

-- Uses of promotions that are limited per customer. A key is a hash of the account or of a verified e-mail address.
create table promotion_customers (
    promotion text not null references promotions (id) on delete cascade,
    customer_key text not null,
    uses bigint not null,
    primary key (promotion, customer_key)
);

-- Groups of customers, such as wholesale, for whom there are promotions.
create table customer_groups (
    customer text not null,
    name text not null,
    primary key (customer, name)
);
create index customer_groups_by_name on customer_groups (name);

-- The reductions of an order, as negative amounts in its currency.
create table order_adjustments (
    order_id text not null references orders (id) on delete cascade,
    place bigint not null,
    kind text not null,
    -- The title of the promotion, as the customer read it.
    label text not null,
    amount bigint not null check (amount < 0),
    -- The variant of the line that it reduces; null for the delivery.
    variant text,
    promotion text not null,
    -- Empty where it was applied without one.
    code text not null,
    primary key (order_id, place)
);

-- The sum of the adjustments as a positive amount, in the order's currency and in the base currency.
alter table orders add column discount bigint not null default 0;
alter table orders add column base_discount bigint not null default 0;
