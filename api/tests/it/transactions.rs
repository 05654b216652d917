//! Transactions of requests that are cancelled.

use crate::support::{TestDatabase, wait_until};
use api::{base::config::DatabaseConfig, storage};
use futures::poll;
use std::pin::pin;

#[tokio::test]
async fn a_transaction_that_is_cancelled_while_it_begins_leaves_no_trace() {
    let database = TestDatabase::fresh().await;
    let other = database.pool();
    sqlx::query("create table written (nth integer)").execute(&other).await.unwrap();
    // With one connection, the next statement gets that of the cancelled transaction.
    let config = DatabaseConfig { database_url: database.url().into(), database_connections: 1 };
    let pool = storage::connect(&config).await.unwrap();
    for polls in 0..20 {
        {
            let mut beginning = pin!(storage::begin(&pool));
            for _ in 0..=polls {
                if poll!(&mut beginning).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        // What is written now is visible at once.
        sqlx::query("insert into written values ($1)").bind(polls).execute(&pool).await.unwrap();
        let count: i64 = sqlx::query_scalar("select count(*) from written").fetch_one(&other).await.unwrap();
        assert_eq!(count, i64::from(polls) + 1, "cancelled after {polls} polls");
    }
    wait_until("no transaction is open", async || {
        let open = "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in%'";
        sqlx::query_scalar::<_, i64>(open).fetch_one(&other).await.unwrap() == 0
    })
    .await;
}

#[tokio::test]
async fn a_connection_is_used_again_and_again() {
    let database = TestDatabase::fresh().await;
    let config = DatabaseConfig { database_url: database.url().into(), database_connections: 1 };
    let pool = storage::connect(&config).await.unwrap();
    let process = async || {
        let mut tx = storage::begin(&pool).await.unwrap();
        sqlx::query_scalar::<_, i32>("select pg_backend_pid()").fetch_one(&mut *tx).await.unwrap()
    };
    let first = process().await;
    for _ in 0..20 {
        assert_eq!(process().await, first);
        let later: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&pool).await.unwrap();
        assert_eq!(later, first);
    }
}
