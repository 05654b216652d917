//! Tenders as immutable revisions. A new revision also needs an entry in the log. The caller must
//! therefore end the transaction with [`super::changes::commit`] and pass it the returned revision.

use super::changes::{NewRevision, Subject};
use crate::domain::tender::{CurrentTender, OwnTenderCounts, OwnTenderFilter, OwnTenderPage, OwnTenderState};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use serde_json::Value;
use sqlx::{PgConnection, PgExecutor, types::Json};
use tender_model::{
    tender::{CANARY_ID, Tender},
    vocabulary::Moment,
};
use uuid::Uuid;

/// Stores a new tender as its first revision.
pub async fn insert(
    tx: &mut PgConnection,
    tender: &Tender,
    owner_id: Option<Uuid>,
    at: Timestamp,
) -> Result<NewRevision, sqlx::Error> {
    insert_submitted(tx, tender, owner_id, None, at).await
}

/// Stores a new tender, with the form submission that created it, if any.
///
/// # Errors
/// A second tender of an owner from the same submission fails with a unique violation.
pub async fn insert_submitted(
    tx: &mut PgConnection,
    tender: &Tender,
    owner_id: Option<Uuid>,
    submission: Option<Uuid>,
    at: Timestamp,
) -> Result<NewRevision, sqlx::Error> {
    sqlx::query!(
        "insert into tender (id, owner_id, submission, revision, status, published_at, closing_at, earlier_closing_at, created_at,
            updated_at)
        values ($1, $2, $6, 1, $3, $4, $7, $8, $5, $5)",
        tender.id,
        owner_id,
        tender.status.as_str(),
        tender.published_at.map(|at| at.timestamp().to_sqlx()) as Option<SqlTimestamp>,
        at.to_sqlx() as SqlTimestamp,
        submission,
        tender.dates.closing.map(|at| at.timestamp().to_sqlx()) as Option<SqlTimestamp>,
        tender.earlier_closing().map(|at| at.timestamp().to_sqlx()) as Option<SqlTimestamp>,
    )
    .execute(&mut *tx)
    .await?;
    store_revision(tx, tender, 1, at).await
}

/// Stores the next revision of a tender. `None`: there is no such tender. What belongs to a status
/// ends with it: the input, the check and the refusal of a draft, and the taking down of a
/// withdrawn tender.
pub async fn revise(
    tx: &mut PgConnection,
    tender: &Tender,
    at: Timestamp,
) -> Result<Option<NewRevision>, sqlx::Error> {
    let revision = sqlx::query_scalar!(
        "update tender set revision = revision + 1, status = $2, published_at = $3, closing_at = $5, earlier_closing_at = $6,
            updated_at = $4, draft_input = case when $2 = 'draft' then draft_input end,
            held_at = case when $2 = 'draft' then held_at end, held_number = case when $2 = 'draft' then held_number end,
            refused_at = case when $2 = 'draft' then refused_at end,
            refusal_reason = case when $2 = 'draft' then refusal_reason end,
            taken_down_at = case when $2 = 'withdrawn' then taken_down_at end,
            takedown_reason = case when $2 = 'withdrawn' then takedown_reason end
        where id = $1 returning revision",
        tender.id,
        tender.status.as_str(),
        tender.published_at.map(|at| at.timestamp().to_sqlx()) as Option<SqlTimestamp>,
        at.to_sqlx() as SqlTimestamp,
        tender.dates.closing.map(|at| at.timestamp().to_sqlx()) as Option<SqlTimestamp>,
        tender.earlier_closing().map(|at| at.timestamp().to_sqlx()) as Option<SqlTimestamp>,
    )
    .fetch_optional(&mut *tx)
    .await?;
    match revision {
        Some(revision) => store_revision(tx, tender, revision, at).await.map(Some),
        None => Ok(None),
    }
}

async fn store_revision(
    tx: &mut PgConnection,
    tender: &Tender,
    revision: i64,
    at: Timestamp,
) -> Result<NewRevision, sqlx::Error> {
    sqlx::query!(
        "insert into tender_revision (tender_id, revision, record, at) values ($1, $2, $3, $4)",
        tender.id,
        revision,
        Json(tender) as _,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    super::tender_facts::store(tx, tender, revision).await?;
    Ok(NewRevision { subject: Subject::Tender, id: tender.id, revision })
}

/// The current revision of a tender. The canary is not found.
pub async fn current(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<CurrentTender>, sqlx::Error> {
    if id == CANARY_ID {
        return Ok(None);
    }
    let row = sqlx::query!(
        r#"select t.owner_id, t.revision, r.record as "record: Json<Tender>"
        from tender t join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where t.id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| CurrentTender { tender: row.record.0, owner_id: row.owner_id, revision: row.revision }))
}

/// The number of tenders that are visible to everyone, including old ones.
pub async fn count_public(db: impl PgExecutor<'_>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from tender t
        join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where t.status not in ('draft', 'withdrawn') and r.record ->> 'visibility' = 'public'"#
    )
    .fetch_one(db)
    .await
}

/// Tenders that are visible to everyone, with the time of their last change, sorted by publication
/// time, newest first.
pub async fn list_public(
    db: impl PgExecutor<'_>,
    skip: i64,
    limit: i64,
) -> Result<Vec<(Uuid, Timestamp)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select t.id, t.updated_at as "updated_at: SqlTimestamp" from tender t
        join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where t.status not in ('draft', 'withdrawn') and r.record ->> 'visibility' = 'public'
        order by t.published_at desc, t.id desc offset $1 limit $2"#,
        skip,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.updated_at.to_jiff())).collect())
}

/// The tender that a submission of an owner created.
pub async fn of_submission(
    db: impl PgExecutor<'_>,
    owner_id: Uuid,
    submission: Uuid,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select id from tender where owner_id = $1 and submission = $2", owner_id, submission)
        .fetch_optional(db)
        .await
}

/// The number of an owner's tenders that were first published at `since` or later, with any status,
/// and of those that wait for a check before their publication.
pub async fn count_submitted_since(
    db: impl PgExecutor<'_>,
    owner_id: Uuid,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from tender
        where owner_id = $1 and (published_at >= $2 or held_number is not null)"#,
        owner_id,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// Deletes a tender with all its revisions. The caller may delete only drafts, which nobody but the
/// owner has seen.
pub async fn delete(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from tender where id = $1", id).execute(tx).await?;
    Ok(())
}

/// The number of drafts of an owner.
pub async fn count_drafts_of(db: impl PgExecutor<'_>, owner_id: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from tender where owner_id = $1 and status = 'draft'"#,
        owner_id,
    )
    .fetch_one(db)
    .await
}

/// The current revisions of tenders, in no particular order. Unknown ids are left out.
pub async fn by_ids(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<CurrentTender>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select t.owner_id, t.revision, r.record as "record: Json<Tender>"
        from tender t join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where t.id = any($1)"#,
        ids,
    )
    .fetch_all(db)
    .await?;
    let current = rows.into_iter().map(|row| CurrentTender {
        tender: row.record.0,
        owner_id: row.owner_id,
        revision: row.revision,
    });
    Ok(current.collect())
}

/// The first and the last publication of a tender until `now`. `None`: nothing was published.
pub async fn publication_span(
    db: impl PgExecutor<'_>,
    now: Moment,
) -> Result<Option<(Moment, Moment)>, sqlx::Error> {
    let span = sqlx::query!(
        r#"select min(published_at) as "first: SqlTimestamp", max(published_at) as "last: SqlTimestamp"
        from tender where published_at <= $1 and id <> $2"#,
        now.timestamp().to_sqlx() as SqlTimestamp,
        CANARY_ID,
    )
    .fetch_one(db)
    .await?;
    let moment = |at: SqlTimestamp| Moment::new(at.to_jiff());
    Ok(span.first.map(moment).zip(span.last.map(moment)))
}

/// Locks a tender until the transaction ends.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!("select id from tender where id = $1 for update", id).fetch_optional(tx).await?;
    Ok(())
}

/// A revision of a tender.
pub async fn revision(
    db: impl PgExecutor<'_>,
    id: Uuid,
    revision: i64,
) -> Result<Option<Tender>, sqlx::Error> {
    let record = sqlx::query_scalar!(
        r#"select record as "record: Json<Tender>" from tender_revision where tender_id = $1 and revision = $2"#,
        id,
        revision,
    )
    .fetch_optional(db)
    .await?;
    Ok(record.map(|record| record.0))
}

/// Stores the form input of a draft. `None` deletes it.
pub async fn set_draft_input(
    tx: &mut PgConnection,
    id: Uuid,
    input: Option<&Value>,
) -> Result<(), sqlx::Error> {
    sqlx::query!("update tender set draft_input = $2 where id = $1", id, input.map(Json) as _)
        .execute(tx)
        .await?;
    Ok(())
}

/// The form input of a draft, if it has invalid fields that the record lacks.
pub async fn draft_input(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<Value>, sqlx::Error> {
    let input =
        sqlx::query_scalar!(r#"select draft_input as "input: Json<Value>" from tender where id = $1"#, id)
            .fetch_optional(db)
            .await?;
    Ok(input.flatten().map(|input| input.0))
}

/// A page of an owner's tenders at `now`, with drafts and withdrawn ones. For tenders with a publication
/// time, the SQL applies the rule of [`Tender::live_until`].
pub async fn of_owner(
    db: impl PgExecutor<'_>,
    owner_id: Uuid,
    filter: &OwnTenderFilter,
    (skip, limit): (i64, i64),
    now: Timestamp,
) -> Result<OwnTenderPage, sqlx::Error> {
    let (state, published) = match filter.state {
        None => ("all", None),
        Some(OwnTenderState::Published(from, until)) => ("published", Some((from, until))),
        Some(OwnTenderState::Live) => ("live", None),
        Some(OwnTenderState::Closed) => ("closed", None),
        Some(OwnTenderState::Draft) => ("draft", None),
    };
    let categories: Option<Vec<String>> =
        filter.categories.as_ref().map(|names| names.iter().map(|name| (*name).to_owned()).collect());
    let rows = sqlx::query!(
        r#"with own as (
            select t.id, t.created_at, t.status = 'draft' as is_draft, t.published_at, r.record,
                t.status = 'published' and $4 <= coalesce(
                    (r.record #>> '{dates,closing}')::timestamptz, t.published_at + make_interval(hours => 90 * 24)) as is_live
            from tender t join tender_revision r on r.tender_id = t.id and r.revision = t.revision
            where t.owner_id = $1
                and ($5::text[] is null or r.record ->> 'category' = any($5))
                and ($6::boolean is null or (coalesce(r.record ->> 'kind', '') = 'registration') = $6)
                and not exists (select from unnest($7::text[]) as wanted (word) where position(wanted.word in lower(concat_ws(' ',
                    r.record ->> 'title', r.record ->> 'description', r.record ->> 'referenceNo', r.record ->> 'category',
                    r.record ->> 'subcategory', r.record #>> '{organization,name}', r.record #>> '{location,city}',
                    r.record #>> '{location,district}', r.record ->> 'tags'))) = 0)),
        chosen as (
            select id, created_at, record from own
            where case $8 when 'live' then is_live when 'draft' then is_draft when 'closed' then not is_live and not is_draft
                when 'published' then published_at between $9 and $10 else true end),
        page as (select * from chosen order by created_at desc, id desc offset $2 limit $3)
        select (select count(*) from chosen) as "count!", c."all" as "all!", c.live as "live!", c.draft as "draft!",
            page.record as "record?: Json<Tender>"
        from (select count(*) as "all", count(*) filter (where is_live) as live, count(*) filter (where is_draft) as draft from own) as c
        left join page on true
        order by page.created_at desc, page.id desc"#,
        owner_id,
        skip,
        limit,
        now.to_sqlx() as SqlTimestamp,
        categories.as_deref(),
        filter.is_registration,
        &filter.words,
        state,
        published.map(|(from, _)| from.to_sqlx()) as Option<SqlTimestamp>,
        published.map(|(_, until)| until.to_sqlx()) as Option<SqlTimestamp>,
    )
    .fetch_all(db)
    .await?;
    let first = rows.first();
    let counts = first.map_or(OwnTenderCounts { all: 0, live: 0, draft: 0 }, |row| OwnTenderCounts {
        all: row.all,
        live: row.live,
        draft: row.draft,
    });
    Ok(OwnTenderPage {
        count: first.map_or(0, |row| row.count),
        counts,
        tenders: rows.into_iter().filter_map(|row| row.record.map(|record| record.0)).collect(),
    })
}

/// Locks an owner's tenders until the transaction ends.
pub async fn lock_owned_by(tx: &mut PgConnection, owner_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("select id from tender where owner_id = $1 order by id for update", owner_id)
        .fetch_all(tx)
        .await?;
    Ok(())
}

/// Deletes an owner's drafts with all their revisions.
pub async fn delete_drafts_of_owner(tx: &mut PgConnection, owner_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from tender where owner_id = $1 and status = 'draft'", owner_id).execute(tx).await?;
    Ok(())
}

/// Removes the contact person and the attached documents from every revision of an owner's
/// tenders, and deletes the recorded changes of these fields. This is the only case in which
/// revisions are changed.
pub async fn strip_contact_and_documents_of_owner(
    tx: &mut PgConnection,
    owner_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        r#"update tender_revision r
        set record = jsonb_set(record - 'documents', '{organization,contactPerson}', '{}') || case when record ? 'changes' then
            jsonb_build_object('changes', (
                select coalesce(jsonb_agg(change order by nth), '[]')
                from jsonb_array_elements(record -> 'changes') with ordinality as told (change, nth)
                where change ->> 'field' <> 'documents'
                    and not starts_with(change ->> 'field', 'organization.contactPerson')))
            else '{}' end
        from tender t where t.id = r.tender_id and t.owner_id = $1"#,
        owner_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The current revisions of an owner's tenders, without drafts and withdrawn ones.
pub async fn published_of_owner(tx: &mut PgConnection, owner_id: Uuid) -> Result<Vec<Tender>, sqlx::Error> {
    let records = sqlx::query_scalar!(
        r#"select r.record as "record: Json<Tender>"
        from tender t join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where t.owner_id = $1 and t.status not in ('draft', 'withdrawn') order by t.id"#,
        owner_id,
    )
    .fetch_all(tx)
    .await?;
    Ok(records.into_iter().map(|record| record.0).collect())
}
