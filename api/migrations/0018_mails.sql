-- What a reader is mailed besides what its alerts collect, and in which language.

alter table users
    add column language text not null default 'en' check (language in ('en', 'si', 'ta')),
    -- The weekly summary of plans that have one.
    add column weekly_summary boolean not null default true,
    -- Reminders and changes of saved tenders.
    add column saved_mails boolean not null default true;
alter table users alter column language drop default;

alter table plan add column weekly_summary boolean not null default false;
update plan set weekly_summary = true where name = 'basic';

-- letter: about an account. alerts: what one alert has collected, or several in one digest. saved: what happens to saved tenders.
-- summary: the newest tenders of a week.
alter table delivery
    add column kind text not null default 'letter' check (kind in ('letter', 'alerts', 'saved', 'summary')),
    -- The Monday of a summary.
    add column period date check ((period is not null) = (kind = 'summary'));
update delivery set kind = 'alerts' where alert_id is not null;
alter table delivery alter column kind drop default;

-- An alert has one open message, whatever its frequency and address were when that was opened.
update delivery_item i set delivery_id = first.id
from delivery d, lateral (
    select id from delivery other where other.alert_id = d.alert_id and other.state = 'open' order by seal_at, id limit 1
) as first
where d.id = i.delivery_id and d.state = 'open' and d.alert_id is not null and first.id <> d.id;
delete from delivery d where d.state = 'open' and d.alert_id is not null
    and not exists (select from delivery_item i where i.delivery_id = d.id);
drop index delivery_open_key;
create unique index delivery_open_key on delivery (alert_id) where state = 'open';
create unique index delivery_open_saved_key on delivery (user_id) where state = 'open' and kind = 'saved';
create unique index delivery_summary_key on delivery (user_id, period) where kind = 'summary';
create index delivery_open_user on delivery (user_id, seal_at) where state = 'open';

-- An item of an alert, or of a tender that a user has saved. Reasons: `new`; `change:<revision>`; `closes:<day>:<days before>`.
alter table delivery_item
    drop constraint delivery_item_pkey,
    drop constraint delivery_item_reason_check,
    alter column alert_id drop not null,
    add column user_id uuid references users on delete cascade,
    add check ((alert_id is null) = (user_id is not null)),
    add check (reason ~ '^(new|change:[0-9]+|closes:[0-9]{4}-[0-9]{2}-[0-9]{2}:[13])$');
create unique index delivery_item_alert_key on delivery_item (alert_id, tender_id, reason, address) where alert_id is not null;
create unique index delivery_item_saved_key on delivery_item (user_id, tender_id, reason, address) where user_id is not null;

-- The last day in Colombo whose tenders were looked at for alerts that match by days until closing.
alter table matcher_position add column closing_day date;

-- The last day in Colombo for which each pass over all readers was made.
create table daily_pass (
    name text primary key check (name in ('reminders', 'summary')),
    day date
);
insert into daily_pass (name) values ('reminders'), ('summary');

-- When the current revision closes.
alter table tender add column closing_at timestamptz;
update tender set closing_at = (r.record #>> '{dates,closing}')::timestamptz
from tender_revision r where r.tender_id = tender.id and r.revision = tender.revision;
create index tender_closing on tender (closing_at) where status = 'published';
