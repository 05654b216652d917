-- Users, the addresses that mail may go to, sessions, operators' tokens, plans and subscriptions.

create table users (
    id uuid primary key,
    email text not null,
    password_hash text,
    first_name text not null,
    last_name text not null,
    phone text,
    company text,
    role text not null check (role in ('supplier', 'buyer', 'admin')),
    created_at timestamptz not null,
    updated_at timestamptz not null
);
-- Addresses are compared without case; the spelling its owner typed is kept.
create unique index users_email_key on users (lower(email));

-- Mail goes only to addresses that their reader has confirmed. The user's own e-mail has a row here too.
create table address (
    user_id uuid not null references users on delete cascade,
    email text not null,
    verified_at timestamptz,
    created_at timestamptz not null,
    primary key (user_id, email)
);

-- A refresh token is stored as its hash. Rotation makes a new row of the same family; a reused one revokes the family.
create table refresh_token (
    id uuid primary key,
    family_id uuid not null,
    user_id uuid not null references users on delete cascade,
    token_hash bytea not null unique,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    rotated_at timestamptz,
    revoked_at timestamptz
);
create index refresh_token_family on refresh_token (family_id);
create index refresh_token_user on refresh_token (user_id);

-- What an operator's `ingest` presents. Stored as its hash.
create table operator_token (
    id uuid primary key,
    name text not null,
    token_hash bytea not null unique,
    created_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz
);

create table plan (
    name text primary key check (name in ('free', 'basic', 'professional', 'enterprise')),
    id uuid not null unique,
    display_name text not null,
    description text not null,
    -- The order of what plans permit: a higher rank holds all of a lower one.
    rank smallint not null unique,
    -- Rupees.
    price_monthly integer not null check (price_monthly >= 0),
    price_yearly integer not null check (price_yearly >= 0),
    -- Quotas a period; -1 is unlimited.
    max_tender_views integer not null check (max_tender_views >= -1),
    max_tender_uploads integer not null check (max_tender_uploads >= -1),
    saved_searches integer not null check (saved_searches >= -1),
    -- Days back from publication that a reader may see; null is everything.
    archive_days integer check (archive_days > 0),
    advanced_filtering boolean not null,
    email_alerts boolean not null,
    api_access boolean not null,
    priority_support boolean not null,
    custom_reports boolean not null,
    is_active boolean not null default true,
    sort_order smallint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

insert into plan (name, id, display_name, description, rank, price_monthly, price_yearly, max_tender_views,
    max_tender_uploads, saved_searches, archive_days, advanced_filtering, email_alerts, api_access, priority_support,
    custom_reports, sort_order, created_at, updated_at)
select name, id::uuid, display_name, description, rank, price_monthly, price_monthly * 10, views, uploads, saved,
    archive, advanced, alerts, api, support, reports, rank, '2026-01-01+05:30', '2026-01-01+05:30'
from (values
    ('free', '019b7600-0000-7000-8000-000000000000', 'Free', 'Browse and search public tenders.',
        0, 0, 10, 3, 3, 14, false, false, false, false, false),
    ('basic', '019b7600-0000-7000-8000-000000000001', 'Basic', 'The last 14 days and a weekly summary by e-mail.',
        1, 2000, 100, 10, 10, 14, false, false, false, false, false),
    ('professional', '019b7600-0000-7000-8000-000000000002', 'Professional',
        'Advanced search, a year of archive and e-mail alerts.',
        2, 5000, 500, 50, 50, 365, true, true, false, false, false),
    ('enterprise', '019b7600-0000-7000-8000-000000000003', 'Enterprise',
        'Everything, for a whole team, with API access and reports.',
        3, 10000, -1, -1, -1, null::integer, true, true, true, true, true)
) as p (name, id, display_name, description, rank, price_monthly, views, uploads, saved, archive, advanced, alerts,
    api, support, reports);

create table subscription (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    plan text not null references plan (name) check (plan <> 'free'),
    status text not null check (status in ('pending', 'active', 'cancelled', 'expired')),
    billing_cycle text not null check (billing_cycle in ('monthly', 'yearly')),
    start_date timestamptz not null,
    end_date timestamptz not null check (end_date > start_date),
    auto_renew boolean not null default true,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create unique index subscription_active_key on subscription (user_id) where status = 'active';
