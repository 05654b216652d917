//! The whole path in one test: the real `ingest` reads a newspaper page and publishes its notices.
//! The portal stores, indexes and matches them. It mails the matches of a demonstration account's
//! alert.

use crate::support::{TestPortal, poll};
use api::{cli::demo, storage::changes};
use ingest::{
    batch::{self, Options, Progress, Report, Sender, Sinks},
    ocr::Readers,
    portal_client::Portal,
};
use serde_json::Value;
use std::path::Path;
use tender_model::vocabulary::Moment;

/// A digital page with 16 tender notices in three languages.
const PAGE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/newspapers/daily-lanka/2026-11-20/p2.pdf");

/// Runs `ingest` on the page.
async fn ingest(portal: &TestPortal, token: &str, out: &Path) -> Report {
    let (address, token, out) = (format!("http://{}", portal.address), token.to_owned(), out.to_owned());
    let run = move || {
        let sender = Sender::new(Portal::new(&address).unwrap(), &token, false).unwrap();
        let options = Options { jobs: 2, ..Options::new(vec![PAGE.into()], out, ingest_time) };
        let sinks = Sinks { sender: Some(&sender), index: None };
        batch::run(&options, &Readers::new, sinks, &Progress::choose(false)).unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// Returns the time that `ingest` takes as the current time.
fn ingest_time() -> Moment {
    "2026-11-20T09:00:00+05:30".parse().unwrap()
}

async fn read_mails(portal: &TestPortal) -> Vec<Value> {
    let reply = portal.guest().get_unchecked("/dev/mail.json").await;
    serde_json::from_str(&reply.text()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn newspaper_page_is_published_matched_and_mailed() {
    let portal = TestPortal::start_with(&["--demo"]).await;
    let state = &portal.state;
    demo::create_accounts(state).await.unwrap();
    let token = portal.operator_token().await;
    let out = tempfile::tempdir().unwrap();

    let report = ingest(&portal, &token, out.path()).await;
    let sent = report.published.as_ref().unwrap();
    assert_eq!((report.done, sent.created, sent.refused.len()), (1, 16, 0));

    // The page is shown with its blocks and their tenders.
    let operator = portal.guest().with_token(&token);
    let pages = operator.get("/operate/pages").await.expect(200)["data"]["pages"].clone();
    let page =
        operator.get(&format!("/operate/pages/{}", pages[0]["_id"].as_str().unwrap())).await.expect(200);
    let page = &page["data"];
    assert_eq!((&page["page"]["fileName"], &page["page"]["date"]), (&"p2.pdf".into(), &"2026-11-20".into()));
    let counts = &page["page"]["counts"];
    assert_eq!(counts["tender"].as_i64().unwrap() + counts["doubtful"].as_i64().unwrap(), 16);
    let with_tender = page["blocks"].as_array().unwrap().iter().filter(|block| block["tenderId"].is_string());
    assert_eq!(with_tender.count(), 16);

    portal.wait_until_indexed().await;
    let listing = portal.guest().get("/tenders?limit=50").await.expect(200);
    assert_eq!(listing["data"]["pagination"]["totalCount"], 16);
    let tender = &listing["data"]["tenders"][0];
    assert!(tender["title"].as_str().is_some_and(|title| title.len() > 10));
    let details =
        portal.guest().get(&format!("/tenders/{}", tender["_id"].as_str().unwrap())).await.expect(200);
    let details = &details["data"]["tender"];
    assert!(details["fullTextMarkdown"].as_str().is_some_and(|text| text.len() > 100));
    let clip = portal.guest().get_unchecked(details["sources"][0]["clipUrl"].as_str().unwrap()).await;
    assert_eq!((clip.status.as_u16(), clip.header("content-type")), (200, "image/jpeg"));

    let head = changes::head(&state.db).await.unwrap().position;
    state.progress.matcher.subscribe().wait_for(|job| job.position >= head).await.unwrap();
    assert_eq!(read_mails(&portal).await.len(), 0, "matches are collected before they are mailed");
    portal.advance(60);
    let inbox = poll(async || Some(read_mails(&portal).await).filter(|inbox| !inbox.is_empty())).await;
    let inbox = inbox.unwrap_or_default();
    let [mail] = inbox.as_slice() else { panic!("{} mails instead of one", inbox.len()) };
    assert_eq!(mail["to"][0], "professional@demo.test");
    let text = mail["text"].as_str().unwrap();
    for part in
        ["Why you get this: your alert “Building and rehabilitation works”", "/tenders/", "/unsubscribe/"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(mail["html"].as_str().is_some_and(|html| html.contains("Why you get this")));
    let found = "Desilting and Rehabilitation of Tangalle Wewa in Valaichenai Range";
    assert!(text.contains(found), "{text}");
    assert!(
        mail["subject"].as_str().is_some_and(|subject| subject.contains("new tender")),
        "{}",
        mail["subject"]
    );
    let header = |name: &str| {
        let headers = mail["headers"].as_array().unwrap();
        headers.iter().find(|header| header["name"] == name).map(|header| header["value"].clone())
    };
    assert_eq!(header("List-Unsubscribe-Post").unwrap(), "List-Unsubscribe=One-Click");

    // When `ingest` runs on the same page again, nothing is read, published or mailed.
    let again = ingest(&portal, &token, out.path()).await;
    assert_eq!((again.done, again.unchanged), (0, 1));
    portal.advance(60);
    assert_eq!(changes::head(&state.db).await.unwrap().position, head);
    assert_eq!(read_mails(&portal).await.len(), 1);
}
