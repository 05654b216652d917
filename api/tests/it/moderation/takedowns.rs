//! Taking tenders down and putting them back.

use super::{approve, listed_titles, own, path, start_portal, waiting};
use crate::{
    notice_sources::{CORRIGENDUM, ORIGINAL_NOTICE, TestNotice, current_tender, publications, send_notice},
    operate::{last_entry, staff},
    publishing::create_tender,
    support::{TestPortal, mailbox::find_mail},
};
use serde_json::json;
use tender_model::vocabulary::TenderStatus;

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
    assert_eq!(own(&supplier, &tender).await["status"], "withdrawn");
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
