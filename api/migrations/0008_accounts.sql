-- Links that are mailed to an address, each good once and for a time; stored as hashes.
create table mailed_link (
    token_hash bytea primary key,
    purpose text not null check (purpose in ('verify', 'reset')),
    user_id uuid not null references users on delete cascade,
    email text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null check (expires_at > created_at),
    used_at timestamptz
);
create index mailed_link_user on mailed_link (user_id, purpose, created_at desc);

-- Requests for a new password, known and unknown addresses alike, so that nobody learns from an answer which are known. A job
-- answers them by mail and deletes them.
create table password_request (
    id uuid primary key,
    email text not null,
    at timestamptz not null
);
create index password_request_at on password_request (at);

-- What a session was begun with, so that its user can tell one from another.
alter table refresh_token add column user_agent text;
