//! The alerts are divided into shards, which find what one matcher finds.

use crate::support::{Client, TestDatabase, killable_server::KillableServer, wait_until};
use api::{
    base::{clock::Clock, random::Random},
    domain::{
        alert::{EmailSettings, NewAlert},
        alert_shard::AlertShard,
    },
    storage::{
        self, alerts,
        changes::{self, NewRevision},
        subscriptions, tenders, users,
    },
};
use jiff::SignedDuration;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use tender_model::{
    alert::{AlertQuery, Keyword},
    tender::Tender,
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

#[tokio::test]
async fn database_and_program_find_the_same_shard() {
    let database = TestDatabase::fresh().await;
    let pool = database.pool();
    let (clock, random) = (Clock::system(), Random::seeded(7));
    let ids: Vec<Uuid> = (0..500).map(|_| random.id(&clock)).collect();
    for count in [1, 2, 3, 7, 64] {
        let sql = "select matcher_shard_of(id, $2) from unnest($1::uuid[]) with ordinality as i (id, nth) order by nth";
        let shards: Vec<i32> = sqlx::query_scalar(sql).bind(&ids).bind(count).fetch_all(&pool).await.unwrap();
        for (id, number) in ids.iter().zip(&shards) {
            let containing: Vec<i32> =
                (0..count).filter(|number| AlertShard { number: *number, count }.contains(*id)).collect();
            assert_eq!(containing, [*number], "{id} of {count}");
        }
        // The parts have about the same size.
        for number in 0..count {
            let size = shards.iter().filter(|shard| **shard == number).count();
            assert!(
                size * usize::try_from(count).unwrap() < 1200,
                "{size} of 500 in shard {number} of {count}"
            );
        }
    }
}

/// The statements of the last release, which had one row for all processes.
#[tokio::test]
async fn processes_of_the_last_release_match_while_there_is_one_shard() {
    let database = TestDatabase::fresh().await;
    let pool = database.pool();
    let mut tx = storage::begin(&pool).await.unwrap();
    let lock = "select position from matcher_position for update skip locked";
    let position: Option<i64> = sqlx::query_scalar(lock).fetch_optional(&mut *tx).await.unwrap();
    assert_eq!(position, Some(0));
    // A process of this release waits for it.
    let new = "select position from matcher_shard where shard = 0 for update skip locked";
    let locked: Option<i64> = sqlx::query_scalar(new).fetch_optional(&pool).await.unwrap();
    assert_eq!(locked, None);
    let update = "update matcher_position set position = 7, closing_day = '2026-11-20'";
    sqlx::query(update).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let position: i64 =
        sqlx::query_scalar("select position from matcher_shard").fetch_one(&pool).await.unwrap();
    assert_eq!(position, 7);

    sqlx::query("update matcher_shard set shards = 2").execute(&pool).await.unwrap();
    let position: Option<i64> = sqlx::query_scalar(lock).fetch_optional(&pool).await.unwrap();
    assert_eq!(position, None, "processes of the last release stand by");
}

/// What happens between two runs of the processes.
struct Workload {
    random: Random,
    dice: StdRng,
    user_id: Uuid,
    alerts: Vec<Uuid>,
    tenders: Vec<Tender>,
}

const WORDS: [&str; 8] = ["bridge", "road", "culvert", "chairs", "water", "clinic", "roof", "pump"];

impl Workload {
    async fn new(server: &KillableServer) -> Self {
        let email = "nimali@example.lk";
        let form = json!({"firstName": "Nimali", "lastName": "Perera", "email": email, "password": "secret-of-theirs",
            "role": "supplier"});
        Client::new(server.address).post("/auth/register", &form).await.expect(201);
        let (state, now) = (&server.portal, server.now());
        let mut tx = storage::begin(&state.db).await.unwrap();
        let user_id = users::by_email(&mut *tx, email, now).await.unwrap().unwrap().id;
        users::verify_address(&mut tx, user_id, email, now).await.unwrap();
        let (plan, until) = ("professional".parse().unwrap(), now + SignedDuration::from_hours(24 * 90));
        let id = state.random.id(&state.clock);
        subscriptions::insert_given(&mut tx, id, user_id, plan, now, until).await.unwrap();
        tx.commit().await.unwrap();
        Self {
            random: Random::seeded(11),
            dice: StdRng::seed_from_u64(11),
            user_id,
            alerts: Vec::new(),
            tenders: Vec::new(),
        }
    }

    fn words(&mut self, count: usize) -> Vec<&'static str> {
        (0..count).map(|_| *WORDS.choose(&mut self.dice).unwrap()).collect()
    }

    fn alert(&mut self) -> NewAlert {
        let keywords =
            self.words(2).into_iter().map(|term| Keyword { term: term.to_owned(), ..Keyword::default() });
        let mut query = AlertQuery { keywords: keywords.collect(), ..AlertQuery::default() };
        query.advanced_filters.max_days_until_closing = self.dice.random_ratio(1, 4).then_some(40);
        NewAlert {
            name: "An alert".to_owned(),
            description: None,
            query,
            email: EmailSettings::default(),
            channels: Vec::new(),
        }
    }

    /// Makes some changes, each in a transaction of its own, as one round of the test.
    async fn change(&mut self, server: &KillableServer, round: usize) {
        let (state, random) = (&server.portal, self.random.clone());
        let (db, clock, now) = (&state.db, &state.clock, state.clock.now());
        for _ in 0..if round == 0 { 60 } else { 6 } {
            let (id, alert) = (random.id(clock), self.alert());
            let mut tx = storage::begin(db).await.unwrap();
            let made = alerts::insert(&mut tx, id, self.user_id, &alert, now).await.unwrap();
            changes::commit(tx, &[made], clock, &random).await.unwrap();
            self.alerts.push(id);
        }
        // Tenders of earlier rounds change: the mails about them do not depend on when others are sealed.
        for nth in 0..self.tenders.len() {
            if !self.dice.random_ratio(1, 3) {
                continue;
            }
            let words = self.words(3).join(" ");
            let tender = &mut self.tenders[nth];
            match self.dice.random_range(0..3) {
                0 if nth % 5 > 0 => tender.title = format!("Lot {nth}: {words}"),
                1 => tender.dates.closing = format!("209{}-01-01T10:00:00+05:30", round % 10).parse().ok(),
                _ => {
                    tender.status = match tender.status {
                        TenderStatus::Published => TenderStatus::Cancelled,
                        _ => TenderStatus::Published,
                    }
                }
            }
            let mut tx = storage::begin(db).await.unwrap();
            let revision = tenders::revise(&mut tx, tender, now).await.unwrap();
            if let Some(revision) = revision {
                changes::commit(tx, &[revision], clock, &random).await.unwrap();
            }
        }
        for nth in 0..20 {
            if self.dice.random_ratio(1, 2) {
                self.edit_alert(server).await;
            }
            // No alert matches some of the tenders, so only those who saved them are told about changes.
            let words = if nth % 5 == 0 { "zinc".to_owned() } else { self.words(2).join(" ") };
            let mut tender = Tender {
                id: random.id(clock),
                published_at: Some(clock.moment()),
                title: format!("Tender {round}.{nth}: {words}"),
                status: TenderStatus::Published,
                ..Tender::default()
            };
            tender.dates.closing = "2026-12-31T10:00:00+05:30".parse().ok();
            let mut tx = storage::begin(db).await.unwrap();
            let revision = tenders::insert(&mut tx, &tender, None, now).await.unwrap();
            if self.dice.random_ratio(1, 4) {
                sqlx::query(
                    "insert into favourite (user_id, tender_id, at) values ($1, $2, $3::timestamptz)",
                )
                .bind(self.user_id)
                .bind(tender.id)
                .bind(now.to_string())
                .execute(&mut *tx)
                .await
                .unwrap();
            }
            changes::commit(tx, &[revision], clock, &random).await.unwrap();
            self.tenders.push(tender);
        }
    }

    async fn edit_alert(&mut self, server: &KillableServer) {
        let (state, random) = (&server.portal, self.random.clone());
        let now = state.clock.now();
        let (id, alert) = (*self.alerts.choose(&mut self.dice).unwrap(), self.alert());
        let mut tx = storage::begin(&state.db).await.unwrap();
        let revision: Option<NewRevision> = match self.dice.random_range(0..4) {
            0 => alerts::remove(&mut tx, self.user_id, id, now).await.unwrap(),
            1 => alerts::toggle(&mut tx, self.user_id, id, now).await.unwrap().map(|(revision, _)| revision),
            _ => alerts::rewrite(&mut tx, self.user_id, id, &alert, now).await.unwrap(),
        };
        if let Some(revision) = revision {
            changes::commit(tx, &[revision], &state.clock, &random).await.unwrap();
        }
    }
}

/// The processes of one round.
struct Round {
    shards: u32,
    processes: usize,
    /// Whether another process is killed after it has matched some changes.
    kill: bool,
}

/// What was matched, and what the messages contain.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    matches: Vec<(Uuid, Uuid, i64, i64, String)>,
    items: Vec<(Option<Uuid>, Uuid, i64, String)>,
}

async fn outcome_of(rounds: &[Round]) -> Outcome {
    let mut server = KillableServer::new(&["--canary-minutes", "0"]).await;
    let mut workload = Workload::new(&server).await;
    let db = server.portal.db.clone();
    for (nth, round) in rounds.iter().enumerate() {
        workload.change(&server, nth).await;
        server.set_shards(round.shards);
        if round.kill {
            let before: i64 =
                sqlx::query_scalar("select max(position) from matcher_shard").fetch_one(&db).await.unwrap();
            let killed = server.start_process();
            wait_until("some changes are matched", async || {
                let sql = "select max(position) > $1 from matcher_shard";
                sqlx::query_scalar(sql).bind(before).fetch_one(&db).await.unwrap()
            })
            .await;
            killed.shutdown_background();
        }
        let processes: Vec<_> = (0..round.processes).map(|_| server.start_process()).collect();
        server.wait_until_matched().await;
        // A shard that is up to date then looks at the closing days.
        let today = Moment::new(server.now()).day().to_string();
        wait_until("all shards have looked at the closing days", async || {
            let sql =
                "select not exists (select from matcher_shard where closing_day::text is distinct from $1)";
            sqlx::query_scalar(sql).bind(&today).fetch_one(&db).await.unwrap()
        })
        .await;
        wait_until("all messages are sealed", async || {
            let sql = "select not exists (select from delivery where state = 'open')";
            sqlx::query_scalar(sql).fetch_one(&db).await.unwrap()
        })
        .await;
        processes.into_iter().for_each(tokio::runtime::Runtime::shutdown_background);
        // On the next day, tenders match because the days until their closing have become fewer.
        server.advance(SignedDuration::from_hours(if nth % 2 == 0 { 24 } else { 1 }));
    }
    let matches = "select alert_id, tender_id, tender_revision, position, why::text from match order by 1, 2";
    let items = "select alert_id, tender_id, tender_revision, reason from delivery_item order by 1, 2, 3, 4";
    Outcome {
        matches: sqlx::query_as(matches).fetch_all(&db).await.unwrap(),
        items: sqlx::query_as(items).fetch_all(&db).await.unwrap(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shards_match_what_one_matcher_matches() {
    let round = |shards, processes, kill| Round { shards, processes, kill };
    let one: Vec<Round> = (0..6).map(|_| round(1, 1, false)).collect();
    let several = [
        round(3, 2, true),
        round(3, 3, false),
        round(2, 1, true),
        round(5, 3, true),
        round(1, 2, false),
        round(4, 2, true),
    ];
    let (expected, found) = tokio::join!(outcome_of(&one), outcome_of(&several));
    let count = |wanted: fn(&str) -> bool| expected.items.iter().filter(|item| wanted(&item.3)).count();
    assert!(expected.matches.len() > 1000, "{}", expected.matches.len());
    assert!(count(|reason| reason.starts_with("change:")) > 100);
    assert!(expected.items.iter().any(|item| item.0.is_none()), "readers of saved tenders are told");
    assert_eq!(found.matches, expected.matches);
    assert_eq!(found.items, expected.items);
}
