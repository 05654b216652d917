-- Where two closings were read in a notice and nobody has settled which is right, reminders go by the earlier one.
alter table tender add column earlier_closing_at timestamptz;
comment on column tender.earlier_closing_at is 'A closing that a reader proposed, earlier than closing_at, while the closing is doubtful';
create index tender_by_earlier_closing on tender (earlier_closing_at) where earlier_closing_at is not null;
