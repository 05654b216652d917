-- Until when each user's plan holds, beside its end, and since when it is not paid for; a member of a team does not pay.
create or replace view held_subscription as
    select s.user_id as holder_id, s.plan, s.status, s.start_date, s.end_date, s.holds_until, s.unpaid_since
    from subscription s
    where s.user_id is not null and not exists (select from team_member m where m.member_id = s.user_id)
    union all
    select m.member_id, s.plan, s.status, s.start_date, s.end_date, s.holds_until, null::timestamptz
    from team_member m join subscription s on s.user_id = m.owner_id and s.plan = 'enterprise';
