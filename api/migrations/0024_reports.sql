-- Reports of the listing that Enterprise subscribers keep, download, and have mailed each month.

create table report (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    name text not null check (char_length(name) between 1 and 100),
    -- Query string of the listing, period, columns and totals.
    asked jsonb not null,
    -- Since when it is mailed each month; null: it is not.
    monthly_since timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index report_user on report (user_id, created_at);

-- report: the last month's report of one that is mailed each month.
alter table delivery
    drop constraint delivery_kind_check,
    add constraint delivery_kind_check check (kind in ('letter', 'alerts', 'saved', 'summary', 'report')),
    drop constraint delivery_frequency_check,
    add constraint delivery_frequency_check check (frequency in ('immediate', 'daily', 'weekly', 'monthly')),
    -- Of a report; what was sent stays when it is deleted.
    add column report_id uuid references report on delete set null;

-- The Monday of a summary; the first day of a report's month.
alter table delivery
    drop constraint delivery_check4,
    add constraint delivery_period_check check ((period is not null) = (kind in ('summary', 'report')));
create unique index delivery_report_key on delivery (report_id, period) where report_id is not null;

alter table daily_pass
    drop constraint daily_pass_name_check,
    add constraint daily_pass_name_check check (name in ('reminders', 'summary', 'reports'));
insert into daily_pass (name) values ('reports');
