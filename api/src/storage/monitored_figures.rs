//! The figures of the database that monitoring shows. Each query reads an index of the few rows that
//! wait, not the whole table.

use super::{canary, changes, enum_column::decode, matcher_shards, operator_tasks};
use crate::domain::{
    canary::CanaryRun, channel::Channel, delivery::DeliveryState, newspaper_page::PageState,
    operator_tasks::WaitingWork,
};
use jiff::Timestamp;
use jiff_sqlx::Timestamp as SqlTimestamp;
use sqlx::{Connection, PgConnection};

/// The figures at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MonitoredFigures {
    /// When they were read.
    pub at: Timestamp,
    /// The end of the change log.
    pub head: i64,
    /// How far the search index is.
    pub index: LogReader,
    /// How far the alerts are matched: how far the last shard is.
    pub matcher: LogReader,
    /// The messages that are not sent.
    pub messages: Vec<WaitingMessages>,
    /// The newspaper pages that are not read.
    pub pages: Vec<WaitingPages>,
    /// The work of administrators and reviewers.
    pub tasks: Vec<WaitingWork>,
    /// The number of suppressed addresses.
    pub suppressed: i64,
    /// Whether sending is off.
    pub is_sending_off: bool,
    /// When a backup was last made.
    pub backed_up_at: Option<Timestamp>,
    /// The latest two runs of the canary.
    pub canary_runs: Vec<CanaryRun>,
    /// When the last run of the canary began that went all the way.
    pub canary_success_at: Option<Timestamp>,
}

/// How far a reader of the change log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogReader {
    /// The position up to which it has read.
    pub position: i64,
    /// The time of the first change after this position.
    pub behind_since: Option<Timestamp>,
}

/// Unsent messages of a channel in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingMessages {
    /// The channel.
    pub channel: Channel,
    /// The state.
    pub state: DeliveryState,
    /// Their number.
    pub count: i64,
    /// When the first of them is or was due. `None` for messages that were given up.
    pub due_at: Option<Timestamp>,
}

/// Unread pages in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingPages {
    /// The state.
    pub state: PageState,
    /// Their number.
    pub count: i64,
    /// When the first of them is or was due.
    pub due_at: Option<Timestamp>,
}

/// Reads all figures on one snapshot. `index_position` is the position of this process's index.
pub async fn read(
    connection: &mut PgConnection,
    index_position: i64,
    now: Timestamp,
) -> Result<MonitoredFigures, sqlx::Error> {
    let mut tx = connection.begin_with("begin isolation level repeatable read, read only").await?;
    let head = changes::head(&mut *tx).await?.position;
    let matcher_position = matcher_shards::least_position(&mut *tx).await?;
    let state = sqlx::query!(
        r#"select sending_off_since is not null as "is_sending_off!", backed_up_at as "backed_up_at: SqlTimestamp",
            (select count(*) from suppression) as "suppressed!"
        from portal_state"#
    )
    .fetch_one(&mut *tx)
    .await?;
    let figures = MonitoredFigures {
        at: now,
        head,
        index: log_reader(&mut tx, index_position).await?,
        matcher: log_reader(&mut tx, matcher_position).await?,
        messages: waiting_messages(&mut tx).await?,
        pages: waiting_pages(&mut tx).await?,
        tasks: operator_tasks::waiting(&mut *tx, now).await?,
        suppressed: state.suppressed,
        is_sending_off: state.is_sending_off,
        canary_runs: canary::latest_runs(&mut *tx, 2).await?,
        canary_success_at: canary::last_success(&mut *tx).await?,
        backed_up_at: state.backed_up_at.map(SqlTimestamp::to_jiff),
    };
    tx.commit().await?;
    Ok(figures)
}

async fn log_reader(tx: &mut PgConnection, position: i64) -> Result<LogReader, sqlx::Error> {
    let behind_since = sqlx::query_scalar!(
        r#"select at as "at: SqlTimestamp" from change where position > $1 order by position limit 1"#,
        position
    );
    let behind_since = behind_since.fetch_optional(tx).await?.map(SqlTimestamp::to_jiff);
    Ok(LogReader { position, behind_since })
}

async fn waiting_messages(tx: &mut PgConnection) -> Result<Vec<WaitingMessages>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select channel as "channel!", state as "state!", count(*) as "count!", min(seal_at) as "due_at: SqlTimestamp"
            from delivery where state = 'open' group by channel, state
        union all select channel, state, count(*), min(try_at)
            from delivery where state in ('sealed', 'leased', 'retry') group by channel, state
        union all select channel, state, count(*), null
            from delivery where state = 'dead' group by channel, state"#
    )
    .fetch_all(tx)
    .await?;
    let messages = rows.into_iter().map(|row| {
        Ok(WaitingMessages {
            channel: decode("delivery.channel", &row.channel)?,
            state: decode("delivery.state", &row.state)?,
            count: row.count,
            due_at: row.due_at.map(SqlTimestamp::to_jiff),
        })
    });
    messages.collect()
}

async fn waiting_pages(tx: &mut PgConnection) -> Result<Vec<WaitingPages>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select state, count(*) as "count!", min(due_at) as "due_at: SqlTimestamp"
        from page where state <> 'read' group by state"#
    )
    .fetch_all(tx)
    .await?;
    let pages = rows.into_iter().map(|row| {
        Ok(WaitingPages {
            state: decode("page.state", &row.state)?,
            count: row.count,
            due_at: row.due_at.map(SqlTimestamp::to_jiff),
        })
    });
    pages.collect()
}
