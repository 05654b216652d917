-- Details opened: each once a viewer, tender and period. A viewer is a user, or the random id of a guest's browser.
create table tender_view (
    viewer uuid not null,
    period_start timestamptz not null,
    tender_id uuid not null references tender on delete cascade,
    at timestamptz not null,
    primary key (viewer, period_start, tender_id)
);
create index tender_view_tender on tender_view (tender_id, viewer);
