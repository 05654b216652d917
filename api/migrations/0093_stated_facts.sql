-- The figures of the market count what the listing shows, so they also hold values that are not certain. `doubtful`
-- names the columns with such a value, or without a value because it could not be read.
alter table tender_facts add column doubtful text[] not null default '{}'
    check (doubtful <@ array['sector', 'category', 'district', 'grades', 'closing']);

drop view listed_tender;
create view listed_tender as
    select f.*, t.status, t.published_at,
        -- The category "Other" belongs to no sector, but it is not unknown.
        coalesce(f.sector, case when f.category = 'Other' then f.category end) as part,
        case when t.status = 'published' then coalesce(f.closing_at, t.published_at + interval '90 days') end as live_until
    from tender t join tender_facts f on f.tender_id = t.id and f.revision = t.revision
    where f.is_listed and t.status not in ('draft', 'withdrawn');
