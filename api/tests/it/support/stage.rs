//! Everything that a server process needs in a test.

use super::{
    TestDatabase, poll,
    publishing::{self, TestSubscriber},
    server::Server,
    smtp::{Behaviour, SmtpServer},
};
use sqlx::PgPool;
use std::path::Path;

/// A database with one subscriber, a data folder and a mail server.
pub struct Stage {
    pub database: TestDatabase,
    pub pool: PgPool,
    pub data: tempfile::TempDir,
    pub smtp: SmtpServer,
    pub subscriber: TestSubscriber,
}

impl Stage {
    pub async fn new(behaviour: Behaviour) -> Self {
        Self::on(TestDatabase::fresh().await, behaviour).await
    }

    /// Creates a stage on this database, and the subscriber in the database.
    pub async fn on(database: TestDatabase, behaviour: Behaviour) -> Self {
        let pool = database.pool();
        let subscriber = publishing::create_subscriber(&pool, "bridge").await;
        Self {
            database,
            pool,
            data: tempfile::tempdir().unwrap(),
            smtp: SmtpServer::start(behaviour).await,
            subscriber,
        }
    }

    pub fn data(&self) -> &Path {
        self.data.path()
    }

    pub async fn start(&self) -> Server {
        Server::start(&self.database.url(), self.data(), &self.smtp, true).await
    }

    pub async fn publish(&self, server: &Server, nth: u32) {
        publishing::publish(&server.base, &self.subscriber.operator_token, nth, "Construction of a bridge")
            .await;
    }

    /// Waits until a query returns `expected`.
    pub async fn wait_for_count(&self, sql: &'static str, expected: i64) {
        self.wait_for(sql, expected, |count| count == expected).await;
    }

    /// Waits until a query returns at least `expected`.
    pub async fn wait_for_at_least(&self, sql: &'static str, expected: i64) {
        self.wait_for(sql, expected, |count| count >= expected).await;
    }

    async fn wait_for(&self, sql: &'static str, expected: i64, fits: impl Fn(i64) -> bool) {
        let mut last = None;
        let reached = poll(async || {
            last = sqlx::query_scalar::<_, i64>(sql).fetch_one(&self.pool).await.ok();
            last.filter(|count| fits(*count))
        });
        assert!(reached.await.is_some(), "{sql}: {last:?}, not {expected}");
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar::<_, i64>(sql).fetch_one(&self.pool).await.unwrap()
    }

    /// Makes all leased messages, and all messages that await a retry, due now.
    pub async fn make_pending_due(&self) {
        sqlx::query("update delivery set try_at = '2000-01-01Z' where state in ('leased', 'retry')")
            .execute(&self.pool)
            .await
            .unwrap();
    }

    /// Waits until this many matches are sent. Checks that no other match or message is recorded,
    /// and that mails with the same Message-ID are identical.
    pub async fn assert_all_sent_once(&self, matches: i64) {
        self.wait_for_count("select count(*) from delivery_item i join delivery d on d.id = i.delivery_id where d.state = 'sent'", matches).await;
        assert_eq!(self.count("select count(*) from match").await, matches);
        assert_eq!(self.count("select count(*) from delivery where state <> 'sent'").await, 0);
        let by_id = self.smtp.accepted_by_id();
        let sent = self.count("select count(*) from delivery").await;
        assert_eq!(i64::try_from(by_id.len()).unwrap(), sent, "{by_id:?}");
        for messages in by_id
            .keys()
            .map(|id| self.smtp.accepted().into_iter().filter(|m| m.message_id == *id).collect::<Vec<_>>())
        {
            assert!(
                messages.windows(2).all(|two| two[0] == two[1]),
                "two different messages have the same Message-ID"
            );
        }
    }
}
