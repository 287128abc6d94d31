-- E-mails that a demo shop stores instead of sending them.
create table stored_emails (
    id text primary key,
    recipient text not null,
    subject text not null,
    -- JSON.
    email text not null,
    created_at bigint not null
);

insert into stored_emails (id, recipient, subject, email, created_at)
select id, recipient, subject, letter, created_at from kept_letters;
drop table kept_letters;
