//! A running portal for a test.

use super::{client::Client, database::TestDatabase};
use api::{
    app::state::{AppParts, AppState},
    base::{clock::Clock, config::ServeConfig, password::Passwords, random::Random},
    cli::{bootstrap, commands, serve},
    domain::operator_token::{TokenRequest, TokenScope},
    storage::{self, changes, subscriptions, users},
};
use clap::Parser;
use index::SearchEngine;
use jiff::{SignedDuration, Timestamp};
use secrecy::ExposeSecret;
use sqlx::PgPool;
use std::{net::SocketAddr, path::Path, sync::Arc};
use tempfile::TempDir;
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

/// The time at which a portal's clock starts: noon in Colombo on a Friday.
pub const NOON: &str = "2026-11-20T12:00:00+05:30";

/// Creates an operator token with all scopes.
pub async fn create_operator_token(db: &PgPool, clock: &Clock, random: &Random) -> String {
    let scopes = TokenScope::ALL.into_iter().collect();
    let request = TokenRequest { name: "test".into(), scopes, lifetime_days: None };
    commands::create_token(db, request, clock, random).await.unwrap()
}

/// The cookie of the browser in which a user registered. A sign-in with another browser is mailed to
/// the user.
pub async fn browser_cookie(state: &AppState, email: &str) -> String {
    let user = users::by_email(&state.db, email, state.clock.now()).await.unwrap().unwrap();
    let device = Uuid::from_u128(7);
    let signature = state.signing_key.sign("device", &[device.into_bytes(), user.id.into_bytes()].concat());
    format!("device={}.{}.{signature}", device.simple(), user.id.simple())
}

/// The same state, except that it searches with another engine.
fn with_engine(state: &AppState, engine: Arc<dyn SearchEngine>) -> AppState {
    let mut parts = AppParts::clone(state);
    parts.context.search_engine = engine;
    AppState::new(parts)
}

#[derive(Parser)]
#[command(args_override_self = true)]
struct CommandLine {
    #[command(flatten)]
    config: ServeConfig,
}

/// A running portal with its own database, data folder and port. Dropping this value stops the
/// portal and removes its data.
pub struct TestPortal {
    /// The portal's state, for access that bypasses the API.
    pub state: AppState,
    /// The address on which the portal listens.
    pub address: SocketAddr,
    /// The folder of the portal's files. The portal looks for the web application in its subfolder
    /// `web`, which a test must create.
    pub folder: TempDir,
    _stop: DropGuard,
    // This is the last field, so that the database is dropped after everything that uses it.
    pub database: TestDatabase,
}

impl TestPortal {
    /// Starts a portal.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts a portal with these additional command-line arguments.
    pub async fn start_with(settings: &[&str]) -> Self {
        Self::start_on(TestDatabase::fresh().await, settings).await
    }

    /// Starts a portal on this database, with these additional command-line arguments.
    pub async fn start_on(database: TestDatabase, settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        Self::start_in(database, folder, &data, settings).await
    }

    /// Starts a portal with these additional command-line arguments on this database. It searches with this
    /// engine instead of its own. The index may not be built yet.
    pub async fn start_with_engine(
        database: TestDatabase,
        settings: &[&str],
        engine: Arc<dyn SearchEngine>,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        Self::start_portal(database, folder, &data, settings, Some(engine)).await
    }

    /// Starts a portal on this database and this data folder, for example those of a restore.
    pub async fn start_on_data(database: TestDatabase, data: &Path) -> Self {
        Self::start_in(database, tempfile::tempdir().unwrap(), data, &[]).await
    }

    async fn start_in(database: TestDatabase, folder: TempDir, data: &Path, settings: &[&str]) -> Self {
        Self::start_portal(database, folder, data, settings, None).await
    }

    async fn start_portal(
        database: TestDatabase,
        folder: TempDir,
        data: &Path,
        settings: &[&str],
        engine: Option<Arc<dyn SearchEngine>>,
    ) -> Self {
        let (url, web) = (database.url(), folder.path().join("web"));
        let mut arguments = vec!["api", "--listen", "127.0.0.1:0", "--database-url", &url];
        arguments.extend([
            "--database-connections",
            "8",
            "--sign-ins-a-minute",
            "200",
            "--rate-limit-factor",
            "100",
        ]);
        // Tests read what they have just written.
        arguments.extend(["--guest-cache-ms", "0"]);
        arguments.extend(["--document-reader", env!("CARGO_BIN_EXE_api")]);
        // Most tests publish as new suppliers. The tests of the check switch it on.
        arguments.extend(["--hold-first-publication", "false", "--review-sample", "0"]);
        // Staff of most tests sign in with a password only.
        if !settings.contains(&"--require-second-factor") {
            arguments.extend(["--require-second-factor", "false"]);
        }
        arguments.extend(["--data", data.to_str().unwrap(), "--web", web.to_str().unwrap()]);
        if !settings.contains(&"--demo") {
            arguments.push("--mail-to-disk");
        }
        arguments.extend(settings);
        let config = CommandLine::parse_from(arguments).config;
        bootstrap::check_settings(&config).unwrap();
        let clock = Clock::fixed(NOON.parse().unwrap());
        let random = Random::seeded(7);
        let pools = bootstrap::connect_pools(&config).await.unwrap();
        let listener = bootstrap::listen(config.listen).await.unwrap();
        let address = listener.local_addr().unwrap();
        let passwords = Passwords::cheap(random.clone()).unwrap();
        // An index that is shared may be unreachable, or another process may have to build it.
        let has_index = !config.search.has_cluster() && engine.is_none();
        let mut state = bootstrap::create_state(config, pools, passwords, clock, random).unwrap();
        if let Some(engine) = engine {
            state = with_engine(&state, engine);
        }
        let stop = CancellationToken::new();
        tokio::spawn(serve::serve(state.clone(), Some(listener), stop.clone()));
        let progress = &state.progress;
        if has_index {
            progress.index.subscribe().wait_for(|job| job.ready).await.unwrap();
        }
        for job in [&progress.matcher, &progress.sealing, &progress.sending] {
            job.subscribe().wait_for(|job| job.ready).await.unwrap();
        }
        Self { state, address, folder, _stop: stop.drop_guard(), database }
    }

    /// The URL of the portal's database.
    pub fn database_url(&self) -> String {
        self.state.config.database.database_url.expose_secret().to_owned()
    }

    /// Returns a client without credentials.
    pub fn guest(&self) -> Client {
        Client::new(self.address)
    }

    /// Returns a client of this portal with the credentials of a client of another portal.
    pub fn same_user(&self, other: &Client) -> Client {
        other.at(self.address)
    }

    /// Creates a user of this role on the free plan and signs in. The address `name@example.lk` is
    /// confirmed.
    pub async fn user(&self, name: &str, role: &str) -> Client {
        let client = self.unconfirmed_user(name, role).await;
        let (state, email) = (&self.state, format!("{name}@example.lk"));
        let now = state.clock.now();
        let mut tx = storage::begin(&state.db).await.unwrap();
        let user = users::by_email(&mut *tx, &email, now).await.unwrap().unwrap();
        users::verify_address(&mut tx, user.id, &email, now).await.unwrap();
        tx.commit().await.unwrap();
        client
    }

    /// Creates a user with an unconfirmed address and signs in.
    pub async fn unconfirmed_user(&self, name: &str, role: &str) -> Client {
        let form = serde_json::json!({"firstName": name, "lastName": "Perera", "email": format!("{name}@example.lk"),
            "password": "secret-of-theirs", "role": role});
        let reply = self.guest().post("/auth/register", &form).await;
        self.guest().with_token(reply.expect(201)["data"]["token"].as_str().unwrap())
    }

    /// Marks a user's address as unconfirmed.
    pub async fn unconfirm(&self, name: &str) {
        sqlx::query("update address set verified_at = null where email = $1")
            .bind(format!("{name}@example.lk"))
            .execute(&self.state.db)
            .await
            .unwrap();
    }

    /// Creates a user with a confirmed address and signs in. The user has `plan` for a year, or
    /// the free plan if `plan` is `None`.
    pub async fn subscriber(&self, name: &str, role: &str, plan: Option<&str>) -> Client {
        let client = self.user(name, role).await;
        let state = &self.state;
        let now = state.clock.now();
        let mut tx = storage::begin(&state.db).await.unwrap();
        if let Some(plan) = plan {
            let user = users::by_email(&mut *tx, &format!("{name}@example.lk"), now).await.unwrap().unwrap();
            let end = now + SignedDuration::from_hours(24 * 365);
            subscriptions::insert_given(
                &mut tx,
                state.random.id(&state.clock),
                user.id,
                plan.parse().unwrap(),
                now,
                end,
            )
            .await
            .unwrap();
        }
        tx.commit().await.unwrap();
        client
    }

    /// Signs a user in, with the browser in which the user registered. An access token expires after
    /// an hour, so tests sign in again when the clock has advanced.
    pub async fn sign_in(&self, name: &str) -> Client {
        let email = format!("{name}@example.lk");
        let browser = self.guest().with_cookie(&browser_cookie(&self.state, &email).await);
        let form = serde_json::json!({"email": email, "password": "secret-of-theirs"});
        let reply = browser.post("/auth/login", &form).await;
        self.guest().with_token(reply.expect(200)["data"]["token"].as_str().unwrap())
    }

    /// Creates an operator token with all scopes.
    pub async fn operator_token(&self) -> String {
        let state = &self.state;
        create_operator_token(&state.db, &state.clock, &state.random).await
    }

    /// Returns a client with a new operator token that has all scopes.
    pub async fn operator(&self) -> Client {
        self.guest().with_token(&self.operator_token().await)
    }

    /// Waits until the index has reached the end of the change log.
    pub async fn wait_until_indexed(&self) {
        let head = changes::head(&self.state.db).await.unwrap();
        let timeout = std::time::Duration::from_secs(20);
        assert!(
            self.state.progress.wait_until_indexed(head.position, timeout).await,
            "the index does not reach the end of the log"
        );
    }

    /// Waits until the matcher has reached the end of the change log.
    pub async fn wait_until_matched(&self) {
        let head = changes::head(&self.state.db).await.unwrap();
        let mut matcher = self.state.progress.matcher.subscribe();
        let reached = matcher.wait_for(|job| job.position >= head.position);
        let timeout = std::time::Duration::from_secs(20);
        tokio::time::timeout(timeout, reached)
            .await
            .expect("the matcher does not reach the end of the log")
            .unwrap();
    }

    /// Moves the clock forward by this many seconds.
    pub fn advance(&self, seconds: i64) {
        let later = self.state.clock.now().as_second() + seconds;
        self.state.clock.set(Timestamp::from_second(later).unwrap());
    }
}
