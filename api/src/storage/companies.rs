//! The profiles of companies. A team has that of its owner.

use crate::domain::company::StoredCompany;
use jiff::{Timestamp, civil};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use std::collections::HashMap;
use tender_model::eligibility::Company;
use uuid::Uuid;

/// The profile of an account, if it has one.
pub async fn of_owner(db: impl PgExecutor<'_>, owner_id: Uuid) -> Result<Option<StoredCompany>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select c.profile as "profile: Json<Company>", c.version, c.updated_at as "updated_at: SqlTimestamp",
            u.first_name || ' ' || u.last_name as updated_by
        from company_profile c left join users u on u.id = c.updated_by where c.owner_id = $1"#,
        owner_id
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| StoredCompany {
        company: row.profile.0,
        version: row.version,
        updated_by: row.updated_by,
        updated_at: row.updated_at.to_jiff(),
    }))
}

/// The profile of an account, unless nothing is filled in.
pub async fn filled_of(db: impl PgExecutor<'_>, owner_id: Uuid) -> Result<Option<Company>, sqlx::Error> {
    let stored = of_owner(db, owner_id).await?;
    Ok(stored.map(|stored| stored.company).filter(|company| !company.is_empty()))
}

/// Stores the profile of an account in place of version `before`; 0 if there was none. `false`: the
/// profile has another version.
pub async fn store(
    db: impl PgExecutor<'_>,
    owner_id: Uuid,
    company: &Company,
    before: i32,
    (user_id, now): (Uuid, Timestamp),
) -> Result<bool, sqlx::Error> {
    let stored = sqlx::query!(
        "insert into company_profile as c (owner_id, profile, version, updated_by, updated_at)
        select $1, $2, 1, $4, $5 where $3 = 0 or exists (select from company_profile where owner_id = $1)
        on conflict (owner_id) do update
            set profile = excluded.profile, version = c.version + 1, updated_by = excluded.updated_by,
                updated_at = excluded.updated_at
            where c.version = $3",
        owner_id,
        Json(company) as _,
        before,
        user_id,
        now.to_sqlx() as SqlTimestamp,
    );
    Ok(stored.execute(db).await?.rows_affected() > 0)
}

/// The profiles in which something is valid until one of these days, each with a user who shares it and
/// whose address is confirmed.
pub async fn expiring_on(
    tx: &mut PgConnection,
    days: &[civil::Date],
) -> Result<Vec<(Uuid, Company)>, sqlx::Error> {
    let days: Vec<String> = days.iter().map(ToString::to_string).collect();
    let rows = sqlx::query!(
        r#"select u.id, c.profile as "profile: Json<Company>"
        from company_profile c
        join users u on u.id = c.owner_id
            or exists (select from team_member m where m.member_id = u.id and m.owner_id = c.owner_id)
        join address a on a.user_id = u.id and lower(a.email) = lower(u.email) and a.verified_at is not null
        where u.locked_at is null and exists (
            select from jsonb_path_query(c.profile, '$.*[*].expires') e where e #>> '{}' = any($1)
        )
        order by c.owner_id, u.id"#,
        &days,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.profile.0)).collect())
}

/// The profiles that these users share or have. Users without a profile are left out.
pub async fn of_users(
    db: impl PgExecutor<'_>,
    user_ids: &[Uuid],
) -> Result<HashMap<Uuid, Company>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select u.id, c.profile as "profile: Json<Company>"
        from users u
        left join team_member m on m.member_id = u.id
        join company_profile c on c.owner_id = coalesce(m.owner_id, u.id)
        where u.id = any($1)"#,
        user_ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.profile.0)).collect())
}
