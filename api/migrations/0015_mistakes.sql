-- A message of the contact form may be about a tender: a reader reports a mistake in it.
alter table contact_message add column tender_id uuid references tender on delete set null;
create index contact_message_tender on contact_message (tender_id) where tender_id is not null;
