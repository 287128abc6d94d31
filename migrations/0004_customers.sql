-- Who shops here. Written by customers alone; the id is the account's at the identity provider.

create table customers (
    id text primary key,
    email text not null,
    name text not null,
    created_at bigint not null
);
create index customers_by_email on customers (email);
