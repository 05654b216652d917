-- Batches of notices that an administrator withdraws, and what can bring them back. Rectangles of newspaper pages that a
-- person drew or dismissed.

-- The operator token that last sent the notice. Null: a user's part of a notice, or sent before this was recorded.
alter table notice add column sent_by uuid references operator_token;
create index notice_sent on notice (sent_by, received_at) where sent_by is not null;
-- The newspaper's issue in which a notice was printed.
create index notice_issue on notice ((record #>> '{sources,0,date}'), (lower(record #>> '{sources,0,publication}')));

create table batch_withdrawal (
    id uuid primary key,
    -- A file of pages, an issue of a newspaper, or what a token sent in a span of time, from the first moment to before the last.
    file_id uuid,
    file_name text,
    publication text,
    issue_date date,
    token_id uuid references operator_token,
    sent_from timestamptz,
    sent_until timestamptz,
    reason text not null check (char_length(reason) between 1 and 500),
    state text not null check (state in ('withdrawing', 'telling', 'done', 'undoing', 'telling-undo', 'undone')),
    -- Whether the readers of the present state are listed in `batch_withdrawal_reader`.
    readers_listed boolean not null default false,
    started_at timestamptz not null,
    -- The administrators. There are no references, so that the record outlives the accounts.
    started_by uuid not null,
    finished_at timestamptz,
    undone_at timestamptz,
    undone_by uuid,
    -- The notices of the batch, and what became of them and their tenders until now.
    notices integer not null check (notices > 0),
    withdrawn_notices integer not null default 0,
    skipped_notices integer not null default 0,
    restored_notices integer not null default 0,
    withdrawn_tenders integer not null default 0,
    kept_tenders integer not null default 0,
    restored_tenders integer not null default 0,
    check ((file_id is null) = (file_name is null)),
    check ((publication is null) = (issue_date is null)),
    check ((token_id is null) = (sent_from is null) and (token_id is null) = (sent_until is null)),
    check (num_nonnulls(file_id, publication, token_id) = 1),
    check ((undone_at is null) = (undone_by is null)),
    check ((undone_at is null) = (state in ('withdrawing', 'telling', 'done')))
);
create index batch_withdrawal_active on batch_withdrawal (id) where state not in ('done', 'undone');

-- pending: not yet rejected. withdrawn: rejected. skipped: had been decided otherwise before its turn. restored: the undo gave
-- it back its standing.
create table batch_withdrawal_notice (
    withdrawal_id uuid not null references batch_withdrawal on delete cascade,
    notice_key text not null references notice (key) on delete cascade,
    state text not null check (state in ('pending', 'withdrawn', 'skipped', 'restored')),
    -- The `NoticeState` before the withdrawal.
    before jsonb check (before is not null or state in ('pending', 'skipped')),
    -- The tender that the notice belonged to.
    tender_id uuid references tender on delete set null,
    primary key (withdrawal_id, notice_key)
);
create index batch_withdrawal_notice_state on batch_withdrawal_notice (withdrawal_id, state, tender_id, notice_key);
create index batch_withdrawal_notice_pending on batch_withdrawal_notice (notice_key) where state = 'pending';

-- The tenders that a batch withdrew, with the revisions that withdraw and publish them. Readers are mailed about these revisions
-- once for the whole batch.
create table batch_withdrawal_tender (
    withdrawal_id uuid not null references batch_withdrawal on delete cascade,
    tender_id uuid not null references tender on delete cascade,
    revision bigint not null,
    restored_revision bigint,
    primary key (withdrawal_id, tender_id)
);
create index batch_withdrawal_tender_tender on batch_withdrawal_tender (tender_id);

-- The readers who are mailed about a batch, or about its undo.
create table batch_withdrawal_reader (
    withdrawal_id uuid not null references batch_withdrawal on delete cascade,
    is_undo boolean not null,
    user_id uuid not null references users on delete cascade,
    address text not null,
    -- When the mail was composed, or turned out to be empty.
    told_at timestamptz,
    delivery_id uuid references delivery on delete set null,
    primary key (withdrawal_id, is_undo, user_id, address)
);
create index batch_withdrawal_reader_untold on batch_withdrawal_reader (withdrawal_id, is_undo) where told_at is null;
create index batch_withdrawal_reader_user on batch_withdrawal_reader (user_id);
create index batch_withdrawal_reader_delivery on batch_withdrawal_reader (delivery_id) where delivery_id is not null;

-- The rectangles of pages about which people have decided. A later reading of the page respects them.
create table page_box (
    id uuid primary key,
    page_id uuid not null references page on delete cascade,
    -- The rectangle as fractions of the picture.
    x double precision not null,
    y double precision not null,
    width double precision not null,
    height double precision not null,
    -- notice: a person drew it, and it is read as a whole. dismissed: it is not read.
    decision text not null check (decision in ('notice', 'dismissed')),
    created_at timestamptz not null,
    -- The user or operator token.
    created_by uuid not null,
    -- The notice that the dismissal rejected, its `NoticeState` before, and whether its tender was withdrawn.
    notice_key text references notice (key) on delete set null,
    before jsonb,
    has_withdrawn boolean not null default false,
    check (decision = 'dismissed' or (notice_key is null and before is null))
);
create index page_box_page on page_box (page_id, id);
create index page_box_notice on page_box (notice_key) where notice_key is not null;
