-- What keeps a stranger from using the shop's e-mails and its stock.

-- Whether the identity provider vouches for a customer's e-mail address and phone number.
alter table customers add column email_verified boolean not null default false;
alter table customers add column phone_verified boolean not null default false;
update customers set email_verified = true where exists (
    select a.id from accounts a
    where a.id = customers.id and a.email_verified = true and lower(a.email) = lower(customers.email)
);

-- When an unpaid order of a customer who has proven nothing is cancelled, null for never.
alter table orders add column release_at bigint;

-- Jobs with the lowest priority number run first.
alter table jobs add column priority bigint not null default 1;
drop index jobs_by_run_at;
create index jobs_due on jobs (priority, run_at);

-- How many e-mails a mailbox was sent of late. Addresses are kept as hashes, for a day. Written by mail
-- alone. A row of mailboxes is what servers that send to the same one wait for.
create table mailboxes (
    mailbox text primary key,
    used_at bigint not null
);
create table mailbox_emails (
    id text primary key,
    mailbox text not null,
    sent_at bigint not null
);
create index mailbox_emails_of_late on mailbox_emails (mailbox, sent_at);
