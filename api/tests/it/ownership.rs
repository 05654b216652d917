//! Another user's ids on every call of the contract that takes one: each is refused as it should be, and nothing has changed
//! afterwards in any table. Whoever adds such a call adds a row here.

use crate::{
    sources::{PRINT, Print, send},
    support::{Client, Reply, TestPortal},
};
use axum::http::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgPool};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// What the owner has that others may come by the id of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    /// Published, for everybody to read.
    Published,
    Draft,
    Withdrawn,
    /// Where the owner is signed in.
    Session,
    /// An image that the other was not given the address of.
    Clip,
    /// A search that the owner saved.
    Search,
    /// A notice that waits for an operator.
    Notice,
}

use Thing::{Clip, Draft, Notice, Published, Search, Session, Withdrawn};

/// A call, and how it answers a guest and another user of each kind for a thing of the owner's.
struct Row {
    method: Method,
    path: &'static str,
    body: Option<Value>,
    answers: &'static [(Thing, u16, u16)],
    /// For an id of nothing, to another user.
    nothing: u16,
    /// For what is no id at all, to another user.
    rubbish: u16,
}

/// Every call with an id in its path.
fn table() -> Vec<Row> {
    let row = |method: Method, path, body, answers, nothing, rubbish| Row {
        method,
        path,
        body,
        answers,
        nothing,
        rubbish,
    };
    let taken_over = json!({"title": "Taken over", "status": "published", "organization": {"name": "Mine"}});
    vec![
        row(Method::GET, "/tenders/{id}", None, &[(Draft, 404, 404), (Withdrawn, 404, 404)], 404, 422),
        row(
            Method::PUT,
            "/tenders/{id}",
            Some(taken_over),
            &[(Published, 401, 403), (Draft, 401, 404), (Withdrawn, 401, 404)],
            404,
            422,
        ),
        row(
            Method::DELETE,
            "/tenders/{id}",
            None,
            &[(Published, 401, 403), (Draft, 401, 404), (Withdrawn, 401, 404)],
            404,
            422,
        ),
        row(
            Method::PUT,
            "/tenders/{id}/intention",
            None,
            &[(Draft, 401, 404), (Withdrawn, 401, 404)],
            404,
            422,
        ),
        row(
            Method::DELETE,
            "/tenders/{id}/intention",
            None,
            &[(Draft, 401, 404), (Withdrawn, 401, 404)],
            404,
            422,
        ),
        row(
            Method::GET,
            "/tenders/{id}/similar",
            None,
            &[(Draft, 404, 404), (Withdrawn, 404, 404)],
            404,
            422,
        ),
        row(
            Method::POST,
            "/tenders/{id}/documents",
            Some(json!({})),
            &[(Published, 401, 403), (Draft, 401, 404), (Withdrawn, 401, 404)],
            404,
            422,
        ),
        row(
            Method::GET,
            "/tenders/{id}/documents/{document}",
            None,
            &[(Draft, 404, 404), (Withdrawn, 404, 404)],
            404,
            422,
        ),
        row(
            Method::GET,
            "/tenders/{id}/documents/{document}/text",
            None,
            &[(Draft, 404, 404), (Withdrawn, 404, 404)],
            404,
            422,
        ),
        row(
            Method::DELETE,
            "/tenders/{id}/documents/{document}",
            None,
            &[(Published, 401, 403), (Draft, 401, 404), (Withdrawn, 401, 404)],
            404,
            422,
        ),
        row(Method::GET, "/documents/{id}", None, &[(Draft, 404, 404)], 404, 422),
        row(Method::PUT, "/saved/tenders/{id}", None, &[(Draft, 401, 404), (Withdrawn, 401, 404)], 404, 422),
        // One's own list: what is not on it is no failure.
        row(Method::DELETE, "/saved/tenders/{id}", None, &[(Draft, 401, 200)], 200, 422),
        row(
            Method::PUT,
            "/saved/searches/{id}",
            Some(json!({"name": "Taken over", "renewFeed": true})),
            &[(Search, 401, 404)],
            404,
            422,
        ),
        row(Method::DELETE, "/saved/searches/{id}", None, &[(Search, 401, 404)], 404, 422),
        row(Method::GET, "/feeds/saved/{key}", None, &[(Search, 404, 404)], 404, 404),
        row(Method::DELETE, "/auth/sessions/{id}", None, &[(Session, 401, 404)], 404, 422),
        row(Method::GET, "/clips/{hash}", None, &[(Clip, 404, 404)], 404, 404),
        row(
            Method::POST,
            "/ingest/review/{key}",
            Some(json!({"decision": "reject"})),
            &[(Notice, 401, 403)],
            403,
            403,
        ),
        row(Method::PUT, "/ingest/notices/{key}", Some(json!({})), &[(Notice, 401, 401)], 401, 401),
    ]
}

const RUBBISH: [&str; 7] = ["x", "0", "%00", "..%2f..%2fetc%2fpasswd", "%ff%fe", "'--", "null"];

/// What the contract asks for beside the path.
fn query(path: &str) -> &'static str {
    if matches!(path, "/clips/{hash}" | "/documents/{id}") {
        "?until=99999999999&signature=forged"
    } else {
        ""
    }
}

async fn call(client: &Client, row: &Row, id: &str) -> Reply {
    let path = row.path.split('/').map(|part| if part.starts_with('{') { id } else { part });
    let path = path.collect::<Vec<_>>().join("/") + query(row.path);
    let request = client.request(row.method.clone(), &path);
    let request = match &row.body {
        Some(body) => request.json(body),
        None => request,
    };
    client.send(request, row.method.clone(), &path).await
}

/// All rows of all tables, but for when a token was used last.
async fn everything(db: &PgPool) -> BTreeMap<String, String> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('operator_token', 'delivery')",
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

async fn made(owner: &Client, status: &str) -> String {
    let form = json!({
        "title": "Supply of inkwells", "description": "As specified.", "referenceNo": "Q/1", "category": "Furniture",
        "status": status, "organization": {"name": "Quiet Works"}, "dates": {"closing": "2026-12-20"},
        "location": {"province": "Western", "district": "Gampaha"},
    });
    let made = owner.post("/tenders", &form).await.expect(201);
    made["data"]["tender"]["_id"].as_str().unwrap().to_owned()
}

/// One of each, by its id.
async fn owned(portal: &TestPortal) -> (Client, BTreeMap<Thing, String>) {
    let owner = portal.user("owner", "supplier").await;
    let withdrawn = made(&owner, "published").await;
    owner.delete(&format!("/tenders/{withdrawn}")).await.expect(200);
    let session = owner.get("/auth/sessions").await.expect(200)["data"]["sessions"][0]["_id"].clone();
    let search = json!({"name": "Inkwells", "query": "search=inkwells"});
    let search = owner.post("/saved/searches", &search).await.expect(201)["data"]["search"]["_id"].clone();
    let operator = portal.operator().await;
    let waiting = Print { kind: "corrigendum", reference: "RDA/SP/2026/999", ..PRINT };
    send(&operator, 7, waiting).await;
    let clip: String = sqlx::query_scalar("select clip_hash from notice where role = 'review'")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    let things = BTreeMap::from([
        (Published, made(&owner, "published").await),
        (Draft, made(&owner, "draft").await),
        (Withdrawn, withdrawn),
        (Session, session.as_str().unwrap().to_owned()),
        (Clip, clip),
        (Search, search.as_str().unwrap().to_owned()),
        (Notice, format!("{:032x}", 7)),
    ]);
    (owner, things)
}

#[tokio::test]
async fn anothers_ids_open_nothing_and_change_nothing() {
    let portal = TestPortal::start().await;
    let (owner, things) = owned(&portal).await;
    let others = [
        portal.user("supplier", "supplier").await,
        portal.user("buyer", "buyer").await,
        portal.subscriber("subscriber", "supplier", Some("enterprise")).await,
    ];
    let guest = portal.guest();
    let before = everything(&portal.state.db).await;
    let same = async |what: &str| {
        let after = everything(&portal.state.db).await;
        for (table, rows) in &before {
            assert_eq!(&after[table], rows, "{what} changed {table}");
        }
    };
    for row in &table() {
        let name = format!("{} {}", row.method, row.path);
        for (thing, to_guest, to_other) in row.answers {
            let id = &things[thing];
            assert_eq!(call(&guest, row, id).await.status, *to_guest, "{name}, a guest, {thing:?}");
            for other in &others {
                let reply = call(other, row, id).await;
                assert_eq!(reply.status, *to_other, "{name}, another user, {thing:?}");
                assert!(!reply.text().contains("inkwells"), "{name} tells of {thing:?}: {}", reply.text());
            }
        }
        for other in &others {
            for nothing in [Uuid::nil(), Uuid::from_u128(u128::MAX)] {
                assert_eq!(
                    call(other, row, &nothing.to_string()).await.status,
                    row.nothing,
                    "{name} {nothing}"
                );
            }
            for rubbish in RUBBISH {
                assert_eq!(call(other, row, rubbish).await.status, row.rubbish, "{name} {rubbish}");
            }
        }
        same(&name).await;
    }
    // The owner still has it all.
    owner.get("/auth/me").await.expect(200);
    for thing in [Published, Draft, Withdrawn] {
        let tender = owner.get(&format!("/tenders/{}", things[&thing])).await.expect(200);
        assert_eq!(tender["data"]["tender"]["title"], "Supply of inkwells");
    }
}

#[tokio::test]
async fn an_id_of_anothers_sending_is_no_way_in_either() {
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

#[test]
fn every_call_with_an_id_has_a_row() {
    let document = serde_json::to_value(api::router::document()).unwrap();
    let mut declared = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        if path.contains('{') {
            declared.extend(item.as_object().unwrap().keys().map(|method| format!("{method} {path}")));
        }
    }
    let rows: BTreeSet<String> =
        table().iter().map(|row| format!("{} {}", row.method.as_str().to_lowercase(), row.path)).collect();
    assert_eq!(rows, declared);
}
