-- The canary: a tender and an alert of the portal's own go the whole way from publication to mail again and again.

-- The account that owns them. Nobody can sign in to it, and lists and figures leave it out.
alter table users add column is_canary boolean not null default false;
create unique index users_canary on users (is_canary) where is_canary;

create table canary_run (
    id uuid primary key,
    -- The alert of this run. Null: it was deleted with its matches and mails.
    alert_id uuid unique references alert on delete set null,
    -- Whether the mail must come back to the portal's own address for bounces.
    expects_arrival boolean not null,
    started_at timestamptz not null,
    -- When each step was passed.
    indexed_at timestamptz,
    matched_at timestamptz,
    sent_at timestamptz,
    arrived_at timestamptz
);
create index canary_run_started on canary_run (started_at desc);

create table canary_state (
    only_row boolean primary key default true check (only_row),
    -- Since when administrators know that the canary is late. Null: it works, as far as they know.
    reported_at timestamptz
);
insert into canary_state default values;
