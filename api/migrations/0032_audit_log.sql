-- The role of people who review notices but do not administer the portal.
alter table users drop constraint users_role_check;
alter table users add constraint users_role_check check (role in ('supplier', 'buyer', 'reviewer', 'admin'));

-- A locked account cannot be signed in to, and its API keys are refused.
alter table users
    add column locked_at timestamptz,
    add column lock_reason text,
    add check ((locked_at is null) = (lock_reason is null));

-- What operators, administrators and the command line did. The rows contain no personal data of users: only ids, and the
-- values that were changed.
create table audit_entry (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    actor_kind text not null check (actor_kind in ('user', 'token', 'command-line')),
    -- The user or the operator token.
    actor_id uuid,
    -- The account of the operating system that ran the command.
    actor_name text,
    -- The IP address of the request.
    address text,
    action text not null,
    subject_kind text not null,
    subject_id text not null,
    before jsonb,
    after jsonb,
    check ((actor_id is null) = (actor_kind = 'command-line'))
);
create index audit_entry_subject on audit_entry (subject_id, id);
create index audit_entry_actor on audit_entry (actor_id, id);

-- The log is append-only, also for the owner of the table.
create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
begin
    raise exception 'the audit log is append-only';
end
$$;
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
    for each statement execute function refuse_change_of_audit_log();
