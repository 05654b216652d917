-- The figures of the market count what the listing shows, so they also hold values that are not certain. `doubtful`
-- names the columns with such a value, or without a value because it could not be read.
alter table tender_facts add column doubtful text[] not null default '{}'
    check (doubtful <@ array['sector', 'category', 'district', 'grades', 'closing']);

-- The columns of the earlier version keep their order: a view is replaced only if its new columns come last.
create or replace view listed_tender as
    select f.tender_id, f.revision, f.rules, f.is_listed, f.body_slug, f.body_name, f.sector, f.category, f.district,
        f.grades, f.first_day, f.closing_at, f.notice_days, f.required_days, f.is_method_stated, f.bond_percentage,
        f.bond_amount, f.fee_amount, f.is_changed, f.extended_days, t.status, t.published_at,
        case when t.status = 'published' then coalesce(f.closing_at, t.published_at + interval '90 days') end as live_until,
        f.doubtful,
        -- The category "Other" belongs to no sector, but it is not unknown.
        coalesce(f.sector, case when f.category = 'Other' then f.category end) as part
    from tender t join tender_facts f on f.tender_id = t.id and f.revision = t.revision
    where f.is_listed and t.status not in ('draft', 'withdrawn');
