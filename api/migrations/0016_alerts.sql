-- What an alert asks, as its owner saved it last: kept while it is inactive, when its latest revision asks nothing.
alter table alert add column query jsonb;
update alert set query = coalesce(
    (select r.query from alert_revision r where r.alert_id = alert.id and r.query is not null
        order by r.revision desc limit 1),
    '{}'::jsonb);
alter table alert alter column query set not null;

-- A link to an address that an alert's mails are to go to, besides the account's own.
alter table mailed_link
    drop constraint mailed_link_purpose_check,
    add check (purpose in ('verify', 'reset', 'change', 'alert'));

-- When the alert's owner said that the tender does not belong there.
alter table match add column irrelevant_at timestamptz;
