//! Invoices: VAT, numbers, and what remains when the account is deleted.

use super::is_true;
use crate::support::{
    TestPortal,
    payments::{DAY, GOOD_CARD, buy_plan, list_invoices, pay_by_card, start_checkout, start_portal},
    wait_for,
};
use api::services::billing::lifecycle;
use serde_json::json;

#[tokio::test]
async fn deleted_account_is_not_charged_and_invoices_stay() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "professional").await;
    // Another checkout is pending when the user deletes the account.
    let open = start_checkout(&user, "enterprise").await;
    user.post("/auth/delete-account", &json!({"password": "secret-of-theirs"})).await.expect(200);
    wait_for(&portal.state.db, "select state = 'ended' from sandbox_agreement where charges = 1").await;
    wait_for(
        &portal.state.db,
        "select agreement_ended_at is not null from subscription where agreement is not null",
    )
    .await;
    assert!(is_true(&portal, "select count(*) = 1 and bool_and(user_id is null) from invoice").await);
    assert!(is_true(&portal, "select buyer ->> 'email' = 'nimal@example.lk' from invoice").await);
    let changed =
        sqlx::query("update invoice set total_cents = 1, net_cents = 1").execute(&portal.state.db).await;
    assert!(changed.unwrap_err().to_string().contains("an invoice never changes"));
    let deleted = sqlx::query("delete from invoice").execute(&portal.state.db).await;
    assert!(deleted.unwrap_err().to_string().contains("an invoice never changes"));
    // A late payment starts no plan and is kept for the operator. Its agreement ends, so the card
    // is not charged again.
    pay_by_card(&portal, &open, GOOD_CARD).await;
    wait_for(&portal.state.db, "select exists (select from payment_event where outcome = 'orphan')").await;
    wait_for(&portal.state.db, "select bool_and(state = 'ended') from sandbox_agreement").await;
    portal.advance(90 * DAY);
    lifecycle::run_due(&portal.state.billing()).await.unwrap();
    assert!(is_true(&portal, "select count(*) = 1 from invoice").await);
    assert!(is_true(&portal, "select count(*) = 0 from subscription where status = 'active'").await);
}

#[tokio::test]
async fn prices_include_vat_with_a_vat_number() {
    let portal =
        TestPortal::start_with(&["--demo", "--vat-number", "103456789-7000", "--vat-rate-percent", "18"])
            .await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "professional").await;
    let invoice = list_invoices(&user).await[0].clone();
    assert_eq!(
        (&invoice["net"], &invoice["vat"], &invoice["total"], &invoice["vatRate"]),
        (&json!(4237.29), &json!(762.71), &json!(5000.0), &json!(18.0))
    );
    assert_eq!(invoice["seller"]["vatNumber"], "103456789-7000");
}

#[tokio::test]
async fn concurrent_invoices_are_numbered_without_gaps() {
    let portal = start_portal().await;
    let mut urls = Vec::new();
    for name in ["a", "b", "c", "d", "e", "f"] {
        let user = portal.user(name, "supplier").await;
        urls.push(start_checkout(&user, "basic").await);
    }
    futures::future::join_all(urls.iter().map(|url| pay_by_card(&portal, url, GOOD_CARD))).await;
    wait_for(&portal.state.db, "select count(*) = 6 from invoice").await;
    assert!(
        is_true(
            &portal,
            "select array_agg(right(number, 2) order by number) = '{01,02,03,04,05,06}' from invoice"
        )
        .await
    );
}
