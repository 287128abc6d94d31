-- Moves in the transaction that revokes an account's tokens: a token names the generation that it was
-- issued in, and is good in that one alone. Written by identity alone.
alter table accounts add column token_generation bigint not null default 0;
alter table refresh_tokens add column token_generation bigint not null default 0;

-- The customer's address in small letters, where the identity provider says that it is theirs. Written by
-- customers alone.
alter table customers add column proven_email text;
create index customers_by_proven_email on customers (proven_email);
update customers set proven_email = lower(email) where exists (
    select a.id from accounts a
    where a.id = customers.id and a.email_verified = true and lower(a.email) = lower(customers.email)
);
