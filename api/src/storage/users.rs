//! Users with their plan at a moment. The mail address of a user also has a row in a separate
//! table, which records whether the address is confirmed.

use super::suppressions;
use crate::{
    domain::{
        plan::PlanName,
        session::SignInStrength,
        user::{DemoUser, HeldCredentials, HeldPlan, MailChoices, NewUser, Profile, Role, User},
    },
    storage::enum_column::decode,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::Language;
use uuid::Uuid;

/// Stores a user and the user's address. `false`: an account with this address exists, and nothing
/// is stored.
pub async fn insert(
    tx: &mut PgConnection,
    id: Uuid,
    user: &NewUser<'_>,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let stored = sqlx::query!(
        "insert into users (id, email, password_hash, first_name, last_name, phone, company, role, language, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $10, $9, $9)
        on conflict (lower(email)) do nothing",
        id,
        user.email,
        user.password_hash,
        user.first_name,
        user.last_name,
        user.phone,
        user.company,
        user.role.as_str(),
        at.to_sqlx() as SqlTimestamp,
        user.language.as_str(),
    )
    .execute(&mut *tx)
    .await?;
    if stored.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "insert into address (user_id, email, verified_at, created_at)
        values ($1, $2, case when $3 then $4::timestamptz end, $4)",
        id,
        user.email,
        user.email_verified,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(true)
}

/// Marks an account as a demonstration account, whose password is public.
pub async fn mark_demo(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("update users set is_demo = true where id = $1", id).execute(tx).await?;
    Ok(())
}

/// All demonstration accounts.
pub async fn demo_users(db: impl PgExecutor<'_>) -> Result<Vec<DemoUser>, sqlx::Error> {
    sqlx::query_as!(DemoUser, "select id, email from users where is_demo order by email").fetch_all(db).await
}

/// The user with an address, ignoring case.
pub async fn by_email(
    db: impl PgExecutor<'_>,
    email: &str,
    now: Timestamp,
) -> Result<Option<User>, sqlx::Error> {
    find(db, None, Some(email), now).await
}

/// The user with an id.
pub async fn by_id(db: impl PgExecutor<'_>, id: Uuid, now: Timestamp) -> Result<Option<User>, sqlx::Error> {
    find(db, Some(id), None, now).await
}

/// The role and the plan of each of these users at `now`. Unknown ids are left out.
pub async fn held_plans(
    tx: &mut PgConnection,
    ids: &[Uuid],
    now: Timestamp,
) -> Result<Vec<(Uuid, Role, PlanName)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select u.id as "id!", u.role as "role!", coalesce(s.plan, 'free') as "plan!" from users u
        left join held_subscription s
            on s.holder_id = u.id and s.status = 'active' and s.start_date <= $2 and s.holds_until > $2
        where u.id = any($1)"#,
        ids,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await?;
    let held = rows
        .into_iter()
        .map(|row| Ok((row.id, decode("users.role", &row.role)?, decode("subscription.plan", &row.plan)?)));
    held.collect()
}

/// The user of an open session, and how the user signed in. `None`: the session is over, or the
/// account is locked.
pub async fn of_session(
    db: impl PgExecutor<'_>,
    id: Uuid,
    session: Uuid,
    now: Timestamp,
) -> Result<Option<(User, SignInStrength)>, sqlx::Error> {
    Ok(select(db, Some(id), None, Some(session), now)
        .await?
        .and_then(|(user, strength)| Some((user, strength?))))
}

/// Updates a user's profile.
pub async fn set_profile(
    db: impl PgExecutor<'_>,
    id: Uuid,
    profile: &Profile,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update users set first_name = $2, last_name = $3, phone = $4, company = $5, updated_at = $6 where id = $1",
        id,
        profile.first_name,
        profile.last_name,
        profile.phone,
        profile.company,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Updates a user's mail settings.
pub async fn set_mail_choices(
    db: impl PgExecutor<'_>,
    id: Uuid,
    choices: &MailChoices,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update users set language = coalesce($2, language), weekly_summary = coalesce($3, weekly_summary),
            saved_mails = coalesce($4, saved_mails), silence_mails = coalesce($5, silence_mails), updated_at = $6
        where id = $1",
        id,
        choices.language.map(Language::as_str),
        choices.weekly_summary,
        choices.saved_mails,
        choices.silence_mails,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Stores a new password hash as a PHC string. `None` disables sign-in with a password.
pub async fn set_password(
    tx: &mut PgConnection,
    id: Uuid,
    hash: Option<&str>,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update users set password_hash = $2, updated_at = $3 where id = $1",
        id,
        hash,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Adds an address to a user if it is new. Returns whether it is confirmed.
pub async fn add_address(
    tx: &mut PgConnection,
    user_id: Uuid,
    email: &str,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query!(
        "insert into address (user_id, email, created_at)
        select $1, $2, $3 where not exists (select from address where user_id = $1 and lower(email) = lower($2))
        on conflict do nothing",
        user_id,
        email,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query_scalar!(
        r#"select bool_or(verified_at is not null) as "confirmed!" from address where user_id = $1 and lower(email) = lower($2)"#,
        user_id,
        email,
    )
    .fetch_one(tx)
    .await
}

/// Marks an address of a user as confirmed and lifts its suppression.
pub async fn verify_address(
    tx: &mut PgConnection,
    id: Uuid,
    email: &str,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update address set verified_at = coalesce(verified_at, $3) where user_id = $1 and lower(email) = lower($2)",
        id,
        email,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    suppressions::lift(tx, email).await
}

/// Replaces a user's address by a confirmed one. The old address is kept if alerts name it as their
/// custom address. `false`: an account with the new address exists, and nothing is stored.
pub async fn change_address(
    tx: &mut PgConnection,
    user: &User,
    email: &str,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query!(
        "update users set email = $2, updated_at = $3
        where id = $1 and not exists (select from users other where other.id <> $1 and lower(other.email) = lower($2))",
        user.id,
        email,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await;
    let changed = match changed {
        // Another transaction has just taken the address.
        Err(sqlx::Error::Database(error)) if error.constraint() == Some("users_email_key") => {
            return Ok(false);
        }
        changed => changed?,
    };
    if changed.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "delete from address where user_id = $1 and (lower(email) = lower($3) or (lower(email) = lower($2)
            and not exists (select from alert where user_id = $1 and lower(custom_email) = lower($2))))",
        user.id,
        user.email,
        email,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into address (user_id, email, verified_at, created_at) values ($1, $2, $3, $3)",
        user.id,
        email,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    suppressions::lift(tx, email).await?;
    Ok(true)
}

/// Deletes the addresses of a user, except the address of the account.
pub async fn forget_other_addresses(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from address using users u
        where address.user_id = $1 and u.id = $1 and lower(address.email) <> lower(u.email)",
        id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Locks a user until the transaction ends. Changes that are checked against a limit take this lock
/// first, except views of tenders.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!("select id from users where id = $1 for update", id).fetch_optional(tx).await?;
    Ok(())
}

/// Deletes a user and the data that belongs only to the user, such as addresses, sessions and
/// mails. The user's tenders, subscriptions and invoices stay without a user.
pub async fn delete(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    suppressions::lift_of_user(&mut *tx, id).await?;
    sqlx::query!("delete from users where id = $1", id).execute(tx).await?;
    Ok(())
}

/// The number of supplier accounts.
pub async fn count_suppliers(db: impl PgExecutor<'_>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"select count(*) as "count!" from users where role = 'supplier' and not is_canary"#)
        .fetch_one(db)
        .await
}

/// Holds the credentials of a user until the transaction ends: the account cannot be locked, and
/// its password and role cannot be changed. `None`: the user is unknown.
pub async fn hold_credentials(
    tx: &mut PgConnection,
    id: Uuid,
) -> Result<Option<HeldCredentials>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select locked_at is not null as "is_locked!", password_hash, role from users where id = $1
        for no key update"#,
        id
    );
    let row = row.fetch_optional(tx).await?;
    row.map(|row| {
        Ok(HeldCredentials {
            is_locked: row.is_locked,
            password_hash: row.password_hash,
            role: decode("users.role", &row.role)?,
        })
    })
    .transpose()
}

async fn find(
    db: impl PgExecutor<'_>,
    id: Option<Uuid>,
    email: Option<&str>,
    now: Timestamp,
) -> Result<Option<User>, sqlx::Error> {
    Ok(select(db, id, email, None, now).await?.map(|(user, _)| user))
}

/// The user with this id and this address, if given. If a session is given, the user is found only
/// if it is an open session of the user and the account is not locked.
async fn select(
    db: impl PgExecutor<'_>,
    id: Option<Uuid>,
    email: Option<&str>,
    session: Option<Uuid>,
    now: Timestamp,
) -> Result<Option<(User, Option<SignInStrength>)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select u.id, u.email, u.password_hash, u.first_name, u.last_name, u.phone, u.company, u.role, u.language,
            u.weekly_summary, u.saved_mails, u.silence_mails, u.locked_at is not null as "is_locked!", a.verified_at is not null as "email_verified!",
            (select reason from suppression where address = lower(u.email)) as mail_returned,
            exists (select from identity where user_id = u.id) as "has_google!",
            (select owner_id from team_member where member_id = u.id) as team_owner, p.name as plan, p.advanced_filtering, p.email_alerts,
            p.direct_alerts, p.api_access, p.priority_support, p.custom_reports, p.max_tender_uploads,
            p.weekly_summary as "has_summary!",
            s.start_date as "since?: SqlTimestamp",
            case when s.unpaid_since is not null then s.holds_until end as "unpaid_until?: SqlTimestamp",
            o.second_factor_at is not null as "has_second_factor!", o.has_short_password as "has_short_password?"
        from users u
        left join address a on a.user_id = u.id and lower(a.email) = lower(u.email)
        left join held_subscription s
            on s.holder_id = u.id and s.status = 'active' and s.start_date <= $4 and s.holds_until > $4
        join plan p on p.name = coalesce(s.plan, 'free')
        left join session o on o.id = $3 and o.user_id = u.id and o.ended_at is null and o.expires_at > $4
        where ($1::uuid is not null or $2::text is not null)
            and ($1::uuid is null or u.id = $1)
            and ($2::text is null or lower(u.email) = lower($2))
            and ($3::uuid is null or (u.locked_at is null and o.id is not null))"#,
        id,
        email,
        session,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        let suppression_reason =
            row.mail_returned.as_deref().map(|reason| decode("suppression.reason", reason));
        let strength = row.has_short_password.map(|has_short_password| SignInStrength {
            has_second_factor: row.has_second_factor,
            has_short_password,
        });
        let user = User {
            id: row.id,
            email: row.email,
            email_verified: row.email_verified,
            is_locked: row.is_locked,
            suppression_reason: suppression_reason.transpose()?,
            password_hash: row.password_hash,
            has_google: row.has_google,
            first_name: row.first_name,
            last_name: row.last_name,
            phone: row.phone,
            company: row.company,
            role: decode("users.role", &row.role)?,
            suspended_role: None,
            language: decode("users.language", &row.language)?,
            weekly_summary: row.weekly_summary,
            saved_mails: row.saved_mails,
            silence_mails: row.silence_mails,
            plan: HeldPlan {
                name: decode("plan.name", &row.plan)?,
                advanced_filtering: row.advanced_filtering,
                email_alerts: row.email_alerts,
                direct_alerts: row.direct_alerts,
                api_access: row.api_access,
                priority_support: row.priority_support,
                custom_reports: row.custom_reports,
                weekly_summary: row.has_summary,
                max_tender_uploads: row.max_tender_uploads,
                since: row.since.map(SqlTimestamp::to_jiff),
                unpaid_until: row.unpaid_until.map(SqlTimestamp::to_jiff),
            },
            team_owner: row.team_owner,
        };
        Ok((user, strength))
    })
    .transpose()
}
