-- Moves in the transaction that revokes an account's tokens: a token names the generation that it was
-- issued in, and is good in that one alone. Written by identity alone.
alter table accounts add column token_generation bigint not null default 0;
alter table refresh_tokens add column token_generation bigint not null default 0;
