-- A message of the contact form is open until an administrator marks it as answered.
alter table contact_message
    add column answered_at timestamptz,
    add column answered_by uuid references users on delete set null,
    -- For other administrators.
    add column note text;
create index contact_message_open on contact_message (is_priority desc, id) where answered_at is null;
create index contact_message_answered_by on contact_message (answered_by) where answered_by is not null;

-- For the list of messages that were given up.
create index delivery_dead on delivery (id) where state = 'dead';

-- Suppressions have ids in the order in which the addresses were suppressed.
alter table suppression add column id bigint;
update suppression s set id = o.nth
from (select address, row_number() over (order by at, address) as nth from suppression) as o
where o.address = s.address;
alter table suppression
    alter column id set not null,
    alter column id add generated always as identity,
    add unique (id);
select setval(pg_get_serial_sequence('suppression', 'id'), (select coalesce(max(id), 0) + 1 from suppression), false);
