//! Mails about registrations and documents of a company that expire soon.

use super::{NIMAL, create_subscriber, set_clock, start_portal, text_of, wait_until_settled};
use crate::{support::TestPortal, team::join_team};
use serde_json::json;

const SUBJECT: &str = "Documents of your company expire soon";

/// The texts of the mails about expiring documents to an address.
async fn expiry_mails(portal: &TestPortal, to: &str) -> Vec<String> {
    wait_until_settled(portal).await;
    let folder = portal.state.config.data.mail().join("new");
    let mails = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let message = mail_parser::MessageParser::default().parse(&bytes)?;
        let is_theirs = message.to()?.first()?.address()? == to && message.subject() == Some(SUBJECT);
        is_theirs.then(|| text_of(&bytes).replace("\r\n", " "))
    });
    mails.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn expiring_documents_are_mailed_sixty_thirty_and_seven_days_before() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "enterprise").await;
    join_team(&portal, &owner, "kamala").await;
    create_subscriber(&portal, "sunil", "basic").await;
    wait_until_settled(&portal).await;
    let company = json!({
        "cida": [{"grade": "C5", "field": "Buildings", "expires": "2027-01-21"},
            {"grade": "C6", "field": "Roads", "expires": "2028-01-21"}],
        "documents": [{"kind": "tax-clearance", "expires": "2026-12-22"},
            {"kind": "bank-letter", "note": "Galle branch", "expires": "2026-12-22"},
            {"kind": "audited-accounts"}],
    });
    owner.put("/company", &json!({"company": company, "version": 0})).await.expect(200);

    set_clock(&portal, "2026-11-22T08:59:00+05:30").await;
    assert!(expiry_mails(&portal, NIMAL).await.is_empty());
    set_clock(&portal, "2026-11-22T09:00:00+05:30").await;
    let first = expiry_mails(&portal, NIMAL).await;
    assert_eq!(first.len(), 1, "{first:?}");
    for words in
        ["CIDA C5, Buildings, until", "Tax clearance, until", "Letter of the bank (Galle branch), until"]
    {
        assert!(first[0].contains(words), "{words} in {first:?}");
    }
    assert!(!first[0].contains("Roads"), "{first:?}");
    // A team shares the profile. Nobody else is told.
    assert_eq!(expiry_mails(&portal, "kamala@example.lk").await.len(), 1);
    assert!(expiry_mails(&portal, "sunil@example.lk").await.is_empty());

    portal.advance(3600);
    assert_eq!(expiry_mails(&portal, NIMAL).await.len(), 1, "it is sent once");
    // Setting the clock back causes no second mail.
    set_clock(&portal, "2026-11-21T09:00:00+05:30").await;
    wait_until_settled(&portal).await;
    set_clock(&portal, "2026-11-22T10:00:00+05:30").await;
    assert_eq!(expiry_mails(&portal, NIMAL).await.len(), 1);
    set_clock(&portal, "2026-12-15T09:00:00+05:30").await;
    assert_eq!(expiry_mails(&portal, NIMAL).await.len(), 2, "seven days before");
    // No process was running for three weeks. The registration has nine days left, the documents expired.
    set_clock(&portal, "2027-01-12T09:00:00+05:30").await;
    let late = expiry_mails(&portal, NIMAL).await;
    assert_eq!(late.len(), 3);
    let last = late.iter().filter(|text| !text.contains("Tax clearance")).collect::<Vec<_>>();
    assert!(last.len() == 1 && last[0].contains("CIDA C5"), "{late:?}");
}
