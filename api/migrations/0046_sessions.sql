-- A session is what one sign-in begins. Until now, it existed only as a family of refresh tokens.
-- A row of its own has an end that no renewal moves, and says how the user signed in.
create table session (
    id uuid primary key,
    user_id uuid not null references users (id) on delete cascade,
    user_agent text,
    -- Whether the session outlasts the browser.
    is_remembered boolean not null,
    begun_at timestamptz not null,
    -- When its tokens were last renewed.
    used_at timestamptz not null,
    -- When it ends, unless its tokens are renewed before. Never later than `ends_at`.
    expires_at timestamptz not null,
    -- When it ends in any case.
    ends_at timestamptz not null,
    -- When it was signed out.
    ended_at timestamptz,
    -- When the user proved a second factor in it.
    second_factor_at timestamptz,
    -- Whether the password at the sign-in was shorter than administrators and reviewers need.
    has_short_password boolean not null default false,
    check (expires_at <= ends_at)
);
create index session_of_user on session (user_id, used_at);

insert into session (id, user_id, user_agent, is_remembered, begun_at, used_at, expires_at, ends_at, ended_at)
select family_id, (array_agg(user_id))[1], (array_agg(user_agent order by created_at))[1], bool_and(is_remembered),
    min(created_at), max(created_at), max(expires_at), greatest(max(expires_at), min(created_at) + interval '180 days'),
    min(revoked_at)
from refresh_token group by family_id;

drop index refresh_token_user;
alter table refresh_token rename column family_id to session_id;
alter table refresh_token add foreign key (session_id) references session (id) on delete cascade;
alter table refresh_token
    drop column user_id,
    drop column user_agent,
    drop column is_remembered,
    drop column expires_at,
    drop column revoked_at,
    -- The token that this one was exchanged for. A second exchange within the grace period gets the
    -- same token, so that a session never has two valid tokens.
    add column successor_id uuid;
alter index refresh_token_family rename to refresh_token_session;
