-- Keys that programs of an Enterprise subscriber call with, and how many calls they made.

create table api_key (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    name text not null,
    -- Its first characters, to tell one from another.
    prefix text not null,
    key_hash bytea not null unique,
    scopes text[] not null check (cardinality(scopes) > 0),
    created_at timestamptz not null,
    last_used_at timestamptz
);
create index api_key_user on api_key (user_id);

-- Counted a period of the user's, whatever becomes of the keys.
create table api_call (
    user_id uuid not null references users on delete cascade,
    period_start timestamptz not null,
    calls bigint not null,
    primary key (user_id, period_start)
);
