-- Taxes: rates by place, class of goods and day. Written by the module taxes alone, except the taxes of orders, which are written with
-- their order.

-- One row: prices with or without tax, rounding, tax of the delivery, and the rates, as a JSON object.
create table tax_rules (
    id bigint primary key check (id = 1),
    terms text not null
);

-- Customers who pay no tax.
create table tax_exemptions (
    customer text primary key,
    tax_number text not null,
    -- A JSON list of the countries to which it holds; empty for everywhere.
    countries text not null default '[]',
    created_at bigint not null
);

-- The class of goods; empty for the standard one.
alter table products add column tax_class text not null default '';

-- The taxes of an order's lines and of its delivery, in its currency.
create table order_taxes (
    order_id text not null references orders (id) on delete cascade,
    place bigint not null,
    -- The tax, as the customer read it.
    label text not null,
    -- In thousandths of a percent.
    percent bigint not null,
    -- The variant of the line that is taxed; null for the delivery.
    variant text,
    -- What it is charged on, without the tax.
    net bigint not null,
    amount bigint not null,
    -- Whether the amount is part of the prices.
    included boolean not null,
    -- Why nothing is charged: 'export' or 'exempt'; empty where it is.
    relief text not null default '',
    primary key (order_id, place)
);

-- Whether the order has taxes by rates: then vat is the sum of those that are added to the prices.
alter table orders add column has_taxes boolean not null default false;
-- The tax number of an exempt customer.
alter table orders add column tax_number text not null default '';
