//! The items of messages with their tenders, and the texts that contain the matches.

use crate::{
    domain::digest::{DigestItem, DigestReason, FoundText, ItemAlert},
    storage::enum_column::require_known,
};
use index::percolate::MatchReason;
use sqlx::{PgConnection, types::Json};
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};
use tender_model::tender::Tender;
use uuid::Uuid;

/// The items of alert messages, by delivery and ordered by alert name, tender and revision. Matches
/// that a user marked as irrelevant are left out.
pub async fn of_alerts(
    tx: &mut PgConnection,
    deliveries: &[Uuid],
) -> Result<HashMap<Uuid, Vec<DigestItem>>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select i.delivery_id, a.id, a.name, m.keyword as "keyword!", i.reason, i.tender_id, i.tender_revision as revision
        from delivery_item i
        join alert a on a.id = i.alert_id
        -- `offset 0` makes Postgres look up the match of each item. Without it, the planner may
        -- scan all matches.
        cross join lateral (
            select why ->> 'keyword' as keyword from match
            where alert_id = i.alert_id and tender_id = i.tender_id and irrelevant_at is null offset 0
        ) as m
        where i.delivery_id = any($1)
        order by a.name, a.id, i.tender_id, i.tender_revision"#,
        deliveries,
    )
    .fetch_all(&mut *tx)
    .await?;
    let found = rows.into_iter().map(|row| {
        Ok::<_, sqlx::Error>(ItemRow {
            delivery_id: row.delivery_id,
            alert: Some(ItemAlert { id: row.id, name: row.name, keyword: row.keyword }),
            tender: (row.tender_id, row.revision),
            reason: require_known(
                "delivery_item.reason",
                &row.reason,
                DigestReason::from_stored(&row.reason),
            )?,
        })
    });
    load_items(tx, found.collect::<Result<_, _>>()?).await
}

/// The items of messages about saved tenders, by delivery and ordered by tender and revision.
/// Tenders that are no longer saved are left out. A reminder shows the current revision of its
/// tender.
pub async fn of_saved(
    tx: &mut PgConnection,
    deliveries: &[Uuid],
) -> Result<HashMap<Uuid, Vec<DigestItem>>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select i.delivery_id, i.reason, i.tender_id,
            case when i.reason like 'closes:%' then t.revision else i.tender_revision end as "revision!"
        from delivery_item i
        join favourite f on f.user_id = i.user_id and f.tender_id = i.tender_id
        join tender t on t.id = i.tender_id
        where i.delivery_id = any($1)
        order by i.tender_id, i.tender_revision"#,
        deliveries,
    )
    .fetch_all(&mut *tx)
    .await?;
    let found = rows.into_iter().map(|row| {
        Ok::<_, sqlx::Error>(ItemRow {
            delivery_id: row.delivery_id,
            alert: None,
            tender: (row.tender_id, row.revision),
            reason: require_known(
                "delivery_item.reason",
                &row.reason,
                DigestReason::from_stored(&row.reason),
            )?,
        })
    });
    load_items(tx, found.collect::<Result<_, _>>()?).await
}

/// The id of a tender and the number of one of its revisions.
type Revision = (Uuid, i64);

/// An item without its tender.
struct ItemRow {
    delivery_id: Uuid,
    alert: Option<ItemAlert>,
    tender: Revision,
    reason: DigestReason,
}

impl ItemRow {
    /// The revision before the change, if the item reports one.
    const fn before(&self) -> Option<Revision> {
        match self.reason {
            DigestReason::Change(_) => Some((self.tender.0, self.tender.1 - 1)),
            DigestReason::New | DigestReason::Closes(..) => None,
        }
    }
}

/// Adds the tenders to the items. Returns the items by delivery.
async fn load_items(
    tx: &mut PgConnection,
    found: Vec<ItemRow>,
) -> Result<HashMap<Uuid, Vec<DigestItem>>, sqlx::Error> {
    let wanted: BTreeSet<Revision> =
        found.iter().flat_map(|found| [Some(found.tender), found.before()]).flatten().collect();
    let tenders = load_tenders(tx, wanted).await?;
    let mut items: HashMap<Uuid, Vec<DigestItem>> = HashMap::new();
    for found in found {
        let Some(tender) = tenders.get(&found.tender).cloned() else { continue };
        let before = found.before().and_then(|before| tenders.get(&before).cloned());
        let item = DigestItem { alert: found.alert, tender, before, reason: found.reason };
        items.entry(found.delivery_id).or_default().push(item);
    }
    Ok(items)
}

/// Loads tenders at these revisions without the full text, description, lots and tags. `sources`
/// keeps only the first source. `evidence` keeps only the title, closing date and reference number.
/// `changes` keeps only those by the portal, which has taken the tender down.
async fn load_tenders(
    tx: &mut PgConnection,
    revisions: BTreeSet<Revision>,
) -> Result<HashMap<Revision, Tender>, sqlx::Error> {
    let (ids, revisions): (Vec<Uuid>, Vec<i64>) = revisions.into_iter().unzip();
    let rows = sqlx::query!(
        r#"select r.tender_id, r.revision,
            r.record - '{fullTextMarkdown,description,changes,lots,tags}'::text[] || jsonb_build_object(
                'sources', jsonb_path_query_array(r.record, '$.sources[0]'),
                'changes', jsonb_path_query_array(r.record, '$.changes[*] ? (@.source == "portal")'),
                'evidence', (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(r.record -> 'evidence')
                    where key in ('title', 'dates.closing', 'referenceNo'))
            ) as "tender!: Json<Tender>"
        from unnest($1::uuid[], $2::bigint[]) as wanted (tender_id, revision)
        join tender_revision r on r.tender_id = wanted.tender_id and r.revision = wanted.revision"#,
        &ids,
        &revisions,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| ((row.tender_id, row.revision), row.tender.0)).collect())
}

/// The texts that contain these matches, by alert and tender.
pub async fn found_texts(
    tx: &mut PgConnection,
    matches: &BTreeSet<(Uuid, Uuid)>,
) -> Result<HashMap<(Uuid, Uuid), FoundText>, sqlx::Error> {
    let (alerts, tenders): (Vec<Uuid>, Vec<Uuid>) = matches.iter().copied().unzip();
    let found = sqlx::query!(
        r#"select m.alert_id, m.tender_id, m.tender_revision, m.why as "why: Json<MatchReason>"
        from unnest($1::uuid[], $2::uuid[]) as wanted (alert_id, tender_id)
        cross join lateral (
            select * from match where alert_id = wanted.alert_id and tender_id = wanted.tender_id offset 0
        ) as m"#,
        &alerts,
        &tenders,
    )
    .fetch_all(&mut *tx)
    .await?;
    let wanted: BTreeSet<(Uuid, i64, &str)> =
        found.iter().map(|row| (row.tender_id, row.tender_revision, row.why.0.field.as_str())).collect();
    let ids: Vec<Uuid> = wanted.iter().map(|wanted| wanted.0).collect();
    let revisions: Vec<i64> = wanted.iter().map(|wanted| wanted.1).collect();
    let fields: Vec<String> = wanted.iter().map(|wanted| wanted.2.to_owned()).collect();
    let rows = sqlx::query!(
        r#"select r.tender_id, r.revision, wanted.field as "field!", r.record #>> string_to_array(wanted.field, '.') as text
        from unnest($1::uuid[], $2::bigint[], $3::text[]) as wanted (tender_id, revision, field)
        join tender_revision r on r.tender_id = wanted.tender_id and r.revision = wanted.revision"#,
        &ids,
        &revisions,
        &fields,
    )
    .fetch_all(tx)
    .await?;
    let texts: HashMap<(Uuid, i64, String), Arc<str>> = rows
        .into_iter()
        .filter_map(|row| Some(((row.tender_id, row.revision, row.field), row.text?.into())))
        .collect();
    let found = found.into_iter().filter_map(|row| {
        let text = texts.get(&(row.tender_id, row.tender_revision, row.why.0.field.to_string()))?;
        Some(((row.alert_id, row.tender_id), FoundText { why: row.why.0, text: Arc::clone(text) }))
    });
    Ok(found.collect())
}
