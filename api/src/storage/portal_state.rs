//! The state of the whole portal: whether it sends, whether a restore is unfinished, the signing keys of its
//! processes, and which versions of the program can use its schema.

use crate::{base::signing_key::KeyId, domain::restore::UnfinishedRestore};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};

/// Since when a portal does not send, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendingOff {
    /// Since when.
    pub since: Timestamp,
    /// The reason, for operators.
    pub reason: String,
}

/// Whether sending is off. While it is off, the portal sends no messages and charges no cards.
pub async fn sending_off(db: impl PgExecutor<'_>) -> Result<Option<SendingOff>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select sending_off_since as "since!: SqlTimestamp", sending_off_reason as "reason!"
        from portal_state where sending_off_since is not null"#
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| SendingOff { since: row.since.to_jiff(), reason: row.reason }))
}

/// Switches sending off, or on with `None`. Returns whether this changed something.
pub async fn set_sending_off(db: impl PgExecutor<'_>, off: Option<&SendingOff>) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "update portal_state set sending_off_since = $1, sending_off_reason = $2
        where (sending_off_since is null) <> ($1::timestamptz is null)",
        off.map(|off| off.since.to_sqlx()) as Option<SqlTimestamp>,
        off.map(|off| off.reason.as_str()),
    );
    Ok(done.execute(db).await?.rows_affected() == 1)
}

/// Records that a backup of this moment was made.
pub async fn record_backup(db: impl PgExecutor<'_>, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!("update portal_state set backed_up_at = $1", at.to_sqlx() as SqlTimestamp)
        .execute(db)
        .await?;
    Ok(())
}

/// The unfinished restore. `None` also if the table is empty.
pub async fn restoring(db: impl PgExecutor<'_>) -> Result<Option<UnfinishedRestore>, sqlx::Error> {
    let text = sqlx::query_scalar!("select restoring from portal_state").fetch_optional(db).await?.flatten();
    let restore = text.map(|text| text.parse()).transpose();
    restore.map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

/// Records that a restore begins.
pub async fn begin_restore(db: impl PgExecutor<'_>, restore: &UnfinishedRestore) -> Result<(), sqlx::Error> {
    sqlx::query!("update portal_state set restoring = $1", restore.to_string()).execute(db).await?;
    Ok(())
}

/// Records that the restore of a backup is complete.
pub async fn finish_restore(db: impl PgExecutor<'_>, backup: &str, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update portal_state set restoring = null, restored_from = $1, restored_at = $2",
        backup,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The ids of signing keys: those of the process that has stored them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKeys {
    /// The key that signs.
    pub current: KeyId,
    /// The keys whose signatures are still valid.
    pub earlier: Vec<KeyId>,
}

impl StoredKeys {
    /// Whether signatures of a key are valid.
    #[must_use]
    pub fn contains(&self, key: KeyId) -> bool {
        self.current == key || self.earlier.contains(&key)
    }
}

struct KeysRow {
    current: Option<Vec<u8>>,
    earlier: Vec<Vec<u8>>,
}

impl KeysRow {
    fn read(self) -> Result<Option<StoredKeys>, sqlx::Error> {
        let Some(current) = self.current else { return Ok(None) };
        let earlier = self.earlier.iter().map(|id| read_id(id)).collect::<Result<_, _>>()?;
        Ok(Some(StoredKeys { current: read_id(&current)?, earlier }))
    }
}

fn read_id(bytes: &[u8]) -> Result<KeyId, sqlx::Error> {
    let bytes =
        bytes.try_into().map_err(|_| sqlx::Error::Decode("the id of a key has another length".into()))?;
    Ok(KeyId::new(bytes))
}

/// The signing keys of the portal's processes. `None`: no process has stored its keys.
pub async fn signing_keys(db: impl PgExecutor<'_>) -> Result<Option<StoredKeys>, sqlx::Error> {
    let row = sqlx::query_as!(
        KeysRow,
        "select signing_key_id as current, earlier_signing_key_ids as earlier from portal_state"
    );
    row.fetch_optional(db).await?.map_or(Ok(None), KeysRow::read)
}

/// Like [`signing_keys`]. No other process stores its keys before the transaction ends.
pub async fn lock_signing_keys(tx: &mut PgConnection) -> Result<Option<StoredKeys>, sqlx::Error> {
    let row = sqlx::query_as!(
        KeysRow,
        "select signing_key_id as current, earlier_signing_key_ids as earlier from portal_state for update"
    );
    row.fetch_optional(tx).await?.map_or(Ok(None), KeysRow::read)
}

/// Stores the signing keys of a process, or none.
pub async fn set_signing_keys(db: impl PgExecutor<'_>, keys: Option<&StoredKeys>) -> Result<(), sqlx::Error> {
    let earlier: Vec<Vec<u8>> =
        keys.map(|keys| keys.earlier.iter().map(|id| id.as_bytes().to_vec()).collect()).unwrap_or_default();
    sqlx::query!(
        "update portal_state set signing_key_id = $1, earlier_signing_key_ids = $2",
        keys.map(|keys| keys.current.as_bytes().as_slice()),
        &earlier,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The schema of the oldest version whose processes can use the database.
pub async fn usable_from_schema(db: impl PgExecutor<'_>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!("select usable_from_schema from portal_state").fetch_one(db).await
}
