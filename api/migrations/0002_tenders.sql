-- Tenders as immutable revisions, the newspaper notices they come from, and the clips those were read from.

-- `status` and `published_at` are those of the current revision, for listing an owner's tenders; the record itself is
-- the revision's.
create table tender (
    id uuid primary key,
    -- Null: read from a newspaper.
    owner_id uuid references users on delete set null,
    revision bigint not null check (revision > 0),
    status text not null check (status in ('draft', 'published', 'closed', 'awarded', 'cancelled', 'withdrawn')),
    published_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index tender_owner on tender (owner_id, created_at desc) where owner_id is not null;

create table tender_revision (
    tender_id uuid not null references tender on delete cascade,
    revision bigint not null check (revision > 0),
    -- `index::tender::Tender`, as serialised.
    record jsonb not null,
    at timestamptz not null,
    primary key (tender_id, revision)
);

-- The same notice published again changes its tender instead of doubling it: `key` names the place on the page.
create table notice (
    key text primary key check (key ~ '^[0-9a-f]{32}$'),
    tender_id uuid not null unique references tender on delete cascade,
    -- Of the notice as it was sent, so that an unchanged one is recognised.
    content_hash bytea not null,
    clip_hash text not null,
    received_at timestamptz not null
);

-- Clips lie in files named by their content's hash; a row makes one known.
create table clip (
    hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
    media_type text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp')),
    size integer not null check (size > 0),
    created_at timestamptz not null
);
alter table notice add foreign key (clip_hash) references clip (hash);
