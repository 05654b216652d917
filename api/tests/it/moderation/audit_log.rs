//! The entries in the audit log for edits of tenders of others and for uploads.

use super::{id, path};
use crate::{
    documents::{attach_document, pdf},
    notice_sources::{ORIGINAL_NOTICE, TestNotice, send_notice},
    operate::{last_entry, staff},
    publishing::create_tender,
    support::{Client, TestPortal},
};
use serde_json::json;

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
