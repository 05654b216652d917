-- The calendar of a user: the deadlines of its bids and saved tenders, at an address that only the user is told.
create table calendar_feed (
    user_id uuid primary key references users on delete cascade,
    feed_key text not null unique,
    created_at timestamptz not null
);
