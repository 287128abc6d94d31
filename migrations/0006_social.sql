-- Single-use codes that the popup hands to the page: what a provider said of somebody, for a few minutes.
-- Only the codes' hashes are kept, and what was said is sealed.

create table social_codes (
    hash text primary key,
    provider text not null,
    sealed_profile text not null,
    expires_at bigint not null
);
create index social_codes_by_expiry on social_codes (expires_at);
