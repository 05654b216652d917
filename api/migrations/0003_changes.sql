-- Stored alerts, and the one ordered log of changes to tenders and alerts that search and matching follow.

create table alert (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    revision bigint not null check (revision > 0),
    name text not null check (char_length(name) between 1 and 100),
    description text check (char_length(description) <= 500),
    is_active boolean not null,
    email_enabled boolean not null,
    frequency text not null check (frequency in ('immediate', 'daily', 'weekly')),
    custom_email text,
    daily_summary_time time not null default '09:00',
    created_at timestamptz not null,
    updated_at timestamptz not null,
    -- A deleted alert stays, unseen, for what it once matched.
    deleted_at timestamptz
);
create index alert_user on alert (user_id) where deleted_at is null;

-- What an alert asked at each revision; null where it asked nothing (inactive or deleted).
create table alert_revision (
    alert_id uuid not null references alert on delete cascade,
    revision bigint not null check (revision > 0),
    -- `index::alert::AlertQuery`, as serialised.
    query jsonb,
    at timestamptz not null,
    primary key (alert_id, revision)
);

-- The head of the log. Its row lock, taken by the last statement of a transaction, makes the order of positions the
-- order of commits, without gaps.
create table change_head (
    only_row boolean primary key default true check (only_row),
    position bigint not null,
    change_id uuid not null
);
insert into change_head (position, change_id) values (0, '00000000-0000-0000-0000-000000000000');

create table change (
    position bigint primary key check (position > 0),
    change_id uuid not null unique,
    subject text not null check (subject in ('tender', 'alert')),
    subject_id uuid not null,
    revision bigint not null,
    at timestamptz not null
);
create index change_subject on change (subject, subject_id, position desc);
