-- The numbers of invoices and credit notes, written by orders alone. A number is taken in the transaction of the step that
-- the document is for, so that a series has no gaps.

create table invoice_series (
    -- As its numbers are written, with the year: `INV-2026-{number}`.
    series text primary key,
    last_number bigint not null check (last_number > 0),
    -- When that number was taken.
    issued_at bigint not null
);

-- The documents that are issued: added, and never changed.
create table invoices (
    order_id text not null references orders (id),
    kind text not null,
    -- Index of the order's return that a credit note is for; 0 for the invoice.
    return_place bigint not null,
    -- Null for documents of earlier versions, which were numbered by their order.
    series text,
    number bigint check (number > 0),
    -- The number as it is printed.
    written text not null,
    issued_at bigint not null,
    -- JSON: the seller and the form as of the issue; null for documents of earlier versions.
    terms text,
    primary key (order_id, kind, return_place)
);
create unique index invoices_by_number on invoices (series, number);
create unique index invoices_by_written on invoices (written) where series is not null;
create index invoices_by_time on invoices (issued_at, written);

-- What was supplied and refunded until now keeps the number and the date that it was printed with.
insert into invoices (order_id, kind, return_place, written, issued_at)
select o.id, 'invoice', 0, 'INV-' || o.number, o.created_at
from orders o
where o.status in ('shipped', 'delivered', 'return_requested', 'returned', 'refunded', 'partly_refunded');

insert into invoices (order_id, kind, return_place, written, issued_at)
select r.order_id, 'credit_note', r.place,
    'CN-' || o.number || '-' || cast(
        (select count(*) from order_returns b
         where b.order_id = r.order_id and b.state = 'refunded' and b.place <= r.place) as text),
    coalesce(r.settled_at, r.requested_at)
from order_returns r join orders o on o.id = r.order_id
where r.state = 'refunded';
