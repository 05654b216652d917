-- What an alert goes by besides mail: SMS and WhatsApp to a confirmed telephone, and webhooks to a program of its owner's.

alter table plan add column direct_alerts boolean not null default false;
update plan set direct_alerts = true where name = 'enterprise';

alter table alert add column channels text[] not null default '{}'
    check (channels <@ array['sms', 'whatsapp', 'webhook']);

create table phone (
    user_id uuid primary key references users on delete cascade,
    -- As E.164 writes it.
    number text not null check (number ~ '^\+[1-9][0-9]{6,14}$'),
    verified_at timestamptz,
    -- The hash of the code that confirms it, while one is out.
    code_hash bytea,
    code_expires_at timestamptz,
    -- Codes that were tried in vain.
    code_failures integer not null default 0,
    check ((code_hash is null) = (code_expires_at is null))
);

create table webhook (
    user_id uuid primary key references users on delete cascade,
    url text not null,
    -- What its calls are signed with. Kept as it is: a signature can't be made with a hash.
    secret bytea not null,
    created_at timestamptz not null,
    -- Since when it has taken nothing.
    failing_since timestamptz,
    -- When it was switched off for that.
    off_at timestamptz
);

-- Addresses name their channel: a mail's is plain, others are `sms:+94…`, `whatsapp:+94…` and a URL.
alter table delivery
    drop constraint delivery_channel_check,
    add check (channel in ('email', 'sms', 'whatsapp', 'webhook'));
drop index delivery_open_key;
create unique index delivery_open_key on delivery (alert_id, channel) where state = 'open';
drop index delivery_try;
create index delivery_try on delivery (channel, try_at) where state in ('sealed', 'leased', 'retry');
drop index delivery_domain;
create index delivery_domain on delivery (domain, try_at) where state in ('sealed', 'leased', 'retry') and channel = 'email';
create index delivery_address_waiting on delivery (address, try_at) where state in ('sealed', 'leased', 'retry') and channel <> 'email';

-- Where each active alert goes: a row a channel whose address its reader has confirmed.
create view alert_address as
    select a.id as alert_id, a.user_id, 'email' as channel, address.email as address
    from alert a
    join users u on u.id = a.user_id
    join address on address.user_id = u.id and address.verified_at is not null
        and lower(address.email) = lower(coalesce(a.custom_email, u.email))
    where a.is_active and a.deleted_at is null and a.email_enabled
    union all
    select a.id, a.user_id, named.channel, named.channel || ':' || phone.number
    from alert a
    cross join lateral unnest(a.channels) as named (channel)
    join phone on phone.user_id = a.user_id and phone.verified_at is not null
    where a.is_active and a.deleted_at is null and named.channel in ('sms', 'whatsapp')
    union all
    select a.id, a.user_id, 'webhook', webhook.url
    from alert a
    join webhook on webhook.user_id = a.user_id and webhook.off_at is null
    where a.is_active and a.deleted_at is null and 'webhook' = any(a.channels);
