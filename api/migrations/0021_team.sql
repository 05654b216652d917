-- Accounts that several users share: an Enterprise subscriber and whom it invited.

-- How many users may share an account.
alter table plan add column max_users integer not null default 1 check (max_users >= 1);
update plan set max_users = 5 where name = 'enterprise';

create table team_member (
    member_id uuid primary key references users on delete cascade,
    owner_id uuid not null references users on delete cascade,
    joined_at timestamptz not null,
    check (member_id <> owner_id)
);
create index team_member_owner on team_member (owner_id);

create table team_invitation (
    id uuid primary key,
    owner_id uuid not null references users on delete cascade,
    email text not null,
    token_hash bytea not null unique,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
create unique index team_invitation_email on team_invitation (owner_id, lower(email));

-- What each user holds: a subscription of its own, or as a member the Enterprise subscription of its team's owner.
create view held_subscription as
    select s.user_id as holder_id, s.plan, s.status, s.start_date, s.end_date
    from subscription s
    where s.user_id is not null and not exists (select from team_member m where m.member_id = s.user_id)
    union all
    select m.member_id, s.plan, s.status, s.start_date, s.end_date
    from team_member m join subscription s on s.user_id = m.owner_id and s.plan = 'enterprise';

-- Whose alerts and figures each user sees: its own, and those of its team.
create view teammate as
    select id as user_id, id as mate_id from users
    union all
    select owner_id, member_id from team_member
    union all
    select member_id, owner_id from team_member
    union all
    select a.member_id, b.member_id from team_member a
    join team_member b on b.owner_id = a.owner_id and b.member_id <> a.member_id;
