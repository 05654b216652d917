//! The schema version of a database, compared with that of this program. The version is the number
//! of the last applied migration.

use super::{MIGRATIONS, portal_state, remove_time_limits};
use sqlx::{
    Connection, PgPool,
    migrate::{Migrate, MigrateError},
};
use std::collections::BTreeMap;

/// The table in which sqlx records the applied migrations.
const TABLE: &str = "_sqlx_migrations";

/// A migration of this version that the database lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingMigration {
    /// Its number.
    pub version: i64,
    /// Its name.
    pub name: String,
}

/// Why a database can't be used.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// No migration was applied.
    #[error(
        "the database has no tables of the portal; create them with `api migrate`, or check that DATABASE_URL names \
        the right database"
    )]
    Empty,
    /// Migrations of this version are missing.
    #[error(
        "the database has schema {found}, but this version of api needs schema {needed} ({missing} migrations are \
        missing); make a backup, stop the servers of the earlier version, and run `api migrate`"
    )]
    Older {
        /// The schema of the database.
        found: i64,
        /// The schema of this version.
        needed: i64,
        /// The number of missing migrations.
        missing: usize,
    },
    /// A newer version has migrated the database.
    #[error(
        "the database has schema {found}, but this version of api knows only schema {known}, and a later migration removed \
        what it uses; use the newer version \
        of api that migrated the database, or restore a backup from before the upgrade"
    )]
    Newer {
        /// The schema of the database.
        found: i64,
        /// The schema of this version.
        known: i64,
    },
    /// Another program has migrated the database.
    #[error(
        "migration {0} of the database is not that of this version of api; use the version of api that migrated the \
        database, or check that DATABASE_URL names the right database"
    )]
    Foreign(i64),
    /// The database does not answer.
    #[error("the schema of the database cannot be read: {0}")]
    Database(#[from] MigrateError),
}

/// The schema of this version.
#[must_use]
pub fn newest() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// The schema of a database that this version can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsableSchema {
    /// That of this version.
    Own,
    /// That of a newer version, whose migrations removed nothing that this version uses.
    Newer {
        /// The schema of the database.
        found: i64,
    },
}

/// Checks that the database has the schema of this version, or of a newer one that this version can use.
///
/// # Errors
/// Names how the schema differs, and the remedy.
pub async fn check(db: &PgPool) -> Result<UsableSchema, SchemaError> {
    let applied = applied(db).await?;
    let missing = match compare(&applied) {
        Ok(missing) => missing.len(),
        Err(SchemaError::Newer { found, known }) => {
            let is_complete = MIGRATIONS.iter().all(|migration| applied.contains_key(&migration.version));
            let usable_from = portal_state::usable_from_schema(db).await.map_err(MigrateError::from)?;
            return match is_complete && usable_from <= known {
                true => Ok(UsableSchema::Newer { found }),
                false => Err(SchemaError::Newer { found, known }),
            };
        }
        Err(error) => return Err(error),
    };
    match applied.keys().last() {
        None => Err(SchemaError::Empty),
        Some(&found) if missing > 0 => Err(SchemaError::Older { found, needed: newest(), missing }),
        Some(_) => Ok(UsableSchema::Own),
    }
}

/// The migrations that the database lacks, in the order in which they would be applied.
///
/// # Errors
/// Fails if this version can't migrate the database.
pub async fn pending(db: &PgPool) -> Result<Vec<PendingMigration>, SchemaError> {
    compare(&applied(db).await?)
}

/// Applies the missing migrations. A migration may take longer than the time limits of other
/// statements.
pub async fn migrate(db: &PgPool) -> Result<(), MigrateError> {
    let mut connection = db.acquire().await?.detach();
    remove_time_limits(&mut connection).await?;
    MIGRATIONS.run(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

/// The number of each applied migration, with its checksum.
async fn applied(db: &PgPool) -> Result<BTreeMap<i64, Vec<u8>>, SchemaError> {
    let mut connection = db.acquire().await.map_err(MigrateError::from)?;
    let exists = sqlx::query_scalar!(r#"select to_regclass($1) is not null as "exists!""#, TABLE)
        .fetch_one(&mut *connection)
        .await
        .map_err(MigrateError::from)?;
    if !exists {
        return Ok(BTreeMap::new());
    }
    let rows = connection.list_applied_migrations(TABLE).await?;
    Ok(rows.into_iter().map(|row| (row.version, row.checksum.into_owned())).collect())
}

/// Returns the missing migrations. Fails if the database has a migration that this version lacks.
fn compare(applied: &BTreeMap<i64, Vec<u8>>) -> Result<Vec<PendingMigration>, SchemaError> {
    let known: BTreeMap<i64, &[u8]> =
        MIGRATIONS.iter().map(|migration| (migration.version, &*migration.checksum)).collect();
    for (&version, checksum) in applied {
        match known.get(&version) {
            Some(own) if *own == checksum.as_slice() => (),
            None if version > newest() => {
                let found = applied.keys().last().copied().unwrap_or(version);
                return Err(SchemaError::Newer { found, known: newest() });
            }
            _ => return Err(SchemaError::Foreign(version)),
        }
    }
    let missing = MIGRATIONS.iter().filter(|migration| !applied.contains_key(&migration.version));
    Ok(missing
        .map(|migration| PendingMigration {
            version: migration.version,
            name: migration.description.clone().into_owned(),
        })
        .collect())
}
