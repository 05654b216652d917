-- Accounts that end, addresses that change, sessions that end with the browser.

-- What was sold stays on the books, without whom it was sold to.
alter table subscription
    alter column user_id drop not null,
    drop constraint subscription_user_id_fkey,
    add foreign key (user_id) references users on delete set null;

-- A message that goes once it has been sent or given up: the last one to whoever deleted an account, and those to the portal's
-- operator, who finds the words in `contact_message`.
alter table delivery add column is_passing boolean not null default false;
delete from delivery where user_id is null and state in ('sent', 'dead');
update delivery set is_passing = true where user_id is null;

-- A link to another address than the account's, which becomes the account's when it is followed.
alter table mailed_link
    drop constraint mailed_link_purpose_check,
    add check (purpose in ('verify', 'reset', 'change'));

-- Whether a session outlasts the browser that it was begun in.
alter table refresh_token add column is_remembered boolean not null default true;
