//! Uncertain fields in the listing, details, feed, matches and mails, and their correction by a
//! reviewer.

use crate::{
    ingest::put,
    support::{Client, TestPortal, mailbox::mails},
};
use api::storage::{self, changes, tenders};
use ingest::{
    batch::{self, Progress, Sender, stored_notices},
    portal_client::Portal,
};
use mail_parser::{MessageParser, MimeHeaders};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, path::Path};
use tender_model::tender::Tender;

/// The path of a clip in the fixtures.
const CLIP: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/notices/daily-lanka/2026-11-20/p1-01.jpg");

/// Returns a notice file for [`CLIP`] with additional front matter.
fn notice(title: &str, front_matter: &str) -> String {
    format!(
        "---\ntitle: {title}\nkind: purchase\nlanguage: en\nreferenceNo: KMC/PROC/2027/336\norganization:\n  name: Kandy \
        Municipal Council\nsource:\n  publication: Daily Test\n  date: 2026-11-20\n  file: 2026-11-20/p1.jpg\n  page: 1\n  box: \
        [0.723, 0.0407, 0.2157, 0.1683]\n{front_matter}---\n\nSealed bids are invited for compactor trucks.\n"
    )
}

/// Front matter with an uncertain closing date and an uncertain district.
const DOUBTFUL_FIELDS: &str = "dates:\n  closing: 2026-12-01T14:00:00+05:30\nconfidence:\n  dates.closing: 0.6\n  title: 0.9\nevidence:\n  \
    dates.closing:\n    text: 02:00 pm on Sth of Dec 2026\n    box: [0.7279, 0.166, 0.2071, 0.0093]\nfieldStates:\n  dates.closing: \
    doubtful\n  location.district: doubtful\nneedsReview: true\n";

async fn send(operator: &Client, number: u32, notice: String) -> Value {
    let reply = put(operator, &format!("{number:032x}"), notice, &fs::read(CLIP).unwrap()).await;
    assert!(reply.status.is_success(), "{}", reply.text());
    reply.json()["data"].clone()
}

/// Creates a Professional subscriber with an immediate alert for a word.
async fn create_alerted_subscriber(portal: &TestPortal, name: &str, word: &str) -> (Client, Value) {
    let client = portal.subscriber(name, "supplier", Some("professional")).await;
    let form = json!({"name": "Trucks", "keywords": [{"term": word, "matchType": "contains"}],
        "emailSettings": {"enabled": true, "frequency": "immediate"}});
    let alert = client.post("/alerts", &form).await.expect(201)["data"]["alert"].clone();
    (client, alert)
}

/// Lets the collection time pass, waits for `count` alert mails to a user and returns all of them.
async fn alert_mails(portal: &TestPortal, name: &str, count: usize) -> Vec<Vec<u8>> {
    portal.wait_until_matched().await;
    portal.advance(60);
    // The extra mail is the one that asked the user to confirm the address.
    let mut all = mails(portal, &format!("{name}@example.lk"), count + 1).await;
    all.retain(|mail| String::from_utf8_lossy(mail).contains("List-Unsubscribe:"));
    all
}

fn text_of(mail: &[u8]) -> String {
    MessageParser::default().parse(mail).unwrap().body_text(0).unwrap().replace("\r\n", "\n")
}

fn embedded_pictures(mail: &[u8]) -> Vec<(String, Vec<u8>)> {
    let message = MessageParser::default().parse(mail).unwrap();
    message
        .attachments()
        .filter_map(|part| Some((part.content_id()?.to_owned(), part.contents().to_vec())))
        .collect()
}

#[tokio::test]
async fn listing_details_feed_and_mail_mark_uncertain_fields() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let (client, alert) = create_alerted_subscriber(&portal, "nimal", "trucks").await;
    let published = send(&operator, 1, notice("Hiring of compactor trucks", DOUBTFUL_FIELDS)).await;
    assert_eq!(published["outcome"], "created", "a doubtful field does not delay publication");
    portal.wait_until_indexed().await;
    let states = json!({"dates.closing": "doubtful", "location.district": "doubtful"});

    let listing = client.get("/tenders").await.expect(200);
    assert_eq!(listing["data"]["tenders"][0]["fieldStates"], states);
    let id = published["_id"].as_str().unwrap();
    let details = client.get(&format!("/tenders/{id}")).await.expect(200)["data"]["tender"].clone();
    assert_eq!(details["fieldStates"], states);
    assert_eq!(details["evidence"]["dates.closing"]["text"], "02:00 pm on Sth of Dec 2026");
    let feed = portal.guest().get("/feeds/tenders").await.text();
    assert!(feed.contains("Closes Tue 1 Dec 2026, 2.00 p.m.; not certain: check the notice"), "{feed}");
    assert!(feed.contains("Not certain: closing, place. Check the notice."), "{feed}");
    let matches =
        client.get(&format!("/alerts/{}/matches", alert["_id"].as_str().unwrap())).await.expect(200);
    assert_eq!(matches["data"]["matches"][0]["fieldStates"], states);

    let mails = alert_mails(&portal, "nimal", 1).await;
    let text = text_of(&mails[0]);
    assert!(
        text.contains("Closes Tue 1 Dec 2026, 2.00 p.m. (11 days left); not certain: check the notice"),
        "{text}"
    );
    assert!(text.contains("Printed in the notice for the closing: “02:00 pm on Sth of Dec 2026”"), "{text}");
    let pictures = embedded_pictures(&mails[0]);
    assert_eq!(pictures.len(), 1, "one doubtful field with its position on the clip");
    assert!(pictures[0].1.starts_with(&[0xFF, 0xD8, 0xFF]) && pictures[0].1.len() <= 12_000);
    let html = MessageParser::default().parse(&mails[0]).unwrap().body_html(0).unwrap().into_owned();
    assert!(html.contains(&format!("cid:{}", pictures[0].0)));
}

#[tokio::test]
async fn corrected_closing_is_mailed_once_if_it_differs() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    create_alerted_subscriber(&portal, "nimal", "trucks").await;
    let right = send(&operator, 1, notice("Hiring of compactor trucks", DOUBTFUL_FIELDS)).await;
    let wrong = send(
        &operator,
        2,
        notice("Supply of water trucks", DOUBTFUL_FIELDS).replace("KMC/PROC/2027/336", "KMC/PROC/2027/400"),
    )
    .await;
    let mails = alert_mails(&portal, "nimal", 1).await;
    assert_eq!(mails.len(), 1, "both tenders are in one mail");
    let settled = |closing: &str| {
        format!(
            "dates:\n  closing: {closing}\nconfidence:\n  dates.closing: 1.0\n  title: 0.9\nfieldStates: {{}}\n"
        )
    };
    let same =
        send(&operator, 1, notice("Hiring of compactor trucks", &settled("2026-12-01T14:00:00+05:30"))).await;
    assert_eq!((&same["_id"], &same["outcome"]), (&right["_id"], &json!("updated")));
    let file = notice("Supply of water trucks", &settled("2026-12-08T14:00:00+05:30"))
        .replace("KMC/PROC/2027/336", "KMC/PROC/2027/400");
    let other = send(&operator, 2, file.clone()).await;
    assert_eq!((&other["_id"], &other["outcome"]), (&wrong["_id"], &json!("updated")));
    let mails = alert_mails(&portal, "nimal", 2).await;
    let change: Vec<String> =
        mails.iter().map(|mail| text_of(mail)).filter(|text| text.contains("had read")).collect();
    assert_eq!((mails.len(), change.len()), (2, 1), "only the wrong closing is mailed");
    assert!(
        change[0]
            .contains("we had read Tue 1 Dec 2026, 2.00 p.m., the notice says Tue 8 Dec 2026, 2.00 p.m."),
        "{}",
        change[0]
    );
    assert!(
        change[0].contains("Supply of water trucks") && !change[0].contains("compactor"),
        "{}",
        change[0]
    );
    // If the same notice is sent again, nothing is mailed.
    assert_eq!(send(&operator, 2, file).await["outcome"], "unchanged");
    portal.wait_until_matched().await;
    portal.advance(60);
    assert_eq!(alert_mails(&portal, "nimal", 2).await.len(), 2);
}

#[tokio::test]
async fn notice_without_closing_matches_alerts_with_a_days_limit() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let (client, _) = create_alerted_subscriber(&portal, "nimal", "trucks").await;
    let bounded = json!({"name": "Soon", "keywords": [{"term": "trucks", "matchType": "contains"}],
        "advancedFilters": {"maxDaysUntilClosing": 7}});
    let bounded = client.post("/alerts", &bounded).await.expect(201)["data"]["alert"]["_id"].clone();
    let unread = "dates: {}\nfieldStates:\n  dates.closing: not-read\n  title: not-read\nneedsReview: true\n";
    let title = "Invitation for Bids, Kandy Municipal Council";
    let published = send(&operator, 1, notice(title, unread)).await;
    portal.wait_until_indexed().await;
    portal.wait_until_matched().await;
    let listing = client.get("/tenders?closingUntil=2026-11-25").await.expect(200);
    assert_eq!(
        listing["data"]["tenders"][0]["_id"], published["_id"],
        "a tender with an unread closing matches every closing filter"
    );
    assert_eq!(listing["data"]["tenders"][0]["isExpired"], false);
    let matches = client.get(&format!("/alerts/{}/matches", bounded.as_str().unwrap())).await.expect(200);
    assert_eq!(matches["data"]["matches"][0]["_id"], published["_id"]);
    let mails = alert_mails(&portal, "nimal", 1).await;
    let text = mails.iter().map(|mail| text_of(mail)).collect::<String>();
    assert!(text.contains(title) && text.contains("Closing: see the notice"), "{text}");
    // A tender without a closing date counts as closed ninety days after its publication.
    portal.advance(91 * 24 * 3600);
    let client = portal.sign_in("nimal").await;
    let tender = &client.get(&format!("/tenders/{}", published["_id"].as_str().unwrap())).await.expect(200)["data"]
        ["tender"];
    assert_eq!(tender["isExpired"], true, "{tender}");
}

#[tokio::test]
async fn notice_without_field_states_uses_confidences() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let (client, _) = create_alerted_subscriber(&portal, "nimal", "trucks").await;
    let old = DOUBTFUL_FIELDS.split("fieldStates:").next().unwrap();
    let published = send(&operator, 1, notice("Hiring of compactor trucks", old)).await;
    portal.wait_until_indexed().await;
    let id: uuid::Uuid = published["_id"].as_str().unwrap().parse().unwrap();
    let stored: Tender = tenders::current(&portal.state.db, id).await.unwrap().unwrap().tender;
    assert_eq!(stored.field_states, None);
    let listing = client.get("/tenders").await.expect(200);
    assert_eq!(listing["data"]["tenders"][0]["fieldStates"], json!({"dates.closing": "doubtful"}));
    let mails = alert_mails(&portal, "nimal", 1).await;
    assert!(text_of(&mails[0]).contains("Not certain: closing. Check the notice."), "{}", text_of(&mails[0]));
    assert_eq!(embedded_pictures(&mails[0]).len(), 1);
}

#[tokio::test]
async fn locked_tender_hides_its_clip() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let (client, _) = create_alerted_subscriber(&portal, "nimal", "trucks").await;
    let published = send(&operator, 1, notice("Hiring of compactor trucks", DOUBTFUL_FIELDS)).await;
    let id: uuid::Uuid = published["_id"].as_str().unwrap().parse().unwrap();
    client.put(&format!("/saved/tenders/{id}"), &json!({})).await;
    assert_eq!(embedded_pictures(&alert_mails(&portal, "nimal", 1).await[0]).len(), 1);
    // The publication is moved two years back, out of the plan's archive, and the closing changes.
    let mut tender = tenders::current(&portal.state.db, id).await.unwrap().unwrap().tender;
    tender.published_at = "2024-11-01T08:00:00+05:30".parse().ok();
    tender.dates.closing = "2026-12-24T14:00:00+05:30".parse().ok();
    let state = &portal.state;
    let mut tx = storage::begin(&state.db).await.unwrap();
    let revision = tenders::revise(&mut tx, &tender, state.clock.now()).await.unwrap().unwrap();
    changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
    let mails = alert_mails(&portal, "nimal", 2).await;
    assert_eq!(mails.len(), 2);
    let with_pictures = mails.iter().filter(|mail| !embedded_pictures(mail).is_empty()).count();
    assert_eq!(with_pictures, 1, "the change is mailed without the clip");
    // A guest gets only a stub of the locked tender. It has no evidence, and names an uncertain
    // field only if the stub shows the field.
    portal.wait_until_indexed().await;
    let listing = portal.guest().get("/tenders?limit=5").await.expect(200);
    let stub = &listing["data"]["tenders"][0];
    assert!(stub["locked"].is_object() && stub["evidence"].is_null() && stub["sources"].is_null(), "{stub}");
    assert_eq!(stub["fieldStates"], json!({"dates.closing": "doubtful"}));
}

/// Publishes the notices in an output folder of `ingest`.
async fn publish(portal: &TestPortal, token: &str, out: &Path) -> batch::Report {
    let (address, token, out) = (format!("http://{}", portal.address), token.to_owned(), out.to_owned());
    let run = move || {
        let sender = Sender::new(Portal::new(&address).unwrap(), &token, false).unwrap();
        batch::publish(&out, &sender, &Progress::choose(false)).unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// Copies the output of `ingest` for a scanned page and makes the closing of its first notice
/// uncertain.
fn copy_scanned_page(folder: &Path) {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/notices/daily-lanka/2026-11-20");
    for entry in fs::read_dir(fixtures).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_kept = name.starts_with("p1") && !name.ends_with(".published.json");
        if is_kept {
            fs::copy(entry.path(), folder.join(name)).unwrap();
        }
    }
    let path = folder.join("p1-01.md");
    let mut tender = ingest::markdown::read(&fs::read_to_string(&path).unwrap()).unwrap();
    tender.confidence.insert("dates.closing".into(), 0.6);
    tender.field_states = Some(ingest::extract::field_states(&tender, 0.8));
    fs::write(path, ingest::markdown::write(&tender, None).unwrap()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn review_of_a_scanned_notice_is_mailed_as_a_change() {
    let portal = TestPortal::start().await;
    let state = &portal.state;
    let token = portal.operator_token().await;
    let out = tempfile::tempdir().unwrap();
    copy_scanned_page(out.path());
    let first =
        stored_notices(out.path()).unwrap().into_iter().find(|entry| entry.notice.name == "p1-01").unwrap();
    let read = first.open().unwrap();
    create_alerted_subscriber(&portal, "nimal", "compactor").await;

    publish(&portal, &token, out.path()).await;
    let mail = alert_mails(&portal, "nimal", 1).await.remove(0);
    assert!(text_of(&mail).contains("not certain: check the notice"), "{}", text_of(&mail));
    let pictured_fields = tender_model::tender::KEY_FIELDS.iter().filter(|path| {
        **path != "organization.name"
            && read.tender.is_uncertain(path)
            && read.tender.evidence.contains_key(**path)
    });
    assert_eq!(embedded_pictures(&mail).len(), pictured_fields.count());

    // A reviewer corrects the closing date.
    let mut mended = read.tender.clone();
    mended.dates.closing = "2027-07-05T14:00:00+05:30".parse().ok();
    mended.confidence.insert("dates.closing".into(), 1.0);
    let fields = BTreeSet::from(["dates.closing".to_owned()]);
    let now = state.clock.moment();
    first.change(out.path(), &read, &mended, fields, now).unwrap();
    first.accept(out.path(), &first.open().unwrap(), now).unwrap();
    publish(&portal, &token, out.path()).await;
    let mails = alert_mails(&portal, "nimal", 2).await;
    let change = mails.iter().map(|mail| text_of(mail)).find(|text| text.contains("we had read"));
    assert!(change.is_some_and(|text| text.contains("the notice says Mon 5 Jul 2027, 2.00 p.m.")));
}
