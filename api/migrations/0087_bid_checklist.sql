-- The checklist of a bid. The rows that follow from the notice are computed, so only what users add is
-- stored.

-- A row that a user added.
create table bid_checklist_row (
    id uuid primary key,
    bid_id uuid not null references bid on delete cascade,
    title text not null check (char_length(title) between 1 and 200),
    created_at timestamptz not null
);
create index bid_checklist_row_bid on bid_checklist_row (bid_id, created_at);

-- A ticked row.
create table bid_tick (
    bid_id uuid not null references bid on delete cascade,
    -- The key of a computed row, or `own:` and the id of an added one.
    row_key text not null check (char_length(row_key) between 1 and 60),
    -- The value of the row when it was ticked. If the tender has another value now, the tick does not count.
    fingerprint text not null check (char_length(fingerprint) = 16),
    at timestamptz not null,
    actor_id uuid references users on delete set null,
    primary key (bid_id, row_key)
);
create index bid_tick_actor on bid_tick (actor_id) where actor_id is not null;

-- compatible: it permits more
alter table bid_event
    drop constraint bid_event_kind_check,
    add constraint bid_event_kind_check check (kind in ('added', 'moved', 'assigned', 'valued', 'note-added',
        'note-deleted', 'task-added', 'task-changed', 'task-done', 'task-reopened', 'task-deleted', 'row-added',
        'row-deleted', 'row-ticked', 'row-reopened', 'file-added', 'file-deleted'));
