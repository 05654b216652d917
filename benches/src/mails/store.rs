//! The portal's database. It is filled in bulk with the rows that the portal would write, and
//! queried for progress.

use super::usage::{self, Usage};
use crate::{
    server::Server,
    workload::{Alert, uuid_of},
};
use anyhow::{Context, Result, ensure};
use postgres::{Client, NoTls};
use std::{
    collections::BTreeSet,
    time::{SystemTime, UNIX_EPOCH},
};
use uuid::Uuid;

/// Suppliers with confirmed addresses, each with a plan that includes alerts.
const USERS: &str = "
    with made as (
        insert into users (id, email, first_name, last_name, role, language, created_at, updated_at)
        select id::uuid, email, 'Nimali', 'Perera', 'supplier', 'en', at, at
        from unnest($1::text[], $2::text[]) as u (id, email), (select clock_timestamp() as at) as moment
        returning id, email, created_at
    ), confirmed as (
        insert into address (user_id, email, verified_at, created_at) select id, email, created_at, created_at from made
    )
    insert into subscription (id, user_id, plan, status, billing_cycle, start_date, end_date, auto_renew, period_start, anchor,
        holds_until, created_at, updated_at)
    select id, id, 'professional', 'active', 'monthly', created_at, created_at + interval '30 days', false, created_at, created_at,
        created_at + interval '30 days', created_at, created_at
    from made";

/// Immediate alerts, their first revisions, and their entries in the log.
const ALERTS: &str = "
    with asked as (
        select id::uuid, user_id::uuid, name, query::jsonb, nth, clock_timestamp() as at
        from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as a (id, user_id, name, query, nth)
    ), made as (
        insert into alert (id, user_id, revision, name, is_active, email_enabled, frequency, created_at, updated_at, query, channels)
        select id, user_id, 1, name, true, true, 'immediate', at, at, query, '{}' from asked
    ), revised as (
        insert into alert_revision (alert_id, revision, query, at) select id, 1, query, at from asked
    ), head as (
        update change_head set position = position + (select count(*) from asked),
            change_id = (select id from asked order by nth desc limit 1)
        returning position
    )
    insert into change (position, change_id, subject, subject_id, revision, at)
    select head.position - (select count(*) from asked) + nth, id, 'alert', id, 1, at from asked, head";

/// Tenders, their first revisions, and their entries in the log.
pub(crate) const TENDERS: &str = "
    with asked as (
        select (record ->> '_id')::uuid as id, record, (record #>> '{publishedAt}')::timestamptz as at,
            (record #>> '{dates,closing}')::timestamptz as closing_at, nth
        from (select record::jsonb as record, nth from unnest($1::text[]) with ordinality as r (record, nth)) r
    ), made as (
        insert into tender (id, owner_id, revision, status, published_at, created_at, updated_at, closing_at)
        select id, null, 1, 'published', at, at, at, closing_at from asked
    ), revised as (
        insert into tender_revision (tender_id, revision, record, at) select id, 1, record, at from asked
    ), head as (
        update change_head set position = position + (select count(*) from asked),
            change_id = (select id from asked order by nth desc limit 1)
        returning position
    )
    insert into change (position, change_id, subject, subject_id, revision, at)
    select head.position - (select count(*) from asked) + nth, id, 'tender', id, 1, at from asked, head";

/// The matcher has processed the whole log.
pub(crate) const MATCHED: &str =
    "update matcher_shard m set position = h.position, change_id = h.change_id from change_head h";

/// The database of a run. It is deleted when dropped.
pub(crate) struct Store {
    client: Client,
    admin: Client,
    url: String,
    name: String,
    /// The process id of the Postgres server.
    server_pid: u32,
}

/// The final contents of the database.
pub(super) struct DatabaseResults {
    /// The Message-ID and length of each sent message.
    pub(super) messages: Vec<(String, usize)>,
    /// The matching alerts and tenders.
    pub(super) matches: BTreeSet<(String, String)>,
    /// The number of items of sent messages.
    pub(super) items: usize,
    /// When the first message was sealed, in seconds since 1970.
    pub(super) first_sealed: f64,
    /// When the last message was sealed, in seconds since 1970.
    pub(super) last_sealed: f64,
    /// When the last message was due, in seconds since 1970.
    pub(super) last_due: f64,
}

impl Drop for Store {
    fn drop(&mut self) {
        self.admin.batch_execute(&format!("drop database if exists {} with (force)", self.name)).ok();
    }
}

impl Store {
    /// Creates an empty database.
    pub(crate) fn create(server: &Server) -> Result<Self> {
        let mut admin = server.connect()?;
        let name = format!("benches_mails_{}", std::process::id());
        admin.batch_execute(&format!("drop database if exists {name} with (force)"))?;
        admin.batch_execute(&format!("create database {name}"))?;
        let url = format!("{}/{name}", server.url);
        let mut client = Client::connect(&url, NoTls).with_context(|| format!("no connection to {url}"))?;
        let backend: i32 = client.query_one("select pg_backend_pid()", &[])?.get(0);
        Ok(Self { client, admin, url, name, server_pid: usage::parent(backend.unsigned_abs())? })
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Stores users, and assigns the alerts to them in turn.
    pub(crate) fn fill(&mut self, users: usize, alerts: &[(Uuid, Alert)]) -> Result<()> {
        self.fill_users(users)?;
        self.fill_alerts(users, alerts)?;
        self.analyze()
    }

    /// Stores users.
    pub(crate) fn fill_users(&mut self, users: usize) -> Result<()> {
        ensure!(users > 0, "there are no users for the alerts");
        let addresses: Vec<String> =
            (0..users).map(|place| format!("reader{place}@readers.example")).collect();
        self.client.execute(USERS, &[&owners(users), &addresses])?;
        Ok(())
    }

    /// Stores alerts, and assigns them to the users in turn.
    pub(crate) fn fill_alerts(&mut self, users: usize, alerts: &[(Uuid, Alert)]) -> Result<()> {
        let owners = owners(users);
        let ids: Vec<String> = alerts.iter().map(|(id, _)| id.to_string()).collect();
        let alert_owners: Vec<&String> = owners.iter().cycle().take(alerts.len()).collect();
        let names: Vec<String> = alerts.iter().map(|(_, alert)| format!("Alert {}", alert.id)).collect();
        let queries = alerts.iter().map(|(_, alert)| serde_json::to_string(&alert.query));
        let queries = queries.collect::<Result<Vec<_>, _>>()?;
        self.client.execute(ALERTS, &[&ids, &alert_owners, &names, &queries])?;
        Ok(())
    }

    /// Stores published tenders, each as JSON.
    pub(crate) fn fill_tenders(&mut self, records: &[String]) -> Result<()> {
        self.client.execute(TENDERS, &[&records])?;
        Ok(())
    }

    /// Updates the statistics of the database.
    pub(crate) fn analyze(&mut self) -> Result<()> {
        Ok(self.client.batch_execute("analyze")?)
    }

    /// Marks all changes as matched, so that a worker loads the alerts instead of reading their changes.
    pub(crate) fn mark_matched(&mut self) -> Result<()> {
        self.client.batch_execute(MATCHED)?;
        Ok(())
    }

    /// Returns the number of matches.
    pub(crate) fn count_matches(&mut self) -> Result<i64> {
        Ok(self.client.query_one("select count(*) from match", &[])?.get(0))
    }

    /// Returns the end of the log.
    pub(crate) fn head(&mut self) -> Result<i64> {
        Ok(self.client.query_one("select position from change_head", &[])?.get(0))
    }

    /// Whether the matcher has reached the end of the log.
    pub(crate) fn is_matched(&mut self) -> Result<bool> {
        let sql = "select min(m.position) = max(h.position) from matcher_shard m, change_head h";
        Ok(self.client.query_one(sql, &[])?.get(0))
    }

    /// Makes every open message due.
    pub(super) fn end_collecting(&mut self) -> Result<()> {
        self.client.execute("update delivery set seal_at = clock_timestamp() where state = 'open'", &[])?;
        Ok(())
    }

    /// Whether no message is waiting to be sealed or sent.
    pub(crate) fn is_all_sent(&mut self) -> Result<bool> {
        // Two subqueries, so that each can use a partial index.
        let sql = "select not exists (select from delivery where state = 'open')
            and not exists (select from delivery where state in ('sealed', 'leased', 'retry'))";
        Ok(self.client.query_one(sql, &[])?.get(0))
    }

    pub(crate) fn usage(&self) -> Result<Usage> {
        Usage::of_family(self.server_pid)
    }

    pub(super) fn results(&mut self) -> Result<DatabaseResults> {
        let messages = self
            .client
            .query("select message_id, length(content) from delivery where state = 'sent'", &[])?;
        let matches = self.client.query("select alert_id::text, tender_id::text from match", &[])?;
        let items: i64 = self
            .client
            .query_one("select count(*) from delivery_item i join delivery d on d.id = i.delivery_id and d.state = 'sent'", &[])?
            .get(0);
        let moments = self.client.query_one(
            "select extract(epoch from min(sealed_at))::float8, extract(epoch from max(sealed_at))::float8,
                extract(epoch from max(seal_at))::float8 from delivery",
            &[],
        )?;
        let moment = |nth| moments.get::<_, Option<f64>>(nth).context("nothing was sealed");
        let message = |row: &postgres::Row| (row.get::<_, String>(0), row.get::<_, i32>(1) as usize);
        Ok(DatabaseResults {
            messages: messages.iter().map(message).collect(),
            matches: matches.iter().map(|row| (row.get(0), row.get(1))).collect(),
            items: items as usize,
            first_sealed: moment(0)?,
            last_sealed: moment(1)?,
            last_due: moment(2)?,
        })
    }
}

/// The ids of users.
fn owners(users: usize) -> Vec<String> {
    (0..users).map(|place| uuid_of(place).to_string()).collect()
}

/// Returns the seconds since 1970.
pub(super) fn wall_clock() -> f64 {
    #[expect(clippy::disallowed_methods, reason = "it is compared with times that the portal has written")]
    let now = SystemTime::now();
    now.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
