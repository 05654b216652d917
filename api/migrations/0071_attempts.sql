-- Attempts to sign in, and with other secrets, are counted for all processes of the portal.

create table attempt (
    -- A hash of what the attempts are counted by, such as an address and a network.
    key bytea primary key check (octet_length(key) = 32),
    -- When the allowance of the key is full again, in milliseconds since 1970.
    full_at bigint not null
);
create index attempt_full_at on attempt (full_at);
