-- Payments: an order has any number of them, and each has a ledger of events, which is only added to. Written by the module
-- payments alone. The amounts of a payment are in the currency of its order.

create table order_payments (
    id text primary key,
    order_id text not null references orders (id),
    -- 0 for the first one of the order.
    place bigint not null,
    provider text not null,
    -- What is to be paid with it.
    amount bigint not null,
    -- These follow from the events, and are written with them.
    state text not null,
    authorised bigint not null default 0,
    captured bigint not null default 0,
    refunded bigint not null default 0,
    disputed boolean not null default false,
    -- The provider's id of its session, and the address of its page; empty until it is opened, and where there is none.
    reference text not null default '',
    redirect text not null default '',
    -- When the provider was last asked about it.
    checked_at bigint not null default 0,
    created_at bigint not null,
    changed_at bigint not null,
    unique (order_id, place)
);

insert into order_payments
    (id, order_id, place, provider, amount, state, authorised, captured, refunded, reference, created_at, changed_at)
select id, order_id, 0, provider, amount,
    case when state = 'captured' and refunded > 0 and refunded < amount then 'partly_refunded' else state end,
    case when state = 'authorised' then amount else 0 end,
    case when state in ('captured', 'refunded') then amount else 0 end,
    case when state in ('captured', 'refunded') then refunded else 0 end,
    reference, created_at, changed_at
from payments;

drop table payments;
alter table order_payments rename to payments;

create index payments_by_reference on payments (reference) where reference <> '';
create index payments_open on payments (checked_at) where state in ('pending', 'processing', 'authorised');
create index payments_by_time on payments (created_at, id);

create table payment_events (
    payment_id text not null references payments (id),
    place bigint not null,
    kind text not null,
    amount bigint not null,
    -- The provider's id of the charge, refund or dispute.
    reference text not null,
    -- The provider's code of a failure.
    code text not null,
    -- Where it was learned: order, return, webhook, reconciliation, staff; migration for events of earlier versions.
    source text not null,
    at bigint not null,
    primary key (payment_id, place)
);
-- The same event is learned several times, and written once.
create unique index payment_events_once on payment_events (payment_id, kind, reference);
create index payment_events_by_reference on payment_events (reference) where reference <> '';

insert into payment_events (payment_id, place, kind, amount, reference, code, source, at)
select id, 0, case state when 'pending' then 'opened' when 'partly_refunded' then 'captured' when 'refunded' then 'captured'
        else state end,
    amount, reference, '', 'migration', case when refunded > 0 then created_at else changed_at end
from payments;

insert into payment_events (payment_id, place, kind, amount, reference, code, source, at)
select id, 1, 'refunded', refunded, reference, '', 'migration', changed_at
from payments where refunded > 0;

-- Calls of a provider's API that move money: written in the transaction that causes them, sent by a job, and repeated with
-- their id as the idempotency key until the provider has answered.
create table payment_calls (
    id text primary key,
    payment_id text not null references payments (id),
    verb text not null,
    amount bigint not null,
    -- waiting, done or refused.
    state text not null,
    -- The provider's reason for a refusal.
    code text not null default '',
    created_at bigint not null,
    changed_at bigint not null
);
create index payment_calls_by_payment on payment_calls (payment_id, created_at);
create index payment_calls_waiting on payment_calls (created_at) where state = 'waiting';

-- Verified webhooks. A repeated one is not processed again.
create table payment_webhooks (
    gateway text not null,
    event text not null,
    kind text not null,
    -- Which payment it is about: its id, or the provider's reference; empty where it is about something else.
    subject text not null,
    received_at bigint not null,
    primary key (gateway, event)
);
create index payment_webhooks_by_time on payment_webhooks (received_at);

-- Where our books and a provider's differ, or money needs a person's decision.
create table payment_alerts (
    id text primary key,
    -- Null for a charge that we do not know.
    payment_id text references payments (id),
    gateway text not null,
    -- What is wrong: a code.
    kind text not null,
    -- For people: amounts and references.
    detail text not null,
    raised_at bigint not null,
    resolved_at bigint
);
create index payment_alerts_open on payment_alerts (raised_at) where resolved_at is null;

-- Orders that await payment: whether the customer was reminded, and which are to be cancelled.
alter table orders add column pay_reminded boolean not null default false;
create index orders_awaiting_payment on orders (release_at) where status = 'awaiting_payment';
