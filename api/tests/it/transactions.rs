//! Transactions of requests that are cancelled.

use crate::support::{TestDatabase, wait_until};
use api::storage;
use futures::poll;
use sqlx::postgres::PgPoolOptions;
use std::pin::pin;

#[tokio::test]
async fn a_transaction_that_is_cancelled_while_it_begins_leaves_no_trace() {
    let database = TestDatabase::fresh().await;
    let other = database.pool();
    sqlx::query("create table written (nth integer)").execute(&other).await.unwrap();
    let pool = PgPoolOptions::new().max_connections(1).connect(&database.url()).await.unwrap();
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
        // The only connection is free again, and what is written on it is visible at once.
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
