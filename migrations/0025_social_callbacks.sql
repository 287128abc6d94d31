-- Requests of the social sign-in's callback, so that a repeated one gets the answer of the first for a few
-- seconds. The key is a hash that only the browser's sealed cookie can produce; the answer is sealed.

create table social_callbacks (
    hash text primary key,
    -- Null while the provider is being asked.
    sealed_code text,
    expires_at bigint not null
);
create index social_callbacks_by_expiry on social_callbacks (expires_at);
