//! Copies whole tables out of the database and into it, for backups. The tables and their columns are
//! those of the database itself, so that no new table can be forgotten.

use super::{MIGRATIONS, portal_state, remove_time_limits};
use crate::domain::restore::UnfinishedRestore;
use bytes::Bytes;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use sqlx::{
    AssertSqlSafe, Connection, Executor, PgConnection, PgPool, Postgres,
    migrate::{Migrate, MigrateError, Migrator},
};

/// The lock that a backup holds, so that no other backup removes its files.
const BACKUP_LOCK: i64 = 7_205_114_001;
/// The table of the applied migrations. A restore applies the migrations instead of copying it.
const MIGRATIONS_TABLE: &str = "_sqlx_migrations";

/// Drops everything in the schema except what belongs to extensions.
const DROP_ALL: &str = "do $$
    declare found record;
    begin
        for found in
            select quote_ident(relname) as name,
                case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind
            from pg_class c
            where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
                and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
            order by relkind = 'S', relname
        loop
            if to_regclass(found.name) is not null then
                execute format('drop %s %s cascade', found.kind, found.name);
            end if;
        end loop;
        for found in
            select p.oid::regprocedure::text as name from pg_proc p
            where pronamespace = current_schema()::regnamespace
                and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
        loop
            execute format('drop routine %s cascade', found.name);
        end loop;
    end
    $$";

/// A table with the columns that can be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedTable {
    /// Its name.
    pub name: String,
    /// Its columns, without generated ones.
    pub columns: Vec<String>,
}

/// The last value of a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceValue {
    /// Its name.
    pub name: String,
    /// The last value. `None`: no value was taken.
    pub last: Option<i64>,
}

impl CopiedTable {
    /// The quoted name with the quoted columns.
    fn target(&self) -> String {
        let columns: Vec<String> = self.columns.iter().map(|column| quote(column)).collect();
        format!("{} ({})", quote(&self.name), columns.join(", "))
    }
}

/// Quotes an identifier.
fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Takes the lock of backups for as long as the connection lasts. `false`: another backup runs.
pub async fn lock_backups(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(r#"select pg_try_advisory_lock($1) as "locked!""#, BACKUP_LOCK)
        .fetch_one(connection)
        .await
}

/// Releases the lock of backups.
pub async fn unlock_backups(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!("select pg_advisory_unlock($1)", BACKUP_LOCK).fetch_one(connection).await.map(|_| ())
}

/// Begins a read-only transaction on a snapshot, without a time limit. It writes values in the same
/// format on every server.
pub async fn begin_export(
    connection: &mut PgConnection,
) -> Result<sqlx::Transaction<'_, Postgres>, sqlx::Error> {
    let mut tx = connection.begin_with("begin isolation level repeatable read, read only").await?;
    set_copy_format(&mut tx).await?;
    Ok(tx)
}

/// Removes the time limits and sets the format of values until the transaction ends.
async fn set_copy_format(tx: &mut PgConnection) -> Result<(), sqlx::Error> {
    tx.execute(
        "set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
        set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
        set local extra_float_digits = 1; set local bytea_output = 'hex'",
    )
    .await?;
    Ok(())
}

/// The tables to copy. The database itself empties unlogged tables after a crash, so they are left out.
pub async fn tables(connection: &mut PgConnection) -> Result<Vec<CopiedTable>, sqlx::Error> {
    sqlx::query_as!(
        CopiedTable,
        r#"select c.relname::text as "name!",
            array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as "columns!"
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
            and c.relname <> $1
            and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        group by c.relname order by c.relname"#,
        MIGRATIONS_TABLE,
    )
    .fetch_all(connection)
    .await
}

/// The last values of all sequences.
pub async fn sequences(connection: &mut PgConnection) -> Result<Vec<SequenceValue>, sqlx::Error> {
    sqlx::query_as!(
        SequenceValue,
        r#"select sequencename::text as "name!", last_value as last from pg_sequences
        where schemaname = current_schema() order by sequencename"#,
    )
    .fetch_all(connection)
    .await
}

/// The numbers of the applied migrations.
pub async fn applied_migrations(connection: &mut PgConnection) -> Result<Vec<i64>, MigrateError> {
    let rows = connection.list_applied_migrations(MIGRATIONS_TABLE).await?;
    Ok(rows.into_iter().map(|row| row.version).collect())
}

/// The rows of a table, one in each line, in the text format of COPY.
pub async fn export<'c>(
    connection: &'c mut PgConnection,
    table: &CopiedTable,
) -> Result<BoxStream<'c, Result<Bytes, sqlx::Error>>, sqlx::Error> {
    connection.copy_out_raw(&format!("copy {} to stdout", table.target())).await
}

/// What a database contains before a restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetState {
    /// No tables, or those of a portal without users and changes.
    Empty,
    /// Tables of an unfinished restore.
    Interrupted(UnfinishedRestore),
    /// Other tables.
    Used,
}

/// What the database contains.
pub async fn target_state(connection: &mut PgConnection) -> Result<TargetState, sqlx::Error> {
    let tables = sqlx::query!(
        r#"select count(*) filter (where relname <> $1) as "others!",
            coalesce(bool_or(relname = 'portal_state'), false) as "has_state!",
            coalesce(bool_or(relname = 'users'), false) as "has_users!",
            coalesce(bool_or(relname = 'change_head'), false) as "has_log!"
        from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v', 'p')
            and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')"#,
        MIGRATIONS_TABLE,
    )
    .fetch_one(&mut *connection)
    .await?;
    if tables.others == 0 {
        return Ok(TargetState::Empty);
    }
    if tables.has_state
        && let Some(restore) = portal_state::restoring(&mut *connection).await?
    {
        return Ok(TargetState::Interrupted(restore));
    }
    if !tables.has_users {
        return Ok(TargetState::Used);
    }
    let users = sqlx::query_scalar!(r#"select exists (select from users) as "exist!""#);
    let mut is_used = users.fetch_one(&mut *connection).await?;
    if tables.has_log {
        let changed = sqlx::query_scalar!(r#"select position > 0 as "changed!" from change_head"#);
        is_used |= changed.fetch_optional(&mut *connection).await? == Some(true);
    }
    Ok(if is_used { TargetState::Used } else { TargetState::Empty })
}

/// The number of other programs that are connected to the database, such as running servers.
pub async fn count_other_sessions(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()"#
    )
    .fetch_one(connection)
    .await
}

/// Deletes all tables, and creates those of these migrations.
pub async fn recreate_schema(connection: &mut PgConnection, versions: &[i64]) -> Result<(), MigrateError> {
    connection.execute(DROP_ALL).await?;
    let selected = MIGRATIONS.iter().filter(|one| versions.contains(&one.version)).cloned().collect();
    Migrator { migrations: selected, ..Migrator::DEFAULT }.run(connection).await
}

/// The import of tables, in one transaction. Foreign keys and triggers of users are absent until
/// [`Import::finish`].
pub struct Import<'c> {
    tx: sqlx::Transaction<'c, Postgres>,
    foreign_keys: Vec<(String, String, String)>,
    tables: Vec<CopiedTable>,
}

/// Begins an import: empties all tables and removes their foreign keys.
pub async fn begin_import(connection: &mut PgConnection) -> Result<Import<'_>, sqlx::Error> {
    let mut tx = connection.begin().await?;
    set_copy_format(&mut tx).await?;
    let tables = tables(&mut tx).await?;
    let rows = sqlx::query!(
        r#"select c.relname::text as "table!", f.conname::text as "name!", pg_get_constraintdef(f.oid) as "definition!"
        from pg_constraint f join pg_class c on c.oid = f.conrelid
        where f.contype = 'f' and c.relnamespace = current_schema()::regnamespace"#
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut foreign_keys = Vec::new();
    for row in rows {
        let sql = format!("alter table {} drop constraint {}", quote(&row.table), quote(&row.name));
        tx.execute(AssertSqlSafe(sql)).await?;
        foreign_keys.push((row.table, row.name, row.definition));
    }
    for table in &tables {
        let name = quote(&table.name);
        tx.execute(AssertSqlSafe(format!("alter table {name} disable trigger user; truncate {name}")))
            .await?;
    }
    Ok(Import { tx, foreign_keys, tables })
}

impl Import<'_> {
    /// The tables of the database.
    #[must_use]
    pub fn tables(&self) -> &[CopiedTable] {
        &self.tables
    }

    /// Adds rows in the format of [`export`]. Returns their number.
    pub async fn add(&mut self, table: &CopiedTable, rows: Bytes) -> Result<u64, sqlx::Error> {
        let mut copy = self.tx.copy_in_raw(&format!("copy {} from stdin", table.target())).await?;
        if let Err(error) = copy.send(rows).await {
            return Err(copy.abort("the rows could not be sent").await.err().unwrap_or(error));
        }
        copy.finish().await
    }

    /// The connection, for statements of the same transaction.
    pub fn connection(&mut self) -> &mut PgConnection {
        &mut self.tx
    }

    /// Sets the sequences, restores the foreign keys, which checks them, and commits.
    pub async fn finish(mut self, sequences: &[SequenceValue]) -> Result<(), sqlx::Error> {
        for sequence in sequences {
            let name = quote(&sequence.name);
            sqlx::query_scalar!(
                "select setval($1::text::regclass, coalesce($2::bigint, 1), $2::bigint is not null)",
                name,
                sequence.last
            )
            .fetch_one(&mut *self.tx)
            .await?;
        }
        for (table, name, definition) in &self.foreign_keys {
            let sql = format!("alter table {} add constraint {} {definition}", quote(table), quote(name));
            self.tx.execute(AssertSqlSafe(sql)).await?;
        }
        for table in &self.tables {
            let sql = format!("alter table {} enable trigger user", quote(&table.name));
            self.tx.execute(AssertSqlSafe(sql)).await?;
        }
        self.tx.commit().await
    }
}

/// Updates the planner's statistics of the copied tables, which a new database lacks. Only a superuser can
/// do so for the system's tables.
pub async fn analyze(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    for table in tables(connection).await? {
        connection.execute(AssertSqlSafe(format!("analyze {}", quote(&table.name)))).await?;
    }
    Ok(())
}

/// A connection for long work, without time limits. It does not return to the pool.
pub async fn connection(db: &PgPool) -> Result<PgConnection, sqlx::Error> {
    let mut connection = db.acquire().await?.detach();
    remove_time_limits(&mut connection).await?;
    Ok(connection)
}
