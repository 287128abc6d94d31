-- What customers send back: some units of some lines, instead of the whole order. Written by orders alone.

create table order_returns (
    order_id text not null references orders (id),
    -- The order's first return is 0.
    place bigint not null,
    state text not null,
    requested_at bigint not null,
    -- When it was refused or refunded.
    settled_at bigint,
    -- What was paid for its goods, and their share of the VAT, in US cents.
    goods bigint not null default 0,
    vat bigint not null default 0,
    -- What was given back, as store credit and in the way in which it was paid.
    credit bigint not null default 0,
    paid bigint not null default 0,
    primary key (order_id, place)
);

create table order_return_lines (
    order_id text not null,
    return_place bigint not null,
    product text not null,
    quantity bigint not null check (quantity > 0),
    primary key (order_id, return_place, product),
    foreign key (order_id, return_place) references order_returns (order_id, place)
);

-- What of a payment was given back.
alter table payments add column refunded bigint not null default 0;

-- An order spends once, and gives back once for each return.
alter table credit_entries add column return_place bigint not null default 0;
drop index credit_entries_once;
create unique index credit_entries_once on credit_entries (order_id, kind, return_place);

-- Until now an order was returned as a whole. How much was paid back was written into its history alone, as
-- words: here it is what the rule gave, all but the delivery; store credit is known from its entries.
insert into order_returns (order_id, place, state, requested_at, settled_at, goods, vat, credit, paid)
select o.id, 0,
    case o.status when 'return_requested' then 'requested' when 'returned' then 'received' else 'refunded' end,
    coalesce(
        (select max(e.at) from order_events e where e.order_id = o.id and e.status = 'return_requested'),
        o.created_at
    ),
    (select max(e.at) from order_events e where e.order_id = o.id and e.status = 'refunded'),
    o.sub_total,
    o.vat,
    coalesce(
        (select cast(sum(c.amount) as bigint) from credit_entries c
         where c.order_id = o.id and c.kind in ('returned', 'refund')),
        0
    ),
    case when o.status = 'refunded' and o.sub_total + o.vat > o.credit
            and not exists (select 1 from credit_entries c where c.order_id = o.id and c.kind = 'refund')
        then o.sub_total + o.vat - o.credit
        else 0 end
from orders o where o.status in ('return_requested', 'returned', 'refunded');

insert into order_return_lines (order_id, return_place, product, quantity)
select r.order_id, r.place, l.product, cast(sum(l.quantity) as bigint)
from order_returns r join order_lines l on l.order_id = r.order_id
group by r.order_id, r.place, l.product;

update payments set refunded = coalesce(
    (select r.paid from order_returns r where r.order_id = payments.order_id and r.state = 'refunded'),
    0
);
