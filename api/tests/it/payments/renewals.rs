//! Renewal, the grace period of an unpaid subscription, and its end.

use super::is_true;
use crate::support::{
    Client,
    mailbox::{confirm_address, find_mail},
    payments::{
        DAY, LATER_DECLINED_CARD, buy_plan, current_subscription, list_invoices, pass_days, pay_by_card,
        start_checkout, start_portal,
    },
    wait_for,
};
use api::services::billing::lifecycle;
use api::storage;
use serde_json::{Value, json};

#[tokio::test]
async fn subscription_renews_monthly() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "professional").await;
    let begun = current_subscription(&user).await;
    let user = pass_days(&portal, 29, "nimal").await;
    assert_eq!(current_subscription(&user).await["endDate"], begun["endDate"]);
    let user = pass_days(&portal, 1, "nimal").await;
    let renewed = current_subscription(&user).await;
    assert_eq!((&renewed["_id"], &renewed["startDate"]), (&begun["_id"], &begun["startDate"]));
    assert_eq!(renewed["endDate"], "2027-01-20T12:00:00+05:30");
    assert_eq!(renewed["usage"]["currentPeriodStart"], begun["endDate"]);
    // The clock moves by three months at once, as after a long downtime.
    let user = pass_days(&portal, 31 + 31 + 28, "nimal").await;
    assert_eq!(current_subscription(&user).await["endDate"], "2027-04-20T12:00:00+05:30");
    let numbers: Vec<_> =
        list_invoices(&user).await.iter().map(|invoice| invoice["number"].clone()).collect();
    assert_eq!(
        numbers,
        ["INV-2027-000003", "INV-2027-000002", "INV-2027-000001", "INV-2026-000002", "INV-2026-000001"]
            .map(Value::from)
    );
}

#[tokio::test]
async fn unpaid_subscription_ends_after_the_grace_period() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    confirm_address(&portal, "nimal").await;
    pay_by_card(&portal, &start_checkout(&user, "professional").await, LATER_DECLINED_CARD).await;
    let user = pass_days(&portal, 30, "nimal").await;
    let unpaid = current_subscription(&user).await;
    assert_eq!(
        (&unpaid["status"], &unpaid["unpaidSince"]),
        (&json!("active"), &json!("2026-12-20T12:00:00+05:30"))
    );
    assert_eq!(unpaid["holdsUntil"], "2026-12-27T12:00:00+05:30");
    let me = user.get("/auth/me").await.expect(200)["data"]["user"]["subscription"].clone();
    assert_eq!((&me["plan"], &me["unpaidUntil"]), (&json!("professional"), &unpaid["holdsUntil"]));
    find_mail(&portal, "nimal@example.lk", "until Sun 27 Dec 2026. Please pay by then").await;
    // The sandbox retries the charge daily. The user gets a mail at the first failure, and another
    // one two days before the grace period ends.
    let user = pass_days(&portal, 5, "nimal").await;
    find_mail(&portal, "nimal@example.lk", "We have not received your payment").await;
    assert_eq!(current_subscription(&user).await["unpaidSince"], unpaid["unpaidSince"]);
    let user = pass_days(&portal, 2, "nimal").await;
    user.get("/subscriptions/user/current").await.expect_error(404);
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["subscription"]["plan"], "free");
    find_mail(&portal, "nimal@example.lk", "Professional by the month has ended").await;
    // The card is not charged any more.
    wait_for(&portal.state.db, "select state = 'ended' from sandbox_agreement").await;
    let user = pass_days(&portal, 60, "nimal").await;
    assert_eq!(list_invoices(&user).await.len(), 1);
    let four_mails = "select count(*) = 4 from delivery where address = 'nimal@example.lk' and sealed_at >= '2026-11-20T12:00:00+05:30'
        and encode(content, 'escape') not like '%Subject: Confirm your e-mail address%'";
    assert!(
        is_true(&portal, four_mails).await,
        "the mails are the invoice, the failure, the warning and the end"
    );
}

#[tokio::test]
async fn grace_period_accepts_another_card() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    pay_by_card(&portal, &start_checkout(&user, "professional").await, LATER_DECLINED_CARD).await;
    let user = pass_days(&portal, 33, "nimal").await;
    let unpaid = current_subscription(&user).await;
    let quote =
        user.get("/subscriptions/user/quote?plan=professional").await.expect(200)["data"]["quote"].clone();
    assert_eq!((&quote["effect"], &quote["credit"]), (&json!("now"), &json!(0.0)));
    buy_plan(&portal, &user, "professional").await;
    let renewed = current_subscription(&user).await;
    assert_ne!(renewed["_id"], unpaid["_id"]);
    assert_eq!(
        (&renewed["unpaidSince"], &renewed["endDate"]),
        (&Value::Null, &json!("2027-01-23T12:00:00+05:30"))
    );
    wait_for(
        &portal.state.db,
        "select count(*) = 1 from sandbox_agreement where state = 'ended' and declines",
    )
    .await;
}

#[tokio::test]
async fn overdue_check_waits_for_a_concurrent_charge() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "professional").await;
    let mut other = storage::begin(&portal.state.db).await.unwrap();
    sqlx::query("select from sandbox_agreement for update").execute(&mut *other).await.unwrap();
    // The period ended four days ago. Without the charge, the subscription would become unpaid.
    portal.advance(34 * DAY);
    let state = portal.state.clone();
    let pass = tokio::spawn(async move { lifecycle::run_due(&state.billing()).await });
    wait_for(
        &portal.state.db,
        "select count(*) = 2 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    .await;
    other.rollback().await.unwrap();
    pass.await.unwrap().unwrap();
    let held = current_subscription(&portal.sign_in("nimal").await).await;
    assert_eq!((&held["endDate"], &held["unpaidSince"]), (&json!("2027-01-20T12:00:00+05:30"), &Value::Null));
}

#[tokio::test]
async fn team_member_cannot_buy_a_plan_and_shares_the_grace_period() {
    let portal = start_portal().await;
    let owner = portal.user("nimal", "supplier").await;
    pay_by_card(&portal, &start_checkout(&owner, "enterprise").await, LATER_DECLINED_CARD).await;
    let member = crate::team::join_team(&portal, &owner, "kamala").await;
    let wish = json!({"plan": "basic"});
    let message = member.post("/subscriptions/user/subscribe", &wish).await.expect_error(409);
    assert!(message.contains("Your team's owner pays"), "{message}");
    let owner = pass_days(&portal, 30, "nimal").await;
    let member = portal.sign_in("kamala").await;
    let plan = async |client: &Client| {
        client.get("/auth/me").await.expect(200)["data"]["user"]["subscription"].clone()
    };
    assert_ne!(plan(&owner).await["unpaidUntil"], Value::Null);
    // The members keep the plan during the grace period.
    assert_eq!(
        (&plan(&member).await["plan"], &plan(&member).await["unpaidUntil"]),
        (&json!("enterprise"), &Value::Null)
    );
    pass_days(&portal, 7, "nimal").await;
    assert_eq!(plan(&portal.sign_in("kamala").await).await["plan"], "free");
}
