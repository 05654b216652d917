-- The process that writes to a search index that all processes share. There is a row for each index, because the
-- program of the last release may have another one during an upgrade. A crash of the database empties the table,
-- and another process takes over.
create unlogged table index_writer (
    index_name text primary key,
    process uuid not null,
    -- The process increments it as long as it works. Others look whether it stays the same.
    heartbeats bigint not null default 0
);

-- The shared indexes that this portal has built. An index of the same name that belongs to another database is
-- replaced only if it is one of these.
create table built_index (index_name text primary key);
