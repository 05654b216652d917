-- The signing key of the portal's processes, and which versions of the program may use this schema.

alter table portal_state
    -- The id of the current key and those of the earlier keys. Null: no process has stored it yet.
    add column signing_key_id bytea check (octet_length(signing_key_id) = 8),
    add column earlier_signing_key_ids bytea[] not null default '{}',
    -- The schema of the oldest version whose processes work on this database. A migration that removes what
    -- an earlier version used raises it.
    add column usable_from_schema bigint not null default 75;
