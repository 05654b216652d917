//! Names that the readers should know, and the decisions of reviewers that used them.

use super::enum_column::decode;
use crate::domain::gazetteer::{NameState, NamedThing, NewName, StoredName};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::{District, OrganizationType};
use uuid::Uuid;

const ORGANIZATION: &str = "organization";
const TOWN: &str = "town";

struct Row {
    id: Uuid,
    kind: String,
    name: String,
    spellings: Vec<String>,
    organization_type: Option<String>,
    district: Option<String>,
    state: String,
    created_at: SqlTimestamp,
    uses: i64,
    last_notice: Option<String>,
}

impl TryFrom<Row> for StoredName {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        let district = row.district.filter(|_| row.kind == TOWN);
        let thing = match district {
            Some(district) => {
                NamedThing::Town { district: decode::<District>("gazetteer_name.district", &district)? }
            }
            None => NamedThing::Organization {
                organization_type: row
                    .organization_type
                    .map(|kind| decode::<OrganizationType>("gazetteer_name.organization_type", &kind))
                    .transpose()?,
            },
        };
        Ok(Self {
            id: row.id,
            name: NewName { name: row.name, spellings: row.spellings, thing },
            state: decode("gazetteer_name.state", &row.state)?,
            uses: row.uses,
            last_notice: row.last_notice,
            created_at: row.created_at.to_jiff(),
        })
    }
}

/// The columns that depend on what is named: the kind, the organisation's type and the district.
const fn columns(thing: NamedThing) -> (&'static str, Option<OrganizationType>, Option<District>) {
    match thing {
        NamedThing::Organization { organization_type } => (ORGANIZATION, organization_type, None),
        NamedThing::Town { district } => (TOWN, None, Some(district)),
    }
}

/// Proposes a name that a reviewer entered, unless the portal knows it. Returns its id.
pub async fn propose(
    tx: &mut PgConnection,
    id: Uuid,
    name: &NewName,
    now: Timestamp,
) -> Result<Uuid, sqlx::Error> {
    let (kind, organization_type, district) = columns(name.thing);
    sqlx::query_scalar!(
        "insert into gazetteer_name (id, kind, name, plain_name, organization_type, district, state, created_at)
        values ($1, $2, $3, $4, $5, $6, 'proposed', $7)
        on conflict (kind, plain_name, coalesce(district, '')) do update set kind = excluded.kind
        returning id",
        id,
        kind,
        name.name,
        name.plain(),
        organization_type.map(|kind| kind.as_str()),
        district.map(|district| district.as_str()),
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(tx)
    .await
}

/// Records that a decision used a name.
pub async fn add_use(tx: &mut PgConnection, id: Uuid, decision: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into gazetteer_use (name_id, decision_id) values ($1, $2) on conflict do nothing",
        id,
        decision
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Forgets which names an undone decision used.
pub async fn remove_uses(tx: &mut PgConnection, decision: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from gazetteer_use where decision_id = $1", decision).execute(tx).await?;
    Ok(())
}

/// Adds a confirmed name. `false`: the portal has this name already.
pub async fn insert_confirmed(
    tx: &mut PgConnection,
    id: Uuid,
    name: &NewName,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let (kind, organization_type, district) = columns(name.thing);
    let done = sqlx::query!(
        "insert into gazetteer_name (id, kind, name, plain_name, spellings, organization_type, district, state, created_at,
            decided_at)
        values ($1, $2, $3, $4, $5, $6, $7, 'confirmed', $8, $8)
        on conflict (kind, plain_name, coalesce(district, '')) do nothing",
        id,
        kind,
        name.name,
        name.plain(),
        &name.spellings,
        organization_type.map(|kind| kind.as_str()),
        district.map(|district| district.as_str()),
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Whether another entry has this name.
pub async fn is_taken(tx: &mut PgConnection, id: Uuid, name: &NewName) -> Result<bool, sqlx::Error> {
    let (kind, _, district) = columns(name.thing);
    sqlx::query_scalar!(
        r#"select exists (select from gazetteer_name
            where kind = $2 and plain_name = $3 and coalesce(district, '') = coalesce($4, '') and id <> $1) as "exists!""#,
        id,
        kind,
        name.plain(),
        district.map(|district| district.as_str()),
    )
    .fetch_one(tx)
    .await
}

/// Changes a name and decides about it.
pub async fn update(
    tx: &mut PgConnection,
    id: Uuid,
    name: &NewName,
    state: NameState,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let (_, organization_type, district) = columns(name.thing);
    sqlx::query!(
        "update gazetteer_name set name = $2, plain_name = $3, spellings = $4, organization_type = $5, district = $6,
            state = $7, decided_at = case when $7 <> 'proposed' then $8::timestamptz end
        where id = $1",
        id,
        name.name,
        name.plain(),
        &name.spellings,
        organization_type.map(|kind| kind.as_str()),
        district.map(|district| district.as_str()),
        <&str>::from(state),
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Locks and returns a name.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<StoredName>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, kind, name, spellings, organization_type, district, state, created_at as "created_at: SqlTimestamp",
            0::bigint as "uses!", null::text as last_notice
        from gazetteer_name where id = $1 for update"#,
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(StoredName::try_from).transpose()
}

/// At most `limit` names in a state, in the order of the names, after the name with an id. A proposal
/// whose decisions were all undone is left out.
pub async fn page(
    db: impl PgExecutor<'_>,
    state: NameState,
    search: Option<&str>,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<StoredName>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select g.id, g.kind, g.name, g.spellings, g.organization_type, g.district, g.state,
            g.created_at as "created_at: SqlTimestamp",
            (select count(distinct d.notice_key) from gazetteer_use u join review_decision d on d.id = u.decision_id
                where u.name_id = g.id) as "uses!",
            (select d.notice_key from gazetteer_use u join review_decision d on d.id = u.decision_id
                where u.name_id = g.id order by d.at desc limit 1) as last_notice
        from gazetteer_name g
        where g.state = $1
            and ($1 <> 'proposed' or exists (select from gazetteer_use u where u.name_id = g.id))
            and ($2::text is null or strpos(lower(g.name || ' ' || array_to_string(g.spellings, ' ')), lower($2)) > 0)
            and ($3::uuid is null or (g.plain_name, g.id) > (select o.plain_name, o.id from gazetteer_name o where o.id = $3))
        order by g.plain_name, g.id limit $4"#,
        <&str>::from(state),
        search,
        after,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(StoredName::try_from).collect()
}

/// The number of proposals.
pub async fn count_proposed(db: impl PgExecutor<'_>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from gazetteer_name g
        where g.state = 'proposed' and exists (select from gazetteer_use u where u.name_id = g.id)"#
    )
    .fetch_one(db)
    .await
}

/// All confirmed names.
pub async fn confirmed(db: impl PgExecutor<'_>) -> Result<Vec<NewName>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select id, kind, name, spellings, organization_type, district, state, created_at as "created_at: SqlTimestamp",
            0::bigint as "uses!", null::text as last_notice
        from gazetteer_name where state = 'confirmed' order by plain_name, id"#
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(|row| StoredName::try_from(row).map(|stored| stored.name)).collect()
}
