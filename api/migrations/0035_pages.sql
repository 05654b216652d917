-- Newspaper files. The bytes lie in the data folder, named by their hash.
create table page_file (
    id uuid primary key,
    hash text not null unique check (hash ~ '^[0-9a-f]{64}$'),
    name text not null check (char_length(name) between 1 and 200),
    media_type text not null,
    size bigint not null check (size > 0),
    -- The newspaper and the issue date as given by the person who uploaded the file. Empty and null: they are read from
    -- the page.
    publication text not null check (char_length(publication) <= 100),
    issue_date date,
    -- The number of pages. Null until a worker has opened the file: the portal itself opens no files.
    page_count integer check (page_count between 1 and 200),
    -- Whether the portal has the bytes. `ingest run` sends only the result of a page.
    is_stored boolean not null,
    created_at timestamptz not null
);

-- The pages of the files. Until its number of pages is known, a file has only its first page.
create table page (
    id uuid primary key,
    file_id uuid not null references page_file on delete cascade,
    number integer not null check (number between 1 and 200),
    state text not null check (state in ('waiting', 'leased', 'read', 'failed', 'set-aside')),
    -- How often a worker has tried to read the page since it last began to wait.
    attempts integer not null default 0 check (attempts >= 0),
    -- A waiting or failed page is not read before this time.
    due_at timestamptz not null,
    -- The lease of the worker that reads or has read the page.
    lease_id uuid unique,
    lease_until timestamptz,
    worker text check (char_length(worker) between 1 and 100),
    -- The last failure.
    failure text check (char_length(failure) between 1 and 500),
    -- The newspaper and the issue date as read.
    publication text check (char_length(publication) <= 100),
    issue_date date,
    -- The hash of the JPEG picture of the page, which lies in the data folder.
    picture text check (picture ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null,
    read_at timestamptz,
    unique (file_id, number),
    check ((state = 'leased') = (lease_until is not null)),
    check (state <> 'leased' or (lease_id is not null and worker is not null)),
    check (state not in ('failed', 'set-aside') or failure is not null),
    check (state <> 'read' or (picture is not null and read_at is not null and publication is not null))
);
create index page_unread on page (state, file_id, number) where state <> 'read';
create index page_picture on page (picture);

-- What became of each block of a page when it was last read.
create table page_block (
    page_id uuid not null references page on delete cascade,
    -- The place in reading order, from 1.
    number integer not null check (number > 0),
    -- The box as fractions of the picture.
    x double precision not null,
    y double precision not null,
    width double precision not null,
    height double precision not null,
    outcome text not null
        check (outcome in ('tender', 'doubtful', 'waits', 'refused', 'not-a-notice', 'too-little-text')),
    reason text,
    notice_key text check (notice_key ~ '^[0-9a-f]{32}$'),
    title text,
    primary key (page_id, number)
);
create index page_block_notice on page_block (notice_key) where notice_key is not null;

-- When each worker last asked for a page.
create table page_worker (
    name text primary key check (char_length(name) between 1 and 100),
    asked_at timestamptz not null
);
