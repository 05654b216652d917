//! The resources of an owner, whose ids other users try.

use crate::{
    documents::{attach_document, pdf},
    notice_sources::{ORIGINAL_NOTICE, TestNotice, send_notice},
    support::{Client, TestPortal, payments},
};
use Resource::{
    Alert, Bid, Checkout, Clip, Draft, DraftFile, File, Invitation, Invoice, Key, Member, Notice, Published,
    Report, SavedSearch, Session, Withdrawn, WithdrawnFile,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The owner's resources whose ids another user tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
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
    /// A bid, by the ids of the bid and its note.
    Bid,
    Key,
    Report,
    Invitation,
    Member,
    /// A paid checkout, by its id at the payment provider.
    Checkout,
    Invoice,
}

pub fn report_form(name: &str) -> Value {
    let asked = json!({"query": "search=inkwells", "period": {"span": "thisMonth"}, "columns": ["title"]});
    json!({"name": name, "asked": asked, "isMonthly": true})
}

pub async fn create_tender(owner: &Client, status: &str) -> String {
    let form = json!({
        "title": "Supply of inkwells", "description": "As specified.", "referenceNo": "Q/1", "category": "Furniture",
        "status": status, "organization": {"name": "Quiet Works"}, "dates": {"closing": "2026-12-20"},
        "location": {"province": "Western", "district": "Gampaha"},
    });
    let made = owner.post("/tenders", &form).await.expect(201);
    made["data"]["tender"]["_id"].as_str().unwrap().to_owned()
}

/// Creates an owner with a resource of each kind. Returns the owner and the resources' ids.
pub async fn create_resources(portal: &TestPortal) -> (Client, BTreeMap<Resource, Vec<String>>) {
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
    let bid = json!({"tenderId": published});
    let bid = owner.post("/bids", &bid).await.expect(201)["data"]["bid"]["_id"].clone();
    let note = format!("/bids/{}/notes", bid.as_str().unwrap());
    owner.post(&note, &json!({"text": "inkwells"})).await.expect(201);
    let note: uuid::Uuid =
        sqlx::query_scalar("select id from bid_note").fetch_one(&portal.state.db).await.unwrap();
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
        (Bid, vec![text(&bid), note.to_string()]),
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
