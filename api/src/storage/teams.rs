//! Teams: users who share the subscription of an owner. A user is a member of at most one team.

use super::bids;
use crate::domain::team::{TeamInvitation, TeamMember};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// The users of a team, the owner first.
pub async fn members(db: impl PgExecutor<'_>, owner_id: Uuid) -> Result<Vec<TeamMember>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select u.id, u.first_name, u.last_name, u.email, m.joined_at as "joined_at?: SqlTimestamp"
        from users u left join team_member m on m.member_id = u.id
        where u.id = $1 or m.owner_id = $1
        order by m.joined_at nulls first, u.id"#,
        owner_id,
    )
    .fetch_all(db)
    .await?;
    let members = rows.into_iter().map(|row| TeamMember {
        id: row.id,
        first_name: row.first_name,
        last_name: row.last_name,
        email: row.email,
        joined_at: row.joined_at.map(SqlTimestamp::to_jiff),
    });
    Ok(members.collect())
}

/// The open invitations of an owner, newest first.
pub async fn invitations(
    db: impl PgExecutor<'_>,
    owner_id: Uuid,
    now: Timestamp,
) -> Result<Vec<TeamInvitation>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select id, email, created_at as "created_at: SqlTimestamp", expires_at as "expires_at: SqlTimestamp"
        from team_invitation where owner_id = $1 and expires_at > $2 order by created_at desc, id desc"#,
        owner_id,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let invitations = rows.into_iter().map(|row| TeamInvitation {
        id: row.id,
        email: row.email,
        created_at: row.created_at.to_jiff(),
        expires_at: row.expires_at.to_jiff(),
    });
    Ok(invitations.collect())
}

/// Stores an invitation by the hash of its secret. It replaces an earlier invitation to the same
/// address. Expired invitations of the owner are deleted.
pub async fn invite(
    tx: &mut PgConnection,
    owner_id: Uuid,
    invitation: &TeamInvitation,
    hash: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from team_invitation where owner_id = $1 and (lower(email) = lower($2) or expires_at <= $3)",
        owner_id,
        invitation.email,
        invitation.created_at.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into team_invitation (id, owner_id, email, token_hash, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)",
        invitation.id,
        owner_id,
        invitation.email,
        hash,
        invitation.created_at.to_sqlx() as SqlTimestamp,
        invitation.expires_at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The number of account mails of an owner since a moment that went to other addresses than the
/// owner's. The invitations are among them.
pub async fn count_invitations_since(
    db: impl PgExecutor<'_>,
    owner_id: Uuid,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from delivery d join users u on u.id = d.user_id
        where d.user_id = $1 and d.kind = 'letter' and d.sealed_at > $2 and lower(d.address) <> lower(u.email)"#,
        owner_id,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// Revokes an invitation. `false`: the owner has no such invitation.
pub async fn revoke_invitation(
    db: impl PgExecutor<'_>,
    owner_id: Uuid,
    id: Uuid,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("delete from team_invitation where owner_id = $1 and id = $2", owner_id, id);
    Ok(done.execute(db).await?.rows_affected() == 1)
}

/// The owner of the open invitation whose secret has this hash.
pub async fn inviter(
    db: impl PgExecutor<'_>,
    hash: &[u8],
    now: Timestamp,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select owner_id from team_invitation where token_hash = $1 and expires_at > $2",
        hash,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await
}

/// Makes a user a member of the inviting team and deletes the invitation. Returns the owner of the
/// team. `None`: the invitation is not open, or the user is already a member of a team.
pub async fn join(
    tx: &mut PgConnection,
    user_id: Uuid,
    hash: &[u8],
    now: Timestamp,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "with followed as (delete from team_invitation where token_hash = $2 and expires_at > $3 returning owner_id)
        insert into team_member (member_id, owner_id, joined_at) select $1, owner_id, $3 from followed
        on conflict (member_id) do nothing
        returning owner_id",
        user_id,
        hash,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await
}

/// The owner of the team that a user is a member of.
pub async fn owner_of(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select owner_id from team_member where member_id = $1", user_id)
        .fetch_optional(db)
        .await
}

/// Ends the team of an owner. The members keep their own alerts, and nobody can accept an invitation.
/// The bids of the owner are taken from the members.
pub async fn dissolve(tx: &mut PgConnection, owner_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from team_invitation where owner_id = $1", owner_id).execute(&mut *tx).await?;
    sqlx::query!("delete from team_member where owner_id = $1", owner_id).execute(&mut *tx).await?;
    bids::unassign(tx, owner_id, None).await
}

/// Ends a membership. The member's alerts and their addresses pass to the owner, and the team's bids
/// are taken from the member. `false`: there is no such member.
pub async fn leave(tx: &mut PgConnection, owner_id: Uuid, member_id: Uuid) -> Result<bool, sqlx::Error> {
    let done =
        sqlx::query!("delete from team_member where owner_id = $1 and member_id = $2", owner_id, member_id);
    if done.execute(&mut *tx).await?.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "insert into address (user_id, email, verified_at, created_at)
        select $1, a.email, a.verified_at, a.created_at from address a
        where a.user_id = $2 and exists (select from alert
            where alert.user_id = $2 and alert.deleted_at is null and lower(alert.custom_email) = lower(a.email))
        on conflict do nothing",
        owner_id,
        member_id,
    )
    .execute(&mut *tx)
    .await?;
    // Open messages of the member pass to the new owner of the alert.
    sqlx::query!(
        "update delivery set user_id = $1 from alert
        where alert.id = delivery.alert_id and alert.user_id = $2 and delivery.state = 'open'",
        owner_id,
        member_id,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("update alert set user_id = $1 where user_id = $2", owner_id, member_id)
        .execute(&mut *tx)
        .await?;
    bids::unassign(tx, owner_id, Some(member_id)).await?;
    Ok(true)
}
