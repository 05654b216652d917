//! Payment events: their order, repetition and checks, and a payment whose event is missing.

use super::{charge_event, last_checkout, send_event, verify_session};
use crate::support::{
    TestPortal,
    mailbox::find_mail,
    payments::{DAY, buy_plan, current_subscription, list_invoices, start_checkout, start_portal},
    wait_for,
};
use api::{
    clients::payments::sandbox,
    domain::payment::{PaymentEvent, PaymentEventKind},
    services::billing::lifecycle,
};
use axum::http::Method;
use jiff::SignedDuration;
use serde_json::Value;
use uuid::Uuid;

async fn event_outcomes(portal: &TestPortal) -> Vec<(String, String)> {
    sqlx::query_as("select event_id, outcome from payment_event order by event_id")
        .fetch_all(&portal.state.db)
        .await
        .unwrap()
}

#[tokio::test]
async fn payment_events_are_idempotent_in_any_order() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    start_checkout(&user, "professional").await;
    let id = last_checkout(&portal).await;
    let begun = portal.state.clock.now();
    let paid = charge_event(&portal, "e1", id, 500_000, "LKR", true);
    let month = SignedDuration::from_hours(30 * 24);
    let renewal = |id: &str, months: i32| {
        let event = charge_event(&portal, id, paid.checkout, 500_000, "LKR", false);
        PaymentEvent { at: begun + month * months, ..event }
    };
    // All events arrive 80 days late.
    portal.advance(80 * DAY);
    let user = portal.sign_in("nimal").await;
    let now = portal.state.clock.now();
    // Signatures that are too old, too new or missing are refused.
    send_event(&portal, &paid, now - SignedDuration::from_secs(301)).await.expect_error(400);
    send_event(&portal, &paid, now + SignedDuration::from_secs(301)).await.expect_error(400);
    let unsigned = serde_json::to_value(&paid).unwrap();
    portal.guest().post("/webhooks/sandbox", &unsigned).await.expect_error(400);
    portal.guest().post("/webhooks/stripe", &unsigned).await.expect_error(404);
    assert_eq!(event_outcomes(&portal).await, []);
    // A renewal before the first payment is stored until the payment arrives.
    send_event(&portal, &renewal("e3", 2), now).await.expect(200);
    send_event(&portal, &renewal("e2", 1), now).await.expect(200);
    assert_eq!(
        event_outcomes(&portal).await,
        [("e2".into(), "unmatched".into()), ("e3".into(), "unmatched".into())]
    );
    user.get("/subscriptions/user/current").await.expect_error(404);
    for _ in 0..3 {
        send_event(&portal, &paid, now).await.expect(200);
    }
    assert_eq!(current_subscription(&user).await["endDate"], "2027-02-20T12:00:00+05:30");
    assert_eq!(list_invoices(&user).await.len(), 3);
    // An event with another id for a known charge changes nothing, nor does an older failure.
    let again = PaymentEvent { id: "e4".into(), ..renewal("e2", 1) };
    send_event(&portal, &again, now).await.expect(200);
    let late = PaymentEvent { id: "e5".into(), kind: PaymentEventKind::Failed, ..renewal("e5", 1) };
    send_event(&portal, &late, now).await.expect(200);
    assert_eq!(current_subscription(&user).await["unpaidSince"], Value::Null);
    assert_eq!(list_invoices(&user).await.len(), 3);
    // The same event arrives five times at once.
    portal.advance(11 * DAY);
    let (user, now) = (portal.sign_in("nimal").await, portal.state.clock.now());
    let at_once = renewal("e6", 3);
    let replies = futures::future::join_all((0..5).map(|_| send_event(&portal, &at_once, now))).await;
    assert!(replies.iter().all(|reply| reply.status == 200));
    assert_eq!(current_subscription(&user).await["endDate"], "2027-03-20T12:00:00+05:30");
    assert_eq!(list_invoices(&user).await.len(), 4);
}

#[tokio::test]
async fn plan_does_not_renew_if_the_end_of_its_agreement_arrives_before_the_payment() {
    let portal = start_portal().await;
    let mut stored = Vec::new();
    for (name, is_end_first) in [("nimal", false), ("kamala", true)] {
        let user = portal.user(name, "supplier").await;
        start_checkout(&user, "professional").await;
        let address = format!("{name}@example.lk");
        let checkout = "select c.id from checkout c join users u on u.id = c.user_id where u.email = $1";
        let checkout = sqlx::query_scalar(checkout).bind(&address).fetch_one(&portal.state.db).await.unwrap();
        let paid = charge_event(&portal, &format!("{name}-paid"), checkout, 500_000, "LKR", true);
        let ended =
            PaymentEvent { id: format!("{name}-ended"), kind: PaymentEventKind::Ended, ..paid.clone() };
        let events = if is_end_first { [ended, paid] } else { [paid, ended] };
        for event in &events {
            send_event(&portal, event, event.at).await.expect(200);
        }
        assert_eq!(current_subscription(&user).await["autoRenew"], false, "{name}");
        find_mail(&portal, &address, "is cancelled").await;
        let row: Value = sqlx::query_scalar(
            "select to_jsonb(s) - array['id', 'user_id', 'agreement'] from subscription s join users u on u.id = s.user_id
            where u.email = $1",
        )
        .bind(&address)
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
        stored.push(row);
    }
    assert_eq!(stored[0], stored[1]);
}

#[tokio::test]
async fn unexpected_payment_is_recorded_and_changes_no_plan() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    let now = portal.state.clock.now();
    for (nth, (amount, currency)) in
        [(1, "LKR"), (500_001, "LKR"), (500_000, "USD"), (-500_000, "LKR")].into_iter().enumerate()
    {
        portal.advance(601);
        start_checkout(&user, "professional").await;
        let id = last_checkout(&portal).await;
        let event = charge_event(&portal, &format!("wrong-{nth}"), id, amount, currency, true);
        send_event(&portal, &event, portal.state.clock.now()).await.expect(200);
    }
    send_event(
        &portal,
        &charge_event(&portal, "nobodys", Uuid::from_u128(7), 500_000, "LKR", true),
        portal.state.clock.now(),
    )
    .await
    .expect(200);
    user.get("/subscriptions/user/current").await.expect_error(404);
    assert_eq!(list_invoices(&user).await.len(), 0);
    let kept: Vec<_> = event_outcomes(&portal).await.into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(kept, ["unmatched", "mismatch", "mismatch", "mismatch", "mismatch"]);
    // The portal does not apply a renewal with a wrong amount, a renewal that is too early, or a
    // refund.
    portal.advance(601);
    buy_plan(&portal, &user, "basic").await;
    let id = last_checkout(&portal).await;
    let end = current_subscription(&user).await["endDate"].clone();
    let at = |event: PaymentEvent, days: i64| PaymentEvent {
        at: now + SignedDuration::from_hours(24 * days),
        ..event
    };
    for (event, outcome) in [
        (at(charge_event(&portal, "z1", id, 200_001, "LKR", false), 31), "mismatch"),
        (at(charge_event(&portal, "z2", id, 200_000, "LKR", false), 2), "unexpected"),
        (
            PaymentEvent {
                kind: PaymentEventKind::Reversed,
                ..charge_event(&portal, "z3", id, 0, "LKR", false)
            },
            "unexpected",
        ),
    ] {
        send_event(&portal, &event, portal.state.clock.now()).await.expect(200);
        assert_eq!(event_outcomes(&portal).await.last().unwrap(), &(event.id.clone(), outcome.to_owned()));
    }
    assert_eq!(current_subscription(&user).await["endDate"], end);
    let guest = portal.guest();
    for body in [&b""[..], b"{", b"[]", b"\xff\x00", &[b'x'; 300_000]] {
        let request = guest.request(Method::POST, "/webhooks/sandbox").body(body.to_vec());
        let reply = guest.send(request, Method::POST, "/webhooks/sandbox").await;
        assert!(matches!(reply.status.as_u16(), 400 | 413), "{}", reply.text());
    }
}

#[tokio::test]
async fn payment_without_a_webhook_is_recorded_once() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    let url = start_checkout(&user, "professional").await;
    let session = url.rsplit('/').next().unwrap();
    // The user has paid, but the provider has not sent its webhook yet.
    let outcome = sandbox::pay(&portal.state.db, session, sandbox::TestCard::Good, portal.state.clock.now())
        .await
        .unwrap();
    assert_eq!(outcome, sandbox::PaymentOutcome::Paid);
    assert!(
        verify_session(&user, session).await.expect(200)["success"].as_bool().unwrap(),
        "the portal queries the provider"
    );
    let billing = portal.state.billing();
    let (one, two) = tokio::join!(lifecycle::run_due(&billing), lifecycle::run_due(&billing));
    one.unwrap();
    two.unwrap();
    wait_for(&portal.state.db, "select not exists (select from sandbox_event where told_at is null)").await;
    assert_eq!(list_invoices(&user).await.len(), 1);
    assert_eq!(current_subscription(&user).await["endDate"], "2026-12-20T12:00:00+05:30");
}
