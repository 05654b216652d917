//! The check of a new publisher's first publication, taking tenders down, and the entries in the
//! audit log for what administrators do with the tenders of others.

use crate::{
    documents::{attach_document, pdf},
    notice_sources::{CORRIGENDUM, ORIGINAL_NOTICE, TestNotice, current_tender, publications, send_notice},
    operate::{find_user, id_of, last_entry, staff, waiting_work},
    support::{
        Client, TestPortal,
        mailbox::{find_mail, mails, text},
    },
};
use serde_json::{Value, json};
use tender_model::vocabulary::TenderStatus;

/// Starts a portal that checks the first publications of new publishers.
async fn start_portal() -> TestPortal {
    TestPortal::start_with(&["--hold-first-publication", "true"]).await
}

fn tender_form(title: &str, status: &str) -> Value {
    json!({
        "title": title, "description": "Two hundred chairs.", "referenceNo": "S/1", "category": "Furniture", "status": status,
        "organization": {"name": "Abans"}, "location": {"province": "Western", "district": "Gampaha"},
        "dates": {"closing": "2026-12-01"},
    })
}

async fn create_tender(client: &Client, title: &str, status: &str) -> Value {
    client.post("/tenders", &tender_form(title, status)).await.expect(201)["data"]["tender"].clone()
}

fn id(tender: &Value) -> &str {
    tender["_id"].as_str().unwrap()
}

fn path(tender: &Value) -> String {
    format!("/tenders/{}", id(tender))
}

async fn listed_titles(portal: &TestPortal) -> Vec<String> {
    portal.wait_until_indexed().await;
    let list = portal.guest().get("/tenders").await.expect(200);
    let titles = list["data"]["tenders"].as_array().unwrap().iter();
    titles.map(|tender| tender["title"].as_str().unwrap().to_owned()).collect()
}

async fn waiting(admin: &Client) -> Vec<Value> {
    let list = admin.get("/operate/publications").await.expect(200);
    let count = waiting_work(admin, "publications").await;
    let waiting = list["data"]["publications"].as_array().unwrap().clone();
    assert_eq!(count, waiting.len() as i64);
    waiting
}

async fn approve(admin: &Client, publication: &Value) {
    let path = format!("/operate/publications/{}/approval", id(&publication["tender"]));
    admin.post(&path, &json!({"revision": publication["revision"]})).await.expect(200);
}

/// The tender as its owner sees it in the list of own tenders.
async fn own(client: &Client, tender: &Value) -> Value {
    let mine = client.get("/tenders/user/my-tenders").await.expect(200)["data"]["tenders"].clone();
    let found = mine.as_array().unwrap().iter().find(|mine| mine["_id"] == tender["_id"]);
    found.cloned().unwrap_or_default()
}

#[tokio::test]
async fn first_publication_waits_for_an_administrator() {
    let portal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let reader = portal.subscriber("kamala", "supplier", Some("professional")).await;
    let alert = json!({"name": "Chairs", "keywords": [{"term": "chairs"}]});
    let alert = reader.post("/alerts", &alert).await.expect(201)["data"]["alert"]["_id"].clone();
    let supplier = portal.user("nimal", "supplier").await;
    let made = supplier.post("/tenders", &tender_form("Chairs", "published")).await.expect(201);
    assert_eq!(made["message"], "Your tender waits for a check by the portal");
    let tender = made["data"]["tender"].clone();
    assert_eq!((&tender["status"], tender.get("publishedAt")), (&json!("draft"), None));
    let since = json!({"heldAt": "2026-11-20T12:00:00+05:30"});
    assert_eq!((&tender["moderation"], &own(&supplier, &tender).await["moderation"]), (&since, &since));
    let second = create_tender(&supplier, "Second chairs", "draft").await;
    portal.advance(60);
    let submitted = supplier.put(&path(&second), &json!({"status": "published"})).await.expect(200);
    assert_eq!(submitted["message"], "Your tender waits for a check by the portal");

    // Nobody else sees, counts or is told of the tenders.
    assert_eq!(listed_titles(&portal).await, Vec::<String>::new());
    let stats = portal.guest().get("/tenders/stats").await.expect(200);
    assert_eq!(stats["data"]["totalTenders"], 0);
    for client in [&portal.guest(), &reader] {
        client.get(&path(&tender)).await.expect_error(404);
    }
    reader.put(&format!("{}/intention", path(&tender)), &json!({})).await.expect_error(404);
    portal.wait_until_matched().await;
    let matches = format!("/alerts/{}/matches", alert.as_str().unwrap());
    let count = async || reader.get(&matches).await.expect(200)["data"]["pagination"]["totalCount"].clone();
    assert_eq!(count().await, 0);

    // An administrator sees them, the oldest first, with the publisher.
    let held = waiting(&admin).await;
    let titles: Vec<_> = held.iter().map(|held| held["tender"]["title"].clone()).collect();
    assert_eq!(titles, ["Chairs", "Second chairs"]);
    let publisher = &held[0]["publisher"];
    assert_eq!(
        (&publisher["email"], &publisher["domain"]),
        (&json!("nimal@example.lk"), &json!("example.lk"))
    );
    assert_eq!((&publisher["held"], &publisher["published"]), (&json!(2), &json!(0)));
    assert_eq!(
        (&publisher["createdAt"], &publisher["lockedAt"]),
        (&json!("2026-11-20T12:00:00+05:30"), &json!(null))
    );
    admin.get(&path(&tender)).await.expect(200);

    portal.advance(60);
    approve(&admin, &held[0]).await;
    let mut listed = listed_titles(&portal).await;
    listed.sort_unstable();
    assert_eq!(listed, ["Chairs", "Second chairs"]);
    let shown = portal.guest().get(&path(&tender)).await.expect(200)["data"]["tender"].clone();
    assert_eq!((&shown["publishedAt"], shown.get("moderation")), (&json!("2026-11-20T12:02:00+05:30"), None));
    assert_eq!(waiting(&admin).await, Vec::<Value>::new());
    portal.wait_until_matched().await;
    assert_eq!(count().await, 2);
    let mail = find_mail(&portal, "nimal@example.lk", "“Second chairs”").await;
    assert!(mail.contains("“Chairs”") && mail.contains("/supplier/dashboard"), "{mail}");
    let entries = admin.get("/operate/audit?action=approve-publication").await.expect(200);
    let entries = entries["data"]["entries"].as_array().unwrap().clone();
    assert_eq!(entries.len(), 2);
    assert_eq!((&entries[1]["subject"], &entries[1]["subjectId"]), (&json!("tender"), &tender["_id"]));
    let nimal = id_of(&find_user(&admin, "nimal").await);
    assert_eq!(entries[1]["after"], json!({"status": "published", "publisher": nimal}));

    // The publisher is known now.
    let third = create_tender(&supplier, "Third chairs", "published").await;
    assert_eq!(third["status"], "published");
    assert!(listed_titles(&portal).await.contains(&"Third chairs".to_owned()));
}

#[tokio::test]
async fn approval_needs_the_present_revision_and_an_open_closing() {
    let portal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "Chairs", "published").await;
    let mut soon = tender_form("Tables", "published");
    soon["dates"]["closing"] = json!("2026-11-21");
    let soon = supplier.post("/tenders", &soon).await.expect(201)["data"]["tender"].clone();
    let read = waiting(&admin).await;
    let approval = format!("/operate/publications/{}/approval", id(&tender));
    let revision = json!({"revision": read[0]["revision"]});

    supplier.put(&path(&tender), &json!({"title": "Weapons"})).await.expect(200);
    let refused = admin.post(&approval, &revision).await.expect_error(409);
    assert!(refused.starts_with("The publisher has changed the tender"), "{refused}");
    let edited = own(&supplier, &tender).await;
    assert_eq!(
        (&edited["title"], &edited["moderation"]["heldAt"]),
        (&json!("Weapons"), &json!("2026-11-20T12:00:00+05:30"))
    );

    portal.advance(24 * 3600);
    let admin = portal.sign_in("amara").await;
    let read = waiting(&admin).await;
    let late = format!("/operate/publications/{}/approval", id(&soon));
    let refused = admin.post(&late, &json!({"revision": read[1]["revision"]})).await.expect_error(409);
    assert_eq!(refused, "The tender cannot be published: Closing date must be in the future");
    // The other tender is approved, and the late one keeps waiting.
    approve(&admin, &read[0]).await;
    assert_eq!(listed_titles(&portal).await, ["Weapons"]);
    assert_eq!(waiting(&admin).await[0]["tender"]["title"], "Tables");
    // Its publisher is known, so a later closing publishes it.
    let supplier = portal.sign_in("nimal").await;
    supplier.put(&path(&soon), &json!({"dates": {"closing": "2026-12-05"}})).await.expect(200);
    assert_eq!(waiting(&admin).await, Vec::<Value>::new());
    portal.guest().get(&path(&soon)).await.expect(200);

    admin.post(&late, &json!({"revision": 1})).await.expect_error(404);
    admin.post(&late, &json!({})).await.expect_error(422);
    admin.get("/operate/publications?after=x").await.expect_error(422);
}

#[tokio::test]
async fn locked_publisher_is_not_approved() {
    let portal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let supplier = portal.user("nimal", "supplier").await;
    create_tender(&supplier, "Chairs", "published").await;
    let nimal = id_of(&find_user(&admin, "nimal").await);
    admin.put(&format!("/operate/users/{nimal}/lock"), &json!({"reason": "Fraud"})).await.expect(200);
    let held = waiting(&admin).await;
    assert_eq!(held[0]["publisher"]["lockedAt"], "2026-11-20T12:00:00+05:30");
    let approval = format!("/operate/publications/{}/approval", id(&held[0]["tender"]));
    admin.post(&approval, &json!({"revision": held[0]["revision"]})).await.expect_error(409);
    assert_eq!(listed_titles(&portal).await, Vec::<String>::new());
}

#[tokio::test]
async fn refused_publication_is_a_draft_with_the_reason() {
    let portal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "Chairs", "published").await;
    let refusal = format!("/operate/publications/{}/refusal", id(&tender));
    admin.post(&refusal, &json!({"reason": " "})).await.expect_error(422);
    admin.post(&refusal, &json!({"reason": "x".repeat(501)})).await.expect_error(422);
    let reason = "The organisation does not know this tender.";
    admin.post(&refusal, &json!({"reason": reason})).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["after"]["reason"]), (&json!("refuse-publication"), &json!(reason)));
    let decided = json!({"refusal": {"at": "2026-11-20T12:00:00+05:30", "reason": reason}});
    assert_eq!(own(&supplier, &tender).await["moderation"], decided);
    let mail = find_mail(&portal, "nimal@example.lk", "did not publish it").await;
    let mail = mail.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(mail.contains(reason) && mail.contains(&format!("{}/edit", path(&tender))), "{mail}");
    admin.post(&refusal, &json!({"reason": reason})).await.expect_error(404);

    // An edited draft keeps the reason until it is submitted again.
    supplier.put(&path(&tender), &json!({"title": "Tables"})).await.expect(200);
    assert_eq!(own(&supplier, &tender).await["moderation"], decided);
    create_tender(&supplier, "Desks", "published").await;
    assert_eq!(waiting(&admin).await[0]["publisher"]["refused"], 1);
    portal.advance(60);
    supplier.put(&path(&tender), &json!({"status": "published"})).await.expect(200);
    let again = json!({"heldAt": "2026-11-20T12:01:00+05:30"});
    assert_eq!(own(&supplier, &tender).await["moderation"], again);
    let titles: Vec<_> = waiting(&admin).await.iter().map(|held| held["tender"]["title"].clone()).collect();
    assert_eq!(titles, ["Desks", "Tables"], "it is the last one in the queue");
    assert_eq!(listed_titles(&portal).await, Vec::<String>::new());
}

#[tokio::test]
async fn owner_edits_deletes_and_takes_back_a_waiting_tender() {
    let portal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "Chairs", "published").await;
    let held = own(&supplier, &tender).await["moderation"].clone();
    portal.advance(60);
    for edit in [json!({"title": "Tables"}), json!({"title": "Tables", "status": "published"})] {
        supplier.put(&path(&tender), &edit).await.expect(200);
        let edited = own(&supplier, &tender).await;
        assert_eq!((&edited["title"], &edited["moderation"]), (&json!("Tables"), &held));
    }
    // It stays complete.
    let refused = supplier.put(&path(&tender), &json!({"title": ""})).await.expect_error(422);
    assert_eq!(refused, "Title is required");
    attach_document(&supplier, &path(&tender), "tables.pdf", pdf("tables")).await;
    assert_eq!(waiting(&admin).await[0]["tender"]["documents"][0]["name"], "tables.pdf");

    // An administrator's edit does not publish it, whatever its status.
    for edit in [
        json!({"title": "Desks"}),
        json!({"title": "Desks", "status": "draft"}),
        json!({"status": "published"}),
    ] {
        admin.put(&path(&tender), &edit).await.expect(200);
        assert_eq!(own(&supplier, &tender).await["moderation"], held);
    }
    let entry = last_entry(&admin).await;
    assert_eq!(
        (&entry["before"], &entry["after"]),
        (&json!({"title": "Tables"}), &json!({"title": "Desks"}))
    );

    // Saved as a draft, it leaves the queue.
    let back = supplier.put(&path(&tender), &json!({"status": "draft"})).await.expect(200);
    assert_eq!(back["message"], "Tender updated successfully");
    assert_eq!(waiting(&admin).await, Vec::<Value>::new());
    supplier.put(&path(&tender), &json!({"title": "", "dates": {"closing": "soon"}})).await.expect(200);
    supplier.put(&path(&tender), &json!({"status": "published"})).await.expect_error(422);
    let mended = json!({"title": "Chairs", "dates": {"closing": "2026-12-01"}, "status": "published"});
    let mended = supplier.put(&path(&tender), &mended).await.expect(200)["data"].clone();
    assert_eq!((mended.get("draftInput"), &mended["refusals"]), (None, &json!([])));
    assert_eq!(waiting(&admin).await.len(), 1);
    assert_eq!(supplier.delete(&path(&tender)).await.expect(200)["message"], "Tender deleted");
    assert_eq!(waiting(&admin).await, Vec::<Value>::new());
}

#[tokio::test]
async fn waiting_tenders_count_against_the_quota() {
    let portal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let supplier = portal.user("nimal", "supplier").await;
    for nth in 0..3 {
        create_tender(&supplier, &format!("T{nth}"), "published").await;
    }
    let more = supplier.post("/tenders", &tender_form("More", "published")).await;
    assert_eq!(more.expect_error(403), "You have published the 3 tenders that your plan includes this month");
    approve(&admin, &waiting(&admin).await[0]).await;
    assert_eq!(listed_titles(&portal).await.len(), 3);
    supplier.post("/tenders", &tender_form("More", "published")).await.expect_error(403);

    // Also where the plan has no limit, the queue has one.
    let large = portal.subscriber("kamala", "supplier", Some("enterprise")).await;
    for nth in 0..20 {
        create_tender(&large, &format!("L{nth}"), "published").await;
    }
    let refused = large.post("/tenders", &tender_form("L20", "published")).await.expect_error(409);
    assert!(refused.starts_with("20 of your tenders wait"), "{refused}");
    let draft = create_tender(&large, "L20", "draft").await;
    large.put(&path(&draft), &json!({"status": "published"})).await.expect_error(409);

    // The list is read in parts.
    let other = portal.user("sunil", "supplier").await;
    create_tender(&other, "Last", "published").await;
    let first = admin.get("/operate/publications").await.expect(200)["data"].clone();
    assert_eq!(first["publications"].as_array().unwrap().len(), 20);
    let rest = format!("/operate/publications?after={}", first["next"]);
    let rest = admin.get(&rest).await.expect(200)["data"].clone();
    assert_eq!((&rest["publications"][0]["tender"]["title"], &rest["next"]), (&json!("Last"), &json!(null)));
    assert_eq!(waiting_work(&admin, "publications").await, 21);
    approve(&admin, &first["publications"][7]).await;
    assert_eq!(waiting(&admin).await.len(), 1);
}

#[tokio::test]
async fn known_publishers_and_administrators_do_not_wait() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    assert_eq!(create_tender(&supplier, "Chairs", "published").await["status"], "published");
    let approved: bool = sqlx::query_scalar("select publisher_approved_at is not null from users")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    assert!(approved, "a publisher who published while the check was off counts as approved");

    let portal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    assert_eq!(create_tender(&admin, "Chairs", "published").await["status"], "published");
    // An administrator who publishes a draft of another user has checked it.
    let supplier = portal.user("nimal", "supplier").await;
    let draft = create_tender(&supplier, "Tables", "draft").await;
    admin.put(&path(&draft), &json!({"status": "published"})).await.expect(200);
    assert_eq!(create_tender(&supplier, "Desks", "published").await["status"], "published");
}

#[tokio::test]
async fn administrators_are_mailed_once_an_hour_that_tenders_wait() {
    let portal = start_portal().await;
    staff(&portal, "amara", "admin").await;
    staff(&portal, "ravi", "reviewer").await;
    let supplier = portal.user("nimal", "supplier").await;
    create_tender(&supplier, "Chairs", "published").await;
    let mail = find_mail(&portal, "amara@example.lk", "wait for a check").await;
    assert!(mail.contains("1 in total") && mail.contains("/operate/publications"), "{mail}");
    create_tender(&supplier, "Tables", "published").await;
    // The job answers requests for a new password before it mails administrators. A second answer
    // therefore shows that it has looked at the new tender.
    for (nth, name) in ["nimal", "ravi"].into_iter().enumerate() {
        let email = format!("{name}@example.lk");
        portal.guest().post("/auth/forgot-password", &json!({"email": email})).await.expect(200);
        find_mail(&portal, &email, "/reset-password?").await;
        assert_eq!(count_waiting_mails(&portal).await, 1, "{nth}");
    }
    portal.advance(3600);
    find_mail(&portal, "amara@example.lk", "2 in total").await;
    assert_eq!(count_waiting_mails(&portal).await, 2);
    assert_eq!(mails(&portal, "ravi@example.lk", 2).await.len(), 2, "a reviewer gets only account mails");
}

async fn count_waiting_mails(portal: &TestPortal) -> usize {
    let all = mails(portal, "amara@example.lk", 1).await;
    all.iter().filter(|mail| text(mail).contains("wait for a check")).count()
}

#[tokio::test]
async fn tender_is_taken_down_with_a_reason_and_put_back() {
    let portal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "Supply of chairs", "published").await;
    let takedown = format!("/operate{}/takedown", path(&tender));
    let reason = "It copies a tender of another organisation";
    admin.put(&takedown, &json!({"reason": reason})).await.expect_error(409);
    approve(&admin, &waiting(&admin).await[0]).await;
    let follower = portal.subscriber("kamala", "supplier", Some("professional")).await;
    follower.put(&format!("/saved{}", path(&tender)), &json!({})).await.expect(200);
    admin.put(&takedown, &json!({"reason": ""})).await.expect_error(422);

    portal.advance(60);
    admin.put(&takedown, &json!({"reason": reason})).await.expect(200);
    assert_eq!(listed_titles(&portal).await, Vec::<String>::new());
    for client in [&portal.guest(), &follower] {
        client.get(&path(&tender)).await.expect_error(404);
    }
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["subjectId"]), (&json!("take-down-tender"), &tender["_id"]));
    assert_eq!(
        (&entry["before"], &entry["after"]),
        (&json!({"status": "published"}), &json!({"status": "withdrawn", "reason": reason}))
    );
    // The owner sees the reason and is mailed.
    let decided = json!({"takedown": {"at": "2026-11-20T12:01:00+05:30", "reason": reason}});
    assert_eq!(own(&supplier, &tender).await["moderation"], decided);
    let seen = supplier.get(&path(&tender)).await.expect(200)["data"]["tender"].clone();
    assert_eq!((&seen["status"], &seen["moderation"]), (&json!("withdrawn"), &decided));
    let mail = find_mail(&portal, "nimal@example.lk", "We have taken down").await;
    let mail = mail.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(mail.contains(reason), "{mail}");
    // Followers learn who did it, and not why.
    portal.wait_until_matched().await;
    portal.advance(60);
    let mail = find_mail(&portal, "kamala@example.lk", "Taken down by the portal").await;
    assert!(mail.contains("Supply of chairs") && !mail.contains("copies"), "{mail}");

    // The owner can neither publish nor edit it, and the next tender waits again.
    for edit in [json!({"status": "published"}), json!({"title": "Chairs"})] {
        supplier.put(&path(&tender), &edit).await.expect_error(409);
    }
    assert_eq!(create_tender(&supplier, "Copied chairs", "published").await["status"], "draft");
    assert_eq!(waiting(&admin).await[0]["publisher"]["takenDown"], 1);

    // Another reason replaces the first one.
    admin.put(&takedown, &json!({"reason": "Fraud"})).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!(
        (&entry["before"], &entry["after"]),
        (&json!({"reason": reason}), &json!({"reason": "Fraud"}))
    );
    let log = portal.guest().get(&path(&tender)).await;
    log.expect_error(404);

    admin.delete(&takedown).await.expect(200);
    assert_eq!(last_entry(&admin).await["action"], "restore-tender");
    let shown = portal.guest().get(&path(&tender)).await.expect(200)["data"]["tender"].clone();
    assert_eq!(
        (&shown["status"], &shown["publishedAt"]),
        (&json!("published"), &json!("2026-11-20T12:00:00+05:30"))
    );
    assert_eq!((shown.get("moderation"), shown.get("changes")), (None, None), "nothing of it is left");
    find_mail(&portal, "nimal@example.lk", "have put it back").await;
    assert_eq!(create_tender(&supplier, "More chairs", "published").await["status"], "published");
    let entries = async || {
        let all = admin.get("/operate/audit?action=restore-tender").await.expect(200);
        all["data"]["entries"].as_array().unwrap().len()
    };
    admin.delete(&takedown).await.expect(200);
    assert_eq!(entries().await, 1, "nothing changed the second time");
    let unknown = "/operate/tenders/00000000-0000-7000-8000-000000000000/takedown";
    admin.put(unknown, &json!({"reason": "x"})).await.expect_error(404);
    admin.delete(unknown).await.expect_error(404);
}

#[tokio::test]
async fn tender_that_is_withdrawn_by_its_owner_is_not_taken_down() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "Chairs", "published").await;
    supplier.delete(&path(&tender)).await.expect(200);
    let takedown = format!("/operate{}/takedown", path(&tender));
    admin.put(&takedown, &json!({"reason": "Fraud"})).await.expect_error(409);
    assert_eq!(own(&supplier, &tender).await, Value::Null, "the owner's list has no withdrawn tenders");
    // The tender of a deleted account is not put back: nobody could answer bidders.
    let other = create_tender(&supplier, "Tables", "published").await;
    let takedown = format!("/operate{}/takedown", path(&other));
    admin.put(&takedown, &json!({"reason": "Fraud"})).await.expect(200);
    supplier.post("/auth/delete-account", &json!({"password": "secret-of-theirs"})).await.expect(200);
    admin.delete(&takedown).await.expect_error(409);
}

#[tokio::test]
async fn notice_does_not_revive_a_tender_that_was_taken_down() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let operator = portal.operator().await;
    let tender = send_notice(&operator, 1, ORIGINAL_NOTICE).await;
    let weekly = TestNotice { newspaper: "Weekly Test", ..ORIGINAL_NOTICE };
    assert_eq!(send_notice(&operator, 2, weekly).await["outcome"], "merged");
    let takedown = format!("/operate{}/takedown", path(&tender));
    admin.put(&takedown, &json!({"reason": "The newspaper was deceived"})).await.expect(200);
    assert_eq!(listed_titles(&portal).await, Vec::<String>::new());

    portal.advance(60);
    // Each notice is read again, and other newspapers print it, one without a reference.
    let reread = TestNotice { text: "Sealed bids are invited again.", ..ORIGINAL_NOTICE };
    send_notice(&operator, 1, reread).await;
    send_notice(&operator, 2, TestNotice { text: "Sealed bids are invited again.", ..weekly }).await;
    let third = TestNotice { newspaper: "Third Test", ..ORIGINAL_NOTICE };
    let joined = send_notice(&operator, 3, third).await;
    assert_eq!((&joined["_id"], &joined["outcome"]), (&tender["_id"], &json!("merged")));
    let cancelled = TestNotice { text: "This tender is cancelled.", closing: "", ..CORRIGENDUM };
    send_notice(&operator, 4, cancelled).await;
    assert_eq!(listed_titles(&portal).await, Vec::<String>::new());
    portal.guest().get(&path(&tender)).await.expect_error(404);
    let stored = current_tender(&portal, &tender).await;
    assert_eq!(stored.status, TenderStatus::Withdrawn);
    assert!(publications(&stored).contains(&"Third Test"), "{:?}", publications(&stored));

    // It comes back with what the notices say.
    admin.delete(&takedown).await.expect(200);
    portal.guest().get(&path(&tender)).await.expect(200);
    let stored = current_tender(&portal, &tender).await;
    assert_eq!(stored.full_text_markdown, "Sealed bids are invited again.");
}

#[tokio::test]
async fn edits_of_administrators_in_tenders_of_others_are_recorded() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier, "Chairs", "published").await;
    let entries = async || admin.get("/operate/audit").await.expect(200)["data"]["entries"].clone();
    let edit = json!({"title": "Tables", "organization": {"name": "Abans", "contactPerson": {"name": "Sunil Silva"}}});
    admin.put(&path(&tender), &edit).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["subjectId"]), (&json!("edit-tender"), &tender["_id"]));
    assert_eq!((&entry["before"]["title"], &entry["after"]["title"]), (&json!("Chairs"), &json!("Tables")));
    assert_eq!(entry["after"]["organization.contactPerson.name"], "(not recorded)");
    assert!(!entry.to_string().contains("Silva"), "{entry}");
    assert_eq!((&entry["actorName"], &entry["address"]), (&json!("amara@example.lk"), &json!("127.0.0.1")));

    let document = attach_document(&admin, &path(&tender), "tables.pdf", pdf("tables")).await;
    assert_eq!(last_entry(&admin).await["after"], json!({"documents": "tables.pdf"}));
    admin.delete(&format!("{}/documents/{}", path(&tender), id(&document))).await.expect(200);
    assert_eq!(last_entry(&admin).await["before"], json!({"documents": "tables.pdf"}));
    admin.delete(&path(&tender)).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!(
        (&entry["before"], &entry["after"]),
        (&json!({"status": "published"}), &json!({"status": "withdrawn"}))
    );
    let draft = create_tender(&supplier, "Draft", "draft").await;
    admin.delete(&path(&draft)).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!(
        (&entry["action"], &entry["before"]),
        (&json!("delete-tender"), &json!({"status": "draft", "title": "Draft"}))
    );

    // What an owner does is not recorded, also if the owner is an administrator.
    let before = entries().await;
    for owner in [&supplier, &admin] {
        let own = create_tender(owner, "Own", "published").await;
        owner.put(&path(&own), &json!({"title": "Still own"})).await.expect(200);
        attach_document(owner, &path(&own), "own.pdf", pdf("own")).await;
        owner.delete(&path(&own)).await.expect(200);
    }
    assert_eq!(entries().await, before);
}

#[tokio::test]
async fn first_upload_of_a_token_on_a_day_is_recorded() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let (one, other) = (portal.operator().await, portal.operator().await);
    let entries = async |admin: &Client| {
        let all = admin.get("/operate/audit?action=upload-notices").await.expect(200);
        all["data"]["entries"].as_array().unwrap().clone()
    };
    send_notice(&one, 1, ORIGINAL_NOTICE).await;
    let road = TestNotice { title: "Bridge at Hatton", reference: "B/1", ..ORIGINAL_NOTICE };
    send_notice(&one, 2, road).await;
    let found = entries(&admin).await;
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0]["actorKind"], &found[0]["actorName"]), (&json!("token"), &json!("test")));
    assert_eq!(
        (&found[0]["subjectId"], &found[0]["after"]),
        (&json!(format!("{:032x}", 1)), &json!({"day": "2026-11-20"}))
    );
    // The same content again is no upload.
    send_notice(&other, 1, ORIGINAL_NOTICE).await;
    assert_eq!(entries(&admin).await.len(), 1);
    send_notice(&other, 3, TestNotice { title: "Chairs", reference: "C/1", ..ORIGINAL_NOTICE }).await;
    assert_eq!(entries(&admin).await.len(), 2);
    portal.advance(24 * 3600);
    let admin = portal.sign_in("amara").await;
    send_notice(&one, 4, TestNotice { title: "Tyres", reference: "T/1", ..ORIGINAL_NOTICE }).await;
    let found = entries(&admin).await;
    assert_eq!((found.len(), &found[0]["after"]), (3, &json!({"day": "2026-11-21"})));
}
