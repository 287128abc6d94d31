-- What an order costs because it is paid in cash on delivery, in its currency and in the base currency; part of its total.
alter table orders add column payment_fee bigint not null default 0;
alter table orders add column base_payment_fee bigint not null default 0;
