//! API keys: plans, scopes, and usage counts.

use crate::support::{Client, TestPortal};
use serde_json::json;

async fn create_key(owner: &Client, scopes: &[&str]) -> (String, String) {
    let made = owner.post("/keys", &json!({"name": "Our ERP", "scopes": scopes})).await.expect(201);
    let data = &made["data"];
    (data["key"]["_id"].as_str().unwrap().to_owned(), data["secret"].as_str().unwrap().to_owned())
}

async fn count_calls(owner: &Client) -> i64 {
    owner.get("/subscriptions/user/usage").await.expect(200)["data"]["usage"]["apiCalls"].as_i64().unwrap()
}

#[tokio::test]
async fn api_key_is_limited_to_its_scopes() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let (_, secret) = create_key(&owner, &["tenders:read"]).await;
    let program = portal.guest().with_token(&secret);
    assert_eq!(count_calls(&owner).await, 0);
    for path in ["/tenders", "/tenders/stats", "/tenders/facets", "/tenders/user/my-tenders"] {
        program.get(path).await.expect(200);
    }
    assert_eq!(count_calls(&owner).await, 4);
    let alert = json!({"name": "Roads", "keywords": [{"term": "road", "matchType": "contains"}]});
    program.get("/alerts").await.expect_error(403);
    program.post("/alerts", &alert).await.expect_error(403);
    for path in
        ["/auth/me", "/auth/export", "/auth/sessions", "/keys", "/subscriptions/user/usage", "/saved/tenders"]
    {
        program.get(path).await.expect_error(401);
    }
    program.post("/keys", &json!({"name": "Another", "scopes": ["tenders:read"]})).await.expect_error(401);
    program.post("/auth/delete-account", &json!({"password": "secret-of-theirs"})).await.expect_error(401);
    assert_eq!(count_calls(&owner).await, 4, "refused requests are not counted");

    let (_, secret) = create_key(&owner, &["alerts:read", "alerts:write"]).await;
    let program = portal.guest().with_token(&secret);
    let created = program.post("/alerts", &alert).await.expect(201);
    let match_path = format!(
        "/alerts/{}/matches/00000000-0000-7000-8000-000000000000/irrelevance",
        created["data"]["alert"]["_id"].as_str().unwrap()
    );
    // The key may mark a match as relevant again; it is only that there is no such match.
    program.delete(&match_path).await.expect_error(404);
    let count =
        |client: Client| async move { client.get("/alerts").await.expect(200)["data"]["count"].clone() };
    assert_eq!(count(program).await, 1);
    assert_eq!(count(owner.clone()).await, 1);
    assert_eq!(count_calls(&owner).await, 7);
}

#[tokio::test]
async fn api_key_creates_tenders_as_its_owner() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let (_, secret) = create_key(&owner, &["tenders:write"]).await;
    let form = json!({"title": "Supply of inkwells", "status": "draft"});
    portal.guest().with_token(&secret).post("/tenders", &form).await.expect(201);
    let mine = owner.get("/tenders/user/my-tenders").await.expect(200);
    assert_eq!(mine["data"]["tenders"][0]["title"], "Supply of inkwells");
}

#[tokio::test]
async fn api_keys_require_enterprise() {
    let portal = TestPortal::start().await;
    for plan in [None, Some("basic"), Some("professional")] {
        let user = portal.subscriber(plan.unwrap_or("free"), "buyer", plan).await;
        let refused = user.post("/keys", &json!({"name": "Our ERP", "scopes": ["tenders:read"]})).await;
        assert_eq!(refused.expect_error(403), "API access is part of the Enterprise plan");
        assert_eq!(refused.json()["plan"], "enterprise");
    }
    let owner = portal.subscriber("nimal", "buyer", Some("enterprise")).await;
    let (_, secret) = create_key(&owner, &["tenders:read"]).await;
    portal.advance(366 * 86_400);
    portal.guest().with_token(&secret).get("/tenders").await.expect_error(403);
}

#[tokio::test]
async fn api_key_is_shown_once_stored_hashed_and_revocable() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "buyer", Some("enterprise")).await;
    let (id, secret) = create_key(&owner, &["tenders:read"]).await;
    let program = portal.guest().with_token(&secret);
    program.get("/tenders").await.expect(200);
    let reply = owner.get("/keys").await;
    let listed = reply.expect(200)["data"]["keys"][0].clone();
    assert_eq!((&listed["name"], &listed["scopes"]), (&json!("Our ERP"), &json!(["tenders:read"])));
    assert!(secret.starts_with(listed["prefix"].as_str().unwrap()) && listed["lastUsedAt"].is_string());
    assert!(!reply.text().contains(&secret));
    let stored: Vec<String> =
        sqlx::query_scalar("select t::text from api_key t").fetch_all(&portal.state.db).await.unwrap();
    assert!(!stored[0].contains(&secret), "{stored:?}");

    let other = portal.subscriber("kamala", "buyer", Some("enterprise")).await;
    other.delete(&format!("/keys/{id}")).await.expect_error(404);
    program.get("/tenders").await.expect(200);
    owner.delete(&format!("/keys/{id}")).await.expect(200);
    for secret in [&secret, "key_", "key_0000", &format!("{secret}x")] {
        portal.guest().with_token(secret).get("/tenders").await.expect_error(401);
    }
}

#[tokio::test]
async fn api_keys_are_rate_limited() {
    let portal = TestPortal::start_with(&["--key-calls-a-minute", "3"]).await;
    let owner = portal.subscriber("nimal", "buyer", Some("enterprise")).await;
    let (_, secret) = create_key(&owner, &["tenders:read"]).await;
    let program = portal.guest().with_token(&secret);
    for _ in 0..3 {
        program.get("/tenders/stats").await.expect(200);
    }
    let reply = program.get("/tenders/stats").await;
    reply.expect_error(429);
    assert_ne!(reply.header("retry-after"), "");
    owner.get("/tenders/stats").await.expect(200);
    portal.advance(21);
    program.get("/tenders/stats").await.expect(200);
}

#[tokio::test]
async fn invalid_key_form_and_21st_key_are_refused() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "buyer", Some("enterprise")).await;
    for (form, message) in [
        (json!({"name": " ", "scopes": ["tenders:read"]}), "Name is required"),
        (json!({"name": "x".repeat(101), "scopes": ["tenders:read"]}), "Name must be at most 100 characters"),
        (json!({"name": "Our ERP", "scopes": []}), "Choose what the key may be used for"),
    ] {
        assert_eq!(owner.post("/keys", &form).await.expect_error(422), message);
    }
    owner.post("/keys", &json!({"name": "Our ERP", "scopes": ["everything"]})).await.expect_error(422);
    for _ in 0..20 {
        create_key(&owner, &["tenders:read"]).await;
    }
    let form = json!({"name": "One more", "scopes": ["tenders:read"]});
    assert_eq!(
        owner.post("/keys", &form).await.expect_error(409),
        "You have 20 API keys; withdraw one first"
    );
    portal.guest().get("/keys").await.expect_error(401);
}
