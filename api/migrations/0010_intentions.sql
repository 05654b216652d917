-- Users who intend to bid for a tender.
create table tender_intention (
    tender_id uuid not null references tender on delete cascade,
    user_id uuid not null references users on delete cascade,
    at timestamptz not null,
    primary key (tender_id, user_id)
);
create index tender_intention_user on tender_intention (user_id);
