//! Calls routes with the ids of another user's resources. The calls must reveal nothing, and no
//! table may change. Every new route with an id in its path needs a row in [`routes_with_ids`].

mod resources;
mod routes;

use crate::{
    documents::wait_until_read,
    support::{Client, Reply, TestPortal, wait_for},
};
use axum::http::Method;
use reqwest::multipart::{Form, Part};
use resources::{
    Resource::{Draft, DraftFile, Published, Withdrawn, WithdrawnFile},
    create_resources, create_tender,
};
use routes::{RequestBody, Route, routes_with_ids};
use serde_json::json;
use sqlx::{AssertSqlSafe, PgPool};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

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
/// change, and the table of the processes' heartbeats.
async fn all_rows(db: &PgPool) -> BTreeMap<String, String> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in
            ('operator_token', 'delivery', 'mail_domain', 'matcher_process')",
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
    // Reading the text of a document changes its tender.
    wait_until_read(&portal).await;
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
