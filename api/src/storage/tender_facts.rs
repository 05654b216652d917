//! The facts of tenders in columns, so that they can be counted.

use crate::domain::tender_facts::{RULES, TenderFacts, body_slug};
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use tender_model::tender::Tender;

/// Stores the facts of a revision, in place of those of an earlier one.
pub async fn store(db: impl PgExecutor<'_>, tender: &Tender, revision: i64) -> Result<(), sqlx::Error> {
    let found = TenderFacts::of(tender);
    let is_listed = found.is_some();
    let facts = found.unwrap_or_default();
    let grades: Vec<String> = facts.grades.iter().map(|grade| grade.as_str().to_owned()).collect();
    let doubtful: Vec<String> = facts.doubtful.iter().map(|fact| (*fact).to_owned()).collect();
    sqlx::query!(
        "insert into tender_facts (tender_id, revision, rules, is_listed, body_slug, body_name, sector, category, district,
            grades, first_day, closing_at, notice_days, required_days, is_method_stated, bond_percentage, bond_amount,
            fee_amount, is_changed, extended_days, doubtful)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
        on conflict (tender_id) do update set revision = excluded.revision, rules = excluded.rules,
            is_listed = excluded.is_listed, body_slug = excluded.body_slug, body_name = excluded.body_name,
            sector = excluded.sector, category = excluded.category, district = excluded.district,
            grades = excluded.grades, first_day = excluded.first_day, closing_at = excluded.closing_at,
            notice_days = excluded.notice_days, required_days = excluded.required_days,
            is_method_stated = excluded.is_method_stated, bond_percentage = excluded.bond_percentage,
            bond_amount = excluded.bond_amount, fee_amount = excluded.fee_amount, is_changed = excluded.is_changed,
            extended_days = excluded.extended_days, doubtful = excluded.doubtful
        where tender_facts.revision <= excluded.revision",
        tender.id,
        revision,
        RULES,
        is_listed,
        facts.body.as_ref().map(|body| body.slug.as_str()),
        facts.body.as_ref().map(|body| body.name.as_str()),
        facts.sector.map(|sector| sector.as_str()),
        facts.category.map(|category| category.as_str()),
        facts.district.map(|district| district.as_str()),
        &grades,
        facts.first_day.map(ToSqlx::to_sqlx) as Option<SqlDate>,
        facts.closing.map(|at| at.timestamp().to_sqlx()) as Option<SqlTimestamp>,
        facts.notice_days,
        facts.required_days,
        is_listed.then_some(facts.is_method_stated),
        facts.bond_percentage,
        facts.bond_amount,
        facts.fee_amount,
        facts.is_changed,
        facts.extended_days,
        &doubtful,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Stores the facts of some tenders that have none of their current revision and the current rules.
/// Returns their number.
pub async fn fill(tx: &mut PgConnection, limit: i64) -> Result<usize, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select t.revision, r.record as "record: Json<Tender>" from tender t
        join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        left join tender_facts f on f.tender_id = t.id
        where f.revision is distinct from t.revision or f.rules < $1
        order by t.id limit $2"#,
        RULES,
        limit,
    )
    .fetch_all(&mut *tx)
    .await?;
    for row in &rows {
        store(&mut *tx, &row.record.0, row.revision).await?;
    }
    Ok(rows.len())
}

/// Stores the slug of the body of each award that has none, or one of earlier rules. Returns how many awards
/// got one.
pub async fn fill_award_bodies(tx: &mut PgConnection) -> Result<u64, sqlx::Error> {
    let rows =
        sqlx::query!(r#"select distinct body as "body!", body_slug from award where body is not null"#)
            .fetch_all(&mut *tx)
            .await?;
    let changed = rows.into_iter().filter_map(|row| {
        let slug = body_slug(&row.body)?;
        (row.body_slug.as_ref() != Some(&slug)).then_some((row.body, slug))
    });
    let (names, slugs): (Vec<String>, Vec<String>) = changed.unzip();
    if names.is_empty() {
        return Ok(0);
    }
    let filled = sqlx::query!(
        "update award a set body_slug = named.slug
        from (select distinct * from unnest($1::text[], $2::text[]) as changed (name, slug)) as named
        where a.body = named.name and a.body_slug is distinct from named.slug",
        &names,
        &slugs,
    )
    .execute(tx)
    .await?;
    Ok(filled.rows_affected())
}
