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

-- A payment event that was not applied needs attention until an administrator settles it.
alter table payment_event
    add column id bigint,
    add column settled_at timestamptz,
    add column settled_by uuid references users on delete set null,
    add column settlement_note text,
    add check ((settled_at is null) = (settlement_note is null)),
    -- A signed webhook that cannot be read is kept as it was received.
    add column body text,
    alter column event drop not null,
    drop constraint payment_event_outcome_check,
    add constraint payment_event_outcome_check
        check (outcome in ('applied', 'ignored', 'unmatched', 'mismatch', 'orphan', 'unexpected', 'unreadable')),
    add check ((event is null) = (outcome = 'unreadable') and (body is null) = (event is not null));
update payment_event e set id = o.nth
from (
    select provider, event_id, row_number() over (order by received_at, provider, event_id) as nth from payment_event
) as o
where o.provider = e.provider and o.event_id = e.event_id;
alter table payment_event
    alter column id set not null,
    alter column id add generated always as identity,
    add unique (id);
select setval(pg_get_serial_sequence('payment_event', 'id'), (select coalesce(max(id), 0) + 1 from payment_event), false);
drop index payment_event_open;
create index payment_event_open on payment_event (id) where outcome not in ('applied', 'ignored');
create index payment_event_settled_by on payment_event (settled_by) where settled_by is not null;
