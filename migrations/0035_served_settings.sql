-- The settings with which the shop was served last, as JSON: other commands write e-mails with them. Written by
-- served_settings alone.
create table served_settings (
    id bigint primary key check (id = 1),
    settings text not null
);
