//! Mails about alerts that have matched nothing for sixty days.

use super::{
    NIMAL, create_subscriber, post_unsubscribe, set_clock, start_portal, text_of, unsubscribe_path,
    wait_until_settled,
};
use crate::{
    support::{Client, TestPortal},
    tenders::store,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tender_model::{
    tender::Tender,
    vocabulary::{District, TenderStatus},
};

const SUBJECT: &str = "Your alerts have found nothing for 60 days";

/// The texts of the mails about silent alerts to an address.
async fn silence_mails(portal: &TestPortal, to: &str) -> Vec<String> {
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

async fn publish_in_galle(portal: &TestPortal, title: &str) {
    let mut tender = Tender {
        title: title.into(),
        status: TenderStatus::Published,
        published_at: Some(portal.state.clock.moment()),
        ..Tender::default()
    };
    tender.location.district = Some(District::Galle);
    tender.dates.closing = "2027-06-20T14:00:00+05:30".parse().ok();
    store(portal, tender, None).await;
    portal.wait_until_indexed().await;
}

fn bridges_in(district: &str) -> Value {
    let name = format!("Bridges in {district}");
    json!({"name": name, "keywords": [{"term": "bridge"}], "locations": {"districts": [district]}})
}

async fn save(client: &Client, form: &Value) -> String {
    let saved = client.post("/alerts", form).await.expect(201);
    format!("/alerts/{}", saved["data"]["alert"]["_id"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn owner_of_a_silent_alert_is_told_once_with_broader_versions() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    let silent = save(&owner, &bridges_in("Mannar")).await;
    save(&owner, &bridges_in("Galle")).await;
    let mailless =
        json!({"name": "Quiet", "keywords": [{"term": "zebra"}], "emailSettings": {"enabled": false}});
    save(&owner, &mailless).await;
    set_clock(&portal, "2027-01-10T10:00:00+05:30").await;
    publish_in_galle(&portal, "Bridge at Galle").await;

    // The alerts were saved on 20 November, at noon.
    set_clock(&portal, "2027-01-19T09:00:00+05:30").await;
    assert!(silence_mails(&portal, NIMAL).await.is_empty());
    set_clock(&portal, "2027-01-20T09:00:00+05:30").await;
    let mails = silence_mails(&portal, NIMAL).await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].contains("“Bridges in Mannar” (without the places: 1)"), "{mails:?}");
    assert!(
        mails[0].contains(&format!("/alert-settings?alert={}", &silent["/alerts/".len()..])),
        "{mails:?}"
    );
    assert!(!mails[0].contains("Bridges in Galle") && !mails[0].contains("Quiet"), "{mails:?}");

    // The list says so too, and offers the same.
    let owner = portal.sign_in("nimal").await;
    let listed = owner.get("/alerts").await.expect(200)["data"]["alerts"].clone();
    let silent_names: BTreeSet<&str> = (listed.as_array().unwrap().iter())
        .filter(|one| one["silentSince"].is_string())
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(silent_names, BTreeSet::from(["Bridges in Mannar", "Quiet"]), "{listed}");
    let offered = owner.get(&format!("{silent}/proposals")).await.expect(200)["data"].clone();
    assert_eq!((&offered["days"], &offered["proposals"][0]["change"]), (&json!(60), &json!("withoutPlaces")));
    assert_eq!(offered["proposals"][0]["query"]["locations"]["districts"], json!([]));

    // There is one mail for a silence, however long it lasts and if the clock is set back.
    set_clock(&portal, "2027-01-18T09:00:00+05:30").await;
    wait_until_settled(&portal).await;
    set_clock(&portal, "2027-02-20T09:00:00+05:30").await;
    assert_eq!(silence_mails(&portal, NIMAL).await.len(), 1);
    // A changed alert that stays silent is mailed again after sixty days.
    let owner = portal.sign_in("nimal").await;
    owner.put(&silent, &bridges_in("Ampara")).await.expect(200);
    set_clock(&portal, "2027-04-20T09:00:00+05:30").await;
    assert_eq!(silence_mails(&portal, NIMAL).await.len(), 1 + 1, "sixty days are over for both alerts");
    set_clock(&portal, "2027-04-22T09:00:00+05:30").await;
    let mails = silence_mails(&portal, NIMAL).await;
    assert!(mails.iter().any(|text| text.contains("Bridges in Ampara")), "{mails:?}");
    let count = mails.len();
    set_clock(&portal, "2027-05-22T09:00:00+05:30").await;
    assert_eq!(silence_mails(&portal, NIMAL).await.len(), count);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_click_stops_the_mails_about_silent_alerts() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    let silent = save(&owner, &bridges_in("Mannar")).await;
    set_clock(&portal, "2027-01-20T09:00:00+05:30").await;
    let mails = silence_mails(&portal, NIMAL).await;
    let path = unsubscribe_path(&mails[0]);
    let is_mailed = async || {
        let reader = portal.sign_in("nimal").await;
        reader.get("/auth/me").await.expect(200)["data"]["user"]["silenceMails"].as_bool().unwrap()
    };
    let page = portal.guest().get_unchecked(&path).await;
    assert!(page.text().contains("alerts that find nothing"), "{}", page.text());
    for forged in [format!("{path}x"), path.replace("silent-alerts-", "bid-reminders-")] {
        assert_eq!(post_unsubscribe(&portal, &forged, "off=1").await.status(), 404, "{forged}");
    }
    assert!(is_mailed().await, "neither the page nor a forged link changes anything");
    for form in ["List-Unsubscribe=One-Click", "List-Unsubscribe=One-Click"] {
        assert!(post_unsubscribe(&portal, &path, form).await.status().is_success());
        assert!(!is_mailed().await);
    }

    // A changed alert that stays silent causes no mail any more, until the mails are on again.
    set_clock(&portal, "2027-01-21T09:00:00+05:30").await;
    let owner = portal.sign_in("nimal").await;
    owner.put(&silent, &bridges_in("Ampara")).await.expect(200);
    set_clock(&portal, "2027-04-22T09:00:00+05:30").await;
    assert_eq!(silence_mails(&portal, NIMAL).await.len(), 1);
    assert!(post_unsubscribe(&portal, &path, "again=1").await.status().is_success());
    assert!(is_mailed().await);
    set_clock(&portal, "2027-04-23T09:00:00+05:30").await;
    assert_eq!(silence_mails(&portal, NIMAL).await.len(), 2);
    // The account has the same switch.
    let reader = portal.sign_in("nimal").await;
    reader.put("/auth/profile", &json!({"silenceMails": false})).await.expect(200);
    assert!(!is_mailed().await);
}
