-- Gift cards: each is worth an amount, which pays for orders. Written by the module gift_cards alone, except for what an
-- order was paid with, which is written with the order. Amounts of cards are in the base currency.

create table gift_cards (
    id text primary key,
    -- A keyed hash: whoever has the code can spend the card, so the code itself is not stored.
    code_hash text not null unique,
    -- The end of the code, by which people recognise the card.
    last_four text not null,
    issued bigint not null check (issued > 0),
    balance bigint not null check (balance >= 0),
    -- The last moment at which it can be spent; null where it does not expire.
    expires_at bigint,
    -- Since when the shop does not accept it.
    disabled_at bigint,
    -- The shop's own; customers do not see it.
    note text not null,
    -- The e-mail address that it was sent to; empty where it was not sent.
    recipient text not null,
    created_at bigint not null,
    -- When its last entry was made: each comes after the one before.
    changed_at bigint not null
);
create index gift_cards_newest on gift_cards (created_at, id);
create index gift_cards_by_recipient on gift_cards (lower(recipient));

-- The ledger of each card: entries are added and never changed, and their sum is the balance.
create table gift_card_entries (
    id text primary key,
    card text not null references gift_cards (id),
    kind text not null,
    -- What was spent is negative.
    amount bigint not null check (amount <> 0),
    -- What there was afterwards.
    balance bigint not null check (balance >= 0),
    order_id text references orders (id),
    -- Index of the order's return that it is for.
    return_place bigint not null default 0,
    note text not null,
    created_at bigint not null,
    unique (card, created_at)
);
-- An order spends a card once, and gives back to it once for each return.
create unique index gift_card_entries_once on gift_card_entries (card, order_id, kind, return_place);
create index gift_card_entries_by_order on gift_card_entries (order_id);

-- The gift cards that paid for an order, in the order in which they were spent.
create table order_gift_cards (
    order_id text not null references orders (id) on delete cascade,
    place bigint not null,
    card text not null references gift_cards (id),
    last_four text not null,
    -- In the order's currency.
    amount bigint not null check (amount > 0),
    -- What the card was debited with.
    base_amount bigint not null check (base_amount > 0),
    primary key (order_id, place)
);

-- What of an order's total was paid with gift cards, in the order's currency and in the base currency.
alter table orders add column gift_cards bigint not null default 0;
alter table orders add column base_gift_cards bigint not null default 0;
-- What of a refund went back to the gift cards, in the order's currency.
alter table order_returns add column gift_cards bigint not null default 0;
