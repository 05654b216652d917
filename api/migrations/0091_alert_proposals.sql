-- The owner of an alert that has matched nothing for a long time gets one mail with proposals.
-- compatible: it permits more
alter table daily_pass
    drop constraint daily_pass_name_check,
    add constraint daily_pass_name_check
        check (name in ('reminders', 'summary', 'reports', 'expiries', 'silences'));
insert into daily_pass (name) values ('silences');

-- When the mail about the alert's silence was sent. A match or a change after it ends the silence.
alter table alert add column silence_mailed_at timestamptz;

-- The first and the last day with tenders.
create index tender_published on tender (published_at) where published_at is not null;
