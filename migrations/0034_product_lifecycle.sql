-- Drafts are not shown yet, and archived products are not sold any more.
alter table products add column status text not null default 'active';
-- When a draft becomes active by itself.
alter table products add column publish_at bigint;
-- A JSON list of the products that are shown with it.
alter table products add column related text not null default '[]';
