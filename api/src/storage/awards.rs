//! Awards read from published decisions.

use super::enum_column::require_known;
use crate::domain::{
    award::{AwardFilter, StoredAward},
    tender_facts::body_slug,
};
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use tender_model::award::{Award, AwardDecision, Passage};
use uuid::Uuid;

struct Row {
    id: Uuid,
    lot: i32,
    lots: i64,
    title: String,
    body: Option<String>,
    body_passage: Option<Json<Passage>>,
    decided_on: SqlDate,
    decision_number: i32,
    source_url: String,
    printed_references: Vec<String>,
    award: Json<Award>,
    tender_id: Option<Uuid>,
}

impl TryFrom<Row> for StoredAward {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        let number = |column: &'static str, number: i64| {
            require_known(column, &number.to_string(), u32::try_from(number).ok())
        };
        Ok(Self {
            id: row.id,
            lot: number("award.lot", row.lot.into())?,
            lots: number("award.lots", row.lots)?,
            title: row.title,
            body: row.body.zip(row.body_passage.map(|passage| passage.0)),
            decided_on: row.decided_on.to_jiff(),
            decision_number: number("award.decision_number", row.decision_number.into())?,
            source_url: row.source_url,
            references: row.printed_references,
            award: row.award.0,
            tender_id: row.tender_id,
        })
    }
}

/// The hash of the stored content of a decision. `None`: the decision is new. Holds its rows until the
/// transaction ends.
pub async fn content_hash(tx: &mut PgConnection, decision_key: &str) -> Result<Option<Vec<u8>>, sqlx::Error> {
    // Two requests about the same decision wait for each other, also if it is new.
    sqlx::query_scalar!(
        r#"select true as "yes!" from pg_advisory_xact_lock(hashtextextended('award ' || $1, 0))"#,
        decision_key
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query_scalar!("select content_hash from award where decision_key = $1 and lot = 1", decision_key)
        .fetch_optional(tx)
        .await
}

/// What a row of a lot stores besides the decision.
pub struct NewLot<'a> {
    /// The id, if the lot is new.
    pub id: Uuid,
    /// The number of the lot, from 1.
    pub lot: i32,
    /// The award.
    pub award: &'a Award,
}

/// Stores a lot of a decision in place of an earlier one with the same number.
pub async fn store(
    tx: &mut PgConnection,
    decision: &AwardDecision,
    lot: &NewLot<'_>,
    (reference_keys, content_hash): (&[String], &[u8]),
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let winners: Vec<String> = lot.award.winners.iter().map(|winner| winner.name.clone()).collect();
    let amount = match lot.award.amounts.as_slice() {
        [one] => Some(one),
        _ => None,
    };
    let body = decision.body.as_ref();
    sqlx::query!(
        "insert into award (id, decision_key, lot, title, body, body_passage, decided_on, decision_number,
            source_url, printed_references, reference_keys, winners, amount, currency, award, content_hash,
            updated_at, body_slug, words)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $19,
            to_tsvector('simple', concat_ws(' ', $4::text, $5::text, array_to_string($12::text[], ' '), $18::text,
                array_to_string($10::text[], ' '))))
        on conflict (decision_key, lot) do update set title = excluded.title, body = excluded.body,
            body_passage = excluded.body_passage, decided_on = excluded.decided_on,
            decision_number = excluded.decision_number, source_url = excluded.source_url,
            printed_references = excluded.printed_references, reference_keys = excluded.reference_keys,
            winners = excluded.winners, amount = excluded.amount, currency = excluded.currency,
            award = excluded.award, content_hash = excluded.content_hash, updated_at = excluded.updated_at,
            body_slug = excluded.body_slug, words = excluded.words",
        lot.id,
        decision.key,
        lot.lot,
        decision.title,
        body.map(|body| body.name.as_str()),
        body.map(|body| Json(&body.passage)) as _,
        decision.decided_on.to_sqlx() as SqlDate,
        i32::try_from(decision.decision_number).unwrap_or(i32::MAX),
        decision.source_url,
        &decision.references[..],
        reference_keys,
        &winners[..],
        amount.map(|amount| amount.amount.minor()),
        amount.map(|amount| amount.currency.to_string()),
        Json(lot.award) as _,
        content_hash,
        now.to_sqlx() as SqlTimestamp,
        lot.award.lot.as_ref().map(|lot| lot.name.as_str()),
        body.and_then(|body| body_slug(&body.name)),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes the lots of a decision after the last one.
pub async fn delete_lots_after(
    tx: &mut PgConnection,
    decision_key: &str,
    last: i32,
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from award where decision_key = $1 and lot > $2", decision_key, last)
        .execute(tx)
        .await?;
    Ok(())
}

/// The number of awards that a filter lets through.
pub async fn count(db: impl PgExecutor<'_>, filter: &AwardFilter) -> Result<i64, sqlx::Error> {
    let pattern = |part: &Option<String>| part.as_deref().map(contains_pattern);
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from award a
        where ($1::text is null or a.words @@ websearch_to_tsquery('simple', $1))
            and ($2::text is null or a.body ilike $2)
            and ($3::text is null or array_to_string(a.winners, ' ') ilike $3)
            and ($4::smallint is null or extract(year from a.decided_on) = $4)
            and ($5::text is null or a.currency = $5)
            and ($6::bigint is null or a.amount >= $6)
            and ($7::bigint is null or a.amount <= $7)
            and ($8::text is null or a.body_slug = $8)"#,
        filter.search,
        pattern(&filter.body),
        pattern(&filter.winner),
        filter.year,
        filter.currency.map(|currency| currency.to_string()),
        filter.min_amount.map(|amount| amount.minor()),
        filter.max_amount.map(|amount| amount.minor()),
        filter.body_slug,
    )
    .fetch_one(db)
    .await
}

/// A page of the awards that a filter lets through, the newest decision first.
pub async fn page(
    db: impl PgExecutor<'_>,
    filter: &AwardFilter,
    (limit, skip): (i64, i64),
) -> Result<Vec<StoredAward>, sqlx::Error> {
    let pattern = |part: &Option<String>| part.as_deref().map(contains_pattern);
    let rows = sqlx::query_as!(
        Row,
        r#"select a.id, a.lot, (select count(*) from award o where o.decision_key = a.decision_key) as "lots!",
            a.title, a.body, a.body_passage as "body_passage: Json<Passage>", a.decided_on as "decided_on: SqlDate",
            a.decision_number, a.source_url, a.printed_references, a.award as "award: Json<Award>",
            linked.tender_id as "tender_id?"
        from award a
        left join lateral (select (array_agg(distinct n.tender_id))[1] as tender_id from notice n
            join tender t on t.id = n.tender_id
            where n.reference_key = any(a.reference_keys) and t.status not in ('draft', 'withdrawn')
            having count(distinct n.tender_id) = 1) as linked on true
        where ($1::text is null or a.words @@ websearch_to_tsquery('simple', $1))
            and ($2::text is null or a.body ilike $2)
            and ($3::text is null or array_to_string(a.winners, ' ') ilike $3)
            and ($4::smallint is null or extract(year from a.decided_on) = $4)
            and ($5::text is null or a.currency = $5)
            and ($6::bigint is null or a.amount >= $6)
            and ($7::bigint is null or a.amount <= $7)
            and ($10::text is null or a.body_slug = $10)
        order by a.decided_on desc, a.decision_number desc, a.decision_key, a.lot
        limit $8 offset $9"#,
        filter.search,
        pattern(&filter.body),
        pattern(&filter.winner),
        filter.year,
        filter.currency.map(|currency| currency.to_string()),
        filter.min_amount.map(|amount| amount.minor()),
        filter.max_amount.map(|amount| amount.minor()),
        limit,
        skip,
        filter.body_slug,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(StoredAward::try_from).collect()
}

/// An award by its id.
pub async fn get(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<StoredAward>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select a.id, a.lot, (select count(*) from award o where o.decision_key = a.decision_key) as "lots!",
            a.title, a.body, a.body_passage as "body_passage: Json<Passage>", a.decided_on as "decided_on: SqlDate",
            a.decision_number, a.source_url, a.printed_references, a.award as "award: Json<Award>",
            linked.tender_id as "tender_id?"
        from award a
        left join lateral (select (array_agg(distinct n.tender_id))[1] as tender_id from notice n
            join tender t on t.id = n.tender_id
            where n.reference_key = any(a.reference_keys) and t.status not in ('draft', 'withdrawn')
            having count(distinct n.tender_id) = 1) as linked on true
        where a.id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await?;
    row.map(StoredAward::try_from).transpose()
}

/// Awards whose text has one of the words of `query`, or that have a reference with this key. Those with
/// most of the words come first.
pub async fn candidates(
    db: impl PgExecutor<'_>,
    query: &str,
    reference_key: Option<&str>,
    limit: i64,
) -> Result<Vec<StoredAward>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select a.id, a.lot, 1::bigint as "lots!", a.title, a.body, a.body_passage as "body_passage: Json<Passage>",
            a.decided_on as "decided_on: SqlDate", a.decision_number, a.source_url, a.printed_references,
            a.award as "award: Json<Award>", null::uuid as tender_id
        from award a, to_tsquery('simple', $1) as query
        where a.words @@ query or a.reference_keys @> array[$2::text]
        order by a.reference_keys @> array[$2::text] desc nulls last, ts_rank(a.words, query) desc, a.id
        limit $3"#,
        query,
        reference_key,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(StoredAward::try_from).collect()
}

/// A pattern for texts that contain a part.
fn contains_pattern(part: &str) -> String {
    let mut pattern = String::from("%");
    for letter in part.chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern + "%"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_no_wildcards_of_the_user() {
        assert_eq!(contains_pattern("50%_a\\b"), "%50\\%\\_a\\\\b%");
    }
}
