-- Files that publishers attach to their tenders. The bytes lie in the data folder, named by their hash; the tender's record lists
-- what is attached now. One that was taken off stays, unseen, for the downloads that were counted.
create table document (
    id uuid primary key,
    tender_id uuid not null references tender on delete cascade,
    hash text not null check (hash ~ '^[0-9a-f]{64}$'),
    name text not null check (char_length(name) between 1 and 200),
    media_type text not null,
    size bigint not null check (size > 0),
    -- What a PDF in one column says; null where nothing could be read.
    text text,
    created_at timestamptz not null,
    removed_at timestamptz
);
create index document_tender on document (tender_id);
create index document_hash on document (hash);

-- Documents fetched: each once a user, document and period.
create table document_download (
    user_id uuid not null references users on delete cascade,
    period_start timestamptz not null,
    document_id uuid not null references document on delete cascade,
    at timestamptz not null,
    primary key (user_id, period_start, document_id)
);
create index document_download_document on document_download (document_id, user_id);
