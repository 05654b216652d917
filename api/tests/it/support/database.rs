//! A database per test. Most are clones of a migrated template. Each is dropped at the end of its
//! test.

use super::wait_until;
use api::storage::MIGRATIONS;
use sha2::{Digest, Sha256};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection, PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::{
    str::FromStr,
    sync::atomic::{AtomicU32, Ordering},
};

static NEXT_DATABASE_NUMBER: AtomicU32 = AtomicU32::new(0);

/// A test's database.
pub struct TestDatabase {
    server: PgConnectOptions,
    name: String,
}

impl TestDatabase {
    /// Clones the template. Creates the template if it is missing.
    pub async fn fresh() -> Self {
        let server = server();
        let mut admin = server.connect().await.unwrap();
        let template = find_or_create_template(&server, &mut admin).await;
        Self::clone_of(server, &template).await
    }

    /// Creates a database that is migrated up to this version.
    pub async fn of_version(version: i64) -> Self {
        Self::create_migrated(server(), version).await
    }

    /// Creates a fully migrated database on another server.
    pub async fn on(url: &str) -> Self {
        Self::create_migrated(PgConnectOptions::from_str(url).unwrap().database("postgres"), i64::MAX).await
    }

    async fn create_migrated(server: PgConnectOptions, version: i64) -> Self {
        let database = Self::clone_of(server, "template0").await;
        database.migrate_to(version).await;
        database
    }

    /// Creates a database without tables.
    pub async fn empty() -> Self {
        Self::clone_of(server(), "template0").await
    }

    /// Applies the migrations up to this version.
    pub async fn migrate_to(&self, version: i64) {
        let selected = MIGRATIONS.iter().filter(|migration| migration.version <= version).cloned().collect();
        let migrations = Migrator { migrations: selected, ..Migrator::DEFAULT };
        let mut connection = self.server.clone().database(&self.name).connect().await.unwrap();
        migrations.run(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }

    /// Copies this database after disconnecting its clients.
    pub async fn copy(&self) -> Self {
        let mut admin = self.server.connect().await.unwrap();
        sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1")
            .bind(&self.name)
            .execute(&mut admin)
            .await
            .unwrap();
        Self::clone_of(self.server.clone(), &self.name).await
    }

    async fn clone_of(server: PgConnectOptions, template: &str) -> Self {
        let mut admin = server.connect().await.unwrap();
        let nth = NEXT_DATABASE_NUMBER.fetch_add(1, Ordering::SeqCst);
        let name = format!("serendib_test_{}_{nth}", std::process::id());
        run(&mut admin, format!("create database {name} template {template}")).await;
        admin.close().await.unwrap();
        Self { server, name }
    }

    /// Ends all connections and refuses new ones.
    pub async fn refuse_connections(&self) {
        let mut admin = self.server.connect().await.unwrap();
        run(&mut admin, format!("alter database {} allow_connections false", self.name)).await;
        sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1")
            .bind(&self.name)
            .execute(&mut admin)
            .await
            .unwrap();
    }

    /// Returns a new connection pool.
    pub fn pool(&self) -> PgPool {
        PgPoolOptions::new().max_connections(8).connect_lazy_with(self.server.clone().database(&self.name))
    }

    /// Returns the connection URL.
    pub fn url(&self) -> String {
        self.server.clone().database(&self.name).to_url_lossy().to_string()
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // The database is dropped in a new thread, because the test's runtime may be shutting
        // down.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let mut admin = server.connect().await.unwrap();
                run(&mut admin, format!("drop database if exists {name} with (force)")).await;
            });
        });
        if dropped.join().is_err() && !std::thread::panicking() {
            panic!("the test's database could not be dropped");
        }
    }
}

fn server() -> PgConnectOptions {
    let url = std::env::var("DATABASE_URL")
        .expect("DATABASE_URL must name the Postgres server on which tests create databases");
    PgConnectOptions::from_str(&url).unwrap().database("postgres")
}

/// Returns the name of the migrated template, and creates the template if it is missing. The name
/// contains a hash of the migrations, so a changed migration leads to a new template.
async fn find_or_create_template(server: &PgConnectOptions, admin: &mut PgConnection) -> String {
    let mut hash = Sha256::new();
    for migration in MIGRATIONS.iter() {
        hash.update(&migration.checksum);
    }
    let name = format!("serendib_template_{}", &hex::encode(hash.finalize())[..16]);
    // One test creates the template. The other tests wait for the lock.
    run(admin, "select pg_advisory_lock(5391027)".into()).await;
    let found: Option<bool> = sqlx::query_scalar("select datistemplate from pg_database where datname = $1")
        .bind(&name)
        .fetch_optional(&mut *admin)
        .await
        .unwrap();
    if found != Some(true) {
        drop_leftover_databases(admin).await;
        run(admin, format!("drop database if exists {name} with (force)")).await;
        run(admin, format!("create database {name}")).await;
        let mut inside = server.clone().database(&name).connect().await.unwrap();
        MIGRATIONS.run(&mut inside).await.unwrap();
        inside.close().await.unwrap();
        run(admin, format!("alter database {name} is_template true")).await;
    }
    run(admin, "select pg_advisory_unlock(5391027)".into()).await;
    name
}

/// Drops the databases of test processes that no longer run.
async fn drop_leftover_databases(admin: &mut PgConnection) {
    let names: Vec<String> =
        sqlx::query_scalar("select datname::text from pg_database where datname like 'serendib\\_test\\_%'")
            .fetch_all(&mut *admin)
            .await
            .unwrap();
    for name in names {
        let process = name.split('_').nth(2).unwrap_or_default();
        if !std::path::Path::new("/proc").join(process).exists() {
            run(admin, format!("drop database if exists {name} with (force)")).await;
        }
    }
}

async fn run(connection: &mut PgConnection, sql: String) {
    connection.execute(AssertSqlSafe(sql)).await.unwrap();
}

/// Waits until a query returns true. A Postgres connection can take ten seconds to report its
/// statistics.
pub async fn wait_for(db: &PgPool, condition: &'static str) {
    let is_true = async || sqlx::query_scalar::<_, bool>(condition).fetch_one(db).await.unwrap();
    wait_until(condition, is_true).await;
}
