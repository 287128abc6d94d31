-- Letters that a demo shop keeps to be read instead of sending them.

create table kept_letters (
    id text primary key,
    recipient text not null,
    subject text not null,
    html text not null,
    plain text not null,
    created_at bigint not null
);
