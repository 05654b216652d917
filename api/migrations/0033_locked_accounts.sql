-- A locked account has no plan, so it gets no matches, messages, reports or webhook calls. The members of a locked
-- owner's team have none either. The index contains only the locked accounts, so the check costs little.
create index users_locked on users (id) where locked_at is not null;

create or replace view held_subscription as
    select s.user_id as holder_id, s.plan, s.status, s.start_date, s.end_date, s.holds_until, s.unpaid_since
    from subscription s
    where s.user_id is not null and not exists (select from team_member m where m.member_id = s.user_id)
        and not exists (select from users l where l.id = s.user_id and l.locked_at is not null)
    union all
    select m.member_id, s.plan, s.status, s.start_date, s.end_date, s.holds_until, null::timestamptz
    from team_member m join subscription s on s.user_id = m.owner_id and s.plan = 'enterprise'
    where not exists (select from users l where l.id in (m.member_id, m.owner_id) and l.locked_at is not null);

-- For the time of a user's last session.
drop index refresh_token_user;
create index refresh_token_user on refresh_token (user_id, created_at);
