//! Calls routes with the ids of another user's resources. The calls must reveal nothing, and no
//! table may change. Every new route with an id in its path needs a row in [`routes_with_ids`].

use crate::{
    documents::{attach_document, pdf, wait_until_read},
    notice_sources::{ORIGINAL_NOTICE, TestNotice, send_notice},
    support::{Client, Reply, TestPortal, payments, wait_for},
};
use axum::http::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgPool};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// The owner's resources whose ids another user tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Resource {
    /// A published tender.
    Published,
    Draft,
    Withdrawn,
    /// The draft's file, by the ids of the draft and the file.
    DraftFile,
    /// The withdrawn tender's file, by the ids of the tender and the file.
    WithdrawnFile,
    /// The draft's file, by the file's id alone.
    File,
    Session,
    SavedSearch,
    /// The image of the notice in review.
    Clip,
    /// A notice in review.
    Notice,
    Alert,
    Key,
    Report,
    Invitation,
    Member,
    /// A paid checkout, by its id at the payment provider.
    Checkout,
    Invoice,
}

use Resource::{
    Alert, Checkout, Clip, Draft, DraftFile, File, Invitation, Invoice, Key, Member, Notice, Published,
    Report, SavedSearch, Session, Withdrawn, WithdrawnFile,
};

/// The body that a request sends.
enum RequestBody {
    Nothing,
    Json(Value),
    File,
}

/// A route and the statuses of its responses.
struct Route {
    method: Method,
    path: &'static str,
    body: RequestBody,
    /// For each resource, the status for a guest and the status for another user.
    statuses: &'static [(Resource, u16, u16)],
    /// The status for an unknown id.
    unknown_id: u16,
    /// The status for a malformed id.
    malformed_id: u16,
}

/// The statuses of a public route that does not find the drafts and withdrawn tenders of others.
const HIDDEN: &[(Resource, u16, u16)] = &[(Draft, 404, 404), (Withdrawn, 404, 404)];
/// The statuses of a route that requires a sign-in and does not find the drafts and withdrawn
/// tenders of others.
const HIDDEN_AFTER_SIGN_IN: &[(Resource, u16, u16)] = &[(Draft, 401, 404), (Withdrawn, 401, 404)];
/// The statuses of a route that changes a tender for its owner only.
const OWNER_CHANGES: &[(Resource, u16, u16)] =
    &[(Published, 401, 403), (Draft, 401, 404), (Withdrawn, 401, 404)];
/// The statuses of a public route that does not find files of others' drafts and withdrawn tenders.
const HIDDEN_FILES: &[(Resource, u16, u16)] = &[(DraftFile, 404, 404), (WithdrawnFile, 404, 404)];

/// Returns every route with an id in its path.
fn routes_with_ids() -> Vec<Route> {
    let row = |method: Method, path, body, statuses, (unknown_id, malformed_id)| Route {
        method,
        path,
        body,
        statuses,
        unknown_id,
        malformed_id,
    };
    let (get, put, post, delete) = (Method::GET, Method::PUT, Method::POST, Method::DELETE);
    let taken_over = json!({"title": "Taken over", "status": "published", "organization": {"name": "Mine"}});
    let search = json!({"name": "Taken over", "renewFeed": true});
    let alert = json!({"name": "Taken over", "keywords": [{"term": "mine"}]});
    let report = report_form("Taken over");
    let of_id = (404, 422);
    vec![
        row(get.clone(), "/tenders/{id}", RequestBody::Nothing, HIDDEN, of_id),
        row(put.clone(), "/tenders/{id}", RequestBody::Json(taken_over), OWNER_CHANGES, of_id),
        row(delete.clone(), "/tenders/{id}", RequestBody::Nothing, OWNER_CHANGES, of_id),
        row(put.clone(), "/tenders/{id}/intention", RequestBody::Nothing, HIDDEN_AFTER_SIGN_IN, of_id),
        row(delete.clone(), "/tenders/{id}/intention", RequestBody::Nothing, HIDDEN_AFTER_SIGN_IN, of_id),
        row(get.clone(), "/tenders/{id}/similar", RequestBody::Nothing, HIDDEN, of_id),
        // Only operators have access. Other users get 403 whether or not the tender exists.
        row(
            get.clone(),
            "/tenders/{id}/trace",
            RequestBody::Nothing,
            &[(Published, 401, 403), (Draft, 401, 403), (Withdrawn, 401, 403)],
            (403, 403),
        ),
        row(post.clone(), "/tenders/{id}/documents", RequestBody::File, OWNER_CHANGES, of_id),
        row(get.clone(), "/tenders/{id}/documents/{document}", RequestBody::Nothing, HIDDEN_FILES, of_id),
        row(
            get.clone(),
            "/tenders/{id}/documents/{document}/text",
            RequestBody::Nothing,
            HIDDEN_FILES,
            of_id,
        ),
        row(
            delete.clone(),
            "/tenders/{id}/documents/{document}",
            RequestBody::Nothing,
            &[(DraftFile, 401, 404), (WithdrawnFile, 401, 404)],
            of_id,
        ),
        row(get.clone(), "/documents/{id}", RequestBody::Nothing, &[(File, 404, 404)], of_id),
        row(put.clone(), "/saved/tenders/{id}", RequestBody::Nothing, HIDDEN_AFTER_SIGN_IN, of_id),
        // Removing a tender that the user has not saved succeeds. The owner's saved tender stays.
        row(
            delete.clone(),
            "/saved/tenders/{id}",
            RequestBody::Nothing,
            &[(Published, 401, 200), (Draft, 401, 200)],
            (200, 422),
        ),
        row(
            put.clone(),
            "/saved/searches/{id}",
            RequestBody::Json(search),
            &[(SavedSearch, 401, 404)],
            of_id,
        ),
        row(delete.clone(), "/saved/searches/{id}", RequestBody::Nothing, &[(SavedSearch, 401, 404)], of_id),
        row(delete.clone(), "/team/invitations/{id}", RequestBody::Nothing, &[(Invitation, 401, 404)], of_id),
        row(delete.clone(), "/team/members/{id}", RequestBody::Nothing, &[(Member, 401, 404)], of_id),
        row(delete.clone(), "/keys/{id}", RequestBody::Nothing, &[(Key, 401, 404)], of_id),
        row(put.clone(), "/reports/{id}", RequestBody::Json(report), &[(Report, 401, 404)], of_id),
        row(delete.clone(), "/reports/{id}", RequestBody::Nothing, &[(Report, 401, 404)], of_id),
        row(get.clone(), "/reports/{id}/file", RequestBody::Nothing, &[(Report, 401, 404)], of_id),
        // The feed of a search has a secret key. The search's id is no such key.
        row(get.clone(), "/feeds/saved/{key}", RequestBody::Nothing, &[(SavedSearch, 404, 404)], (404, 404)),
        row(get.clone(), "/alerts/{id}", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(put.clone(), "/alerts/{id}", RequestBody::Json(alert), &[(Alert, 401, 404)], of_id),
        row(delete.clone(), "/alerts/{id}", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(Method::PATCH, "/alerts/{id}/toggle", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(post.clone(), "/alerts/{id}/test", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(post.clone(), "/alerts/{id}/send-test-email", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(get.clone(), "/alerts/{id}/matches", RequestBody::Nothing, &[(Alert, 401, 404)], of_id),
        row(
            put.clone(),
            "/alerts/{id}/matches/{tender}/irrelevance",
            RequestBody::Nothing,
            &[(Alert, 401, 404)],
            of_id,
        ),
        row(
            delete.clone(),
            "/alerts/{id}/matches/{tender}/irrelevance",
            RequestBody::Nothing,
            &[(Alert, 401, 404)],
            of_id,
        ),
        row(
            get.clone(),
            "/subscriptions/verify-session/{sessionId}",
            RequestBody::Nothing,
            &[(Checkout, 401, 404)],
            (404, 404),
        ),
        row(get.clone(), "/subscriptions/invoices/{id}", RequestBody::Nothing, &[(Invoice, 401, 404)], of_id),
        // The path names a provider, and an id is an unknown provider.
        row(post.clone(), "/webhooks/{provider}", RequestBody::Nothing, &[(Checkout, 404, 404)], (404, 404)),
        row(delete.clone(), "/auth/sessions/{id}", RequestBody::Nothing, &[(Session, 401, 404)], of_id),
        // A row must hold for its path with any id, so this one has no valid proof.
        row(
            post.clone(),
            "/auth/passkeys/{id}/removal",
            RequestBody::Json(json!({})),
            &[(Session, 401, 422)],
            (422, 422),
        ),
        row(get.clone(), "/clips/{hash}", RequestBody::Nothing, &[(Clip, 404, 404)], (404, 404)),
        row(
            post.clone(),
            "/operate/review/{key}",
            RequestBody::Json(json!({"decision": "reject"})),
            &[(Notice, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/review/{key}/claim",
            RequestBody::Nothing,
            &[(Notice, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/review/{key}/skip",
            RequestBody::Nothing,
            &[(Notice, 401, 403)],
            (403, 403),
        ),
        // Only administrators may use these routes, whatever the id names.
        row(
            put.clone(),
            "/operate/users/{id}/lock",
            RequestBody::Json(json!({"reason": "x"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/users/{id}/lock",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/users/{id}/role",
            RequestBody::Json(json!({"role": "buyer"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/users/{id}/second-factors",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/users/{id}/sessions",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/users/{id}/confirmation",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/tenders/{id}/takedown",
            RequestBody::Json(json!({"reason": "x"})),
            &[(Published, 401, 403), (Draft, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/tenders/{id}/takedown",
            RequestBody::Nothing,
            &[(Published, 401, 403), (Withdrawn, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/publications/{id}/approval",
            RequestBody::Json(json!({"revision": 1})),
            &[(Draft, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/publications/{id}/refusal",
            RequestBody::Json(json!({"reason": "x"})),
            &[(Draft, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/mail/dead/{id}/retry",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/mail/suppressed/{id}",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/messages/{id}",
            RequestBody::Json(json!({"isAnswered": true})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/payments/events/{id}/settlement",
            RequestBody::Json(json!({"note": "x"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/gazetteer/{id}",
            RequestBody::Json(json!({"state": "refused", "name": "x", "thing": {"kind": "organization"}})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(delete.clone(), "/operate/tokens/{id}", RequestBody::Nothing, &[(Session, 401, 403)], (403, 403)),
        row(get.clone(), "/operate/batches/{id}", RequestBody::Nothing, &[(Session, 401, 403)], (403, 403)),
        row(
            post.clone(),
            "/operate/batches/{id}/undo",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        // Only reviewers, administrators and workers with an operator token may use these routes,
        // whatever the id names.
        row(get.clone(), "/operate/pages/{id}", RequestBody::Nothing, &[(Session, 401, 403)], (403, 403)),
        row(
            get.clone(),
            "/operate/pages/{id}/file",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(delete.clone(), "/operate/pages/{id}", RequestBody::Nothing, &[(Session, 401, 403)], (403, 403)),
        row(
            post.clone(),
            "/operate/pages/{id}/boxes",
            RequestBody::Json(json!({"box": [0.1, 0.1, 0.2, 0.2], "decision": "notice"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/pages/{id}/boxes/{box}",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            post.clone(),
            "/operate/pages/{id}/reading",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/pages/{id}/issue",
            RequestBody::Json(json!({"publication": "Daily Lanka", "date": null})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            get.clone(),
            "/operate/pages/{id}/picture",
            RequestBody::Nothing,
            &[(Session, 422, 422)],
            (422, 422),
        ),
        row(
            put.clone(),
            "/operate/papers/{id}",
            RequestBody::Json(json!({"version": 1})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(delete.clone(), "/operate/papers/{id}", RequestBody::Nothing, &[(Session, 401, 403)], (403, 403)),
        row(
            put.clone(),
            "/operate/papers/{id}/absences/{day}",
            RequestBody::Json(json!({"note": "x"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/papers/{id}/absences/{day}",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            put.clone(),
            "/operate/holidays/{day}",
            RequestBody::Json(json!({"name": "x", "kind": "poya"})),
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(
            delete.clone(),
            "/operate/holidays/{day}",
            RequestBody::Nothing,
            &[(Session, 401, 403)],
            (403, 403),
        ),
        row(get, "/ingest/leases/{id}/file", RequestBody::Nothing, &[(Session, 401, 401)], (401, 401)),
        row(
            put.clone(),
            "/ingest/leases/{id}",
            RequestBody::Json(json!({})),
            &[(Session, 401, 401)],
            (401, 401),
        ),
        row(delete, "/ingest/leases/{id}", RequestBody::Nothing, &[(Session, 401, 401)], (401, 401)),
        row(
            put.clone(),
            "/ingest/leases/{id}/failure",
            RequestBody::Json(json!({"reason": "x"})),
            &[(Session, 401, 401)],
            (401, 401),
        ),
        row(
            put.clone(),
            "/ingest/leases/{id}/result",
            RequestBody::Nothing,
            &[(Session, 401, 401)],
            (401, 401),
        ),
        row(put.clone(), "/ingest/pages/{key}", RequestBody::Nothing, &[(Notice, 401, 401)], (401, 401)),
        row(put, "/ingest/notices/{key}", RequestBody::Nothing, &[(Notice, 401, 401)], (401, 401)),
    ]
}

fn report_form(name: &str) -> Value {
    let asked = json!({"query": "search=inkwells", "period": {"span": "thisMonth"}, "columns": ["title"]});
    json!({"name": name, "asked": asked, "isMonthly": true})
}

const MALFORMED_IDS: [&str; 7] = ["x", "0", "%00", "..%2f..%2fetc%2fpasswd", "%ff%fe", "'--", "null"];

/// Returns the query string that a route requires.
fn required_query(path: &str) -> &'static str {
    match path {
        "/reports/{id}/file" => "?format=csv",
        "/clips/{hash}" | "/documents/{id}" => "?until=99999999999&signature=forged",
        _ => "",
    }
}

/// Calls a route with these ids. The last id fills all further placeholders in the path.
async fn call_route(client: &Client, row: &Route, ids: &[&str]) -> Reply {
    let mut ids = ids.iter().chain(std::iter::repeat(ids.last().unwrap()));
    let path = row.path.split('/').map(|part| if part.starts_with('{') { ids.next().unwrap() } else { part });
    let path = path.collect::<Vec<_>>().join("/") + required_query(row.path);
    let request = client.request(row.method.clone(), &path);
    let request = match &row.body {
        RequestBody::Nothing => request,
        RequestBody::Json(body) => request.json(body),
        RequestBody::File => {
            let file = Part::bytes(b"%PDF-1.4 taken over".to_vec()).file_name("mine.pdf");
            request.multipart(Form::new().part("file", file))
        }
    };
    client.send(request, row.method.clone(), &path).await
}

/// Returns all rows of all tables, except the tables that operator requests and mail delivery
/// change.
async fn all_rows(db: &PgPool) -> BTreeMap<String, String> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('operator_token', 'delivery', 'mail_domain')",
    )
    .fetch_all(db)
    .await
    .unwrap();
    let mut found = BTreeMap::new();
    for table in tables {
        let sql =
            format!("select coalesce(string_agg(t::text, chr(10) order by t::text), '') from \"{table}\" t");
        found.insert(table, sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(db).await.unwrap());
    }
    found
}

async fn create_tender(owner: &Client, status: &str) -> String {
    let form = json!({
        "title": "Supply of inkwells", "description": "As specified.", "referenceNo": "Q/1", "category": "Furniture",
        "status": status, "organization": {"name": "Quiet Works"}, "dates": {"closing": "2026-12-20"},
        "location": {"province": "Western", "district": "Gampaha"},
    });
    let made = owner.post("/tenders", &form).await.expect(201);
    made["data"]["tender"]["_id"].as_str().unwrap().to_owned()
}

/// Creates an owner with a resource of each kind. Returns the owner and the resources' ids.
async fn create_resources(portal: &TestPortal) -> (Client, BTreeMap<Resource, Vec<String>>) {
    let owner = portal.user("owner", "supplier").await;
    let (checkout, invoice) = payments::buy_plan(portal, &owner, "enterprise").await;
    let published = create_tender(&owner, "published").await;
    let (draft, withdrawn) = (create_tender(&owner, "draft").await, create_tender(&owner, "published").await);
    let draft_file =
        attach_document(&owner, &format!("/tenders/{draft}"), "inkwells.pdf", pdf("inkwells")).await;
    let withdrawn_file =
        attach_document(&owner, &format!("/tenders/{withdrawn}"), "inkwells.pdf", pdf("inkwells")).await;
    owner.delete(&format!("/tenders/{withdrawn}")).await.expect(200);
    owner.put(&format!("/saved/tenders/{published}"), &json!({})).await.expect(200);
    let search = json!({"name": "inkwells", "query": "search=inkwells"});
    let search = owner.post("/saved/searches", &search).await.expect(201)["data"]["search"]["_id"].clone();
    let alert = json!({"name": "inkwells", "keywords": [{"term": "inkwells"}]});
    let alert = owner.post("/alerts", &alert).await.expect(201)["data"]["alert"]["_id"].clone();
    let key = json!({"name": "inkwells", "scopes": ["tenders:read"]});
    let key = owner.post("/keys", &key).await.expect(201)["data"]["key"]["_id"].clone();
    let report =
        owner.post("/reports", &report_form("inkwells")).await.expect(201)["data"]["report"]["_id"].clone();
    crate::team::join_team(portal, &owner, "mate").await;
    owner.post("/team/invitations", &json!({"email": "invited@example.lk"})).await.expect(201);
    let team = owner.get("/team").await.expect(200)["data"]["team"].clone();
    let (member, invitation) = (team["members"][1]["_id"].clone(), team["invitations"][0]["_id"].clone());
    let session = owner.get("/auth/sessions").await.expect(200)["data"]["sessions"][0]["_id"].clone();
    let operator = portal.operator().await;
    let corrigendum = TestNotice { kind: "corrigendum", reference: "RDA/SP/2026/999", ..ORIGINAL_NOTICE };
    send_notice(&operator, 7, corrigendum).await;
    let clip: String = sqlx::query_scalar("select clip_hash from notice where role = 'review'")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let resources = BTreeMap::from([
        (Published, vec![published]),
        (Draft, vec![draft.clone()]),
        (Withdrawn, vec![withdrawn.clone()]),
        (DraftFile, vec![draft, text(&draft_file["_id"])]),
        (WithdrawnFile, vec![withdrawn, text(&withdrawn_file["_id"])]),
        (File, vec![text(&draft_file["_id"])]),
        (SavedSearch, vec![text(&search)]),
        (Session, vec![text(&session)]),
        (Alert, vec![text(&alert)]),
        (Key, vec![text(&key)]),
        (Report, vec![text(&report)]),
        (Invitation, vec![text(&invitation)]),
        (Member, vec![text(&member)]),
        (Checkout, vec![checkout]),
        (Invoice, vec![invoice]),
        (Clip, vec![clip]),
        (Notice, vec![format!("{:032x}", 7)]),
    ]);
    (owner, resources)
}

#[tokio::test]
async fn foreign_ids_give_no_access() {
    let portal = TestPortal::start_with(&["--demo"]).await;
    let (owner, resources) = create_resources(&portal).await;
    let others = [
        portal.user("supplier", "supplier").await,
        portal.user("buyer", "buyer").await,
        portal.subscriber("subscriber", "supplier", Some("enterprise")).await,
    ];
    let guest = portal.guest();
    portal.wait_until_matched().await;
    wait_until_read(&portal).await;
    wait_for(&portal.state.db, "select not exists (select from review_item where counted_at is null)").await;
    let before = all_rows(&portal.state.db).await;
    let assert_unchanged = async |what: &str| {
        let after = all_rows(&portal.state.db).await;
        for (table, rows) in &before {
            assert_eq!(&after[table], rows, "{what} changed {table}");
        }
    };
    for row in &routes_with_ids() {
        let name = format!("{} {}", row.method, row.path);
        for (resource, to_guest, to_other) in row.statuses {
            let ids: Vec<&str> = resources[resource].iter().map(String::as_str).collect();
            assert_eq!(
                call_route(&guest, row, &ids).await.status,
                *to_guest,
                "{name}, a guest, {resource:?}"
            );
            for other in &others {
                let reply = call_route(other, row, &ids).await;
                assert_eq!(reply.status, *to_other, "{name}, another user, {resource:?}");
                assert!(!reply.text().contains("inkwells"), "{name} reveals {resource:?}: {}", reply.text());
            }
        }
        for other in &others {
            for unknown_id in [Uuid::nil(), Uuid::from_u128(u128::MAX)] {
                assert_eq!(
                    call_route(other, row, &[&unknown_id.to_string()]).await.status,
                    row.unknown_id,
                    "{name} {unknown_id}"
                );
            }
            for malformed_id in MALFORMED_IDS {
                assert_eq!(
                    call_route(other, row, &[malformed_id]).await.status,
                    row.malformed_id,
                    "{name} {malformed_id}"
                );
            }
        }
        assert_unchanged(&name).await;
    }
    // The owner still has everything.
    owner.get("/auth/me").await.expect(200);
    for resource in [Published, Draft, Withdrawn] {
        let tender = owner.get(&format!("/tenders/{}", resources[&resource][0])).await.expect(200);
        assert_eq!(tender["data"]["tender"]["title"], "Supply of inkwells");
    }
}

#[tokio::test]
async fn idempotency_key_of_another_user_does_not_return_their_tender() {
    let portal = TestPortal::start().await;
    let (owner, other) = (portal.user("owner", "supplier").await, portal.user("other", "supplier").await);
    let send = async |client: &Client, title: &str| {
        let request = client.request(Method::POST, "/tenders");
        let request = request.header("Idempotency-Key", Uuid::from_u128(7).to_string());
        let request = request.json(&json!({"title": title, "status": "draft"}));
        client.send(request, Method::POST, "/tenders").await.expect(201)["data"]["tender"].clone()
    };
    let (first, second) = (send(&owner, "Mine").await, send(&other, "Theirs").await);
    assert_ne!(first["_id"], second["_id"]);
    assert_eq!(second["title"], "Theirs");
    for (client, title) in [(&owner, "Mine"), (&other, "Theirs")] {
        let mine = client.get("/tenders/user/my-tenders").await.expect(200);
        let listed = mine["data"]["tenders"].as_array().unwrap();
        assert_eq!((listed.len(), &listed[0]["title"]), (1, &json!(title)));
    }
    let own = other.get("/auth/sessions").await.expect(200);
    assert_eq!(own["data"]["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn foreign_file_under_own_tender_is_neither_shown_nor_changed() {
    let portal = TestPortal::start_with(&["--demo"]).await;
    let (_, resources) = create_resources(&portal).await;
    let other = portal.subscriber("other", "supplier", Some("enterprise")).await;
    let mine = create_tender(&other, "draft").await;
    portal.wait_until_matched().await;
    let before = all_rows(&portal.state.db).await;
    for resource in [DraftFile, WithdrawnFile] {
        let place = format!("/tenders/{mine}/documents/{}", resources[&resource][1]);
        other.get(&place).await.expect_error(404);
        other.get(&format!("{place}/text")).await.expect_error(404);
        // Deleting a file that is not attached to the tender succeeds and changes nothing.
        other.delete(&place).await.expect(200);
    }
    assert_eq!(all_rows(&portal.state.db).await, before);
}

#[test]
fn every_route_with_an_id_is_covered() {
    let document = serde_json::to_value(api::http::router::document()).unwrap();
    let mut declared = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        if path.contains('{') {
            declared.extend(item.as_object().unwrap().keys().map(|method| format!("{method} {path}")));
        }
    }
    let rows: BTreeSet<String> = routes_with_ids()
        .iter()
        .map(|row| format!("{} {}", row.method.as_str().to_lowercase(), row.path))
        .collect();
    assert_eq!(rows, declared);
}
