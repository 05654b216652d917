//! The check of a new publisher's first publication.

use super::{approve, id, listed_titles, own, path, start_portal, waiting};
use crate::{
    documents::{attach_document, pdf},
    operate::{find_user, id_of, last_entry, staff, waiting_work},
    publishing::{create_tender, tender_form},
    support::{
        TestPortal,
        mailbox::{find_mail, mails, text},
    },
};
use serde_json::{Value, json};

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
