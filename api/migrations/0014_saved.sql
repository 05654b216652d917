-- Tenders that users keep an eye on.
create table favourite (
    user_id uuid not null references users on delete cascade,
    tender_id uuid not null references tender on delete cascade,
    at timestamptz not null,
    primary key (user_id, tender_id)
);
create index favourite_user on favourite (user_id, at desc);

-- Searches of the listing that users come back to, each with a feed at an address that only its owner is told.
create table saved_search (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    name text not null check (char_length(name) between 1 and 100),
    -- What `GET /tenders` is asked, without its page.
    query text not null check (char_length(query) <= 4096),
    feed_key text not null unique,
    created_at timestamptz not null
);
create index saved_search_user on saved_search (user_id, created_at);
