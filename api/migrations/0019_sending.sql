-- How mail leaves: at a pace for each domain, and never again to an address from which it came back.

alter table delivery
    -- The part of the address that names the reader's mail server.
    add column domain text not null generated always as (lower(split_part(address, '@', 2))) stored,
    -- What came back of it after a server had taken it.
    add column returned text check (returned in ('bounce', 'complaint')),
    add column returned_at timestamptz,
    add check ((returned is null) = (returned_at is null));
create index delivery_domain on delivery (domain, try_at) where state in ('sealed', 'leased', 'retry');
create index delivery_address on delivery (lower(address));

-- A domain's allowance: it grows with the time since it was used up.
create table mail_domain (
    domain text primary key,
    used_up_at timestamptz not null
);

-- An address that nothing is mailed to, but for a letter that its reader asks for; until its reader confirms it anew.
create table suppression (
    -- In lower case.
    address text primary key,
    reason text not null check (reason in ('bounce', 'complaint')),
    -- What the mail server said.
    detail text not null,
    at timestamptz not null
);
