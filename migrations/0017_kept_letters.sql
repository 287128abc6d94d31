-- A letter that is kept is kept as its words: it is dressed when somebody reads it.

drop table kept_letters;

create table kept_letters (
    id text primary key,
    recipient text not null,
    subject text not null,
    letter text not null,
    created_at bigint not null
);
