//! Subscriptions, and payment events that were not applied, as administrators manage them.

use crate::{
    operate::{last_entry, staff},
    payments::{charge_event, last_checkout, send_event, send_signed},
    support::{
        Client, TestPortal,
        payments::{DAY, buy_plan, start_checkout, start_portal},
    },
};
use serde_json::{Value, json};
use uuid::Uuid;

/// The events that need attention, or the settled ones.
async fn events(admin: &Client, query: &str) -> Vec<Value> {
    let listed = admin.get(&format!("/operate/payments/events{query}")).await.expect(200)["data"].clone();
    listed["events"].as_array().unwrap().clone()
}

fn settlement(event: &Value) -> String {
    format!("/operate/payments/events/{}/settlement", event["_id"])
}

#[tokio::test]
async fn payment_that_does_not_fit_is_listed_until_it_is_settled() {
    let portal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let nimal = portal.user("nimal", "supplier").await;
    start_checkout(&nimal, "professional").await;
    let checkout = last_checkout(&portal).await;
    let now = portal.state.clock.now();
    let nobody = charge_event(&portal, "nobodys", Uuid::from_u128(7), 500_000, "LKR", true);
    send_event(&portal, &nobody, now).await.expect(200);
    send_event(&portal, &charge_event(&portal, "wrong", checkout, 1, "LKR", true), now).await.expect(200);
    // A repeated webhook is listed once.
    for _ in 0..2 {
        send_signed(&portal, b"{\"paid\": \"\xff\0\"}".to_vec(), now).await.expect_error(400);
    }
    send_signed(&portal, b"[]".to_vec(), now + jiff::SignedDuration::from_secs(301)).await.expect_error(400);

    let open = events(&admin, "").await;
    assert_eq!(open.len(), 3, "{open:?}");
    let [unreadable, wrong, unmatched] = [&open[0], &open[1], &open[2]];
    assert_eq!((&unreadable["outcome"], &unreadable["kind"]), (&json!("unreadable"), &Value::Null));
    assert_eq!(unreadable["body"], "{\"paid\": \"\u{fffd}\u{fffd}\"}");
    assert_eq!((&wrong["outcome"], &wrong["email"]), (&json!("mismatch"), &json!("nimal@example.lk")));
    assert_eq!((&wrong["amount"], &wrong["currency"]), (&json!(0.01), &json!("LKR")));
    assert_eq!((&wrong["reference"], &wrong["checkout"]), (&json!("charge-wrong"), &json!(checkout)));
    assert!(wrong["subscription"].is_string(), "{wrong}");
    assert_eq!((&unmatched["outcome"], &unmatched["kind"]), (&json!("unmatched"), &json!("paid")));
    assert_eq!((&unmatched["eventId"], &unmatched["email"]), (&json!("nobodys"), &Value::Null));

    admin.put(&settlement(wrong), &json!({"note": " Refunded "})).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["subject"]), (&json!("settle-payment"), &json!("payment-event")));
    assert_eq!((&entry["before"], &entry["after"]), (&json!({"note": null}), &json!({"note": "Refunded"})));
    assert_eq!(entry["subjectId"], "sandbox:wrong");
    admin.put(&settlement(wrong), &json!({"note": "Refunded"})).await.expect(200);
    assert_eq!(last_entry(&admin).await["id"], entry["id"], "nothing changed the second time");
    assert_eq!(events(&admin, "").await.len(), 2);
    let settled = events(&admin, "?isSettled=true").await;
    let expected = json!({"at": "2026-11-20T12:00:00+05:30", "by": "amara@example.lk", "note": "Refunded"});
    assert_eq!((settled.len(), &settled[0]["settlement"]), (1, &expected));
    admin.put(&settlement(wrong), &json!({"note": "Credited"})).await.expect(200);
    assert_eq!(last_entry(&admin).await["before"], json!({"note": "Refunded"}));
    admin.put(&settlement(unreadable), &json!({"note": "A test"})).await.expect(200);

    for form in [json!({}), json!({"note": " "}), json!({"note": "x".repeat(501)}), json!({"note": 1})] {
        admin.put(&settlement(unmatched), &form).await.expect_error(422);
    }
    admin.put("/operate/payments/events/999/settlement", &json!({"note": "x"})).await.expect_error(404);
    admin.put("/operate/payments/events/x/settlement", &json!({"note": "x"})).await.expect_error(422);
    for rubbish in ["?before=x", "?isSettled=maybe", "?page=2"] {
        admin.get(&format!("/operate/payments/events{rubbish}")).await.expect_error(422);
    }
}

/// An event that arrived before its payment is applied after the payment, unless it was settled.
#[tokio::test]
async fn settled_event_is_never_applied() {
    let portal = start_portal().await;
    staff(&portal, "amara", "admin").await;
    let nimal = portal.user("nimal", "supplier").await;
    start_checkout(&nimal, "professional").await;
    let checkout = last_checkout(&portal).await;
    let begun = portal.state.clock.now();
    let paid = charge_event(&portal, "first", checkout, 500_000, "LKR", true);
    let month = jiff::SignedDuration::from_hours(30 * 24);
    // All events arrive 80 days late.
    portal.advance(80 * DAY);
    let admin = portal.sign_in("amara").await;
    let now = portal.state.clock.now();
    for (id, months) in [("renewal-1", 1), ("renewal-2", 2)] {
        let mut event = charge_event(&portal, id, checkout, 500_000, "LKR", false);
        event.at = begun + month * months;
        send_event(&portal, &event, now).await.expect(200);
    }
    let second = events(&admin, "").await.remove(0);
    assert_eq!((&second["eventId"], &second["outcome"]), (&json!("renewal-2"), &json!("unmatched")));
    admin.put(&settlement(&second), &json!({"note": "Refunded"})).await.expect(200);
    send_event(&portal, &paid, now).await.expect(200);
    let outcomes: Vec<(String, String)> =
        sqlx::query_as("select event_id, outcome from payment_event order by event_id")
            .fetch_all(&portal.state.db)
            .await
            .unwrap();
    let expected = [("first", "applied"), ("renewal-1", "applied"), ("renewal-2", "unmatched")];
    assert_eq!(outcomes, expected.map(|(id, outcome)| (id.to_owned(), outcome.to_owned())));
    // An event that was applied cannot be settled.
    let id: i64 = sqlx::query_scalar("select id from payment_event where event_id = 'renewal-1'")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    let path = format!("/operate/payments/events/{id}/settlement");
    admin.put(&path, &json!({"note": "Refunded"})).await.expect_error(409);
}

#[tokio::test]
async fn subscriptions_are_listed_and_found() {
    let portal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let nimal = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &nimal, "basic").await;
    portal.advance(1);
    portal.subscriber("kamala", "buyer", Some("enterprise")).await;
    let list = async |query: &str| {
        let listed =
            admin.get(&format!("/operate/payments/subscriptions{query}")).await.expect(200)["data"].clone();
        listed["subscriptions"].as_array().unwrap().clone()
    };
    let all = list("").await;
    assert_eq!((&all[0]["plan"], &all[0]["provider"]), (&json!("enterprise"), &Value::Null));
    let bought = &all[1];
    assert_eq!((&bought["plan"], &bought["provider"]), (&json!("basic"), &json!("sandbox")));
    assert_eq!((&bought["status"], &bought["price"]), (&json!("active"), &json!(2000.0)));
    assert_eq!(
        (&bought["endDate"], &bought["autoRenew"]),
        (&json!("2026-12-20T12:00:00+05:30"), &json!(true))
    );
    assert_eq!(
        (&bought["user"]["email"], &bought["user"]["name"]),
        (&json!("nimal@example.lk"), &json!("nimal Perera"))
    );
    assert_eq!(list("?search=KAMALA").await, [all[0].clone()]);
    assert_eq!(list("?plan=basic&status=active").await, std::slice::from_ref(bought));
    assert_eq!(list("?status=pending").await.len(), 0);
    nimal.post("/auth/delete-account", &json!({"password": "secret-of-theirs"})).await.expect(200);
    let left = list("?plan=basic").await;
    assert_eq!((&left[0]["user"], &left[0]["status"]), (&Value::Null, &json!("cancelled")));
    assert_eq!(list("?search=nimal").await.len(), 0);
    for rubbish in ["?status=paid", "?plan=gold", "?after=x", "?page=2"] {
        admin.get(&format!("/operate/payments/subscriptions{rubbish}")).await.expect_error(422);
    }
    assert_eq!(list("?search=%00").await.len(), 1);
}

#[tokio::test]
async fn lists_of_payments_are_read_in_parts() {
    let portal: TestPortal = start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let now = portal.state.clock.now();
    for number in 1..=51 {
        let event = charge_event(&portal, &format!("e{number}"), Uuid::from_u128(number), 1, "LKR", true);
        send_event(&portal, &event, now).await.expect(200);
    }
    sqlx::query(
        "insert into subscription (id, user_id, plan, status, billing_cycle, start_date, end_date, auto_renew, price_cents,
            currency, period_start, anchor, holds_until, created_at, updated_at)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, null, 'basic', 'expired', 'monthly', now(), now() + interval '1 month',
            false, n * 100, 'LKR', now(), now(), now(), now(), now()
        from generate_series(1, 51) n",
    )
    .execute(&portal.state.db)
    .await
    .unwrap();
    let first = admin.get("/operate/payments/events").await.expect(200)["data"].clone();
    assert_eq!(
        (first["events"].as_array().unwrap().len(), &first["events"][0]["eventId"]),
        (50, &json!("e51"))
    );
    assert_eq!(events(&admin, &format!("?before={}", first["next"])).await[0]["eventId"], "e1");
    let path = "/operate/payments/subscriptions?status=expired";
    let first = admin.get(path).await.expect(200)["data"].clone();
    assert_eq!(first["subscriptions"][0]["price"], 51.0);
    let rest =
        admin.get(&format!("{path}&after={}", first["next"].as_str().unwrap())).await.expect(200)["data"]
            .clone();
    assert_eq!((&rest["subscriptions"][0]["price"], &rest["next"]), (&json!(1.0), &Value::Null));
}
