-- Second factors of accounts: an authenticator app (TOTP), passkeys, and recovery codes.
create table totp (
    user_id uuid primary key references users (id) on delete cascade,
    -- Encrypted with a key that is not in the database.
    secret bytea not null,
    created_at timestamptz not null,
    -- Null until the user has entered a code of the app.
    confirmed_at timestamptz,
    -- The time step of the last accepted code. A code is accepted only once.
    last_step bigint not null default 0
);

create table passkey (
    id uuid primary key,
    user_id uuid not null references users (id) on delete cascade,
    -- The authenticator's id of the credential.
    credential_id bytea not null unique,
    name text not null,
    -- The public key, the signature counter and the flags.
    credential jsonb not null,
    created_at timestamptz not null,
    used_at timestamptz
);
create index passkey_user on passkey (user_id);

-- The challenge of a passkey that is being added. A user adds one at a time.
create table passkey_registration (
    user_id uuid primary key references users (id) on delete cascade,
    state jsonb not null,
    expires_at timestamptz not null
);

-- Recovery codes are stored as hashes. Each can be used once.
create table recovery_code (
    user_id uuid not null references users (id) on delete cascade,
    code_hash bytea not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
);

-- A sign-in whose first factor was proved. The browser has the token.
create table sign_in_challenge (
    token_hash bytea primary key,
    user_id uuid not null references users (id) on delete cascade,
    user_agent text,
    is_remembered boolean not null,
    has_short_password boolean not null,
    -- The challenge for the passkeys of the user. Null without passkeys.
    passkey_state jsonb,
    wrong_answers integer not null default 0,
    expires_at timestamptz not null
);
create index sign_in_challenge_user on sign_in_challenge (user_id);
create index sign_in_challenge_expiry on sign_in_challenge (expires_at);
