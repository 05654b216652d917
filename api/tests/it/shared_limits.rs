//! Limits of requests that all servers of a portal share.

use crate::support::{TestDatabase, cluster::Cluster, server::Server, smtp::Behaviour, stage::Stage};
use api::{
    app::{
        metrics::{Metrics, gauges::Gauges},
        request_ceiling::{self, ChunkCounter},
        request_limits::RequestLimits,
        route_class::{LimitSubject, RouteClass},
    },
    base::{
        clock::Clock,
        config::{DatabaseConfig, LimitsConfig},
    },
    domain::error::ServiceError,
    storage,
};
use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::{
    net::IpAddr,
    num::NonZeroU32,
    sync::Arc,
    time::{Duration, Instant},
};
use uuid::Uuid;

/// The limit of sign-ins and other requests about accounts, in a minute.
const LIMIT: u32 = 100;
/// The requests that a server permits before it asks the database.
const CHUNK: u32 = LIMIT / 10;
/// A path that is counted by [`LIMIT`], for the account or the address.
const LIMITED_PATH: &str = "/api/auth/export";

/// How a server answered some requests of one caller.
#[derive(Debug, Default)]
struct Answers {
    permitted: u32,
    refused: u32,
    /// The longest time in `Retry-After`, in seconds.
    retry_after: u32,
}

/// A caller: the address that a proxy names, and perhaps the token of a session.
#[derive(Clone, Copy)]
struct TestCaller<'a> {
    address: &'a str,
    token: Option<&'a str>,
}

/// Makes requests to the servers in turn.
async fn call_in_turn(servers: &[Server], caller: TestCaller<'_>, path: &str, requests: usize) -> Answers {
    let (client, mut answers) = (reqwest::Client::new(), Answers::default());
    for server in servers.iter().cycle().take(requests) {
        let mut request =
            client.get(format!("{}{path}", server.base)).header("x-forwarded-for", caller.address);
        if let Some(token) = caller.token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.unwrap();
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            let wait: u32 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
            answers.refused += 1;
            answers.retry_after = answers.retry_after.max(wait);
            assert!(wait >= 1, "{wait}");
        } else {
            assert!(!response.status().is_server_error(), "{}", response.status());
            answers.permitted += 1;
        }
    }
    answers
}

/// Registers a supplier. Returns the token of the session.
async fn register(server: &Server, email: &str) -> String {
    let form = json!({
        "email": email, "password": "a long password", "firstName": "Nimal", "lastName": "Perera", "role": "supplier",
    });
    let request = reqwest::Client::new().post(format!("{}/api/auth/register", server.base)).json(&form);
    let made: Value = request.send().await.unwrap().json().await.unwrap();
    made["data"]["token"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn caller_of_three_servers_has_one_limit() {
    let stage = Stage::new(Behaviour::Accept).await;
    let limit = LIMIT.to_string();
    let mut servers = Vec::new();
    for index in ["a", "b", "c"] {
        let index = stage.data().join(index).display().to_string();
        let settings = ["--index", &index, "--sign-ins-a-minute", &limit, "--jobs-elsewhere"];
        let shared = ["--shared-limits", "--shared-limits-wait-ms", "10000"];
        let settings = [&settings[..], &shared, &["--trusted-proxies", "127.0.0.1"]].concat();
        let (url, data) = (stage.database.url(), stage.data());
        servers.push(Server::start_with(&url, data, &stage.smtp, true, &settings).await);
    }
    let nimal = register(&servers[0], "nimal@example.lk").await;
    let kamala = register(&servers[1], "kamala@example.lk").await;
    let guest = TestCaller { address: "203.0.113.7", token: None };
    let user = TestCaller { token: Some(&nimal), ..guest };
    // Without the common count, each server would permit its third of these requests.
    for (name, caller) in [("an address", guest), ("an account", user)] {
        let started = Instant::now();
        let requests = 2 * LIMIT;
        let answers = call_in_turn(&servers, caller, LIMITED_PATH, requests as usize).await;
        let refilled = started.elapsed().as_secs_f64() * f64::from(LIMIT) / 60.0;
        let bound = f64::from(LIMIT + 3 * (CHUNK - 1)) + refilled + 1.0;
        assert!(answers.permitted >= LIMIT, "{name}: {answers:?}");
        assert!(f64::from(answers.permitted) <= bound, "{name}: {answers:?}, at most {bound}");
        assert_eq!(answers.permitted + answers.refused, requests);
        // The time in which the allowance of the chunks of three servers is refilled, and of one request.
        let longest = (3 * CHUNK + 1) * 60 / LIMIT + 1;
        assert!(answers.retry_after <= longest, "{name}: {answers:?}, at most {longest}");
    }
    // Other addresses and accounts have allowances of their own, also at the same address.
    for other in
        [TestCaller { address: "203.0.113.8", token: None }, TestCaller { token: Some(&kamala), ..guest }]
    {
        let answers = call_in_turn(&servers, other, LIMITED_PATH, 3 * CHUNK as usize).await;
        assert_eq!((answers.permitted, answers.refused), (3 * CHUNK, 0));
    }
    // Only hashes of callers are stored.
    assert_eq!(stage.count("select count(*) from request_count where octet_length(key) = 32").await, 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_apply_their_own_limits_while_the_database_is_stopped() {
    let cluster = Cluster::start();
    let stage = Stage::on(TestDatabase::on(&cluster.url).await, Behaviour::Accept).await;
    let settings = ["--shared-limits", "--trusted-proxies", "127.0.0.1", "--jobs-elsewhere"];
    let (url, data) = (stage.database.url(), stage.data());
    let servers = [Server::start_with(&url, data, &stage.smtp, true, &settings).await];
    let caller = TestCaller { address: "203.0.113.7", token: None };
    // A path that needs no database, with the limit of reading records.
    let path = "/api/openapi.json";
    let started = Instant::now();
    assert_eq!(call_in_turn(&servers, caller, path, 100).await.refused, 0);
    cluster.pause();
    let paused = Instant::now();
    let answers = call_in_turn(&servers, caller, path, 600).await;
    let refilled = started.elapsed().as_secs_f64() * 600.0 / 60.0;
    assert!(answers.permitted >= 500, "{answers:?}");
    assert!(f64::from(answers.permitted) <= 501.0 + refilled, "{answers:?}");
    assert!(paused.elapsed() < Duration::from_secs(30), "{:?}", paused.elapsed());
    cluster.resume();
}

/// Limits as a server has them, with a clock that the test sets.
struct TestServerLimits {
    limits: RequestLimits,
    metrics: Arc<Metrics>,
    clock: Clock,
}

impl TestServerLimits {
    /// The limits of a server on this database.
    fn new(database: &TestDatabase) -> Self {
        Self::with_clock(database, Clock::fixed("2026-11-20T06:00:00Z".parse().unwrap()))
    }

    fn with_clock(database: &TestDatabase, clock: Clock) -> Self {
        Self::with_wait(database, clock, Duration::from_secs(60))
    }

    /// The limits of a server whose requests wait this long for the common count.
    fn with_wait(database: &TestDatabase, clock: Clock, wait: Duration) -> Self {
        let config = DatabaseConfig { database_url: database.url().into(), database_connections: 4 };
        let metrics = Arc::<Metrics>::default();
        let counter = Arc::new(ChunkCounter::new(&config, wait, metrics.clone(), &clock).unwrap());
        let count = NonZeroU32::new(LIMIT).unwrap();
        let limits = LimitsConfig { sign_ins_a_minute: count, ..LimitsConfig::default() };
        Self { limits: RequestLimits::new(&limits, &clock, Some(&counter)), metrics, clock }
    }

    async fn try_acquire(&self, caller: LimitSubject) -> Result<(), ServiceError> {
        self.limits.try_acquire(RouteClass::Account, caller).await
    }

    /// How often the database was asked, with this outcome.
    fn chunks(&self, outcome: &str) -> u32 {
        let text = self.metrics.expose(Gauges::default()).unwrap();
        let series = format!("serendib_shared_limit_counts_total{{outcome=\"{outcome}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&series)).unwrap().parse().unwrap()
    }

    fn advance(&self, seconds: i64) {
        self.clock.set(self.clock.now() + SignedDuration::from_secs(seconds));
    }
}

#[tokio::test]
async fn next_request_succeeds_after_the_time_of_a_refusal() {
    let database = TestDatabase::fresh().await;
    let first = TestServerLimits::new(&database);
    let [second, third] = [(); 2].map(|()| TestServerLimits::with_clock(&database, first.clock.clone()));
    let servers = [first, second, third];
    let caller = LimitSubject::Account(Uuid::nil());
    let mut permitted = 0;
    let refused = loop {
        match servers[permitted % 3].try_acquire(caller).await {
            Ok(()) => permitted += 1,
            Err(error) => break error,
        }
    };
    // Each server has permitted nine requests that were not counted when the allowance was used.
    assert!((100..=127).contains(&permitted), "{permitted}");
    let ServiceError::RateLimited { retry_after_seconds } = refused else { panic!("{refused:?}") };
    let wait = i64::try_from(retry_after_seconds).unwrap();
    let asking = &servers[permitted % 3];
    assert_eq!(asking.chunks("refused"), 1);
    // Until then, the server refuses requests without a query.
    asking.advance(wait - 1);
    asking.try_acquire(caller).await.unwrap_err();
    assert_eq!(asking.chunks("refused"), 1);
    asking.advance(1);
    asking.try_acquire(caller).await.unwrap();
    // Another caller is not affected.
    asking.try_acquire(LimitSubject::Address(IpAddr::from([203, 0, 113, 7]))).await.unwrap();
    for server in &servers {
        let asked = server.chunks("permitted") + server.chunks("refused");
        assert!(asked <= LIMIT / CHUNK, "{asked} queries for {permitted} requests");
    }
}

#[tokio::test]
async fn caller_of_many_servers_gets_the_limit_in_the_long_run() {
    let database = TestDatabase::fresh().await;
    let first = TestServerLimits::new(&database);
    let second = TestServerLimits::with_clock(&database, first.clock.clone());
    let caller = LimitSubject::Account(Uuid::nil());
    // In ten minutes, each server alone would permit eleven times the limit.
    let mut permitted = 0;
    for _second in 0..600 {
        for server in [&first, &second] {
            for _ in 0..5 {
                permitted += u32::from(server.try_acquire(caller).await.is_ok());
            }
        }
        first.advance(1);
    }
    let bound = 11 * LIMIT + 2 * 2 * CHUNK;
    assert!((10 * LIMIT..=bound).contains(&permitted), "{permitted}");
}

#[tokio::test]
async fn caller_below_the_chunk_needs_no_query() {
    let database = TestDatabase::fresh().await;
    let server = TestServerLimits::new(&database);
    let caller = LimitSubject::Account(Uuid::nil());
    for _minute in 0..5 {
        for _ in 1..CHUNK {
            server.try_acquire(caller).await.unwrap();
        }
        server.advance(60);
    }
    assert_eq!(["permitted", "refused", "failed"].map(|outcome| server.chunks(outcome)), [0, 0, 0]);
}

/// Lets a server count while the database does not, and checks that it delays one request only.
async fn exhaust_without_database(database: &TestDatabase, server: &TestServerLimits, caller: LimitSubject) {
    let db = database.pool();
    let mut blocked = storage::begin(&db).await.unwrap();
    sqlx::query("lock table request_count").execute(&mut *blocked).await.unwrap();
    let started = Instant::now();
    for _ in 0..LIMIT {
        server.try_acquire(caller).await.unwrap();
    }
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    assert_eq!((server.chunks("failed"), server.chunks("permitted")), (1, 0));
    server.try_acquire(caller).await.unwrap_err();
    blocked.rollback().await.unwrap();
}

#[tokio::test]
async fn slow_database_delays_one_request() {
    let database = TestDatabase::fresh().await;
    let clock = Clock::fixed("2026-11-20T06:00:00Z".parse().unwrap());
    // The request waits until its own time limit.
    let server = TestServerLimits::with_wait(&database, clock.clone(), Duration::from_millis(100));
    exhaust_without_database(&database, &server, LimitSubject::Account(Uuid::nil())).await;
    // The database gives the statement up.
    let (server, caller) =
        (TestServerLimits::with_clock(&database, clock), LimitSubject::Account(Uuid::max()));
    exhaust_without_database(&database, &server, caller).await;

    // A moment later, the requests that were not counted are.
    server.advance(6);
    server.try_acquire(caller).await.unwrap();
    assert_eq!((server.chunks("failed"), server.chunks("permitted")), (1, 1));
    let other = TestServerLimits::with_clock(&database, server.clock.clone());
    for _ in 1..CHUNK {
        other.try_acquire(caller).await.unwrap();
    }
    other.try_acquire(caller).await.unwrap_err();
}

#[tokio::test]
async fn counts_that_limit_nothing_any_more_are_deleted() {
    let database = TestDatabase::fresh().await;
    let db = database.pool();
    let server = TestServerLimits::new(&database);
    for _ in 0..CHUNK {
        server.try_acquire(LimitSubject::Account(Uuid::nil())).await.unwrap();
    }
    let count = async || {
        sqlx::query_scalar::<_, i64>("select count(*) from request_count").fetch_one(&db).await.unwrap()
    };
    request_ceiling::delete_full(&db, &server.clock).await.unwrap();
    assert_eq!(count().await, 1);
    server.advance(60);
    request_ceiling::delete_full(&db, &server.clock).await.unwrap();
    assert_eq!(count().await, 0);
}
