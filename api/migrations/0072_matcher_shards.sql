-- The stored alerts are divided into shards. Each process that matches alerts holds some of them, or stands by.
-- A row of `matcher_shard` says how far the alerts of a shard have been matched.
-- compatible: the program of the last release uses only the three columns of the view `matcher_position`

alter table matcher_position rename to matcher_shard;
alter table matcher_shard
    drop column only_row,
    add column shard integer not null default 0 check (shard >= 0),
    -- The number of shards, the same in all rows.
    add column shards integer not null default 1,
    -- Up to where readers were told about changes of the tenders that they saved. Only shard 0 uses it, and
    -- only if there are several shards.
    add column saved_position bigint not null default 0,
    -- The process that matches the alerts of the shard.
    add column holder uuid,
    -- Counts the holders. A transaction of an earlier holder finds another number, and writes nothing.
    add column epoch bigint not null default 0,
    -- While the number of shards changes: all shards stop at this position, and then become `next_shards` shards.
    add column stop_at bigint,
    add column next_shards integer,
    add primary key (shard),
    add check (shard < shards),
    add check ((stop_at is null) = (next_shards is null));
alter table matcher_shard alter column shard drop default, alter column shards drop default;

-- For processes of the last release during an upgrade. They match if there is one shard.
create view matcher_position as select position, change_id, closing_day from matcher_shard where shards = 1;

-- The processes that match alerts or stand by. A process is dead if its session has ended, or if its heartbeats
-- have stopped. A crash of the database empties the table, and ends all sessions anyway.
create unlogged table matcher_process (
    id uuid primary key,
    -- The session of the database in which the process matches.
    pid integer not null,
    session_started_at timestamptz not null,
    -- The name and the client of all sessions of its jobs.
    session_name text not null,
    client_address inet,
    -- The process counts on as long as it works. Others take notice when the number stays the same.
    heartbeats bigint not null default 0
);

-- The shard of an alert: its id modulo the number of shards. The last bytes of an id are random.
create function matcher_shard_of(alert_id uuid, shards integer) returns integer
    language sql immutable strict parallel safe
    return (get_byte(uuid_send(alert_id), 14) * 256 + get_byte(uuid_send(alert_id), 15)) % shards;

-- The shards count the alerts of a notice in review one after the other: how many have counted, and their sum.
-- The count is under way if `counted_shards` is not 0.
alter table review_item
    add column counted_shards integer not null default 0,
    add column counted_alerts integer not null default 0;
create index review_item_counting on review_item (counted_shards) where counted_shards > 0;
