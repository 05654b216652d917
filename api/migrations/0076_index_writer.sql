-- The process that writes to a search index that all processes share. There is a row for each index, because the
-- program of the last release may have another one during an upgrade. A crash of the database empties the table,
-- and another process takes over.
create unlogged table index_writer (
    index_name text primary key,
    process uuid not null,
    -- The process counts on as long as it works. Others take notice when the number stays the same.
    heartbeats bigint not null default 0
);
