-- The order in which an account's second factors were given: several may be enrolled in the same
-- millisecond.
alter table second_factors add column place bigint not null default 0;

-- Whether the holder has withdrawn a second factor: the protocol then shows an empty list rather than
-- none.
alter table accounts add column factors_withdrawn boolean not null default false;
