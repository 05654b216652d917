//! Signing keys and the secrets that they encrypt: rotation, removal, and secrets of earlier versions.

use crate::support::{
    Client, TestPortal,
    server::{self, Server},
    smtp::Behaviour,
    stage::Stage,
};
use api::{
    app::unsubscribe_links::{UnsubscribeLinks, UnsubscribeTarget},
    base::{clock::Clock, random::Random, secret_box::SecretBox, signing_key::SigningKey},
    cli::bootstrap,
    domain::user::{NewUser, Role},
    storage::{self, users, webhooks},
};
use serde_json::json;
use tender_model::vocabulary::Language;

/// Adds a webhook whose secret is stored in clear, as earlier versions did, a call to it, and a mail
/// with an unsubscribe link.
const ROWS: &str = "
    insert into webhook (user_id, url, secret, created_at)
        select id, 'https://hooks.example.lk/', decode(repeat('07', 24), 'hex'), created_at from users order by created_at limit 1;
    insert into delivery (id, user_id, channel, kind, frequency, address, state, opened_at, seal_at, message_id, content, sealed_at, sent_at)
        select md5('call')::uuid, user_id, 'webhook', 'letter', 'immediate', url, 'sent', created_at, created_at, 'call',
            '{}', created_at, created_at from webhook;
    insert into delivery (id, user_id, channel, kind, frequency, address, state, opened_at, seal_at, message_id, content, sealed_at, sent_at)
        select md5('mail')::uuid, user_id, 'email', 'saved', 'immediate', 'x', 'sent', created_at, created_at, 'mail',
            'x', created_at, created_at from webhook";

/// The state of the secrets: those in clear, and those that are sealed.
async fn count_secrets(portal: &TestPortal) -> (i64, i64) {
    sqlx::query_as("select count(secret), count(sealed_secret) from webhook")
        .fetch_one(&portal.state.db)
        .await
        .unwrap()
}

#[tokio::test]
async fn secret_of_an_earlier_version_is_sealed_and_survives_a_rotation() {
    let portal = TestPortal::start().await;
    portal.user("nimali", "supplier").await;
    sqlx::raw_sql(ROWS).execute(&portal.state.db).await.unwrap();
    let call = sqlx::query_scalar("select md5('call')::uuid").fetch_one(&portal.state.db).await.unwrap();
    let secret_with = async |secrets: &SecretBox| {
        webhooks::of_delivery(&portal.state.db, call, secrets).await.map(|found| found.unwrap().secret)
    };
    assert_eq!(
        secret_with(&portal.state.secrets).await.unwrap(),
        [7; 24],
        "before the start of the new version"
    );
    bootstrap::seal_secrets(&portal.state).await.unwrap();
    assert_eq!(count_secrets(&portal).await, (0, 1));
    assert_eq!(secret_with(&portal.state.secrets).await.unwrap(), [7; 24]);

    let path = portal.state.config.data.signing_key();
    let old = SigningKey::load(&path).unwrap().unwrap();
    let new = SigningKey::rotate(&path, &portal.state.random).unwrap();
    let rotated = SecretBox::new(new.clone(), portal.state.random.clone());
    assert_eq!(secret_with(&rotated).await.unwrap(), [7; 24]);
    let mut tx = storage::begin(&portal.state.db).await.unwrap();
    assert_eq!(webhooks::seal_secrets(&mut tx, &rotated, None, 100).await.unwrap().sealed, 1);
    assert_eq!(
        webhooks::seal_secrets(&mut tx, &rotated, None, 100).await.unwrap().sealed,
        0,
        "each secret is sealed once"
    );
    tx.commit().await.unwrap();
    assert!(SigningKey::remove_earlier(&path, old.id()).unwrap());
    let alone = SecretBox::new(SigningKey::load(&path).unwrap().unwrap(), portal.state.random.clone());
    assert_eq!(secret_with(&alone).await.unwrap(), [7; 24]);
    let error = secret_with(&portal.state.secrets).await.unwrap_err().to_string();
    assert!(error.contains(&new.id().to_string()) && error.contains("EARLIER_SIGNING_KEYS"), "{error}");
}

#[tokio::test]
async fn server_seals_stored_secrets_when_it_starts() {
    let stage = Stage::new(Behaviour::Accept).await;
    sqlx::raw_sql(ROWS).execute(&stage.pool).await.unwrap();
    assert!(stage.start().await.stop().success());
    assert_eq!(
        stage.count("select count(*) from webhook where secret is null and sealed_secret is not null").await,
        1
    );
}

/// More webhooks than one transaction seals, and an authenticator app, with secrets that no key opens. The
/// webhook of the last user has a secret in clear.
const UNREADABLE_SECRETS: &str = "
    insert into webhook (user_id, url, sealed_secret, created_at)
        select id, 'https://hooks.example.lk/', decode('01' || repeat('ab', 60), 'hex'), created_at from users order by id limit 101;
    insert into webhook (user_id, url, secret, created_at)
        select id, 'https://hooks.example.lk/', decode(repeat('07', 24), 'hex'), created_at from users order by id desc limit 1;
    insert into totp (user_id, secret, created_at)
        select id, decode('01' || repeat('ab', 60), 'hex'), created_at from users order by id limit 1";

#[tokio::test]
async fn server_starts_although_secrets_cannot_be_decrypted() {
    let stage = Stage::new(Behaviour::Accept).await;
    let (clock, random) = (Clock::system(), Random::from_system());
    for nth in 0..101 {
        let email = format!("user{nth}@portal.test");
        let user = NewUser {
            email: &email,
            password_hash: None,
            first_name: "Kamal",
            last_name: "Silva",
            phone: None,
            company: None,
            role: Role::Supplier,
            language: Language::English,
            email_verified: true,
        };
        let mut tx = storage::begin(&stage.pool).await.unwrap();
        assert!(users::insert(&mut tx, random.id(&clock), &user, clock.now()).await.unwrap());
        tx.commit().await.unwrap();
    }
    sqlx::raw_sql(UNREADABLE_SECRETS).execute(&stage.pool).await.unwrap();
    assert!(stage.start().await.stop().success());
    assert_eq!(stage.count("select count(*) from webhook where secret is not null").await, 0);
    let log = std::fs::read_to_string(stage.data().join("server.log")).unwrap();
    let logged = |table: &str, id: &str| {
        let is_logged = |line: &&str| {
            line.contains("cannot be decrypted")
                && line.contains("abababababababab")
                && line.contains(table)
                && line.contains(id)
        };
        log.lines().filter(is_logged).count()
    };
    let first = stage.subscriber.user_id.to_string();
    assert_eq!(logged("webhook", ""), 101, "{log}");
    assert_eq!((logged("webhook", &first), logged("totp", &first)), (1, 1), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rotated_key_keeps_sessions_and_links_until_it_is_removed() {
    let stage = Stage::new(Behaviour::Accept).await;
    let (url, data) = (stage.database.url(), stage.data());
    let client = |server: &Server| Client::new(server.base.trim_start_matches("http://").parse().unwrap());
    let server = stage.start().await;
    let form = json!({"firstName": "Nimali", "lastName": "Perera", "email": "nimali@example.lk",
        "password": "secret-of-theirs", "role": "supplier"});
    let token = client(&server).post("/auth/register", &form).await.expect(201)["data"]["token"].clone();
    let token = token.as_str().unwrap();
    assert!(server.stop().success());
    sqlx::raw_sql(ROWS).execute(&stage.pool).await.unwrap();
    let path = data.join("signing.key");
    let old = SigningKey::load(&path).unwrap().unwrap();
    let id = sqlx::query_scalar("select md5('mail')::uuid").fetch_one(&stage.pool).await.unwrap();
    let link = UnsubscribeLinks::new(String::new(), old.clone()).link(UnsubscribeTarget::Delivery(id));
    let statuses = async || {
        let server = stage.start().await;
        let guest = client(&server);
        let link = guest.get_unchecked(&link).await.status.as_u16();
        let session = guest.with_token(token).get("/auth/me").await.status.as_u16();
        assert!(server.stop().success());
        (session, link)
    };
    assert_eq!(statuses().await, (200, 200));

    let refused = |arguments: &[&str], part: &str| {
        let mut command = server::command();
        command.args(arguments).env("DATABASE_URL", &url).env("DATA", data);
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && text.contains(part), "{arguments:?}: {text}");
    };
    let rotated = server::run(&url, data, &["admin", "key", "rotate"]);
    assert!(
        rotated.starts_with("the current key is ") && rotated.contains("restart all servers"),
        "{rotated}"
    );
    let old = old.id().to_string();
    refused(&["admin", "key", "remove", &old], "encrypts 1 stored secret;");
    assert_eq!(statuses().await, (200, 200), "the earlier key is valid");
    let listed = server::run(&url, data, &["admin", "key", "list"]);
    assert!(listed.contains(&format!("{old}\tearlier")) && listed.lines().count() == 2, "{listed}");
    refused(&["admin", "key", "remove", "x"], "is not the id of a key");
    refused(&["admin", "key", "remove", "0000000000000000"], "no earlier key has the id");
    refused(&["admin", "key", "--data", "/nowhere", "list"], "EARLIER_SIGNING_KEYS");
    server::run(&url, data, &["admin", "key", "remove", &old]);
    assert_eq!(statuses().await, (401, 404), "the key was removed");
    let logged = "select count(*) from audit_entry where subject_kind = 'signing-key' and action in ('rotate-key', 'remove-key')";
    assert_eq!(stage.count(logged).await, 2);
}
