//! The change log lists commits in order and without gaps, for any number of concurrent writers.

use crate::support::{TestDatabase, publishing};
use api::{
    base::{clock::Clock, random::Random},
    domain::alert::{EmailSettings, NewAlert},
    storage::{
        self, alerts,
        changes::{self, NewRevision},
    },
};
use sqlx::{PgPool, Postgres, Transaction};
use std::time::Duration;
use tender_model::alert::{AlertQuery, Keyword};
use uuid::Uuid;

async fn insert_alert<'a>(
    pool: &'a PgPool,
    user_id: Uuid,
    random: &Random,
) -> (Transaction<'a, Postgres>, NewRevision) {
    let clock = Clock::system();
    let keywords = vec![Keyword { term: "road".to_owned(), ..Keyword::default() }];
    let alert = NewAlert {
        name: "Roads".to_owned(),
        description: None,
        query: AlertQuery { keywords, ..AlertQuery::default() },
        email: EmailSettings::default(),
        channels: Vec::new(),
    };
    let mut tx = storage::begin(pool).await.unwrap();
    let revision = alerts::insert(&mut tx, random.id(&clock), user_id, &alert, clock.now()).await.unwrap();
    (tx, revision)
}

#[tokio::test]
async fn writers_committing_in_reverse_order_lose_no_change() {
    let database = TestDatabase::fresh().await;
    let pool = database.pool();
    let user_id = publishing::create_subscriber(&pool, "bridge").await.user_id;
    let (clock, random) = (Clock::system(), Random::seeded(1));
    let start = changes::head(&pool).await.unwrap().position;
    let (first, first_revision) = insert_alert(&pool, user_id, &random).await;
    let (second, second_revision) = insert_alert(&pool, user_id, &random).await;

    let second_at = changes::commit(second, &[second_revision], &clock, &random).await.unwrap();
    let seen = changes::after(&pool, start, 10).await.unwrap();
    assert_eq!(
        seen.iter().map(|change| (change.at, change.of)).collect::<Vec<_>>(),
        [(second_at, second_revision)]
    );

    // A reader that has read the second change still gets the first one.
    let first_at = changes::commit(first, &[first_revision], &clock, &random).await.unwrap();
    assert_eq!(first_at.position, second_at.position + 1);
    let rest = changes::after(&pool, second_at.position, 10).await.unwrap();
    assert_eq!(rest.iter().map(|change| change.of).collect::<Vec<_>>(), [first_revision]);
    assert_eq!(changes::head(&pool).await.unwrap(), first_at);
    assert!(changes::contains(&pool, second_at).await.unwrap());
    let elsewhere = index::LogPosition { change_id: Uuid::from_u128(1), ..second_at };
    assert!(!changes::contains(&pool, elsewhere).await.unwrap());
}

#[tokio::test]
async fn reader_sees_concurrent_changes_once_and_in_order() {
    const WRITERS: usize = 6;
    const CHANGES_PER_WRITER: usize = 15;
    let database = TestDatabase::fresh().await;
    let pool = database.pool();
    let user_id = publishing::create_subscriber(&pool, "bridge").await.user_id;
    let (clock, random) = (Clock::system(), Random::seeded(2));
    let start = changes::head(&pool).await.unwrap().position;
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let (pool, clock, random) = (pool.clone(), clock.clone(), random.clone());
        writers.spawn(async move {
            let mut written = Vec::new();
            for nth in 0..CHANGES_PER_WRITER {
                let (tx, revision) = insert_alert(&pool, user_id, &random).await;
                if (writer + nth) % 4 == 0 {
                    tx.rollback().await.unwrap();
                } else {
                    changes::commit(tx, &[revision], &clock, &random).await.unwrap();
                    written.push(revision.id);
                }
            }
            written
        });
    }
    let mut seen = Vec::new();
    let mut written = Vec::new();
    let mut position = start;
    loop {
        let done = writers.is_empty();
        for change in changes::after(&pool, position, 7).await.unwrap() {
            assert_eq!(change.at.position, position + 1, "positions have no gaps");
            position = change.at.position;
            seen.push(change.of.id);
        }
        if done && position == changes::head(&pool).await.unwrap().position {
            break;
        }
        if let Ok(Some(ids)) = tokio::time::timeout(Duration::from_millis(1), writers.join_next()).await {
            written.extend(ids.unwrap());
        }
    }
    seen.sort_unstable();
    written.sort_unstable();
    assert_eq!(seen, written);
}
