-- The language that a review was written in, so that pages in another language can mark it.
alter table reviews add column language text not null default 'en';
