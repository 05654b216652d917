//! The profiles of companies. A team has that of its owner.

use crate::domain::company::StoredCompany;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgExecutor, types::Json};
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
