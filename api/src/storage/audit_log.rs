//! The audit log. Entries are only added: a trigger refuses all other changes.

use super::enum_column::decode;
use crate::domain::audit::{ActorIdentity, ActorKind, AuditEntry, AuditFilter, NewAuditEntry};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;

/// Adds an entry. Use the transaction of the action, so that neither exists without the other.
pub async fn insert(
    db: impl PgExecutor<'_>,
    entry: &NewAuditEntry<'_>,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let (kind, id, name) = match &entry.actor.identity {
        ActorIdentity::User(id) => (ActorKind::User, Some(*id), None),
        ActorIdentity::Token(id) => (ActorKind::Token, Some(*id), None),
        ActorIdentity::CommandLine(account) => (ActorKind::CommandLine, None, account.as_deref()),
    };
    sqlx::query!(
        "insert into audit_entry
            (at, actor_kind, actor_id, actor_name, address, action, subject_kind, subject_id, before, after)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        at.to_sqlx() as SqlTimestamp,
        <&str>::from(kind),
        id,
        name,
        entry.actor.address.map(|address| address.to_string()),
        <&str>::from(entry.action),
        <&str>::from(entry.subject),
        entry.subject_id,
        entry.before,
        entry.after,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// At most `limit` entries before the entry `before`, latest first.
pub async fn page(
    db: impl PgExecutor<'_>,
    filter: &AuditFilter,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<AuditEntry>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select e.id, e.at as "at: SqlTimestamp", e.actor_kind, e.actor_id,
            coalesce(e.actor_name, t.name, u.email) as actor_name, e.address, e.action, e.subject_kind, e.subject_id,
            e.before, e.after,
            case e.subject_kind
                when 'user' then (select s.email from users s where s.id = subject.id)
                when 'tender' then (select r.record ->> 'title' from tender s
                    join tender_revision r on r.tender_id = s.id and r.revision = s.revision where s.id = subject.id)
                when 'notice' then (select s.record ->> 'title' from notice s where s.key = e.subject_id)
                when 'page' then (select f.name from page_file f where f.id = coalesce(
                    (select p.file_id from page p where p.id = subject.id), subject.id))
                when 'gazetteer-name' then (select s.name from gazetteer_name s where s.id = subject.id)
                when 'paper' then (select s.name from expected_paper s where s.id = subject.id)
            end as subject_name
        from audit_entry e
        cross join lateral (select case when e.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
            then e.subject_id::uuid end as id) as subject
        left join users u on e.actor_kind = 'user' and u.id = e.actor_id
        left join operator_token t on e.actor_kind = 'token' and t.id = e.actor_id
        where ($1::bigint is null or e.id < $1)
            and ($2::text is null or e.action = $2)
            and ($3::uuid is null or e.actor_id = $3)
            and ($4::text is null or e.subject_id = $4)
        order by e.id desc limit $5"#,
        before,
        filter.action.map(<&str>::from),
        filter.actor_id,
        filter.subject_id,
        limit,
    )
    .fetch_all(db)
    .await?;
    let entries = rows.into_iter().map(|row| {
        Ok(AuditEntry {
            id: row.id,
            at: row.at.to_jiff(),
            actor_kind: decode("audit_entry.actor_kind", &row.actor_kind)?,
            actor_id: row.actor_id,
            actor_name: row.actor_name,
            address: row.address,
            action: decode("audit_entry.action", &row.action)?,
            subject: decode("audit_entry.subject_kind", &row.subject_kind)?,
            subject_id: row.subject_id,
            subject_name: row.subject_name,
            before: row.before,
            after: row.after,
        })
    });
    entries.collect()
}
