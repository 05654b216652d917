-- The first publication of a new publisher waits for an administrator, and administrators can take tenders down.

-- Since when the tenders of a user are published at once. Null: the next one waits for a check.
alter table users add column publisher_approved_at timestamptz;
-- Who has published already is known.
update users set publisher_approved_at = first.at
from (select owner_id, min(published_at) as at from tender where published_at is not null group by owner_id) as first
where first.owner_id = users.id;

alter table tender
    -- Since when a draft waits for the check, and its place in the queue.
    add column held_at timestamptz,
    add column held_number bigint,
    -- Whether the administrators were mailed that it waits.
    add column hold_is_mailed boolean not null default false,
    -- Why the publication of a draft was refused, until it is submitted again.
    add column refused_at timestamptz,
    add column refusal_reason text,
    -- Why an administrator took the tender down.
    add column taken_down_at timestamptz,
    add column takedown_reason text,
    add check ((held_at is null) = (held_number is null)),
    add check (held_at is null or status = 'draft'),
    add check ((refused_at is null) = (refusal_reason is null)),
    add check (refused_at is null or (status = 'draft' and held_at is null)),
    add check ((taken_down_at is null) = (takedown_reason is null)),
    add check (taken_down_at is null or status = 'withdrawn');
create sequence tender_held_number;
create unique index tender_held on tender (held_number) where held_number is not null;
create index tender_held_of_owner on tender (owner_id) where held_number is not null;
create index tender_hold_not_mailed on tender (held_number) where held_number is not null and not hold_is_mailed;
create index tender_taken_down on tender (taken_down_at) where taken_down_at is not null;

-- When the administrators were last mailed about each topic.
create table administrator_mail (
    topic text primary key check (topic in ('held-publications')),
    mailed_at timestamptz
);
insert into administrator_mail (topic) values ('held-publications');

-- The days in Colombo on which an operator token uploaded notices, so that the audit log has one entry a day.
create table token_upload (
    token_id uuid not null references operator_token on delete cascade,
    day date not null,
    primary key (token_id, day)
);
