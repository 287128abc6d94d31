-- What visitors write to the shop.

-- The contact form's messages. Written by messages alone; each is deleted after twelve months.
create table messages (
    id text primary key,
    name text not null,
    email text not null,
    message text not null,
    created_at bigint not null
);
create index messages_by_time on messages (created_at);

-- Who wants the shop's letter. Written by newsletter alone; whoever leaves is deleted.
create table subscribers (
    id text primary key,
    email text not null unique,
    -- When the last letter that asks for a confirmation was posted.
    asked_at bigint not null,
    -- Null until the address is confirmed.
    confirmed_at bigint,
    created_at bigint not null
);

-- How often somebody used a form of late. Written by allowance alone.
create table allowances (
    subject text primary key,
    count bigint not null,
    until bigint not null
);
create index allowances_by_until on allowances (until);
