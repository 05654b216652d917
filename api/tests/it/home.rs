//! What the home page shows to everyone.

use crate::support::{TestPortal, publishing::store_sample_tender};
use serde_json::{Value, json};
use tender_model::{
    tender::{DocumentFee, FieldState, Source, Tender},
    vocabulary::{TenderStatus, Visibility},
};

/// The hash of a clip that is not stored.
const CLIP: &str = "ab";

/// Adds a newspaper notice with a clip to a tender.
fn print(tender: &mut Tender, publication: &str, date: &str) {
    tender.sources.push(Source {
        publication: publication.into(),
        date: date.parse().ok(),
        clip_url: Some(format!("/api/clips/{}", CLIP.repeat(32))),
        ..Source::default()
    });
}

fn texts<'v>(list: &'v Value, pointer: &str) -> Vec<&'v str> {
    let entries = list.as_array().unwrap().iter();
    entries.map(|entry| entry.pointer(pointer).unwrap().as_str().unwrap()).collect()
}

async fn read_home(portal: &TestPortal) -> Value {
    portal.wait_until_indexed().await;
    portal.guest().get("/home").await.expect(200)["data"].clone()
}

#[tokio::test]
async fn home_of_an_empty_portal_is_empty() {
    let portal = TestPortal::start().await;
    let none = json!({"closingSoon": [], "notices": [], "newspapers": [], "organizations": []});
    assert_eq!(read_home(&portal).await, none);
}

#[tokio::test]
async fn home_names_the_next_closings_newspapers_and_organisations() {
    let portal = TestPortal::start().await;
    for nth in 1..=7 {
        store_sample_tender(&portal, &format!("Road {nth}"), |tender| {
            tender.dates.closing = format!("2026-12-{:02}T14:00:00+05:30", 20 - nth).parse().ok();
            print(tender, "Daily Lanka", "2026-11-18");
        })
        .await;
    }
    // It closes first, but its documents are no longer sold, and six others are open.
    store_sample_tender(&portal, "Sold out", |tender| {
        tender.dates.closing = "2026-12-05T14:00:00+05:30".parse().ok();
        tender.document_fee =
            Some(DocumentFee { sale_until: "2026-11-10".parse().ok(), ..DocumentFee::default() });
    })
    .await;
    store_sample_tender(&portal, "Closed", |tender| {
        tender.published_at = "2026-10-02T09:00:00+05:30".parse().ok();
        tender.dates.closing = "2026-11-01T14:00:00+05:30".parse().ok();
        print(tender, "Mira", "2026-10-02");
    })
    .await;
    store_sample_tender(&portal, "No closing", |tender| {
        tender.dates.closing = None;
        tender.organization.name = "Ports Authority".into();
    })
    .await;
    store_sample_tender(&portal, "Glued", |tender| {
        tender.dates.closing = None;
        tender.organization.name = "Supply of Paper Prisons".into();
        tender.field_states = Some([("organization.name".to_owned(), FieldState::Doubtful)].into());
    })
    .await;
    let home = read_home(&portal).await;
    let expected = ["Road 7", "Road 6", "Road 5", "Road 4", "Road 3", "Road 2"];
    assert_eq!(texts(&home["closingSoon"], "/title"), expected);
    assert_eq!(
        home["newspapers"],
        json!([
            {"name": "Daily Lanka", "notices": 7, "latestIssue": "2026-11-18"},
            {"name": "Mira", "notices": 1, "latestIssue": "2026-10-02"},
        ])
    );
    let organizations = &home["organizations"];
    assert_eq!(texts(organizations, "/name"), ["Department of Works", "Ports Authority"]);
    assert_eq!((&organizations[0]["count"], &organizations[1]["count"]), (&json!(8), &json!(1)));
}

#[tokio::test]
async fn home_shows_three_clips_of_open_public_newspaper_notices_and_nothing_else_of_them() {
    let portal = TestPortal::start().await;
    for nth in 1..=4 {
        store_sample_tender(&portal, &format!("Road {nth}"), |tender| {
            tender.published_at = format!("2026-11-19T09:0{nth}:00+05:30").parse().ok();
            tender.full_text_markdown = "The whole notice.".into();
            print(tender, "Daily Lanka", "2026-11-18");
        })
        .await;
    }
    type Change = fn(&mut Tender);
    let hidden: [(&str, Change); 6] = [
        ("Premium", |tender| tender.visibility = Visibility::Premium),
        ("Old", |tender| tender.published_at = "2026-10-01T09:00:00+05:30".parse().ok()),
        ("Closed", |tender| tender.status = TenderStatus::Closed),
        ("Draft", |tender| tender.status = TenderStatus::Draft),
        ("Doubtful", |tender| {
            tender.field_states = Some([("title".to_owned(), FieldState::Doubtful)].into_iter().collect());
        }),
        ("Own", |tender| tender.sources.clear()),
    ];
    for (title, change) in hidden {
        store_sample_tender(&portal, title, |tender| {
            tender.published_at = "2026-11-19T10:00:00+05:30".parse().ok();
            print(tender, "Mira", "2026-11-18");
            change(tender);
        })
        .await;
    }
    let home = read_home(&portal).await;
    assert_eq!(texts(&home["notices"], "/tender/title"), ["Road 4", "Road 3", "Road 2"]);
    let text = home.to_string();
    for secret in ["The whole notice.", "Somebody Private", "REF/77", "Premium", "Doubtful"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let address = home["notices"][0]["clipUrl"].as_str().unwrap();
    assert!(address.starts_with(&format!("/api/clips/{}?until=", CLIP.repeat(32))), "{address}");
    // A user gets the same as a guest.
    let user = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    assert_eq!(user.get("/home").await.expect(200)["data"], home);
}

#[tokio::test]
async fn closed_tender_leaves_home_within_a_minute() {
    let portal = TestPortal::start().await;
    store_sample_tender(&portal, "Road", |tender| {
        tender.dates.closing = Some(portal.state.clock.moment());
    })
    .await;
    portal.advance(60);
    assert_eq!(read_home(&portal).await["closingSoon"], json!([]));
}
