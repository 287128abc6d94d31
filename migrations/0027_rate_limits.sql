-- The counters of all rate limits. Written by rate_limit alone.
create table rate_limits (
    -- What is limited, and for whom: "messages from 10.0.0.1".
    key text primary key,
    count bigint not null,
    -- The end of the window.
    until bigint not null,
    -- Before this time no attempt is allowed, for limits with delays.
    next_at bigint not null
);
create index rate_limits_by_until on rate_limits (until);

insert into rate_limits (key, count, until, next_at)
select subject, count, until, next_at from attempts;
insert into rate_limits (key, count, until, next_at)
select subject, count, until, 0 from allowances where subject not in (select subject from attempts);
drop table attempts;
drop table allowances;

-- These counts of a day start anew: a mailbox may get a few e-mails more.
drop table mailbox_emails;
drop table mailboxes;
