-- The bid board: tenders that an account means to bid for, by stage.

-- Bids of an account that may be open at a time. -1 is unlimited.
alter table plan add column max_open_bids integer not null default -1 check (max_open_bids >= -1);
update plan set max_open_bids = 3 where name = 'free';

create table bid (
    id uuid primary key,
    -- The user whose board it is on. A team shares the board of its owner.
    account_id uuid not null references users on delete cascade,
    tender_id uuid not null references tender on delete cascade,
    stage text not null check (stage in ('considering', 'preparing', 'submitted', 'won', 'lost', 'dropped')),
    -- The order of the bids in a stage. The lowest number stands first.
    place bigint not null,
    -- Who takes care of the bid.
    owner_id uuid references users on delete set null,
    -- The value in hundredths of a rupee.
    value_cents bigint check (value_cents >= 0),
    -- Counts the changes, so that two users do not overwrite each other's.
    version integer not null check (version > 0),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (account_id, tender_id)
);
create index bid_stage on bid (account_id, stage, place);
create index bid_tender on bid (tender_id);
create index bid_owner on bid (owner_id) where owner_id is not null;

create table bid_note (
    id uuid primary key,
    bid_id uuid not null references bid on delete cascade,
    author_id uuid references users on delete set null,
    text text not null check (char_length(text) between 1 and 4000),
    created_at timestamptz not null
);
create index bid_note_bid on bid_note (bid_id, created_at);
create index bid_note_author on bid_note (author_id) where author_id is not null;

create table bid_task (
    id uuid primary key,
    bid_id uuid not null references bid on delete cascade,
    title text not null check (char_length(title) between 1 and 200),
    due date,
    assignee_id uuid references users on delete set null,
    done_at timestamptz,
    created_at timestamptz not null
);
create index bid_task_bid on bid_task (bid_id, created_at);
create index bid_task_assignee on bid_task (assignee_id) where assignee_id is not null;

-- What happened to a bid, for people to read.
create table bid_event (
    bid_id uuid not null references bid on delete cascade,
    -- The order of the events of a bid.
    number integer not null check (number > 0),
    at timestamptz not null,
    actor_id uuid references users on delete set null,
    kind text not null check (kind in ('added', 'moved', 'assigned', 'valued', 'note-added', 'note-deleted',
        'task-added', 'task-changed', 'task-done', 'task-reopened', 'task-deleted')),
    -- The stage or the value before and after the event, or the title of the task.
    before text check (char_length(before) <= 200),
    after text check (char_length(after) <= 200),
    -- Who the bid was assigned to.
    subject_id uuid references users on delete set null,
    primary key (bid_id, number)
);
create index bid_event_actor on bid_event (actor_id) where actor_id is not null;
create index bid_event_subject on bid_event (subject_id) where subject_id is not null;
