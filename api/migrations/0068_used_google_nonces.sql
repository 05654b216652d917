-- Nonces of sign-ins with Google that were used. A token is accepted once. The server signs nonces and
-- does not store unused ones, so that requests for nonces need no space.
create table used_google_nonce (
    nonce_hash bytea primary key,
    -- When the nonce is no longer accepted, and this row is no longer needed.
    expires_at timestamptz not null
);
create index used_google_nonce_expiry on used_google_nonce (expires_at);
