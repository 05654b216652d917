//! Signing keys and the secrets that they encrypt: rotation, removal, and secrets of earlier versions.

use crate::support::{TestPortal, smtp::Behaviour, stage::Stage};
use api::{
    base::{secret_box::SecretBox, signing_key::SigningKey},
    cli::bootstrap,
    storage::webhooks,
};

/// Adds a webhook whose secret is stored in clear, as earlier versions did, and a call to it.
const ROWS: &str = "
    insert into webhook (user_id, url, secret, created_at)
        select id, 'https://hooks.example.lk/', decode(repeat('07', 24), 'hex'), created_at from users;
    insert into delivery (id, user_id, channel, kind, frequency, address, state, opened_at, seal_at, message_id, content, sealed_at, sent_at)
        select md5('call')::uuid, user_id, 'webhook', 'letter', 'immediate', url, 'sent', created_at, created_at, 'call',
            '{}', created_at, created_at from webhook";

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
    let mut tx = portal.state.db.begin().await.unwrap();
    assert_eq!(webhooks::seal_secrets(&mut tx, &rotated, 100).await.unwrap(), 1);
    assert_eq!(
        webhooks::seal_secrets(&mut tx, &rotated, 100).await.unwrap(),
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
