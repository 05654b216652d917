-- Files that a team keeps with a bid.

-- The total size of the files of a board, in MiB.
alter table plan add column bid_file_mib integer not null default 100 check (bid_file_mib >= 0);
update plan set bid_file_mib = case name when 'basic' then 500 when 'professional' then 2000 when 'enterprise' then 10000
    else 100 end;

create table bid_file (
    id uuid primary key,
    bid_id uuid not null references bid on delete cascade,
    -- The SHA-256 of the content. The file is in the folder of the documents.
    hash text not null check (hash ~ '^[0-9a-f]{64}$'),
    name text not null check (char_length(name) between 1 and 200),
    media_type text not null,
    size bigint not null check (size > 0),
    uploader_id uuid references users on delete set null,
    created_at timestamptz not null,
    -- The same content is kept once with a bid.
    unique (bid_id, hash)
);
create index bid_file_hash on bid_file (hash);
create index bid_file_uploader on bid_file (uploader_id) where uploader_id is not null;
