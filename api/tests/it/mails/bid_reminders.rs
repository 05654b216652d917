//! Reminders of the deadlines of bids: when they are sent, and that each is sent once.

use super::{
    NIMAL, create_subscriber, move_closing, post_unsubscribe, publish_tender, set_clock, start_portal,
    text_of, unsubscribe_path, wait_until_settled,
};
use crate::support::{Client, TestPortal};
use serde_json::json;

/// Waits until the sealing job has run once more with the present clock.
async fn wait_for_pass(portal: &TestPortal) {
    let mut sealing = portal.state.progress.sealing.subscribe();
    // The first change may belong to a run that began before the clock was set.
    for _ in 0..2 {
        sealing.changed().await.unwrap();
    }
}

/// The texts of the reminders to an address.
async fn reminders(portal: &TestPortal, to: &str) -> Vec<String> {
    wait_for_pass(portal).await;
    wait_until_settled(portal).await;
    let folder = portal.state.config.data.mail().join("new");
    let mails = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let message = mail_parser::MessageParser::default().parse(&bytes)?;
        let is_theirs = message.to()?.first()?.address()? == to && text_of(&bytes).contains("/bids/");
        is_theirs.then(|| text_of(&bytes).replace("\r\n", " "))
    });
    mails.collect()
}

async fn add(client: &Client, tender: uuid::Uuid) -> String {
    let added = client.post("/bids", &json!({"tenderId": tender})).await.expect(201);
    format!("/bids/{}", added["data"]["bid"]["_id"].as_str().unwrap())
}

async fn choose(client: &Client, path: &str, closing: &[i32]) {
    let form = json!({"channels": ["email"], "saleEnds": [], "preBid": [], "closing": closing});
    client.put(path, &form).await.expect(200);
}

async fn place(client: &Client, path: &str, stage: &str) {
    let version = client.get(path).await.expect(200)["data"]["bid"]["version"].clone();
    client.put(&format!("{path}/place"), &json!({"version": version, "stage": stage})).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_reminder_is_sent_once_and_follows_the_closing() {
    let portal = start_portal().await;
    let user = create_subscriber(&portal, "nimal", "professional").await;
    let mut tender = publish_tender(&portal, "Roof repairs", "2026-12-10T14:00:00+05:30").await;
    add(&user, tender.id).await;
    choose(&user, "/bids/reminders", &[48, 3]).await;

    set_clock(&portal, "2026-12-08T13:59:00+05:30").await;
    assert!(reminders(&portal, NIMAL).await.is_empty());
    set_clock(&portal, "2026-12-08T14:01:00+05:30").await;
    let first = reminders(&portal, NIMAL).await;
    assert_eq!(first.len(), 1, "{first:?}");
    assert!(first[0].contains("Roof repairs") && first[0].contains("10 Dec 2026"), "{first:?}");
    // Setting the clock back causes no second mail.
    set_clock(&portal, "2026-12-08T13:00:00+05:30").await;
    wait_for_pass(&portal).await;
    set_clock(&portal, "2026-12-08T15:00:00+05:30").await;
    assert_eq!(reminders(&portal, NIMAL).await.len(), 1);

    // The closing moves, so its reminders are new ones.
    move_closing(&portal, &mut tender, "2026-12-20T14:00:00+05:30").await;
    set_clock(&portal, "2026-12-10T12:00:00+05:30").await;
    assert_eq!(reminders(&portal, NIMAL).await.len(), 1, "the old closing counts no more");
    set_clock(&portal, "2026-12-18T14:01:00+05:30").await;
    let moved = reminders(&portal, NIMAL).await;
    assert_eq!(moved.len(), 2, "{moved:?}");
    assert!(moved.iter().any(|text| text.contains("20 Dec 2026")), "{moved:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_warns_of_a_holiday_before_the_deadline() {
    let portal = start_portal().await;
    let user = create_subscriber(&portal, "nimal", "professional").await;
    let title = "REPAIRS TO THE ROOF OF THE HOSPITAL";
    let tender = publish_tender(&portal, title, "2026-12-24T14:00:00+05:30").await;
    add(&user, tender.id).await;
    choose(&user, "/bids/reminders", &[48]).await;
    set_clock(&portal, "2026-12-22T14:01:00+05:30").await;
    let mails = reminders(&portal, NIMAL).await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    for part in [
        "Repairs to the Roof of the Hospital",
        "Offices are closed on the day before (Poya day); the last open day before it is Tue 22 Dec 2026.",
    ] {
        assert!(mails[0].contains(part), "{part} is not in {mails:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_pause_only_the_last_reminder_is_sent() {
    let portal = start_portal().await;
    let user = create_subscriber(&portal, "nimal", "professional").await;
    let tender = publish_tender(&portal, "Roof repairs", "2026-12-10T14:00:00+05:30").await;
    add(&user, tender.id).await;
    choose(&user, "/bids/reminders", &[168, 48, 3]).await;
    set_clock(&portal, "2026-12-10T13:00:00+05:30").await;
    assert_eq!(reminders(&portal, NIMAL).await.len(), 1);
    let recorded: i64 =
        sqlx::query_scalar("select count(*) from bid_reminder").fetch_one(&portal.state.db).await.unwrap();
    assert_eq!(recorded, 3);
    set_clock(&portal, "2026-12-10T15:00:00+05:30").await;
    assert_eq!(reminders(&portal, NIMAL).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_reminded_of_a_bid_that_is_over_or_at_an_unconfirmed_address() {
    let portal = start_portal().await;
    let user = create_subscriber(&portal, "nimal", "professional").await;
    let other = create_subscriber(&portal, "kamala", "professional").await;
    let mut paths = Vec::new();
    for stage in ["submitted", "lost", "won", "dropped"] {
        let tender = publish_tender(&portal, stage, "2026-12-10T14:00:00+05:30").await;
        let path = add(&user, tender.id).await;
        place(&user, &path, stage).await;
        paths.push(path);
    }
    let tender = publish_tender(&portal, "Roof repairs", "2026-12-10T14:00:00+05:30").await;
    let own = add(&user, tender.id).await;
    add(&other, tender.id).await;
    choose(&user, "/bids/reminders", &[48]).await;
    choose(&other, "/bids/reminders", &[48]).await;
    // A choice for one bid takes precedence.
    let off = json!({"channels": [], "saleEnds": [], "preBid": [], "closing": [48]});
    user.put(&format!("{own}/reminders"), &off).await.expect(200);
    portal.unconfirm("kamala").await;
    set_clock(&portal, "2026-12-09T12:00:00+05:30").await;
    assert!(reminders(&portal, NIMAL).await.is_empty());
    assert!(reminders(&portal, "kamala@example.lk").await.is_empty());
    let user = portal.sign_in("nimal").await;
    user.delete(&format!("{own}/reminders")).await.expect(200);
    set_clock(&portal, "2026-12-09T12:05:00+05:30").await;
    assert_eq!(reminders(&portal, NIMAL).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_click_stops_all_mails_that_remind_of_bids() {
    let portal = start_portal().await;
    let user = create_subscriber(&portal, "nimal", "professional").await;
    let other = create_subscriber(&portal, "kamala", "professional").await;
    let tender = publish_tender(&portal, "Roof repairs", "2026-12-10T14:00:00+05:30").await;
    let own = add(&user, tender.id).await;
    choose(&user, "/bids/reminders", &[48, 3]).await;
    choose(&user, &format!("{own}/reminders"), &[48, 3]).await;
    choose(&other, "/bids/reminders", &[48, 3]).await;
    // A user with another channel keeps it.
    sqlx::query("update bid_reminder_setting set channels = '{email,sms}' where bid_id is null")
        .execute(&portal.state.db)
        .await
        .unwrap();
    set_clock(&portal, "2026-12-08T14:01:00+05:30").await;
    let mails = reminders(&portal, NIMAL).await;
    let path = unsubscribe_path(&mails[0]);
    let mailed = async || -> Vec<(String, Vec<String>)> {
        let rows = "select u.email, s.channels from bid_reminder_setting s join users u on u.id = s.user_id
            order by u.email, s.bid_id nulls first";
        sqlx::query_as(rows).fetch_all(&portal.state.db).await.unwrap()
    };
    let row = |email: &str, channels: &[&str]| {
        (email.to_owned(), channels.iter().map(|&channel| channel.to_owned()).collect::<Vec<_>>())
    };
    let all =
        [row("kamala@example.lk", &["email", "sms"]), row(NIMAL, &["email", "sms"]), row(NIMAL, &["email"])];

    let page = portal.guest().get_unchecked(&path).await;
    assert!(page.text().contains("e-mails that remind you of your bids"), "{}", page.text());
    let forged = [
        format!("{path}x"),
        path.replace("bid-reminders-", "silent-alerts-"),
        path.replace("bid-reminders-", ""),
    ];
    for forged in forged {
        assert_eq!(post_unsubscribe(&portal, &forged, "off=1").await.status(), 404, "{forged}");
    }
    assert_eq!(mailed().await, all, "neither the page nor a forged link changes anything");

    // The second time changes nothing more, and the page cannot switch the mails on again.
    for form in ["List-Unsubscribe=One-Click", "List-Unsubscribe=One-Click", "again=1"] {
        let page = post_unsubscribe(&portal, &path, form).await;
        assert!(page.status().is_success());
        let page = page.text().await.unwrap();
        assert!(page.contains("no more e-mails") && !page.contains("<button"), "{page}");
        let off = [row("kamala@example.lk", &["email", "sms"]), row(NIMAL, &["sms"]), row(NIMAL, &[])];
        assert_eq!(mailed().await, off);
    }
    set_clock(&portal, "2026-12-10T11:01:00+05:30").await;
    assert_eq!(reminders(&portal, NIMAL).await.len(), 1);
}

#[tokio::test]
async fn invalid_times_and_foreign_channels_are_refused() {
    let portal = TestPortal::start().await;
    let user = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let form = |channels: &[&str], closing: &[i32]| json!({"channels": channels, "saleEnds": [], "preBid": [], "closing": closing});
    for (form, status) in [
        (form(&["email"], &[0]), 422),
        (form(&["email"], &[1441]), 422),
        (form(&["email"], &[1, 2, 3, 4, 5, 6]), 422),
        (form(&["pigeon"], &[1]), 422),
        (form(&["sms"], &[1]), 403),
    ] {
        user.put("/bids/reminders", &form).await.expect_error(status);
    }
    let owner = portal.subscriber("kamala", "supplier", Some("enterprise")).await;
    let refused = owner.put("/bids/reminders", &form(&["webhook"], &[1])).await.expect_error(422);
    assert_eq!(refused, "Please set up this channel first");
    let kept = user.get("/bids/reminders").await.expect(200)["data"].clone();
    assert_eq!((&kept["all"]["channels"], &kept["channels"]), (&json!([]), &json!(["email"])));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_adds_a_first_bid_is_reminded_until_they_choose_otherwise() {
    let portal = start_portal().await;
    let user = create_subscriber(&portal, "nimal", "professional").await;
    let setting = async || {
        let setting = user.get("/bids/reminders").await.expect(200)["data"]["all"].clone();
        (setting["channels"].clone(), setting["closing"].clone())
    };
    assert_eq!(setting().await, (json!([]), json!([])));
    let first = publish_tender(&portal, "Roof repairs", "2026-12-10T14:00:00+05:30").await;
    add(&user, first.id).await;
    assert_eq!(setting().await, (json!(["email"]), json!([168, 48, 3])));

    let off = json!({"channels": [], "saleEnds": [], "preBid": [], "closing": []});
    user.put("/bids/reminders", &off).await.expect(200);
    let second = publish_tender(&portal, "Roof works", "2026-12-10T14:00:00+05:30").await;
    add(&user, second.id).await;
    assert_eq!(setting().await, (json!([]), json!([])), "who has switched them off has chosen");
}
