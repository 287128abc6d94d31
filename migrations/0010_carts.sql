-- What signed-in customers are about to buy, the same on every device. Written by cart alone.

create table carts (
    customer text not null,
    product text not null,
    quantity bigint not null check (quantity > 0),
    -- When it was put in: the order in which it is shown.
    added_at bigint not null,
    primary key (customer, product)
);
