-- What matched, and the messages that say so.

-- How far the matcher has come. Whoever holds the row's lock is the matcher.
create table matcher_position (
    only_row boolean primary key default true check (only_row),
    position bigint not null,
    change_id uuid not null
);
insert into matcher_position (position, change_id) values (0, '00000000-0000-0000-0000-000000000000');

-- One alert matched one tender, once, for ever.
create table match (
    alert_id uuid not null references alert on delete cascade,
    tender_id uuid not null references tender on delete cascade,
    tender_revision bigint not null,
    position bigint not null,
    -- `index::percolate::Why`, as serialised.
    why jsonb not null,
    at timestamptz not null,
    primary key (alert_id, tender_id)
);
create index match_tender on match (tender_id);

-- open: collecting items. sealed: items, Message-ID and content are fixed. leased: somebody is sending it.
-- retry: failed for now. sent and dead are final.
create table delivery (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    -- The alert whose immediate items it collects; null for a digest of several alerts.
    alert_id uuid references alert on delete cascade,
    channel text not null check (channel in ('email')),
    frequency text not null check (frequency in ('immediate', 'daily', 'weekly')),
    address text not null,
    state text not null check (state in ('open', 'sealed', 'leased', 'retry', 'sent', 'dead')),
    opened_at timestamptz not null,
    seal_at timestamptz not null,
    message_id text unique,
    -- The whole message as it goes over the wire.
    content bytea,
    sealed_at timestamptz,
    attempts integer not null default 0,
    -- When it may be tried next, or when its lease runs out.
    try_at timestamptz,
    sent_at timestamptz,
    last_error text,
    -- A message that can't be put together is dead without content.
    check (state in ('open', 'dead') or content is not null),
    check (state <> 'open' or content is null),
    check ((content is null) = (message_id is null)),
    check ((state = 'sent') = (sent_at is not null))
);
-- One open delivery for each stream of items.
create unique index delivery_open_key on delivery (address, alert_id, frequency) where state = 'open';
create index delivery_seal on delivery (seal_at) where state = 'open';
create index delivery_try on delivery (try_at) where state in ('sealed', 'leased', 'retry');

-- A tender is never sent twice to one address for one alert and reason.
create table delivery_item (
    alert_id uuid not null,
    tender_id uuid not null references tender on delete cascade,
    tender_revision bigint not null,
    -- `new`, or `change:<revision>`.
    reason text not null check (reason = 'new' or reason ~ '^change:[0-9]+$'),
    address text not null,
    delivery_id uuid not null references delivery on delete cascade,
    added_at timestamptz not null,
    primary key (alert_id, tender_id, reason, address),
    foreign key (alert_id, tender_id) references match on delete cascade
);
create index delivery_item_delivery on delivery_item (delivery_id);
