-- Messages of the contact form. They are kept whether or not an address is set that they are mailed to.
create table contact_message (
    id uuid primary key,
    -- Who was signed in.
    user_id uuid references users on delete set null,
    name text not null,
    email text not null,
    message text not null,
    -- The sender's plan includes priority support.
    is_priority boolean not null,
    at timestamptz not null
);
create index contact_message_at on contact_message (at desc);

-- A message to the portal's own operator belongs to no user.
alter table delivery alter column user_id drop not null;
