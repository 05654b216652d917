//! Mails that the date causes: tenders that reach the days limit of an alert, reminders of a closing,
//! and the weekly summary.

use super::{
    CLOSING, NIMAL, count, create_subscriber, move_closing, publish_revision, publish_tender, read_mails,
    register, set_clock, start_portal, subjects, wait_until_settled,
};
use serde_json::json;
use tender_model::vocabulary::{TenderStatus, Visibility};

#[tokio::test(flavor = "multi_thread")]
async fn tender_matches_once_when_it_reaches_the_days_limit() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    publish_tender(&portal, "Bridge before the alert", CLOSING).await;
    let form = json!({"name": "Soon", "keywords": [{"term": "bridge"}], "advancedFilters": {"maxDaysUntilClosing": 10}});
    owner.post("/alerts", &form).await.expect(201);
    publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    publish_tender(&portal, "Bridge at Matara", "2026-12-04T10:00:00+05:30").await;
    publish_tender(&portal, "Road to Galle", "2026-12-04T10:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await, Vec::<String>::new());
    // The clock skips the day on which the tender at Matara has ten days left. The tender is still
    // mailed, and only once.
    set_clock(&portal, "2026-11-26T00:30:00+05:30").await;
    wait_until_settled(&portal).await;
    portal.advance(60);
    assert_eq!(subjects(&portal, NIMAL).await, ["New tender: Bridge at Matara (8 days left)"]);
    set_clock(&portal, "2026-12-09T23:59:00+05:30").await;
    wait_until_settled(&portal).await;
    assert_eq!(count(&portal, "select count(*) from match").await, 1);
    set_clock(&portal, "2026-12-10T00:00:00+05:30").await;
    wait_until_settled(&portal).await;
    portal.advance(60);
    assert_eq!(
        subjects(&portal, NIMAL).await,
        ["New tender: Bridge at Hatton (10 days left)", "New tender: Bridge at Matara (8 days left)"]
    );
    // Setting the clock back and forward again causes no further mail.
    set_clock(&portal, "2026-12-08T12:00:00+05:30").await;
    wait_until_settled(&portal).await;
    set_clock(&portal, "2026-12-11T12:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_reminders_are_sent_three_days_and_one_day_before() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    create_subscriber(&portal, "kamala", "basic").await;
    wait_until_settled(&portal).await;
    let mut first = publish_tender(&portal, "Bridge at Hatton", "2026-11-25T14:00:00+05:30").await;
    let second = publish_tender(&portal, "Road to Galle", "2026-11-25T10:00:00+05:30").await;
    let mut cancelled = publish_tender(&portal, "Chairs", "2026-11-25T10:00:00+05:30").await;
    for tender in [&first, &second, &cancelled] {
        owner.put(&format!("/saved/tenders/{}", tender.id), &json!({})).await.expect(200);
    }
    sqlx::query("insert into favourite select u.id, t.id, t.created_at from users u, tender t where u.email like 'kamala%'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    set_clock(&portal, "2026-11-22T08:59:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await, Vec::<String>::new());
    cancelled.status = TenderStatus::Cancelled;
    publish_revision(&portal, &cancelled).await;
    portal.advance(30);
    wait_until_settled(&portal).await;
    set_clock(&portal, "2026-11-22T09:00:00+05:30").await;
    let both = "2 closing soon: Road to Galle and 1 more";
    assert_eq!(subjects(&portal, NIMAL).await, [both, "Cancelled: Chairs"]);
    portal.advance(3600);
    assert_eq!(subjects(&portal, NIMAL).await.len(), 2, "the reminder is sent once");
    // The closing moves. The user is notified and later reminded of the new date.
    set_clock(&portal, "2026-11-23T12:00:00+05:30").await;
    move_closing(&portal, &mut first, "2026-11-28T14:00:00+05:30").await;
    portal.advance(60);
    wait_until_settled(&portal).await;
    set_clock(&portal, "2026-11-24T09:30:00+05:30").await;
    let so_far =
        [both, "1 day left: Road to Galle", "Cancelled: Chairs", "Closing date changed: Bridge at Hatton"];
    let sorted = |subjects: &[&str]| {
        let mut sorted: Vec<String> = subjects.iter().map(|subject| (*subject).to_owned()).collect();
        sorted.sort();
        sorted
    };
    assert_eq!(subjects(&portal, NIMAL).await, sorted(&so_far));
    set_clock(&portal, "2026-11-25T09:00:00+05:30").await;
    assert_eq!(
        subjects(&portal, NIMAL).await,
        sorted(&[so_far.as_slice(), &["3 days left: Bridge at Hatton"]].concat())
    );
    // Setting the clock back causes no second reminder. A missed reminder is sent later.
    set_clock(&portal, "2026-11-22T10:00:00+05:30").await;
    wait_until_settled(&portal).await;
    set_clock(&portal, "2026-11-28T09:00:00+05:30").await;
    assert_eq!(
        subjects(&portal, NIMAL).await,
        sorted(
            &[so_far.as_slice(), &["3 days left: Bridge at Hatton", "closes today: Bridge at Hatton"]]
                .concat()
        )
    );
    // Kamala's plan does not include saved tenders.
    let kamala = read_mails(&portal, "kamala@example.lk");
    assert!(kamala.iter().all(|(subject, _)| subject.starts_with("This week: ")), "{kamala:?}");
    assert!(kamala.iter().all(|(_, text)| !text.contains("Chairs")), "cancelled: {kamala:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn weekly_summary_is_sent_on_monday() {
    let portal = start_portal().await;
    create_subscriber(&portal, "kamala", "basic").await;
    create_subscriber(&portal, "nimal", "professional").await;
    register(&portal, "free", "en").await;
    wait_until_settled(&portal).await;
    for nth in 0..25 {
        portal.advance(60);
        let mut tender = publish_tender(&portal, &format!("Bridge number {nth}."), CLOSING).await;
        if nth == 24 {
            tender.visibility = Visibility::Premium;
            publish_revision(&portal, &tender).await;
        }
    }
    portal.wait_until_indexed().await;
    set_clock(&portal, "2026-11-23T09:00:00+05:30").await;
    let kamala = "kamala@example.lk";
    assert_eq!(subjects(&portal, kamala).await, ["This week: 25 new tenders"]);
    let text = read_mails(&portal, kamala).remove(0).1;
    assert_eq!(text.matches("\nBridge number ").count(), 20, "{text}");
    assert!(text.contains("Bridge number 23.\n") && text.contains("Bridge number 4.\n"), "{text}");
    assert!(!text.contains("Bridge number 24.") && !text.contains("Bridge number 3.\n"), "{text}");
    assert_eq!(read_mails(&portal, NIMAL).len() + read_mails(&portal, "free@example.lk").len(), 0);
    portal.advance(3600);
    wait_until_settled(&portal).await;
    assert_eq!(count(&portal, "select count(*) from delivery where kind = 'summary'").await, 1);
    // Without new tenders, no summary is sent. A summary that was missed on Monday is sent on
    // Wednesday.
    set_clock(&portal, "2026-12-01T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, kamala).await.len(), 1);
    publish_tender(&portal, "Road to Galle", CLOSING).await;
    portal.wait_until_indexed().await;
    set_clock(&portal, "2026-12-09T12:00:00+05:30").await;
    assert_eq!(subjects(&portal, kamala).await.len(), 1, "the tender was published more than a week ago");
    publish_tender(&portal, "Road to Matara", CLOSING).await;
    portal.wait_until_indexed().await;
    set_clock(&portal, "2026-12-16T11:00:00+05:30").await;
    assert_eq!(subjects(&portal, kamala).await, ["This week: 25 new tenders", "This week: one new tender"]);
    // The user switches the summary off.
    let client = portal.sign_in("kamala").await;
    client.put("/auth/profile", &json!({"weeklySummary": false})).await.expect(200);
    publish_tender(&portal, "Road to Jaffna", CLOSING).await;
    portal.wait_until_indexed().await;
    set_clock(&portal, "2026-12-21T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, kamala).await.len(), 2);
}
