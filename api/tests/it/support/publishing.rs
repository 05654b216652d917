//! Creates a subscriber with one alert and publishes notices, for tests of the path from notice to
//! mail. Also stores sample tenders in a portal.

use super::{TestPortal, portal::create_operator_token};
use api::{
    base::{clock::Clock, random::Random},
    domain::{
        alert::{EmailSettings, NewAlert},
        user::{NewUser, Role},
    },
    storage::{self, alerts, changes, subscriptions, tenders, users},
};
use jiff::SignedDuration;
use sqlx::PgPool;
use tender_model::{
    alert::{AlertQuery, Keyword},
    tender::Tender,
    vocabulary::{Language, TenderStatus},
};
use uuid::Uuid;

/// A subscriber, and an operator token for publishing.
pub struct TestSubscriber {
    pub address: String,
    pub user_id: Uuid,
    pub operator_token: String,
}

/// Creates a Professional subscriber with a confirmed address and one alert for `keyword`, and an
/// operator token.
pub async fn create_subscriber(pool: &PgPool, keyword: &str) -> TestSubscriber {
    let (clock, random) = (Clock::system(), Random::from_system());
    let now = clock.now();
    let user_id = random.id(&clock);
    let address = "subscriber@portal.test".to_owned();
    let user = NewUser {
        email: &address,
        password_hash: Some("no password opens this"),
        first_name: "Nimali",
        last_name: "Perera",
        phone: None,
        company: None,
        role: Role::Supplier,
        language: Language::English,
        email_verified: true,
    };
    let mut tx = storage::begin(pool).await.unwrap();
    assert!(users::insert(&mut tx, user_id, &user, now).await.unwrap());
    let end = now + SignedDuration::from_hours(24 * 30);
    subscriptions::insert_given(
        &mut tx,
        random.id(&clock),
        user_id,
        "professional".parse().unwrap(),
        now,
        end,
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let operator_token = create_operator_token(pool, &clock, &random).await;
    save_alert(pool, user_id, keyword).await;
    TestSubscriber { address, user_id, operator_token }
}

/// Saves an immediate alert for `keyword`.
pub async fn save_alert(pool: &PgPool, user_id: Uuid, keyword: &str) -> Uuid {
    let (clock, random) = (Clock::system(), Random::from_system());
    let id = random.id(&clock);
    let keywords = vec![Keyword { term: keyword.to_owned(), ..Keyword::default() }];
    let alert = NewAlert {
        name: format!("Looks for {keyword}"),
        description: None,
        query: AlertQuery { keywords, ..AlertQuery::default() },
        email: EmailSettings::default(),
        channels: Vec::new(),
    };
    let mut tx = storage::begin(pool).await.unwrap();
    let revision = alerts::insert(&mut tx, id, user_id, &alert, clock.now()).await.unwrap();
    changes::commit(tx, &[revision], &clock, &random).await.unwrap();
    id
}

/// Stores a published tender directly in the database.
pub async fn store_tender(pool: &PgPool, title: &str) -> Uuid {
    let (clock, random) = (Clock::system(), Random::from_system());
    let mut tender = Tender {
        id: random.id(&clock),
        title: title.to_owned(),
        status: TenderStatus::Published,
        published_at: Some(clock.moment()),
        ..Tender::default()
    };
    tender.dates.closing = "2099-01-01T10:00:00+05:30".parse().ok();
    let mut tx = storage::begin(pool).await.unwrap();
    let revision = tenders::insert(&mut tx, &tender, None, clock.now()).await.unwrap();
    changes::commit(tx, &[revision], &clock, &random).await.unwrap();
    tender.id
}

/// Stores a sample tender with this title in a portal's database and returns its id. The tender is
/// published and still open at the time at which tests start. `change` adjusts the tender before
/// it is stored.
pub async fn store_sample_tender(portal: &TestPortal, title: &str, change: impl FnOnce(&mut Tender)) -> Uuid {
    let mut tender = Tender {
        title: title.into(),
        status: TenderStatus::Published,
        published_at: "2026-11-19T09:00:00+05:30".parse().ok(),
        ..Tender::default()
    };
    tender.organization.name = "Department of Works".into();
    tender.organization.contact_person.name = Some("Somebody Private".into());
    tender.reference_no = Some("REF/77".into());
    tender.dates.closing = "2026-12-20T14:00:00+05:30".parse().ok();
    change(&mut tender);
    crate::tenders::store(portal, tender, None).await
}

/// Returns a notice file. Its closing date is far in the future.
pub fn notice(nth: u32, title: &str) -> String {
    format!(
        "---\ntitle: \"{title} {nth}\"\nreferenceNo: T/{nth}\nstatus: published\norganization:\n  name: Road Development Authority\n\
        dates:\n  closing: 2099-01-01T10:00:00+05:30\nsource:\n  publication: Daily Test\n  date: 2026-11-20\n  file: p1.jpg\n  \
        page: 1\n  box: [0.1, 0.1, 0.2, 0.2]\n---\n\n{title} {nth} over the river.\n"
    )
}

/// A JPEG file without image data, which the portal accepts as a clip.
pub const CLIP: &[u8] =
    &[0xff, 0xd8, 0xff, 0xe0, 0, 16, b'J', b'F', b'I', b'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xd9];

/// Publishes a notice under a key that is derived from `nth`.
pub async fn publish(base: &str, token: &str, nth: u32, title: &str) {
    send(base, token, nth, notice(nth, title)).await;
}

/// Uploads a notice file with a clip. Fails if the portal refuses the notice.
pub async fn send(base: &str, token: &str, nth: u32, notice: String) {
    let response = try_send(base, token, nth, notice).await.unwrap();
    let status = response.status();
    assert!(status.is_success(), "{status}: {}", response.text().await.unwrap());
}

/// Uploads a notice file with a clip and returns the response.
pub async fn try_send(
    base: &str,
    token: &str,
    nth: u32,
    notice: String,
) -> reqwest::Result<reqwest::Response> {
    let part = |bytes: Vec<u8>, media: &str| reqwest::multipart::Part::bytes(bytes).mime_str(media).unwrap();
    let form = reqwest::multipart::Form::new()
        .part("notice", part(notice.into_bytes(), "text/markdown"))
        .part("clip", part(CLIP.to_vec(), "image/jpeg"));
    let url = format!("{base}/api/ingest/notices/{nth:032x}");
    reqwest::Client::new().put(url).bearer_auth(token).multipart(form).send().await
}
