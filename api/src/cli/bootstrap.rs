//! Checks the settings and creates what the server needs to start. Each error names the problem
//! and, in most cases, the remedy.

use crate::{
    app::{
        context::Context,
        database_probe::DatabaseProbe,
        ended_sessions::EndedSessions,
        guest_responses::GuestResponses,
        highlights_cache::HighlightsCache,
        key_agreement::{self, KeyAgreement},
        login_attempts::LoginAttempts,
        market_cache::MarketCache,
        metrics::Metrics,
        request_ceiling::ChunkCounter,
        request_limits::RequestLimits,
        shared_limit::SharedLimit,
        sitemap_cache::SitemapCache,
        state::{AppParts, AppState},
        unsubscribe_links::UnsubscribeLinks,
    },
    base::{
        clock::Clock,
        config::{DataConfig, DatabaseConfig, SearchConfig, ServeConfig},
        i18n::{self, catalogues::CatalogueError},
        passkeys::Passkeys,
        password::Passwords,
        random::Random,
        secret_box::SecretBox,
        signing_key::SigningKeyError,
        turns::ClientTurns,
    },
    clients::{
        document_file::Documents,
        file_store::{self, FileStore},
        google::Google,
        payments::Provider,
        phone_gateway::PhoneGateway,
        restore_marker, search_engine,
        smtp::{MailSetupError, Transport},
    },
    domain::restore::UnfinishedRestore,
    services::{accounts::access_token, calendar, reports},
    storage::{
        self, DatabasePools, portal_state,
        schema_version::{self, PendingMigration, SchemaError, UsableSchema},
        second_factors,
        stored_files::FileFolder,
        users, webhooks,
    },
};
use jiff::SignedDuration;
use secrecy::ExposeSecret;
use settings::SettingsError;
use sqlx::{ConnectOptions, Connection, PgPool, migrate::MigrateError, postgres::PgConnectOptions};
use std::{
    fs::Permissions,
    io,
    net::SocketAddr,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::Duration,
};
use strum::IntoStaticStr;
use tokio::{net::TcpListener, sync::Semaphore};
use uuid::Uuid;

/// The timeout of the first database connection.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(10);

/// The number of password hashes that are computed at once for one client address. It is lower than
/// the number of all hashes that are computed at once.
const HASHES_OF_CLIENT_AT_ONCE: usize = 2;

/// Why the server can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program was built with a malformed catalogue of texts.
    #[error(transparent)]
    Texts(#[from] CatalogueError),
    /// Settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Demonstration accounts in the database. Anyone could sign in with their public password.
    #[error(
        "the database contains demonstration accounts, whose password is public: {0}; remove them with \
        `api admin demo remove`, or start with --demo"
    )]
    DemoAccounts(String),
    /// The mail settings are missing or invalid.
    #[error(transparent)]
    Mail(#[from] MailSetupError),
    /// The settings for SMS and WhatsApp are invalid.
    #[error("SMS and WhatsApp messages cannot be sent: {0}")]
    Phones(anyhow::Error),
    /// The database URL is malformed.
    #[error(
        "DATABASE_URL is not a Postgres URL ({0}); write it as postgres://user:password@host:port/database, \
        or for a Unix socket as postgres://user@localhost/database?host=/var/run/postgresql"
    )]
    DatabaseUrl(sqlx::Error),
    /// Postgres is not reachable or refuses the connection.
    #[error(
        "cannot connect to Postgres at {place}: {why}; check that it runs and that DATABASE_URL is correct"
    )]
    Database {
        /// The host and the port, or the Unix socket, and the database.
        place: String,
        /// The error message of Postgres or the system.
        why: String,
    },
    /// A migration failed.
    #[error("the database cannot be migrated to this version: {0}")]
    Migration(#[from] MigrateError),
    /// The database has another schema than this version.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// A restore was interrupted.
    #[error(
        "the restore of the backup {id} is unfinished; run `api restore SOURCE --at {0}` again",
        id = .0.backup
    )]
    UnfinishedRestore(UnfinishedRestore),
    /// The data folder or one of its subfolders can't be created.
    #[error(
        "cannot create the folder {}: {source}; choose another data folder with DATA (--data)", path.display()
    )]
    Data {
        /// The folder.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// The signing key can't be used.
    #[error(transparent)]
    Key(#[from] SigningKeyError),
    /// The folder of the index can't be used.
    #[error("the search index cannot be opened: {0}")]
    Index(#[from] index::IndexError),
    /// The port is taken or not permitted.
    #[error(
        "cannot listen on {address}: {source}; free the address, or choose another with LISTEN (--listen)"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's message.
        source: io::Error,
    },
    /// The port of the metrics is taken or not permitted.
    #[error(
        "cannot listen for metrics on {address}: {source}; free the address, or choose another with METRICS_LISTEN \
        (--metrics-listen)"
    )]
    ListenForMetrics {
        /// The address.
        address: SocketAddr,
        /// The system's message.
        source: io::Error,
    },
    /// Any other error.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

/// Checks the embedded texts of every language.
pub fn check_texts() -> Result<(), StartError> {
    i18n::check()?;
    reports::texts::check()?;
    calendar::texts::check()?;
    Ok(())
}

/// Rejects wrong, contradictory, incomplete and insecure settings. Returns warnings.
pub fn check_settings(config: &ServeConfig) -> Result<Vec<String>, StartError> {
    Ok(config.check().into_result()?)
}

/// Rejects a database with demonstration accounts, except with `--demo`.
pub async fn check_no_demo_accounts(config: &ServeConfig, db: &PgPool) -> Result<(), StartError> {
    if config.demo {
        return Ok(());
    }
    let found = users::demo_users(db).await.map_err(anyhow::Error::from)?;
    if found.is_empty() {
        return Ok(());
    }
    let addresses: Vec<&str> = found.iter().map(|user| user.email.as_str()).collect();
    Err(StartError::DemoAccounts(addresses.join(", ")))
}

/// Connects to the database. The first connection is opened separately, so that its error is
/// reported in full.
pub async fn connect(config: &DatabaseConfig) -> Result<PgPool, StartError> {
    let url = config.database_url.expose_secret();
    if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
        let error = sqlx::Error::Configuration("it does not begin with postgres://".into());
        return Err(StartError::DatabaseUrl(error));
    }
    let options = PgConnectOptions::from_str(url).map_err(StartError::DatabaseUrl)?;
    let place = describe_place(&options);
    let refused = |why: String| StartError::Database { place: place.clone(), why };
    match tokio::time::timeout(DATABASE_TIMEOUT, options.connect()).await {
        Ok(Ok(connection)) => drop(connection.close().await),
        Ok(Err(error)) => return Err(refused(error.to_string())),
        Err(_) => return Err(refused(format!("no response within {} seconds", DATABASE_TIMEOUT.as_secs()))),
    }
    storage::connect(config).await.map_err(|error| refused(error.to_string()))
}

/// Where a database is: its host and port, or the folder of its Unix socket, and its name.
fn describe_place(options: &PgConnectOptions) -> String {
    let (host, port) = (options.get_host(), options.get_port());
    let name = options.get_database().unwrap_or("named after the user");
    // Without a host in the URL, the library uses the folder of a socket as the host.
    let folder = options.get_socket().map(PathBuf::as_path).or(Some(Path::new(host)));
    match folder.filter(|folder| folder.is_absolute()) {
        Some(folder) => format!("the Unix socket in {} (port {port}), database {name}", folder.display()),
        None => format!("{host}:{port}, database {name}"),
    }
}

/// Connects the pools of a server to a migrated database.
pub async fn connect_pools(config: &ServeConfig) -> Result<DatabasePools, StartError> {
    let pools = storage::connect_pools(&config.database, &config.database_limits).await;
    Ok(pools.map_err(anyhow::Error::from)?)
}

/// Connects to a database that must have the schema of this version and no unfinished restore.
pub async fn connect_checked(config: &DatabaseConfig) -> Result<PgPool, StartError> {
    let db = connect(config).await?;
    if let UsableSchema::Newer { found } = schema_version::check(&db).await? {
        tracing::warn!(
            schema = found,
            known = schema_version::newest(),
            "a newer version has migrated the database; replace this process by the newer version"
        );
    }
    match portal_state::restoring(&db).await.map_err(anyhow::Error::from)? {
        Some(restore) => Err(StartError::UnfinishedRestore(restore)),
        None => Ok(db),
    }
}

/// Rejects a data folder with an unfinished restore.
pub fn check_restored(config: &DataConfig) -> Result<(), StartError> {
    match restore_marker::read(config)? {
        Some(restore) => Err(StartError::UnfinishedRestore(restore)),
        None => Ok(()),
    }
}

/// Connects to the database and applies the missing migrations. Refuses a database that this
/// version can't migrate, before any migration is applied. Returns the applied migrations.
pub async fn connect_and_migrate(
    config: &DatabaseConfig,
) -> Result<(PgPool, Vec<PendingMigration>), StartError> {
    let db = connect(config).await?;
    let pending = schema_version::pending(&db).await?;
    schema_version::migrate(&db).await?;
    Ok((db, pending))
}

/// Like [`connect_and_migrate`], but leaves a database alone that a newer version has migrated, if this
/// version can use it. So a process of this version restarts while the portal is upgraded.
pub async fn connect_and_migrate_older(
    config: &DatabaseConfig,
) -> Result<(PgPool, Vec<PendingMigration>), StartError> {
    let db = connect(config).await?;
    let is_newer = matches!(schema_version::check(&db).await, Ok(UsableSchema::Newer { .. }));
    if is_newer {
        return Ok((db, Vec::new()));
    }
    db.close().await;
    connect_and_migrate(config).await
}

/// Creates the data folder and its subfolders. Closes the subfolders to other users of the machine; those
/// of earlier versions were open. The data folder itself may also contain files of other programs, so it
/// keeps its permissions.
pub fn create_data_folders(config: &DataConfig) -> Result<(), StartError> {
    let folders = FileFolder::ALL.map(|folder| config.data.join(file_store::folder_name(folder)));
    let folders = folders.into_iter().chain([config.incoming_files()]).collect::<Vec<_>>();
    for path in std::iter::once(&config.data).chain(&folders) {
        std::fs::create_dir_all(path).map_err(|source| StartError::Data { path: path.clone(), source })?;
    }
    for path in folders.iter().chain(&[config.index(), config.mail()]) {
        close_to_others(path);
    }
    Ok(())
}

/// Removes the permissions of the group and of other users from a folder. Without the right to do so, the
/// operator is warned.
fn close_to_others(folder: &Path) {
    let Ok(metadata) = std::fs::metadata(folder) else { return };
    let mode = metadata.permissions().mode();
    if mode & 0o077 == 0 {
        return;
    }
    let closed = std::fs::set_permissions(folder, Permissions::from_mode(mode & 0o7700));
    if let Err(error) = closed {
        tracing::warn!(folder = %folder.display(), %error, "other users of this machine can read this folder");
    }
}

/// The number of searches that this process has in a cluster at the same time.
const SEARCHES_IN_CLUSTER: usize = 64;

/// The number of searches that run at the same time. In this process, it is one per processor core. A search
/// that waits for the disk must not stop all others, so there are at least two.
fn searches_at_once(search: &SearchConfig) -> usize {
    match search.has_cluster() {
        true => SEARCHES_IN_CLUSTER,
        false => std::thread::available_parallelism().map_or(2, usize::from).max(2),
    }
}

/// Creates the server's state on a migrated database.
pub fn create_state(
    mut config: ServeConfig,
    db: DatabasePools,
    passwords: Passwords,
    clock: Clock,
    random: Random,
) -> Result<AppState, StartError> {
    create_data_folders(&config.data)?;
    config.company = config.company.with_defaults(config.demo);
    let signing_key = config.keys.load_or_create(&config.data.signing_key(), &random)?;
    let metrics = Arc::<Metrics>::default();
    let wait = Duration::from_millis(config.limits.shared_limits_wait_ms.into());
    let counter = match config.limits.shared_limits {
        true => Some(ChunkCounter::new(&config.database, wait, metrics.clone(), &clock)),
        false => None,
    };
    let counter = counter.transpose().map_err(StartError::DatabaseUrl)?.map(Arc::new);
    let limits = RequestLimits::new(&config.limits, &clock, counter.as_ref());
    let ended_sessions = EndedSessions::new(access_token::LIFETIME.unsigned_abs());
    let hashing_turns = ClientTurns::new(HASHES_OF_CLIENT_AT_ONCE);
    let attempts = LoginAttempts::per_hour(config.limits.failed_sign_ins_an_hour, &db.requests, &clock);
    let day = SignedDuration::from_hours(24);
    let guest_details =
        SharedLimit::per_period(config.limits.guest_details_a_day, day, db.requests.clone(), &clock);
    let guest_responses = GuestResponses::new(Duration::from_millis(u64::from(config.guest_cache_ms)));
    let highlights = Arc::new(HighlightsCache::new(&clock));
    let market = Arc::new(MarketCache::new(&clock));
    let sitemap = Arc::new(SitemapCache::new(&clock));
    let searches_at_once = searches_at_once(&config.search);
    let search_engine = search_engine::open(&config.data, &config.search)?;
    let database_probe = DatabaseProbe::new(&config.database).map_err(StartError::DatabaseUrl)?;
    let files = FileStore::open(&config.data, &config.files)?.observed_by(&Arc::new(metrics.files.clone()));
    let documents = Documents::new(&config, files.clone())?;
    let transport = Transport::new(&config)?;
    let phones = PhoneGateway::new(&config).map_err(StartError::Phones)?;
    let sender = config.mail.sender()?;
    config.mail.return_path(&sender, Uuid::nil())?;
    let google = Google::new(&config.google, &clock)?;
    let passkeys = Passkeys::new(&config.base_url())?;
    let payments = Provider::new(&config, &signing_key, &db.requests, &random)?;
    let unsubscribe = UnsubscribeLinks::new(config.base_url(), signing_key.clone());
    let context = Context {
        db: db.requests,
        files,
        config: Arc::new(config),
        clock,
        secrets: SecretBox::new(signing_key.clone(), random.clone()),
        random,
        passkeys,
        signing_key,
        sender,
        search_engine,
        search_turns: Arc::new(Semaphore::new(searches_at_once)),
        progress: Arc::default(),
        metrics,
        empty_searches: Arc::default(),
    };
    Ok(AppState::new(AppParts {
        context,
        job_db: db.jobs,
        database_probe: Arc::new(database_probe),
        passwords,
        google: google.map(Arc::new),
        payments: payments.map(Arc::new),
        limits: Arc::new(limits),
        ended_sessions: Arc::new(ended_sessions),
        hashing_turns: Arc::new(hashing_turns),
        attempts: Arc::new(attempts),
        guest_details: Arc::new(guest_details),
        guest_responses: Arc::new(guest_responses),
        highlights,
        market,
        sitemap,
        documents,
        transport: Arc::new(transport),
        phones: phones.map(Arc::new),
        unsubscribe,
    }))
}

/// Compares the signing key with that of the portal's other processes, and warns if they differ. The server
/// starts nevertheless, because a portal whose only key was lost must go on.
pub async fn join_signing_keys(state: &AppState) -> Result<(), sqlx::Error> {
    let own = state.signing_key.id();
    match key_agreement::join(&state.db, &state.signing_key).await? {
        KeyAgreement::Agreed => {}
        KeyAgreement::Behind { stored } => tracing::warn!(%own, %stored,
            "the portal has a newer signing key, whose sessions are refused here; give this process the new key"),
        KeyAgreement::Different { stored } => tracing::error!(%own, %stored,
            "the portal's processes have another signing key, so each refuses the sessions and links of the other; \
            set the same SIGNING_KEY for all, or run `api admin key forget` if the other key is lost"),
    }
    Ok(())
}

/// The number of secrets that one transaction seals.
const SECRETS_AT_ONCE: i64 = 100;

/// A table with secrets.
#[derive(Debug, Clone, Copy, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum SecretTable {
    Webhook,
    Totp,
}

/// Encrypts the secrets of webhooks that an earlier version stored in clear, and all secrets that are
/// encrypted with an earlier key. Secrets that cannot be decrypted are logged and stay as they are. If it
/// is interrupted, the next start continues.
pub async fn seal_secrets(state: &AppState) -> anyhow::Result<()> {
    for table in [SecretTable::Webhook, SecretTable::Totp] {
        let name: &str = table.into();
        let mut after = None;
        loop {
            let mut tx = storage::begin(&state.db).await?;
            let (secrets, limit) = (&state.secrets, SECRETS_AT_ONCE);
            let batch = match table {
                SecretTable::Webhook => webhooks::seal_secrets(&mut tx, secrets, after, limit).await?,
                SecretTable::Totp => {
                    second_factors::seal_totp_secrets(&mut tx, secrets, after, limit).await?
                }
            };
            tx.commit().await?;
            for (user_id, error) in &batch.unreadable {
                tracing::error!(table = name, user = %user_id, %error,
                    "a stored secret cannot be decrypted; its account cannot use it");
            }
            if batch.sealed > 0 {
                tracing::info!(
                    table = name,
                    secrets = batch.sealed,
                    "encrypted stored secrets with the current key"
                );
            }
            let Some(last) = batch.last else { break };
            after = Some(last);
        }
    }
    Ok(())
}

/// Starts to listen on an address.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, StartError> {
    TcpListener::bind(address).await.map_err(|source| StartError::Listen { address, source })
}

/// Starts to listen for scrapes of the metrics.
pub async fn listen_for_metrics(address: SocketAddr) -> Result<TcpListener, StartError> {
    TcpListener::bind(address).await.map_err(|source| StartError::ListenForMetrics { address, source })
}
