-- The review queue: notices that wait for a person, and published notices with doubtful fields or reported mistakes.

alter table notice
    -- `tender_model::notice_words::NoticeWords`.
    add column words jsonb,
    -- The larger notice that a person cut this one out of.
    add column part_of text references notice (key) on delete cascade,
    -- When a person last checked the fields. A later reading of the page does not change them.
    add column reviewed_at timestamptz,
    drop constraint notice_doubt_check,
    add constraint notice_doubt_check check (doubt in ('possibly-no-notice', 'doubtful-fields', 'part', 'alike', 'no-tender',
        'ambiguous', 'nothing-plain', 'owned'));

create index notice_part on notice (part_of) where part_of is not null;

create table review_item (
    notice_key text primary key references notice (key) on delete cascade,
    reason text not null check (reason in ('notice', 'relation', 'fields', 'mistake')),
    entered_at timestamptz not null,
    -- 0: bids are possible. 1: bids have closed. 2: a reviewer skipped it.
    priority smallint not null check (priority between 0 and 2),
    -- When bids close, for the order of the queue.
    closing_at timestamptz,
    -- The number of active alerts that match, as of `counted_at`.
    alerts integer not null default 0,
    counted_at timestamptz,
    -- A reviewer left it undecided. It then comes last.
    skipped_at timestamptz,
    -- The user or operator token that holds it, and until when.
    claimed_by uuid,
    claimed_until timestamptz,
    check ((claimed_by is null) = (claimed_until is null))
);
create index review_item_order on review_item
    (priority, (-alerts), (coalesce(closing_at, 'infinity'::timestamptz)), entered_at, notice_key);
create index review_item_claimed on review_item (claimed_by) where claimed_by is not null;
create index review_item_uncounted on review_item (counted_at nulls first);

-- What reviewers decided. The states before and after allow undoing a decision, and show what was corrected.
create table review_decision (
    id uuid primary key,
    notice_key text not null references notice (key) on delete cascade,
    at timestamptz not null,
    actor_id uuid,
    decision text not null check (decision in ('accept', 'tender', 'source', 'correction', 'reject', 'split')),
    reject_reason text,
    -- The tender that the decision created, if any.
    created_tender_id uuid references tender on delete set null,
    -- `NoticeState`s.
    before jsonb not null,
    after jsonb not null,
    undone_at timestamptz
);
create index review_decision_notice on review_decision (notice_key, at);
create index review_decision_actor on review_decision (actor_id, at) where undone_at is null;

-- Notices that wait today, and published notices with doubtful key fields that nobody has checked.
insert into review_item (notice_key, reason, entered_at, closing_at, priority)
select n.key, case when n.role = 'review' then 'relation' else 'fields' end, n.received_at,
    -- The server moves closed ones behind the open ones when it first counts their alerts.
    (n.record -> 'dates' ->> 'closing')::timestamptz, 0
from notice n
left join tender t on t.id = n.tender_id
left join tender_revision r on r.tender_id = t.id and r.revision = t.revision
where n.role = 'review'
    or (n.role in ('original', 'source') and t.status in ('published', 'closed')
        and n.record -> 'needsReview' = 'true' and r.record -> 'needsReview' = 'true');
