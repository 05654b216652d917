-- Whether the user gets mails about alerts that have found nothing for a long time.
-- compatible: it has a default
alter table users add column silence_mails boolean not null default true;
