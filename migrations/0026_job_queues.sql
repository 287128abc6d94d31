-- Queues of jobs that do not wait for each other, and when the tasks of the whole cluster last ran.

alter table jobs add column queue text not null default 'default';
update jobs set queue = 'email' where kind in ('mail.send', 'mail.discard');
update jobs set queue = 'sms' where kind = 'sms.send';
update jobs set queue = 'files' where kind in ('media.forget', 'media.make_sizes', 'media.keep_built_in');
drop index jobs_due;
create index jobs_due on jobs (queue, priority, run_at);

-- What a retried job needs.
alter table failed_jobs add column queue text not null default 'default';
alter table failed_jobs add column priority bigint not null default 1;
update failed_jobs set queue = 'email' where kind in ('mail.send', 'mail.discard');
update failed_jobs set queue = 'sms', priority = 0 where kind = 'sms.send';
update failed_jobs set queue = 'files' where kind in ('media.forget', 'media.make_sizes', 'media.keep_built_in');

create table periodic_tasks (
    name text primary key,
    ran_at bigint not null
);
