//! One process takes over from another one that matched the alerts, or a shard of them.

use crate::support::{
    database_proxy::DatabaseProxy, publishing, server::Server, smtp::Behaviour, stage::Stage, wait_until,
};
use sqlx::{Connection, PgConnection};
use std::time::{Duration, Instant};

/// Within this time, another process matches.
const TAKEOVER: Duration = Duration::from_secs(10);

/// The processes of one portal: a server without jobs, and workers.
struct Workers {
    stage: Stage,
    server: Server,
}

impl Workers {
    async fn new() -> Self {
        let stage = Stage::new(Behaviour::Accept).await;
        let index = stage.data().join("index-of-server").display().to_string();
        let settings = ["--jobs-elsewhere", "--index", &index];
        let server =
            Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &settings).await;
        Self { stage, server }
    }

    async fn start(&self, name: &str, settings: &[&str]) -> Server {
        self.start_on(&self.stage.database.url(), name, settings).await
    }

    async fn start_on(&self, database_url: &str, name: &str, settings: &[&str]) -> Server {
        let index = self.stage.data().join(name).display().to_string();
        let settings = [&["--index", &index], settings].concat();
        Server::start_worker(database_url, self.stage.data(), &self.stage.smtp, &settings).await
    }

    async fn publish(&self, nth: u32) {
        self.stage.publish(&self.server, nth).await;
    }

    async fn matches(&self) -> i64 {
        self.stage.count("select count(*) from match").await
    }

    /// How often a process has loaded all alerts.
    fn loads(&self) -> usize {
        let log = std::fs::read_to_string(self.stage.data().join("server.log")).unwrap();
        log.matches("loaded the stored alerts").count()
    }

    /// Waits until two processes match alerts or stand by.
    async fn wait_until_two_live(&self) {
        wait_until("both processes live", async || {
            self.stage.count("select count(*) from matcher_process").await == 2
        })
        .await;
    }

    async fn wait_for_matches(&self, expected: i64) {
        wait_until(&format!("{expected} matches"), async || self.matches().await == expected).await;
    }

    /// Waits for the matches that another process finds after an attack.
    async fn assert_taken_over(&self, expected: i64) {
        let began = Instant::now();
        self.wait_for_matches(expected).await;
        let took = began.elapsed();
        assert!(took < TAKEOVER, "{took:?}");
    }

    /// Expects that a process that was attacked after two tenders stands by, and changes nothing.
    async fn assert_stands_by(&self) {
        self.wait_until_two_live().await;
        self.publish(3).await;
        self.wait_for_matches(3).await;
        self.stage.assert_all_sent_once(3).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hot_standby_takes_over_from_a_killed_process() {
    let all = Workers::new().await;
    let first = all.start("first", &[]).await;
    all.publish(1).await;
    all.wait_for_matches(1).await;
    let standby = all.start("standby", &[]).await;
    assert_eq!(all.loads(), 2, "a ready process has loaded the alerts");

    first.kill();
    all.publish(2).await;
    all.assert_taken_over(2).await;
    assert_eq!(all.loads(), 2, "the standby matches with the alerts that it had loaded");
    all.stage.assert_all_sent_once(2).await;

    // A process that ends in order leaves its shard to the next one.
    let next = all.start("next", &[]).await;
    assert!(standby.stop().success());
    all.publish(3).await;
    all.wait_for_matches(3).await;
    assert_eq!(all.loads(), 3);
    assert!(next.stop().success());
    assert_eq!(all.stage.count("select count(*) from matcher_process").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn standby_takes_over_from_a_paused_process() {
    let all = Workers::new().await;
    let first = all.start("first", &[]).await;
    let standby = all.start("standby", &[]).await;
    all.publish(1).await;
    all.wait_for_matches(1).await;
    first.pause();
    all.publish(2).await;
    all.assert_taken_over(2).await;
    // The paused process wakes up, and stands by.
    first.resume();
    all.assert_stands_by().await;
    // It can take over in turn.
    standby.kill();
    all.publish(4).await;
    all.assert_taken_over(4).await;
    all.stage.assert_all_sent_once(4).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paused_process_keeps_no_locks_and_writes_nothing_later() {
    let all = Workers::new().await;
    let first = all.start("first", &[]).await;
    let standby = all.start("standby", &[]).await;
    all.publish(1).await;
    all.wait_for_matches(1).await;
    // The process is paused within its transaction, which has locked the shard and waits to insert a match.
    let mut other = PgConnection::connect(&all.stage.database.url()).await.unwrap();
    let mut held = other.begin().await.unwrap();
    sqlx::query("lock table match in exclusive mode").execute(&mut *held).await.unwrap();
    all.publish(2).await;
    all.stage
        .wait_for_at_least(
            "select count(*) from pg_stat_activity where datname = current_database()
                and wait_event_type = 'Lock' and query like 'insert into match %'",
            1,
        )
        .await;
    first.pause();
    held.rollback().await.unwrap();
    all.assert_taken_over(2).await;
    first.resume();
    all.assert_stands_by().await;
    assert!(standby.stop().success() && first.stop().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn standby_takes_over_from_a_process_that_lost_the_database() {
    let all = Workers::new().await;
    let proxy = DatabaseProxy::start(&all.stage.database.url());
    let first = all.start_on(&proxy.url(&all.stage.database.url()), "first", &[]).await;
    let standby = all.start("standby", &[]).await;
    all.publish(1).await;
    all.wait_for_matches(1).await;
    proxy.freeze(true);
    all.publish(2).await;
    all.assert_taken_over(2).await;
    proxy.freeze(false);
    all.assert_stands_by().await;
    assert!(standby.stop().success() && first.stop().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_share_the_shards_and_those_of_a_killed_process() {
    let all = Workers::new().await;
    for _ in 0..40 {
        publishing::save_alert(&all.stage.pool, all.stage.subscriber.user_id, "bridge").await;
    }
    let settings = ["--matcher-shards", "4"];
    let first = all.start("first", &settings).await;
    all.stage
        .wait_for_count("select count(*) from matcher_shard s join matcher_process p on p.id = s.holder", 4)
        .await;
    let second = all.start("second", &settings).await;
    let shared = "select count(*) from (select from matcher_shard where holder is not null
        group by holder having count(*) = 2) as half";
    all.stage.wait_for_count(shared, 2).await;
    all.publish(1).await;
    all.wait_for_matches(41).await;
    second.kill();
    all.publish(2).await;
    all.assert_taken_over(82).await;
    // The process that starts last decides the number of shards.
    let third = all.start("third", &["--matcher-shards", "3"]).await;
    all.stage.wait_for_count("select count(*) from matcher_shard where shards = 3", 3).await;
    all.publish(3).await;
    all.wait_for_matches(123).await;
    all.stage
        .wait_for_count("select count(*) from delivery_item i join delivery d on d.id = i.delivery_id where d.state = 'sent'", 123)
        .await;
    assert!(third.stop().success() && first.stop().success());
}
