//! Messages that a restored portal would send, although the original may have sent them since the
//! backup.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;

/// The unsent messages of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsentMessages {
    /// The channel, such as `email`.
    pub channel: String,
    /// Messages that still collect items.
    pub open: i64,
    /// Messages that are due or wait for a retry. Their content and their Message-ID are fixed.
    pub due: i64,
    /// Messages that were being sent during the backup. They were probably sent.
    pub leased: i64,
}

/// Counts the unsent messages of each channel.
pub async fn count(connection: &mut PgConnection) -> Result<Vec<UnsentMessages>, sqlx::Error> {
    sqlx::query_as!(
        UnsentMessages,
        r#"select channel, count(*) filter (where state = 'open') as "open!",
            count(*) filter (where state in ('sealed', 'retry')) as "due!",
            count(*) filter (where state = 'leased') as "leased!"
        from delivery where state in ('open', 'sealed', 'retry', 'leased') group by channel order by channel"#
    )
    .fetch_all(connection)
    .await
}

/// Gives up the unsent messages that were begun before a moment; all of them without a moment. They
/// lose their content, so that they can't be retried. Returns their number.
pub async fn drop_before(
    connection: &mut PgConnection,
    before: Option<Timestamp>,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "update delivery set state = 'dead', content = null, message_id = null,
            last_error = 'not sent: the portal was restored from a backup'
        where state in ('open', 'sealed', 'retry', 'leased') and ($1::timestamptz is null or coalesce(sealed_at, opened_at) < $1)",
        before.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
    );
    Ok(done.execute(connection).await?.rows_affected())
}
