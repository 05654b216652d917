-- A user also proves the second factor in an open session, before a change of the account's credentials.
-- Null: the answer to the challenge begins a session.
alter table sign_in_challenge add column session_id uuid references session (id) on delete cascade;
create index sign_in_challenge_session on sign_in_challenge (session_id);
