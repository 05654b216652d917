-- Reminders of the deadlines of bids.

-- When a user is reminded, and how. The row without a bid is for all bids that have no row of their own.
create table bid_reminder_setting (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    bid_id uuid references bid on delete cascade,
    channels text[] not null
        check (channels <@ array['email', 'sms', 'whatsapp', 'webhook'] and cardinality(channels) <= 4),
    -- The hours before each deadline.
    sale_ends integer[] not null check (cardinality(sale_ends) <= 5 and 0 < all (sale_ends) and 1440 >= all (sale_ends)),
    pre_bid integer[] not null check (cardinality(pre_bid) <= 5 and 0 < all (pre_bid) and 1440 >= all (pre_bid)),
    closing integer[] not null check (cardinality(closing) <= 5 and 0 < all (closing) and 1440 >= all (closing)),
    updated_at timestamptz not null,
    unique nulls not distinct (user_id, bid_id)
);
create index bid_reminder_setting_bid on bid_reminder_setting (bid_id) where bid_id is not null;

-- The reminders that are sealed, so that each is sent once. If a deadline moves, its reminders are new ones.
create table bid_reminder (
    bid_id uuid not null references bid on delete cascade,
    user_id uuid not null references users on delete cascade,
    kind text not null check (kind in ('sale-ends', 'pre-bid', 'closing')),
    deadline_at timestamptz not null,
    hours integer not null check (hours > 0),
    at timestamptz not null,
    primary key (bid_id, user_id, kind, deadline_at, hours)
);
create index bid_reminder_user on bid_reminder (user_id);
