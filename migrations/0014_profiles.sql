-- What customers keep in their accounts.

-- Where things are sent. Written by addresses alone.
create table addresses (
    id text primary key,
    customer text not null,
    name text not null,
    phone text not null,
    address text not null,
    -- Whether it is the one that the checkout begins with: one of each customer's.
    usual boolean not null,
    created_at bigint not null
);
create index addresses_of_customer on addresses (customer, created_at, id);

-- The customer's picture, if they gave us one; its pixels are media's.
alter table customers add column photo text;

-- Whether a picture is a person's own: no memory keeps it, and it goes when its owner says so.
alter table pictures add column personal boolean not null default false;

-- What a session was opened from, in the browser's own words.
alter table refresh_tokens add column agent text;
