-- Every change of stock, in the transaction of the change. Rows are only added; their sum is the stock. Written by the
-- catalogue alone.
create table stock_entries (
    -- What is sold: every product is its own only variant.
    variant text not null,
    -- Sorts by time.
    id text not null,
    kind text not null,
    change bigint not null check (change <> 0),
    -- The order that it is for.
    order_id text,
    reason text not null,
    -- Empty where an order changed it.
    actor text not null,
    created_at bigint not null,
    primary key (variant, id)
);

-- The stock of existing products. The id sorts before all others.
insert into stock_entries (variant, id, kind, change, reason, actor, created_at)
select id, '0', 'corrected', qtn, 'Stock before the journal', '', created_at from products where qtn <> 0;
