-- A message of the contact form is open until an administrator marks it as answered.
alter table contact_message
    add column answered_at timestamptz,
    add column answered_by uuid references users on delete set null,
    -- For other administrators.
    add column note text;
create index contact_message_open on contact_message (is_priority desc, id) where answered_at is null;
create index contact_message_answered_by on contact_message (answered_by) where answered_by is not null;
