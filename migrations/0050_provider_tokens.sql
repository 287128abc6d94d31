-- What the clients of payment providers share between servers. Written by the crate payment-providers alone.

-- Access tokens of providers that limit how many are granted in an hour.
create table provider_tokens (
    provider text primary key,
    -- Encrypted with the shop's secret; empty until there is one.
    sealed text not null,
    expires_at bigint not null,
    -- When the latest grant was asked for, and the one before it. A third one is not asked for within an hour of the first.
    granted_at bigint not null,
    previous_granted_at bigint not null,
    -- Whether the answer to the latest is not known yet.
    granting boolean not null
);

-- Calls that move money at providers without idempotency keys of their own: what was asked, so that it is asked once.
create table provider_attempts (
    provider text not null,
    -- The caller's key.
    key text not null,
    -- refund, or execute where a payment is not to be executed again.
    verb text not null,
    -- The provider's id of the session.
    session text not null,
    amount bigint not null,
    -- The provider's ids of the refunds that there were before, separated by spaces.
    known text not null,
    -- The provider's id of what the call has done; empty while that is not known.
    reference text not null,
    -- Why the provider refused it.
    code text not null,
    tried_at bigint not null,
    primary key (provider, key)
);
create index provider_attempts_by_session on provider_attempts (provider, session);
