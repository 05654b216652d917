//! The figures of the portal: what each of them counts, where a day begins, and what is recorded.

use crate::{
    newspaper_pages, notice_sources,
    operate::{find_user, id_of, staff},
    review,
    support::{
        Client, TestPortal,
        payments::{self, DAY},
        publishing::{CLIP, save_alert},
        wait_for,
    },
};
use api::services::{billing::lifecycle, daily_figures};
use api::storage;
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

const HOUR: i64 = 3600;

async fn figures(admin: &Client) -> Value {
    admin.get("/operate/figures").await.expect(200)["data"].clone()
}

/// The value and the values of the last days of a figure, the latest first.
fn figure(figures: &Value, name: &str) -> (Value, Vec<Value>) {
    let all = figures["figures"].as_array().unwrap();
    let found = all.iter().find(|figure| figure["figure"] == name).unwrap();
    let mut days = found["values"].as_array().unwrap().clone();
    assert_eq!(days.len(), 90);
    days.reverse();
    (found["value"].clone(), days)
}

fn value(figures: &Value, name: &str) -> Value {
    figure(figures, name).0
}

/// Sets the clock to a time, and records the days that are over.
async fn move_to(portal: &TestPortal, time: &str) {
    portal.state.clock.set(time.parse().unwrap());
    daily_figures::record_days(&portal.state).await.unwrap();
}

async fn execute(portal: &TestPortal, statement: &'static str) {
    sqlx::query(statement).execute(&portal.state.db).await.unwrap();
}

#[tokio::test]
async fn only_administrators_read_figures_of_days_that_have_begun() {
    let portal = TestPortal::start().await;
    portal.guest().get("/operate/figures").await.expect_error(401);
    portal.user("nimal", "supplier").await.get("/operate/figures").await.expect_error(403);
    staff(&portal, "ravi", "reviewer").await.get("/operate/figures").await.expect_error(403);
    let admin = staff(&portal, "amara", "admin").await;
    let today = figures(&admin).await;
    assert_eq!((&today["from"], &today["to"]), (&json!("2026-08-23"), &json!("2026-11-20")));
    assert_eq!(today["figures"].as_array().unwrap().len(), 20);
    let earlier = admin.get("/operate/figures?to=2026-10-01").await.expect(200);
    assert_eq!(earlier["data"]["to"], "2026-10-01");
    for rubbish in ["to=2026-11-21", "to=1999-12-31", "to=yesterday", "days=400"] {
        admin.get(&format!("/operate/figures?{rubbish}")).await.expect_error(422);
    }
}

#[tokio::test]
async fn reading_matching_and_mails_are_counted() {
    let portal = TestPortal::start().await;
    let (admin, operator) = (staff(&portal, "amara", "admin").await, portal.operator().await);
    portal.subscriber("nimal", "supplier", Some("professional")).await;
    let nimal = id_of(&find_user(&admin, "nimal").await).parse::<Uuid>().unwrap();
    save_alert(&portal.state.db, nimal, "compactor").await;
    portal.wait_until_matched().await;

    newspaper_pages::upload_page(&admin, "Compactor trucks").await;
    let task = newspaper_pages::take(&operator, "desk-1").await;
    newspaper_pages::send_result(&operator, &task, &newspaper_pages::reading(&[]), CLIP).await.expect(200);
    newspaper_pages::upload_page(&admin, "Another page").await;
    review::send(&operator, 1, &review::doubtful_notice("Compactor trucks", "")).await;
    notice_sources::send_notice(&operator, 2, notice_sources::ORIGINAL_NOTICE).await;
    portal.wait_until_matched().await;
    portal.advance(60);
    wait_for(
        &portal.state.db,
        "select count(*) = 3 and count(*) filter (where kind = 'alerts') = 1 from delivery where state = 'sent'",
    )
    .await;
    execute(&portal, "update delivery set returned = 'bounce', returned_at = sent_at where kind = 'alerts'")
        .await;

    let today = figures(&admin).await;
    for (name, expected) in [
        ("pages", 1.0),
        ("notices", 2.0),
        ("matches", 1.0),
        // Two confirmation links and the mail of the alert.
        ("emails", 3.0),
        ("sms", 0.0),
        ("bounces", 1.0),
        ("new-users", 2.0),
        ("subscribers", 1.0),
    ] {
        let (sum, days) = figure(&today, name);
        assert_eq!((&sum, &days[0]), (&json!(expected), &json!(expected)), "{name}");
        assert_eq!(days[1], json!(0.0), "{name}");
    }
}

#[tokio::test]
async fn a_day_begins_at_midnight_in_colombo_and_stays_when_accounts_are_deleted() {
    let portal = TestPortal::start().await;
    staff(&portal, "amara", "admin").await;
    portal.state.clock.set("2026-11-21T18:29:59Z".parse().unwrap());
    portal.user("early", "supplier").await;
    portal.state.clock.set("2026-11-21T18:30:00Z".parse().unwrap());
    portal.user("late", "supplier").await;
    let admin = portal.sign_in("amara").await;
    // The last day is recorded ten minutes after its end. Until then, it is counted.
    for time in ["2026-11-22T00:09:59+05:30", "2026-11-22T00:10:00+05:30"] {
        move_to(&portal, time).await;
        let (sum, days) = figure(&figures(&admin).await, "new-users");
        assert_eq!((sum, &days[..3]), (json!(3.0), &[json!(1.0), json!(1.0), json!(1.0)][..]), "{time}");
    }
    execute(&portal, "delete from users where email in ('early@example.lk', 'late@example.lk')").await;
    let (_, days) = figure(&figures(&admin).await, "new-users");
    assert_eq!(days[..3], [json!(0.0), json!(1.0), json!(1.0)], "only the current day is counted again");
    // A row that appears later does not change a day that is over.
    execute(&portal, "update users set created_at = '2026-11-20T12:00:00Z'").await;
    daily_figures::record_days(&portal.state).await.unwrap();
    let earlier = admin.get("/operate/figures?to=2026-11-21").await.expect(200)["data"].clone();
    assert_eq!(figure(&earlier, "new-users").1[..2], [json!(1.0), json!(1.0)]);
}

#[tokio::test]
async fn days_without_a_running_portal_are_recorded_later() {
    let portal = TestPortal::start().await;
    staff(&portal, "amara", "admin").await;
    portal.user("nimal", "supplier").await;
    // Another process is recording: this one leaves the day to it.
    let mut other = storage::begin(&portal.state.db).await.unwrap();
    sqlx::query("select from daily_figure_range for update").execute(&mut *other).await.unwrap();
    move_to(&portal, "2026-11-24T12:00:00+05:30").await;
    let admin = portal.sign_in("amara").await;
    let (_, counted) = figure(&figures(&admin).await, "new-users");
    other.rollback().await.unwrap();
    daily_figures::record_days(&portal.state).await.unwrap();
    let (_, recorded) = figure(&figures(&admin).await, "new-users");
    assert_eq!(counted, recorded);
    assert_eq!(recorded[..6], [0.0, 0.0, 0.0, 0.0, 2.0, 0.0].map(|value| json!(value)));
}

#[tokio::test]
async fn review_time_runs_from_the_claim_or_the_previous_decision() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    let (admin, ravi) = (staff(&portal, "amara", "admin").await, review::reviewer(&portal, "ravi").await);
    for number in 1..=4 {
        let title = ["Roads", "Bridges", "Culverts here", "Drains of towns"][number as usize - 1];
        review::send(&operator, number, &review::doubtful_notice(title, "")).await;
    }
    portal.advance(2 * HOUR);
    let ravi_again = || portal.sign_in("ravi");
    let ravi = if ravi.get("/auth/me").await.status == 200 { ravi } else { ravi_again().await };
    let admin_now = portal.sign_in("amara").await;
    assert_eq!(value(&figures(&admin_now).await, "review-age"), json!(2.0 * 3600.0));
    drop(admin);

    // Three notices are claimed at once. A renewed claim does not begin again.
    assert_eq!(review::claim(&ravi, 3).await.len(), 3);
    portal.advance(30);
    let claimed = review::claim(&ravi, 3).await;
    let number = |notice: &Value| u32::from_str_radix(notice["key"].as_str().unwrap(), 16).unwrap();
    let numbers: Vec<u32> = claimed.iter().map(number).collect();
    portal.advance(10);
    review::decide(&ravi, numbers[0], json!({"decision": "reject", "reason": "An annual report"}))
        .await
        .expect(200);
    portal.advance(20);
    review::decide(&ravi, numbers[1], json!({"decision": "reject", "reason": "An annual report"}))
        .await
        .expect(200);
    assert_eq!(value(&figures(&admin_now).await, "review-time"), json!(60.0));
    // Whoever takes longer was away.
    portal.advance(50 * 60);
    let ravi = ravi_again().await;
    review::claim(&ravi, 1).await;
    let amara = portal.sign_in("amara").await;
    review::decide(&ravi, numbers[2], json!({"decision": "reject", "reason": "An annual report"}))
        .await
        .expect(200);
    let seconds = value(&figures(&amara).await, "review-time").as_f64().unwrap();
    assert!((60.0..=660.0).contains(&seconds), "{seconds}");
    // A program decides without a claim.
    let left: u32 = (1..=4).find(|number| !numbers.contains(number)).unwrap();
    review::decide(&operator, left, json!({"decision": "reject", "reason": "An annual report"}))
        .await
        .expect(200);
    assert_eq!(value(&figures(&amara).await, "review-time"), json!(seconds));
    assert_eq!(value(&figures(&amara).await, "review-age"), json!(0.0), "the queue is empty");
}

#[tokio::test]
async fn queue_ages_of_a_day_are_the_longest_ones() {
    let portal = TestPortal::start().await;
    let (admin, operator) = (staff(&portal, "amara", "admin").await, portal.operator().await);
    newspaper_pages::upload_page(&admin, "Compactor trucks").await;
    let message = json!({"name": "Nimal", "email": "nimal@example.lk", "message": "The closing date is wrong, I think."});
    portal.guest().post("/contact", &message).await.expect(201);
    portal.advance(HOUR / 2);
    daily_figures::sample_queues(&portal.state).await.unwrap();
    let task = newspaper_pages::take(&operator, "desk-1").await;
    newspaper_pages::send_result(&operator, &task, &newspaper_pages::reading(&[]), CLIP).await.expect(200);
    daily_figures::sample_queues(&portal.state).await.unwrap();

    let today = figures(&admin).await;
    let queues = today["queues"].as_array().unwrap();
    let queue = |name: &str| queues.iter().find(|queue| queue["queue"] == name).unwrap();
    assert_eq!(queues.len(), 5);
    assert_eq!((&queue("pages")["waiting"], &queue("pages")["oldestSince"]), (&json!(0), &Value::Null));
    assert_eq!(
        (&queue("messages")["waiting"], &queue("messages")["oldestSince"]),
        (&json!(1), &json!("2026-11-20T12:00:00+05:30"))
    );
    assert_eq!(value(&today, "pages-age"), json!(1800.0), "the sample of earlier today stays");
    portal.advance(60);
    assert_eq!(value(&figures(&admin).await, "messages-age"), json!(1860.0), "later than the sample");
    // A day that nobody observed has no age.
    assert_eq!(figure(&today, "pages-age").1[1], Value::Null);
    move_to(&portal, "2026-11-22T12:00:00+05:30").await;
    let later = figures(&portal.sign_in("amara").await).await;
    assert_eq!(figure(&later, "pages-age").1[..3], [json!(0.0), Value::Null, json!(1800.0)]);
}

#[tokio::test]
async fn frequent_searches_without_a_result_are_listed_without_personal_texts() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let guest = portal.guest();
    let search = async |query: &str| {
        guest.get(&format!("/tenders?{query}")).await.expect(200);
    };
    for query in ["search=Fire%20Engine", "search=fire%20%20engine", "search=fire%20engine&isLive=true"] {
        search(query).await;
    }
    for _ in 0..2 {
        search("search=rare").await;
    }
    for _ in 0..3 {
        search("search=nimal@example.lk").await;
    }
    // Not a new search, and not a search for a text.
    search("search=fire%20engine&page=2").await;
    search("isLive=true").await;
    assert_eq!(value(&figures(&admin).await, "empty-searches"), json!(0.0), "nothing is stored yet");
    daily_figures::store_empty_searches(&portal.state).await.unwrap();
    let today = figures(&admin).await;
    assert_eq!(value(&today, "empty-searches"), json!(8.0));
    assert_eq!(today["emptySearches"], json!([{"text": "fire engine", "searches": 3}]));
    let texts: Vec<String> = sqlx::query_scalar("select text from empty_search order by text")
        .fetch_all(&portal.state.db)
        .await
        .unwrap();
    assert_eq!(texts, ["fire engine", "rare"]);

    // A third search on another day. Texts are deleted after 90 days, and their numbers stay.
    portal.advance(DAY);
    search("search=rare").await;
    daily_figures::store_empty_searches(&portal.state).await.unwrap();
    let tomorrow = figures(&portal.sign_in("amara").await).await;
    assert_eq!(tomorrow["emptySearches"][1], json!({"text": "rare", "searches": 3}));
    move_to(&portal, "2027-02-18T12:00:00+05:30").await;
    let later = figures(&portal.sign_in("amara").await).await;
    assert_eq!((&later["from"], &later["emptySearches"]), (&json!("2026-11-21"), &json!([])));
    assert_eq!(value(&later, "empty-searches"), json!(1.0));
    let kept: i64 =
        sqlx::query_scalar("select count(*) from empty_search").fetch_one(&portal.state.db).await.unwrap();
    assert_eq!(kept, 1);
}

#[tokio::test]
async fn a_search_that_finds_something_and_a_failed_write_are_not_lost_or_counted() {
    let portal = TestPortal::start().await;
    let (admin, operator) = (staff(&portal, "amara", "admin").await, portal.operator().await);
    notice_sources::send_notice(&operator, 2, notice_sources::ORIGINAL_NOTICE).await;
    portal.wait_until_indexed().await;
    let title = notice_sources::ORIGINAL_NOTICE.title.split(' ').next().unwrap();
    portal.guest().get(&format!("/tenders?search={title}")).await.expect(200);
    portal.guest().get("/tenders?search=zzzz").await.expect(200);
    execute(&portal, "alter table empty_search rename to hidden").await;
    daily_figures::store_empty_searches(&portal.state).await.unwrap_err();
    execute(&portal, "alter table hidden rename to empty_search").await;
    daily_figures::store_empty_searches(&portal.state).await.unwrap();
    assert_eq!(value(&figures(&admin).await, "empty-searches"), json!(1.0));
}

#[tokio::test]
async fn ended_subscriptions_make_churn_unless_another_one_follows() {
    let portal = TestPortal::start().await;
    staff(&portal, "amara", "admin").await;
    for name in ["nimal", "kamala", "sunil", "ravi"] {
        portal.subscriber(name, "supplier", Some("professional")).await;
    }
    // One ends after a year, one in ten days, one changes its plan, and one belongs to the
    // demonstration.
    execute(&portal, "update users set is_demo = true where email = 'ravi@example.lk'").await;
    execute(
        &portal,
        "update subscription set end_date = start_date + interval '10 days', holds_until = start_date + interval '10 days'
        where user_id in (select id from users where email = 'kamala@example.lk')",
    )
    .await;
    let admin = portal.sign_in("amara").await;
    assert_eq!(value(&figures(&admin).await, "subscribers"), json!(3.0));
    portal.advance(10 * DAY + HOUR);
    lifecycle::run_due(&portal.state.billing()).await.unwrap();
    execute(
        &portal,
        "with old as (
            update subscription set status = 'cancelled', ended_at = '2026-11-30T07:30:00Z'
            where user_id = (select id from users where email = 'sunil@example.lk') returning *
        )
        insert into subscription (id, user_id, plan, status, billing_cycle, start_date, end_date, period_start, anchor,
            holds_until, created_at, updated_at)
        select gen_random_uuid(), user_id, 'enterprise', 'active', 'monthly', ended_at, end_date, ended_at, ended_at,
            holds_until, ended_at, ended_at from old",
    )
    .await;
    let then = figures(&portal.sign_in("amara").await).await;
    assert_eq!(figure(&then, "ended-subscriptions").1[..2], [json!(1.0), json!(0.0)]);
    assert_eq!((value(&then, "subscribers"), value(&then, "churn")), (json!(2.0), Value::Null));
    move_to(&portal, "2026-12-18T12:00:00+05:30").await;
    let later = figures(&portal.sign_in("amara").await).await;
    assert_eq!(value(&later, "churn"), json!(33.3), "one of the three of 20 November");
    assert_eq!(figure(&later, "subscribers").1[18], json!(2.0));
    assert_eq!(figure(&later, "subscribers").1[19], json!(3.0));
    // The account of a subscriber is deleted: the subscription ends, and recorded days stay.
    let nimal = portal.sign_in("nimal").await;
    nimal.post("/auth/delete-account", &json!({"password": "secret-of-theirs"})).await.expect(200);
    let end = figures(&portal.sign_in("amara").await).await;
    assert_eq!(
        (value(&end, "subscribers"), figure(&end, "subscribers").1[1].clone()),
        (json!(1.0), json!(2.0))
    );
}

#[tokio::test]
async fn revenue_is_what_was_invoiced_less_what_was_reversed() {
    let portal = payments::start_portal().await;
    let admin = staff(&portal, "amara", "admin").await;
    let nimal = portal.user("nimal", "supplier").await;
    payments::buy_plan(&portal, &nimal, "professional").await;
    let today = figures(&admin).await;
    assert_eq!(
        (value(&today, "revenue"), value(&today, "subscribers")),
        (json!(0.0), json!(0.0)),
        "test payments are not counted"
    );
    // The same as payments of a real provider.
    execute(
        &portal,
        "insert into invoice select gen_random_uuid(), 'T-' || n, user_id, subscription_id, 'payhere', charge || n,
            issued_at, currency, lines, net_cents, vat_cents, total_cents, vat_rate, seller, buyer
        from invoice, generate_series(1, 3) as n",
    )
    .await;
    execute(&portal, "update subscription set provider = 'payhere'").await;
    let today = figures(&admin).await;
    let price = value(&today, "revenue").as_f64().unwrap() / 3.0;
    assert!(price >= 5000.0, "{price}");
    assert_eq!(value(&today, "subscribers"), json!(1.0));
    execute(
        &portal,
        "insert into payment_event (provider, event_id, event, occurred_at, received_at, outcome, subscription_id)
        select 'payhere', 'r1', jsonb_set(event, '{told}', '{\"kind\": \"reversed\"}'), occurred_at,
            received_at + interval '1 day', 'unexpected', subscription_id
        from payment_event limit 1",
    )
    .await;
    move_to(&portal, "2026-11-22T12:00:00+05:30").await;
    let later = figures(&portal.sign_in("amara").await).await;
    let (sum, days) = figure(&later, "revenue");
    assert_eq!(days[..3], [json!(0.0), json!(-price), json!(3.0 * price)]);
    assert_eq!(sum, json!(2.0 * price));
}

#[tokio::test]
async fn a_sum_is_compared_with_the_ninety_days_before_it() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    execute(
        &portal,
        "insert into daily_figure (figure, day, value) values ('pages', '2026-11-19', 4), ('pages', '2026-08-22', 5),
            ('subscribers', '2026-10-23', 7)",
    )
    .await;
    let now: Timestamp = portal.state.clock.now();
    assert_eq!(now.to_string(), "2026-11-20T06:30:00Z");
    let all = figures(&admin).await["figures"].as_array().unwrap().clone();
    let found = |name: &str| all.iter().find(|figure| figure["figure"] == name).unwrap();
    let facts = |name: &str| {
        let figure = found(name);
        ["value", "before", "beforeDays", "unit", "total"].map(|field| figure[field].clone())
    };
    assert_eq!(facts("pages"), [json!(4.0), json!(5.0), json!(90), json!("count"), json!("sum")]);
    assert_eq!(facts("subscribers"), [json!(0.0), json!(7.0), json!(28), json!("count"), json!("last")]);
    assert_eq!(facts("mails-age")[1..3], [Value::Null, Value::Null]);
    assert_eq!(facts("churn")[3], json!("percent"));
}
