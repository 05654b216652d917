-- Personal data is deleted or emptied some time after its last use: see docs/operate/privacy.md.

-- When the content of the message was emptied. Only the head of a mail is left.
alter table delivery add column emptied_at timestamptz;
create index delivery_not_emptied on delivery (coalesce(sent_at, sealed_at, opened_at))
    where emptied_at is null and state in ('sent', 'dead');

-- Whether `viewer` was replaced by a hash of the viewer and the tender. The number of viewers of a tender stays the same.
alter table tender_view add column is_anonymous boolean not null default false;
create index tender_view_known on tender_view (at) where not is_anonymous;

-- For the deletion of old rows.
create index refresh_token_created on refresh_token (created_at);
create index mailed_link_created on mailed_link (created_at);
create index document_download_at on document_download using brin (at);
create index contact_message_answered on contact_message (answered_at) where answered_at is not null;
create index payment_event_closed on payment_event (received_at)
    where outcome in ('applied', 'ignored') or settled_at is not null;
