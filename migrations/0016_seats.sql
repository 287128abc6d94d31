-- Which worker has a job in hand: its seat's name, which outlives it.

alter table jobs add column claimed_by text not null default '';
