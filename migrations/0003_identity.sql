-- Accounts and what proves them. Written by identity alone.

create table accounts (
    id text primary key,
    -- Moves with every change, so that nobody writes over what somebody else changed meanwhile.
    revision bigint not null,
    email text unique,
    -- Null until there is an address to verify, or an admin says.
    email_verified boolean,
    email_link boolean not null,
    initial_email text,
    password_hash text,
    password_updated_at bigint,
    display_name text,
    photo_url text,
    phone_number text unique,
    disabled boolean not null,
    custom_auth boolean not null,
    custom_attributes text,
    -- Whether it has ever had a way to sign in that can be listed.
    linked boolean not null,
    -- Tokens that were issued before are worth nothing. 0 while nothing was revoked.
    valid_since bigint not null,
    created_at bigint not null,
    last_login_at bigint,
    last_refresh_at bigint
);
create index accounts_by_creation on accounts (created_at, id);

-- What social providers know of an account, one row per provider.
create table account_providers (
    account text not null references accounts (id) on delete cascade,
    provider_id text not null,
    raw_id text not null,
    federated_id text,
    email text,
    display_name text,
    photo_url text,
    screen_name text,
    place bigint not null,
    primary key (account, provider_id)
);
create unique index account_providers_by_raw_id on account_providers (provider_id, raw_id);

-- Only hashes of refresh tokens are kept. A row outlives its account, so that its holder is told why.
create table refresh_tokens (
    hash text primary key,
    account text not null,
    provider text not null,
    claims text not null,
    second_factor text,
    auth_time bigint not null,
    revoked boolean not null,
    created_at bigint not null,
    used_at bigint not null
);
create index refresh_tokens_by_account on refresh_tokens (account);

-- Single-use codes that go out by mail; only their hashes are kept.
create table mail_codes (
    hash text primary key,
    kind text not null,
    email text not null,
    new_email text,
    account text,
    expires_at bigint not null,
    created_at bigint not null
);
create index mail_codes_by_account on mail_codes (account);

-- What is asked for after the first proof: a code by text message, or one from an app.
create table second_factors (
    id text not null,
    account text not null references accounts (id) on delete cascade,
    phone_number text,
    sealed_key text,
    -- The last step of the app's clock that was used: no code works twice.
    last_step bigint,
    display_name text,
    enrolled_at bigint not null,
    primary key (account, id)
);

-- Codes that go out by text message; only hashes are kept.
create table phone_codes (
    session text primary key,
    phone_number text not null,
    code text not null,
    tries bigint not null,
    expires_at bigint not null
);

-- Programs that may act as admins, by the public half of their key.
create table service_accounts (
    key_id text primary key,
    email text not null,
    modulus text not null,
    exponent text not null,
    created_at bigint not null
);

create table signing_keys (
    id text primary key,
    sealed_key text not null,
    certificate text not null,
    created_at bigint not null
);

-- Failed attempts by what they were made on (an account, an address), in windows.
create table attempts (
    subject text primary key,
    count bigint not null,
    until bigint not null
);

create table security_events (
    id text primary key,
    at bigint not null,
    kind text not null,
    account text,
    address text
);
create index security_events_by_account on security_events (account, at);
