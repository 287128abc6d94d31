-- Gift cards that are sold: a product whose variants are values of gift cards.
alter table products add column gift_card boolean not null default false;

-- The gift cards that an order bought, one for each unit. Written by the module gift_cards alone.
create table sold_gift_cards (
    order_id text not null references orders (id) on delete cascade,
    variant text not null,
    -- Index of the unit within its line.
    unit bigint not null,
    -- What the card is worth, in the base currency.
    amount bigint not null check (amount > 0),
    -- The e-mail address that it is sent to; empty once it is erased.
    recipient text not null,
    -- Whether the address is to be erased as soon as the card is sent.
    erase_recipient boolean not null default false,
    -- Of the e-mail; null for the shop's default.
    language text,
    -- When it is sent, if the order is paid by then.
    send_at bigint not null,
    -- The card; null until the order is paid.
    card text unique references gift_cards (id),
    -- When it was sent last; null until then.
    sent_at bigint,
    -- When its order was cancelled, or it was returned.
    voided_at bigint,
    primary key (order_id, variant, unit)
);
create index sold_gift_cards_by_recipient on sold_gift_cards (lower(recipient));
