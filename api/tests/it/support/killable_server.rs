//! A portal whose API runs during the whole test. Its jobs run in processes that tests start and
//! kill.
//!
//! A process is simulated by a Tokio runtime of its own. Shutting the runtime down aborts its
//! tasks and breaks its connections, as a kill does. All processes share one clock.

use super::{
    Client, TestDatabase,
    portal::browser_cookie,
    smtp::{Behaviour, SmtpServer},
};
use api::{
    app::state::AppState,
    base::{clock::Clock, config::ServeConfig, password::Passwords, random::Random},
    cli::bootstrap,
    domain::{schedule, subscription::SubscriptionStatus},
    http::router,
    jobs,
    storage::{self, subscriptions},
};
use clap::Parser;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::{net::SocketAddr, time::Duration};
use tender_model::vocabulary::Moment;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// A process that is killed after `milliseconds`, and the mail server's behaviour until then.
#[derive(Debug, Clone, Copy)]
pub struct KilledProcess {
    pub milliseconds: u64,
    pub smtp: Behaviour,
}

#[derive(Parser)]
#[command(args_override_self = true)]
struct CommandLine {
    #[command(flatten)]
    config: ServeConfig,
}

/// A database, a data folder, a mail server, and an API without jobs.
pub struct KillableServer {
    pub portal: AppState,
    pub address: SocketAddr,
    pub smtp: SmtpServer,
    arguments: Vec<String>,
    _folder: tempfile::TempDir,
    // This is the last field, so that the database is dropped after everything that uses it.
    _database: TestDatabase,
}

impl KillableServer {
    /// Starts a portal with these additional command-line arguments. The clock is at noon on a
    /// Friday in Colombo.
    pub async fn new(settings: &[&str]) -> Self {
        let database = TestDatabase::fresh().await;
        let folder = tempfile::tempdir().unwrap();
        let smtp = SmtpServer::start(Behaviour::Accept).await;
        let mut arguments = vec![
            "api",
            "--listen",
            "127.0.0.1:0",
            "--web",
            "no-web-app-here",
            "--public-url",
            "http://portal.test",
        ];
        arguments.extend([
            "--database-connections",
            "8",
            "--sign-ins-a-minute",
            "60000",
            "--require-second-factor",
            "false",
            "--rate-limit-factor",
            "1000",
            "--guest-cache-ms",
            "0",
        ]);
        arguments.extend(["--mail-from", "Portal <alerts@portal.test>"]);
        arguments.extend(["--collect-quiet-seconds", "0", "--collect-limit-seconds", "0"]);
        let (url, data) = (database.url(), folder.path().join("data"));
        arguments.extend(["--database-url", &url, "--data", data.to_str().unwrap(), "--smtp-url", &smtp.url]);
        arguments.extend(settings);
        let arguments: Vec<String> = arguments.into_iter().map(String::from).collect();
        let portal =
            build_state(&arguments, Clock::fixed("2026-11-20T12:00:00+05:30".parse().unwrap())).await;
        let listener = bootstrap::listen("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = router::router(portal.clone()).into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(axum::serve(listener, service).into_future());
        Self { portal, address, smtp, arguments, _folder: folder, _database: database }
    }

    pub fn now(&self) -> Timestamp {
        self.portal.clock.now()
    }

    /// Moves the clock of the API and of all processes. A negative time sets the clock back.
    pub fn advance(&self, time: SignedDuration) {
        self.portal.clock.set(self.now() + time);
    }

    /// Signs a user in. An access token expires after an hour, so tests sign in again when the
    /// clock has advanced.
    pub async fn sign_in(&self, email: &str) -> Client {
        let guest = Client::new(self.address);
        let browser = guest.with_cookie(&browser_cookie(&self.portal, email).await);
        let form = json!({"email": email, "password": "secret-of-theirs"});
        let reply = browser.post("/auth/login", &form).await.expect(200);
        guest.with_token(reply["data"]["token"].as_str().unwrap())
    }

    /// Ends a user's plan now, if there is one.
    pub async fn end_plan(&self, user_id: Uuid) {
        let (db, now) = (&self.portal.db, self.now());
        let Some(mut held) = subscriptions::active_of_user(db, user_id).await.unwrap() else { return };
        (held.status, held.ended_at, held.auto_renew) = (SubscriptionStatus::Expired, Some(now), false);
        held.holds_until = held.holds_until.min(now);
        let mut tx = storage::begin(db).await.unwrap();
        subscriptions::save(&mut tx, &held, now).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Starts and kills these processes one after another. Then runs another process until nothing
    /// is due.
    pub async fn run_until_done(&self, killed: &[KilledProcess]) {
        for run in killed {
            self.smtp.set_behaviour(run.smtp);
            let process = self.start_process();
            tokio::time::sleep(Duration::from_millis(run.milliseconds)).await;
            process.shutdown_background();
        }
        self.smtp.set_behaviour(Behaviour::Accept);
        self.make_due("('leased', 'retry')").await;
        let process = self.start_process();
        for nth in 1..600 {
            // Skip the delay before retries. Expire leases only every three seconds, because the
            // running process needs time to send the messages that it has leased.
            self.make_due(if nth % 60 == 0 { "('leased', 'retry')" } else { "('retry')" }).await;
            if self.is_done().await {
                process.shutdown_background();
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("work is left after 30 seconds: {}", self.pending_work().await);
    }

    async fn pending_work(&self) -> String {
        sqlx::query_scalar(
            "select jsonb_build_object('matched', (select min(position) from matcher_shard), 'changes', (select max(position) from change),
                'passes', (select jsonb_object_agg(name, day) from daily_pass),
                'messages', (select jsonb_agg(jsonb_build_array(state, attempts, try_at, seal_at, last_error)) from delivery where state <> 'sent'),
                'connections', (select jsonb_agg(jsonb_build_array(state, wait_event, clock_timestamp() - state_change, query))
                    from pg_stat_activity where datname = current_database() and state <> 'idle'))::text",
        )
        .fetch_one(&self.portal.db)
        .await
        .unwrap()
    }

    /// Processes that are started from now on divide the alerts into this number of shards.
    pub fn set_shards(&mut self, count: u32) {
        self.arguments.extend(["--matcher-shards".to_owned(), count.to_string()]);
    }

    /// Waits until all changes are matched, and all readers of saved tenders are told.
    pub async fn wait_until_matched(&self) {
        let matched = crate::support::poll(async || {
            let sql = "select bool_and(position = (select position from change_head) and next_shards is null)
                    and (bool_and(shards = 1) or max(saved_position) = (select position from change_head))
                from matcher_shard";
            sqlx::query_scalar(sql).fetch_one(&self.portal.db).await.unwrap_or(false).then_some(())
        });
        assert!(matched.await.is_some(), "not matched within 30 seconds: {}", self.pending_work().await);
    }

    /// Takes the index away from all processes. It is moved and not deleted, because threads of
    /// Tantivy outlive a killed runtime for a moment, and their files would reappear meanwhile.
    pub fn lose_index(&self) {
        let index = self.portal.config.data.index();
        std::fs::rename(&index, index.with_extension("lost")).unwrap();
    }

    /// Starts a process that runs all jobs of a server.
    pub fn start_process(&self) -> Runtime {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (arguments, clock) = (self.arguments.clone(), self.portal.clock.clone());
        runtime.spawn(async move {
            let state = build_state(&arguments, clock).await;
            jobs::spawn(&state, &CancellationToken::new()).wait().await;
        });
        runtime
    }

    /// Makes messages in these states due.
    async fn make_due(&self, states: &str) {
        let sql = format!(
            "update delivery set try_at = '2000-01-01Z' where state in {states} and try_at > $1::timestamptz"
        );
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(self.now().to_string())
            .execute(&self.portal.db)
            .await
            .unwrap();
    }

    async fn is_done(&self) -> bool {
        let now = self.now();
        let morning = schedule::last_morning(Moment::new(now));
        let (month, _) = schedule::last_due_report_month(Moment::new(now));
        sqlx::query_scalar(
            "select (select min(position) from matcher_shard) = (select coalesce(max(position), 0) from change)
                and exists (select from daily_pass where name = 'reminders' and day = $2::date)
                and exists (select from daily_pass where name = 'summary' and day = $3::date)
                and exists (select from daily_pass where name = 'reports' and day = $4::date)
                and not exists (select from delivery where state in ('sealed', 'leased', 'retry')
                    or (state = 'open' and seal_at <= $1::timestamptz))
                and not exists (select from sandbox_agreement where state = 'active' and next_charge_at <= $1::timestamptz)
                and not exists (select from sandbox_event where told_at is null)
                and not exists (select from payment_task where done_at is null)",
        )
        .bind(now.to_string())
        .bind(morning.to_string())
        .bind(schedule::monday_of(morning).to_string())
        .bind(month.to_string())
        .fetch_one(&self.portal.db)
        .await
        .unwrap()
    }
}

async fn build_state(arguments: &[String], clock: Clock) -> AppState {
    let config = CommandLine::parse_from(arguments).config;
    let random = Random::from_system();
    let pools = bootstrap::connect_pools(&config).await.unwrap();
    let passwords = Passwords::cheap(random.clone()).unwrap();
    bootstrap::create_state(config, pools, passwords, clock, random).unwrap()
}
