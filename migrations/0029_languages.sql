-- The language to write to people in: where there is none, the shop's default.
alter table customers add column language text;
alter table orders add column language text;
alter table subscribers add column language text;
alter table stock_alerts add column language text;
