//! `api migrate`: applies the missing database migrations, or lists them.

use crate::{base::config::DatabaseConfig, cli::bootstrap, storage::schema_version};
use std::io::{self, Write};

/// Applies the missing migrations and prints them. With `dry_run`, only prints them.
pub async fn migrate(config: &DatabaseConfig, dry_run: bool) -> anyhow::Result<()> {
    let (db, migrations) = if dry_run {
        let db = bootstrap::connect(config).await?;
        let pending = schema_version::pending(&db).await?;
        (db, pending)
    } else {
        bootstrap::connect_and_migrate(config).await?
    };
    db.close().await;
    let mut out = io::stdout().lock();
    let verb = if dry_run { "would apply" } else { "applied" };
    for migration in &migrations {
        writeln!(out, "{verb} {:04} {}", migration.version, migration.name)?;
    }
    if migrations.is_empty() {
        writeln!(
            out,
            "the database has schema {} already; no migration is missing",
            schema_version::newest()
        )?;
    }
    Ok(())
}
