-- Limits that slow down instead of shutting off: before this moment no further attempt is made.
alter table attempts add column next_at bigint not null default 0;
