-- What buyers say about what they bought. Written by reviews alone, but for the columns of products, which
-- the catalog writes.

create table reviews (
    id text primary key,
    product text not null,
    customer text not null,
    -- What the writer was called when it was written last.
    name text not null,
    rating bigint not null check (rating between 1 and 5),
    title text not null,
    body text not null,
    state text not null,
    -- Why the shopkeeper did not show it. While there is a word here, whatever is written next is looked at
    -- first.
    note text not null,
    -- How many said that it helped: counted, to sort by.
    helpful bigint not null check (helpful >= 0),
    created_at bigint not null,
    edited_at bigint,
    unique (product, customer)
);
create index reviews_of_product_newest on reviews (product, state, created_at, id);
create index reviews_of_product_by_rating on reviews (product, state, rating, created_at, id);
create index reviews_of_product_by_help on reviews (product, state, helpful, created_at, id);
create index reviews_of_customer on reviews (customer, product);
create index reviews_of_state on reviews (state, created_at, id);

-- Who found which helpful. Goes with the review.
create table review_votes (
    review text not null references reviews (id) on delete cascade,
    customer text not null,
    primary key (review, customer)
);
create index review_votes_of_customer on review_votes (customer);

-- How many reviews made the rating; and the rating that was imported, which holds while there is none.
alter table products add column reviews bigint not null default 0;
alter table products add column given_rating double precision not null default 0;
update products set given_rating = rating;
