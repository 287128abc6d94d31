-- What the house itself keeps. One SQL for both databases: text, bigint (also for time, in
-- milliseconds, and money, in cents), double precision, boolean.

create table revisions (
    scope text primary key,
    revision bigint not null
);
create index revisions_by_revision on revisions (revision);
-- The counter that every change moves.
insert into revisions (scope, revision) values ('', 0);

create table jobs (
    id text primary key,
    kind text not null,
    payload text not null,
    run_at bigint not null,
    attempts bigint not null,
    claimed_until bigint not null,
    last_error text,
    created_at bigint not null
);
create index jobs_by_run_at on jobs (run_at);

-- Jobs that failed for the last time, kept for a person to look at.
create table failed_jobs (
    id text primary key,
    kind text not null,
    payload text not null,
    attempts bigint not null,
    last_error text not null,
    created_at bigint not null,
    failed_at bigint not null
);
