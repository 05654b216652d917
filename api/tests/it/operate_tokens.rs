//! Operator tokens: their scopes and expiry, and how administrators manage them.

use crate::{
    ingest::put,
    operate::{last_entry, staff},
    support::{Client, TestPortal},
};
use axum::http::Method;
use serde_json::{Value, json};

const DAY: i64 = 24 * 60 * 60;

/// Creates a token and returns its id and a client with it.
async fn create(portal: &TestPortal, admin: &Client, form: &Value) -> (String, Client) {
    let created = admin.post("/operate/tokens", form).await.expect(201)["data"].clone();
    let id = created["token"]["_id"].as_str().unwrap().to_owned();
    (id, portal.guest().with_token(created["secret"].as_str().unwrap()))
}

/// The names of the listed tokens.
async fn names(admin: &Client, query: &str) -> Vec<Value> {
    let listed = admin.get(&format!("/operate/tokens{query}")).await.expect(200)["data"].clone();
    listed["tokens"].as_array().unwrap().iter().map(|token| token["name"].clone()).collect()
}

/// The statuses that the routes for operators return: `put_notice`, `list_review`, `receive_report`
/// and `trace_tender`. The requests are incomplete, so an accepted token gets another error.
async fn statuses(client: &Client) -> [u16; 4] {
    let report = client.request(Method::POST, "/mail/reports").body("no report");
    [
        put(client, "no-key", "", b"").await.status.as_u16(),
        client.get("/operate/review").await.status.as_u16(),
        client.send(report, Method::POST, "/mail/reports").await.status.as_u16(),
        client.get("/tenders/00000000-0000-7000-8000-000000000000/trace").await.status.as_u16(),
    ]
}

#[tokio::test]
async fn token_permits_only_its_scopes() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    for (scope, permitted) in [
        ("publish", [422, 403, 403, 403]),
        ("review", [403, 200, 403, 403]),
        ("work", [403, 403, 403, 403]),
        ("bounces", [403, 403, 200, 403]),
        ("trace", [403, 403, 403, 404]),
    ] {
        let (_, token) = create(&portal, &admin, &json!({"name": "desk", "scopes": [scope]})).await;
        assert_eq!(statuses(&token).await, permitted, "{scope}");
    }
    let two = json!({"name": "desk", "scopes": ["review", "publish"]});
    let (id, token) = create(&portal, &admin, &two).await;
    assert_eq!(statuses(&token).await, [422, 200, 403, 403]);
    let (_, worker) = create(&portal, &admin, &json!({"name": "worker", "scopes": ["work"]})).await;
    let refused = put(&worker, "no-key", "", b"").await.expect_error(403);
    assert_eq!(refused, "This operator token lacks the scope `publish`");
    let entries = admin.get("/operate/audit?subject=desk").await.expect(200)["data"]["entries"].clone();
    let after = json!({"id": id, "scopes": "publish, review", "expiresAt": "2027-11-20T06:30:00Z"});
    assert_eq!((&entries[0]["action"], &entries[0]["after"]), (&json!("create-token"), &after));
    assert_eq!(entries[0]["actorName"], "amara@example.lk");
}

#[tokio::test]
async fn token_expires_and_can_be_revoked() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let form = |name: &str, days: Value| json!({"name": name, "scopes": ["review"], "expiresInDays": days});
    let (short, week) = create(&portal, &admin, &form("week", json!(7))).await;
    portal.advance(1);
    let (_, endless) = create(&portal, &admin, &form("endless", Value::Null)).await;
    portal.advance(1);
    let (_, year) = create(&portal, &admin, &json!({"name": "year", "scopes": ["review"]})).await;
    assert_eq!(names(&admin, "").await, ["year", "endless", "week"]);
    let listed = admin.get("/operate/tokens").await.expect(200)["data"]["tokens"].clone();
    assert_eq!(
        (&listed[0]["expiresAt"], &listed[1]["expiresAt"]),
        (&json!("2027-11-20T12:00:02+05:30"), &Value::Null)
    );
    assert_eq!((&listed[2]["state"], &listed[2]["lastUsedAt"]), (&json!("live"), &Value::Null));

    portal.advance(7 * DAY - 3);
    week.get("/operate/review").await.expect(200);
    portal.advance(1);
    let message = week.get("/operate/review").await.expect_error(401);
    assert!(message.contains("has expired"), "{message}");
    let admin = portal.sign_in("amara").await;
    assert_eq!(names(&admin, "?isLive=true").await, ["year", "endless"]);
    assert_eq!(names(&admin, "?isLive=false").await, ["week"]);
    let listed = admin.get("/operate/tokens?isLive=false").await.expect(200)["data"]["tokens"][0].clone();
    assert_eq!((&listed["state"], &listed["revokedAt"]), (&json!("expired"), &Value::Null));
    // The refused use is not recorded.
    assert_eq!(listed["lastUsedAt"], "2026-11-27T11:59:59+05:30");

    portal.advance(358 * DAY + 2);
    year.get("/operate/review").await.expect_error(401);
    endless.get("/operate/review").await.expect(200);
    let admin = portal.sign_in("amara").await;
    let endless_id =
        admin.get("/operate/tokens?isLive=true").await.expect(200)["data"]["tokens"][0]["_id"].clone();
    let path = format!("/operate/tokens/{}", endless_id.as_str().unwrap());
    admin.delete(&path).await.expect(200);
    let message = endless.get("/operate/review").await.expect_error(401);
    assert!(message.contains("was revoked"), "{message}");
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["subjectId"]), (&json!("revoke-tokens"), &json!("endless")));
    admin.delete(&path).await.expect(200);
    assert_eq!(last_entry(&admin).await["id"], entry["id"], "nothing changed the second time");
    assert_eq!(names(&admin, "?isLive=true").await, Vec::<Value>::new());
    // An expired token can be revoked too.
    admin.delete(&format!("/operate/tokens/{short}")).await.expect(200);
    assert_eq!(last_entry(&admin).await["subjectId"], "week");
}

#[tokio::test]
async fn use_of_a_token_is_recorded_once_a_minute() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let (_, token) = create(&portal, &admin, &json!({"name": "desk", "scopes": ["review"]})).await;
    let last_use =
        async || admin.get("/operate/tokens").await.expect(200)["data"]["tokens"][0]["lastUsedAt"].clone();
    token.get("/operate/review").await.expect(200);
    assert_eq!(last_use().await, "2026-11-20T12:00:00+05:30");
    portal.advance(60);
    token.get("/operate/review").await.expect(200);
    assert_eq!(last_use().await, "2026-11-20T12:00:00+05:30");
    portal.advance(1);
    token.get("/operate/review").await.expect(200);
    assert_eq!(last_use().await, "2026-11-20T12:01:01+05:30");
}

#[tokio::test]
async fn invalid_tokens_are_refused_and_the_list_is_read_in_parts() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let good = json!({"name": "desk", "scopes": ["publish"], "expiresInDays": 1});
    for (field, value) in [
        ("name", json!(" ")),
        ("name", json!("x".repeat(101))),
        ("name", json!("a\nb")),
        ("scopes", json!([])),
        ("scopes", json!(["everything"])),
        ("expiresInDays", json!(0)),
        ("expiresInDays", json!(3651)),
        ("expiresInDays", json!(-1)),
        ("owner", json!("x")),
    ] {
        let mut form = good.clone();
        form[field] = value;
        admin.post("/operate/tokens", &form).await.expect_error(422);
    }
    admin.delete("/operate/tokens/00000000-0000-7000-8000-000000000000").await.expect_error(404);
    admin.get("/operate/tokens?isLive=maybe").await.expect_error(422);
    assert_eq!(names(&admin, "").await, Vec::<Value>::new());
    for nth in 0..51 {
        portal.advance(1);
        create(&portal, &admin, &json!({"name": format!("t{nth}"), "scopes": ["publish"]})).await;
    }
    let first = admin.get("/operate/tokens").await.expect(200)["data"].clone();
    assert_eq!((first["tokens"].as_array().unwrap().len(), &first["tokens"][0]["name"]), (50, &json!("t50")));
    let rest = format!("?after={}", first["next"].as_str().unwrap());
    assert_eq!(names(&admin, &rest).await, ["t0"]);
}
