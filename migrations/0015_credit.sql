-- What the shop owes its customers, to be spent here. Written by credit alone; entries are added and never
-- changed, not even when their customer goes: then nothing leads from them to anybody.

create table credit_accounts (
    id text primary key,
    -- Whose it is; nobody's once the customer has gone.
    customer text unique,
    balance bigint not null check (balance >= 0),
    -- When its last entry was made: each comes after the one before.
    changed_at bigint not null
);

create table credit_entries (
    id text primary key,
    account text not null references credit_accounts (id),
    kind text not null,
    -- In US cents; what was spent is negative.
    amount bigint not null check (amount <> 0),
    -- What there was afterwards.
    balance bigint not null check (balance >= 0),
    order_id text references orders (id),
    note text not null,
    created_at bigint not null,
    unique (account, created_at)
);
create index credit_entries_newest on credit_entries (account, created_at, id);
-- An order spends once, and gives back once.
create unique index credit_entries_once on credit_entries (order_id, kind);

-- What of an order's total was paid with store credit.
alter table orders add column credit bigint not null default 0;
