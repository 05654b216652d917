-- What is asked for, paid and owed. Money is in whole cents.

alter table subscription
    -- What a period costs; 0 for one that was given.
    add column price_cents bigint not null default 0 check (price_cents >= 0),
    add column currency text not null default 'LKR',
    -- The period that is paid runs from here to end_date, which is so many cycles from the anchor.
    add column period_start timestamptz,
    add column anchor timestamptz,
    add column periods integer not null default 1,
    -- Until when its plan holds: its end, or the end of the grace after it.
    add column holds_until timestamptz,
    -- Who charges for it, and what they call the agreement; null: nobody.
    add column provider text,
    add column agreement text,
    add column agreement_ended_at timestamptz,
    -- When it was charged last, as the provider says.
    add column charged_at timestamptz,
    -- Since when a period that has begun is not paid for.
    add column unpaid_since timestamptz,
    add column grace_warned_at timestamptz,
    -- What takes its place at its end.
    add column next_plan text references plan (name) check (next_plan <> 'free'),
    add column next_cycle text check (next_cycle in ('monthly', 'yearly')),
    add column next_price_cents bigint check (next_price_cents > 0),
    -- Its agreement can't be changed, so that the next one has to be paid by hand.
    add column next_by_hand boolean not null default false,
    add column cancel_reason text,
    add column ended_at timestamptz,
    add check ((next_plan is null) = (next_cycle is null) and (next_plan is null) = (next_price_cents is null));

-- What was there before was given, and nobody renews it.
update subscription set period_start = start_date, anchor = start_date, holds_until = end_date, auto_renew = false;

alter table subscription
    alter column period_start set not null,
    alter column anchor set not null,
    alter column holds_until set not null;

create unique index subscription_agreement_key on subscription (provider, agreement) where agreement is not null;
create index subscription_due on subscription (end_date) where status = 'active';

-- What somebody was sent to a provider to pay. Its subscription waits until then.
create table checkout (
    id uuid primary key,
    user_id uuid references users on delete set null,
    subscription_id uuid not null references subscription,
    provider text not null,
    -- The provider's name for it, and where it is paid; null until the provider has answered.
    session text,
    url text,
    -- What is paid now: the price less the credit.
    amount_cents bigint not null check (amount_cents > 0),
    price_cents bigint not null check (price_cents >= amount_cents),
    currency text not null,
    -- The subscription whose unused rest is credited.
    credited_id uuid references subscription,
    status text not null check (status in ('opening', 'open', 'paid', 'expired', 'failed', 'mismatch')),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    asked_at timestamptz,
    closed_at timestamptz,
    unique (provider, session)
);
create index checkout_user on checkout (user_id, created_at);
create index checkout_open on checkout (expires_at) where status in ('opening', 'open');

-- Whatever a provider has told, once each, with what came of it.
create table payment_event (
    provider text not null,
    event_id text not null,
    event jsonb not null,
    occurred_at timestamptz not null,
    received_at timestamptz not null,
    outcome text not null check (outcome in ('applied', 'ignored', 'unmatched', 'mismatch', 'orphan', 'unexpected')),
    subscription_id uuid references subscription,
    primary key (provider, event_id)
);
create index payment_event_open on payment_event (received_at) where outcome not in ('applied', 'ignored');

-- What a provider has to be told, until it has heard it.
create table payment_task (
    id uuid primary key,
    -- Those of a subscription are told in this order; they are made under its user's lock.
    nth bigint generated always as identity,
    provider text not null,
    subscription_id uuid not null references subscription,
    kind text not null check (kind in ('hold', 'resume', 'reprice', 'end')),
    price_cents bigint,
    cycle text,
    created_at timestamptz not null,
    due_at timestamptz not null,
    attempts integer not null default 0,
    last_error text,
    done_at timestamptz
);
create index payment_task_due on payment_task (due_at) where done_at is null;
create index payment_task_subscription on payment_task (subscription_id);

-- The last number of a year's invoices. Its lock makes them a row without gaps.
create table invoice_number (
    year integer primary key,
    last integer not null
);

create table invoice (
    id uuid primary key,
    number text not null unique,
    user_id uuid references users on delete set null,
    subscription_id uuid not null references subscription,
    provider text not null,
    -- The provider's name for the payment.
    charge text not null,
    issued_at timestamptz not null,
    currency text not null,
    lines jsonb not null,
    net_cents bigint not null,
    vat_cents bigint not null,
    total_cents bigint not null check (total_cents = net_cents + vat_cents),
    -- Hundredths of a per cent; null: no VAT.
    vat_rate integer,
    seller jsonb not null,
    buyer jsonb not null,
    unique (provider, charge)
);
create index invoice_user on invoice (user_id, issued_at);

-- The law of the books: what was issued stays as it is, and only whose it is may be forgotten.
create function invoice_is_final() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' and new.user_id is null and to_jsonb(new) - 'user_id' = to_jsonb(old) - 'user_id' then
        return new;
    end if;
    raise exception 'an invoice never changes';
end $$;
create trigger invoice_is_final before update or delete on invoice for each row execute function invoice_is_final();

-- The other side of the demonstration's payments: what a real provider would keep of its own.
create table sandbox_agreement (
    id text primary key,
    checkout_id uuid not null unique,
    title text not null,
    first_cents bigint not null,
    price_cents bigint not null,
    currency text not null,
    cycle text not null,
    success_url text not null,
    cancel_url text not null,
    state text not null check (state in ('open', 'challenge', 'active', 'ended')),
    -- Whether later charges are declined.
    declines boolean not null default false,
    charges integer not null default 0,
    anchor timestamptz,
    periods integer not null default 0,
    next_charge_at timestamptz,
    ends_then boolean not null default false
);
create index sandbox_agreement_due on sandbox_agreement (next_charge_at) where state = 'active';

create table sandbox_event (
    id text primary key,
    body text not null,
    created_at timestamptz not null,
    told_at timestamptz
);
create index sandbox_event_untold on sandbox_event (created_at) where told_at is null;
