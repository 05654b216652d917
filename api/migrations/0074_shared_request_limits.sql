-- Requests, counted for all servers of the portal together. Each server adds its requests in chunks. The
-- counts matter for a minute, so they need not survive a crash of Postgres. No index but that of the key:
-- an update then rewrites no index.

create unlogged table request_count (
    -- A hash of what the requests are counted by: a limit, and an account, a device or an address.
    key bytea primary key check (octet_length(key) = 32),
    -- When the allowance of the key is full again, in microseconds since 1970.
    full_at bigint not null
) with (fillfactor = 50);
