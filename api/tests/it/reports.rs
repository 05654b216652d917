//! Reports: ownership, content, and monthly mails. Also the Enterprise plan's account manager.

use crate::{
    support::{
        Client, Reply, TestPortal,
        mailbox::{text as text_of, workbook_titles},
        wait_until,
    },
    tenders::store,
};
use api::{
    domain::report::DueReport,
    storage::{self, reports},
};
use axum::http::Method;
use calamine::{Reader, Xlsx};
use mail_parser::MessageParser;
use serde_json::{Value, json};
use std::io::Cursor;
use tender_model::{
    tender::Tender,
    vocabulary::{Category, District, TenderStatus},
};

const NIMAL: &str = "nimal@example.lk";

/// Returns the definition of a report on tenders for chairs that are published this month, with
/// totals by district.
fn report_definition() -> Value {
    json!({"query": "search=chairs", "period": {"by": "published", "span": "thisMonth"},
        "columns": ["title", "district", "closing"], "totals": ["district"]})
}

fn report_form(name: &str, is_monthly: bool) -> Value {
    json!({"name": name, "asked": report_definition(), "isMonthly": is_monthly})
}

async fn publish_tender(portal: &TestPortal, title: &str, district: District) -> Tender {
    let mut tender = Tender {
        title: title.into(),
        status: TenderStatus::Published,
        category: Some(Category::Furniture),
        published_at: Some(portal.state.clock.moment()),
        ..Tender::default()
    };
    tender.organization.name = "Department of Works".into();
    tender.location.district = Some(district);
    tender.dates.closing = "2027-06-20T14:00:00+05:30".parse().ok();
    tender.id = store(portal, tender.clone(), None).await;
    portal.wait_until_indexed().await;
    tender
}

/// Creates a user with the Enterprise plan and a confirmed address.
async fn create_subscriber(portal: &TestPortal, name: &str) -> Client {
    portal.subscriber(name, "buyer", Some("enterprise")).await
}

/// Saves a report and returns its path.
async fn save_report(owner: &Client, name: &str, is_monthly: bool) -> String {
    let made = owner.post("/reports", &report_form(name, is_monthly)).await.expect(201);
    format!("/reports/{}", made["data"]["report"]["_id"].as_str().unwrap())
}

fn file_lines(file: &Reply) -> Vec<String> {
    file.text().trim_start_matches('\u{FEFF}').lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn reports_require_enterprise() {
    let portal = TestPortal::start().await;
    for plan in [None, Some("basic"), Some("professional")] {
        let user = portal.subscriber(plan.unwrap_or("free"), "buyer", plan).await;
        let file = json!({"asked": report_definition(), "format": "csv"});
        for refused in [
            user.get("/reports").await,
            user.post("/reports", &report_form("Chairs", false)).await,
            user.post("/reports/preview", &report_definition()).await,
            user.post("/reports/file", &file).await,
        ] {
            assert_eq!(refused.expect_error(403), "Reports are part of the Enterprise plan");
            assert_eq!(refused.json()["plan"], "enterprise");
        }
    }
    portal.guest().get("/reports").await.expect_error(401);
}

#[tokio::test]
async fn report_belongs_to_its_author_who_may_save_twenty() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    let mate = crate::team::join_team(&portal, &owner, "mate").await;
    let report = save_report(&owner, "  Chairs ", false).await;
    let list = owner.get("/reports").await.expect(200)["data"].clone();
    assert_eq!((&list["quota"], &list["mostRows"]), (&json!(20), &json!(10_000)));
    assert_eq!(
        (&list["reports"][0]["name"], &list["reports"][0]["asked"]),
        (&json!("Chairs"), &report_definition())
    );
    // A team shares the plan, not its members' reports.
    assert_eq!(mate.get("/reports").await.expect(200)["data"]["reports"], json!([]));
    mate.put(&report, &report_form("Mine", true)).await.expect_error(404);
    mate.get(&format!("{report}/file?format=csv")).await.expect_error(404);

    let renamed =
        owner.put(&report, &report_form("Tables", true)).await.expect(200)["data"]["report"].clone();
    assert_eq!((&renamed["name"], &renamed["isMonthly"]), (&json!("Tables"), &json!(true)));
    for nth in 1..20 {
        save_report(&owner, &format!("Report {nth}"), false).await;
    }
    let refused = owner.post("/reports", &report_form("One more", false)).await.expect_error(409);
    assert_eq!(refused, "You have 20 reports; delete one first");
    owner.delete(&report).await.expect(200);
    owner.delete(&report).await.expect_error(404);
    save_report(&owner, "One more", false).await;
}

#[tokio::test]
async fn invalid_report_gets_an_error_message() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    let with = |change: Value| {
        let mut asked = report_definition();
        asked.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        asked
    };
    for (change, message) in [
        (json!({"columns": []}), "Choose at least one column"),
        (json!({"columns": ["title", "title"]}), "Each column can be chosen only once"),
        (json!({"totals": ["month", "month"]}), "Each grouping can be chosen only once"),
        (json!({"period": {"span": "range", "from": "2026-11-01"}}), "Choose a first and a last day"),
        (
            json!({"period": {"span": "range", "from": "2026-11-02", "until": "2026-11-01"}}),
            "The first day must not be after the last",
        ),
        (json!({"query": "x".repeat(3501)}), "The filters may have at most 3500 characters"),
    ] {
        assert_eq!(owner.post("/reports/preview", &with(change)).await.expect_error(422), message);
    }
    for rubbish in [json!({"query": "kinds=rubbish"}), json!({"query": "nonsense=1"})] {
        owner.post("/reports/preview", &with(rubbish)).await.expect_error(422);
    }
    let mut nameless = report_form(" ", false);
    assert_eq!(owner.post("/reports", &nameless).await.expect_error(422), "Name is required");
    nameless["name"] = json!("x".repeat(101));
    assert_eq!(
        owner.post("/reports", &nameless).await.expect_error(422),
        "Name must be at most 100 characters"
    );
}

#[tokio::test]
async fn report_contains_the_listed_tenders_of_its_period() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    publish_tender(&portal, "Supply of chairs", District::Galle).await;
    publish_tender(&portal, "Supply of tables", District::Galle).await;
    // The later one comes first.
    portal.advance(1);
    publish_tender(&portal, "=Chairs for schools", District::Kandy).await;
    portal.state.clock.set("2026-12-02T12:00:00+05:30".parse().unwrap());
    let owner_later = portal.sign_in("nimal").await;
    publish_tender(&portal, "Repair of chairs", District::Matara).await;

    let preview =
        owner_later.post("/reports/preview", &report_definition()).await.expect(200)["data"].clone();
    assert_eq!(
        (&preview["total"], &preview["from"], &preview["until"]),
        (&json!(1), &json!("2026-12-01"), &json!("2026-12-31"))
    );
    assert_eq!(preview["rows"], json!([["Repair of chairs", "Matara", "2027-06-20 14:00"]]));
    let mut last = report_definition();
    last["period"]["span"] = json!("lastMonth");
    // The report's period replaces the dates in its query.
    last["query"] = json!("page=4&publishedFrom=2020-01-01&search=chairs&sort=newest");
    let preview = owner_later.post("/reports/preview", &last).await.expect(200)["data"].clone();
    let listed = format!("/tenders?{}", preview["query"].as_str().unwrap());
    let listed = owner_later.get(&listed).await.expect(200)["data"]["pagination"]["totalCount"].clone();
    assert_eq!((&preview["total"], &listed), (&json!(2), &json!(2)));
    // No tender closes in November.
    last["period"]["by"] = json!("closing");
    last["query"] = json!("search=chairs");
    assert_eq!(owner_later.post("/reports/preview", &last).await.expect(200)["data"]["total"], 0);

    last["period"] = json!({"by": "published", "span": "range", "from": "2026-11-20", "until": "2026-11-20"});
    let file = json!({"name": "Chairs of November", "asked": last, "format": "csv"});
    let file = owner_later.post("/reports/file", &file).await;
    file.expect(200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    let named = file.header("content-disposition");
    assert_eq!(named, "attachment; filename=\"chairs-of-november-2026-11-20-2026-11-20.csv\"");
    assert_eq!(file.header("x-total-count"), "2");
    assert_eq!(
        file_lines(&file),
        [
            "Title,District,Closing,Not certain",
            "'=Chairs for schools,Kandy,2027-06-20 14:00,",
            "Supply of chairs,Galle,2027-06-20 14:00,"
        ]
    );
    drop(owner);
}

#[tokio::test]
async fn report_file_is_translated_rate_limited_and_open_to_api_keys() {
    let portal = TestPortal::start_with(&["--reports-a-minute", "3"]).await;
    let owner = create_subscriber(&portal, "nimal").await;
    publish_tender(&portal, "Supply of chairs", District::Galle).await;
    let report = save_report(&owner, "පුටු", false).await;
    owner.put("/auth/profile", &json!({"language": "si"})).await.expect(200);
    let file = owner.get(&format!("{report}/file?format=csv")).await;
    file.expect(200);
    assert_eq!(
        file_lines(&file),
        ["මාතෘකාව,දිස්ත්‍රික්කය,අවසන් වන්නේ,නිශ්චිත නැති දේ", "Supply of chairs,ගාල්ල,2027-06-20 14:00,"]
    );

    let key = async |scope: &str| {
        let made = owner.post("/keys", &json!({"name": "ERP", "scopes": [scope]})).await.expect(201);
        portal.guest().with_token(made["data"]["secret"].as_str().unwrap())
    };
    let (reads, other) = (key("reports:read").await, key("tenders:read").await);
    other.get("/reports").await.expect_error(403);
    other.get(&format!("{report}/file?format=csv")).await.expect_error(403);
    assert_eq!(reads.get("/reports").await.expect(200)["data"]["reports"][0]["name"], "පුටු");
    reads.delete(&report).await.expect_error(401);
    let book = reads.get(&format!("{report}/file?format=xlsx")).await;
    book.expect(200);
    assert_eq!(book.header("content-encoding"), "");
    let mut book = Xlsx::new(Cursor::new(book.bytes)).unwrap();
    assert_eq!(book.worksheet_range("ටෙන්ඩර්").unwrap().height(), 2);
    reads.get(&format!("{report}/file?format=pdf")).await.expect_error(422);
    reads.get(&format!("{report}/file?format=csv")).await.expect(200);
    owner.get(&format!("{report}/file?format=csv")).await.expect_error(429);
    owner
        .post("/reports/file", &json!({"asked": report_definition(), "format": "csv"}))
        .await
        .expect_error(429);
    portal.advance(20);
    owner.get(&format!("{report}/file?format=csv")).await.expect(200);
}

/// Returns the report mails to an address. Each has its subject, its text, and the titles in its
/// workbook.
fn report_mails(portal: &TestPortal, to: &str) -> Vec<(String, String, Vec<String>)> {
    let folder = portal.state.config.data.mail().join("new");
    let paths = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut mails: Vec<_> = paths
        .filter_map(|path| {
            let bytes = std::fs::read(path).unwrap();
            let message = MessageParser::default().parse(&bytes)?;
            message.header_raw("List-Unsubscribe")?;
            if message.to()?.first()?.address()? != to {
                return None;
            }
            let titles = workbook_titles(&bytes);
            Some((message.subject()?.to_owned(), text_of(&bytes).replace("\r\n", "\n"), titles))
        })
        .collect();
    mails.sort();
    mails
}

/// Sets the clock. Waits until the reports of `month` are prepared and all due mails are sent.
async fn set_clock_and_wait(portal: &TestPortal, now: &str, month: &str) {
    portal.state.clock.set(now.parse().unwrap());
    wait_until("the reports are prepared and mailed", async || {
        sqlx::query_scalar(
            "select (select day = $2::date from daily_pass where name = 'reports') and not exists (select from delivery
                where state = 'open' and seal_at <= $1::timestamptz or state in ('sealed', 'leased'))",
        )
        .bind(portal.state.clock.now().to_string())
        .bind(month)
        .fetch_one(&portal.state.db)
        .await
        .unwrap()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn monthly_report_is_mailed_once() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    save_report(&owner, "Chairs", true).await;
    save_report(&owner, "Not mailed", false).await;
    publish_tender(&portal, "Supply of chairs", District::Galle).await;
    publish_tender(&portal, "Supply of tables", District::Galle).await;
    set_clock_and_wait(&portal, "2026-12-01T07:59:00+05:30", "2026-10-01").await;
    publish_tender(&portal, "Chairs of December", District::Galle).await;
    assert_eq!(report_mails(&portal, NIMAL), []);
    set_clock_and_wait(&portal, "2026-12-01T08:00:00+05:30", "2026-11-01").await;
    let mails = report_mails(&portal, NIMAL);
    let [(subject, text, titles)] = mails.as_slice() else { panic!("{mails:?}") };
    assert_eq!(subject, "Chairs: Nov 2026");
    assert!(text.contains("Your report “Chairs” for Nov 2026 contains one tender."), "{text}");
    assert_eq!(titles, &["Supply of chairs"]);
    // No further report of November is mailed, even if the clock is set back. A report that is
    // saved in December is first mailed in January or later.
    save_report(&portal.sign_in("nimal").await, "Later", true).await;
    set_clock_and_wait(&portal, "2026-11-25T08:00:00+05:30", "2026-10-01").await;
    set_clock_and_wait(&portal, "2026-12-20T08:00:00+05:30", "2026-11-01").await;
    assert_eq!(report_mails(&portal, NIMAL).len(), 1);
    // After several missed months, only the report of the latest month is mailed. If a report
    // contains no tenders, its mail says so.
    set_clock_and_wait(&portal, "2027-03-05T10:00:00+05:30", "2027-02-01").await;
    let subjects: Vec<_> = report_mails(&portal, NIMAL).into_iter().map(|(subject, ..)| subject).collect();
    assert_eq!(subjects, ["Chairs: Feb 2027", "Chairs: Nov 2026", "Later: Feb 2027"]);
    let (_, text, titles) = &report_mails(&portal, NIMAL)[0];
    assert!(
        text.contains("Your report “Chairs” for Feb 2027 contains no tenders") && titles.is_empty(),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn report_mail_has_one_click_unsubscribe() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    owner.put("/auth/profile", &json!({"language": "ta"})).await.expect(200);
    let report = save_report(&owner, "Chairs", true).await;
    // Reports of one second have no order.
    portal.advance(1);
    save_report(&owner, "Tables", true).await;
    publish_tender(&portal, "Supply of chairs", District::Galle).await;
    set_clock_and_wait(&portal, "2026-12-01T09:00:00+05:30", "2026-11-01").await;
    let mails = report_mails(&portal, NIMAL);
    assert_eq!(mails.len(), 2);
    let (subject, text, titles) = &mails[0];
    assert_eq!((subject.as_str(), titles.len()), ("Chairs: நவம்பர் 2026", 1));
    assert!(text.contains("உங்கள் “Chairs” அறிக்கையில் ஒரு கேள்விமனு உள்ளது"), "{text}");
    let link = text.split_whitespace().find(|word| word.contains("/unsubscribe/")).unwrap();
    let link = reqwest::Url::parse(link).unwrap();
    let address = format!("http://{}{}", portal.address, link.path());
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let page = http.get(&address).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("Chairs"), "{page}");
    let is_monthly = async || {
        let list = portal.sign_in("nimal").await.get("/reports").await.expect(200);
        let reports = list["data"]["reports"].as_array().unwrap().clone();
        reports.iter().rev().map(|report| report["isMonthly"].as_bool().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(is_monthly().await, [true, true], "opening the page changes nothing");
    let post = async |body: &'static str| {
        assert!(http.post(&address).body(body).send().await.unwrap().status().is_success());
    };
    post("List-Unsubscribe=One-Click").await;
    assert_eq!(is_monthly().await, [false, true]);
    post("again=1").await;
    assert_eq!(is_monthly().await, [true, true]);
    post("List-Unsubscribe=One-Click").await;
    set_clock_and_wait(&portal, "2027-01-01T08:00:00+05:30", "2026-12-01").await;
    assert_eq!(report_mails(&portal, NIMAL).len(), 3);
    portal.sign_in("nimal").await.delete(&report).await.expect(200);
    let page = http.get(&address).send().await.unwrap().text().await.unwrap();
    assert!(!page.contains("Chairs"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn monthly_report_is_not_mailed_without_a_plan() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    save_report(&owner, "Chairs", true).await;
    let unconfirmed = portal.subscriber("kamala", "buyer", Some("enterprise")).await;
    portal.unconfirm("kamala").await;
    save_report(&unconfirmed, "Chairs", true).await;
    publish_tender(&portal, "Supply of chairs", District::Galle).await;
    sqlx::query("update subscription set status = 'cancelled'").execute(&portal.state.db).await.unwrap();
    set_clock_and_wait(&portal, "2026-12-01T09:00:00+05:30", "2026-11-01").await;
    for address in [NIMAL, "kamala@example.lk"] {
        assert_eq!(report_mails(&portal, address), []);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn open_report_is_dropped_when_the_plan_ends() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    let report = save_report(&owner, "Chairs", true).await;
    let id = report.rsplit('/').next().unwrap().parse().unwrap();
    publish_tender(&portal, "Supply of chairs", District::Galle).await;
    let state = &portal.state;
    let me = owner.get("/auth/me").await.expect(200)["data"]["user"]["_id"].clone();
    let due = DueReport { id, user_id: me.as_str().unwrap().parse().unwrap(), address: NIMAL.into() };
    sqlx::query("update subscription set status = 'cancelled'").execute(&state.db).await.unwrap();
    let mut tx = storage::begin(&state.db).await.unwrap();
    let month = jiff::civil::date(2026, 9, 1);
    for _ in 0..2 {
        let delivery = state.random.id(&state.clock);
        reports::open(&mut tx, delivery, &due, month, state.clock.now()).await.unwrap();
    }
    tx.commit().await.unwrap();
    set_clock_and_wait(&portal, "2026-11-20T12:00:01+05:30", "2026-10-01").await;
    let left: i64 = sqlx::query_scalar("select count(*) from delivery where kind = 'report'")
        .fetch_one(&state.db)
        .await
        .unwrap();
    assert_eq!((left, report_mails(&portal, NIMAL)), (0, vec![]));
}

#[tokio::test]
async fn enterprise_team_sees_its_account_manager() {
    let settings = [
        ["--enterprise-manager-name", "Dilini Silva"],
        ["--enterprise-manager-email", "dilini@portal.example"],
    ];
    let portal = TestPortal::start_with(&settings.concat()).await;
    let path = "/subscriptions/user/manager";
    let owner = create_subscriber(&portal, "nimal").await;
    let mate = crate::team::join_team(&portal, &owner, "mate").await;
    for client in [&owner, &mate] {
        let manager = client.get(path).await.expect(200)["data"]["manager"].clone();
        assert_eq!(manager, json!({"name": "Dilini Silva", "email": "dilini@portal.example"}));
    }
    let other = portal.subscriber("kamala", "buyer", Some("professional")).await;
    let refused = other.get(path).await.expect_error(403);
    assert_eq!(refused, "A dedicated account manager is part of the Enterprise plan");
    portal.guest().get(path).await.expect_error(401);
    let request = portal.guest().request(Method::GET, "/openapi.json");
    assert!(!request.send().await.unwrap().text().await.unwrap().contains("Dilini"));

    let nobody = TestPortal::start().await;
    let owner = create_subscriber(&nobody, "nimal").await;
    assert_eq!(owner.get(path).await.expect(200)["data"]["manager"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn report_that_fails_is_postponed_and_delays_no_other() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    for name in ["Chairs", "Damaged", "Seats"] {
        save_report(&owner, name, true).await;
    }
    publish_tender(&portal, "Supply of chairs", District::Galle).await;
    let db = &portal.state.db;
    let execute = async |sql: &'static str| sqlx::query(sql).execute(db).await.unwrap();
    execute("update report set asked = '0' where name = 'Damaged'").await;
    let mut sealing = portal.state.progress.sealing.subscribe();
    tokio::select! {
        () = set_clock_and_wait(&portal, "2026-12-01T08:00:00+05:30", "2026-11-01") => {}
        _ = sealing.wait_for(|job| !job.ready) => panic!("the job has failed"),
    }
    let subjects =
        || report_mails(&portal, NIMAL).into_iter().map(|(subject, ..)| subject).collect::<Vec<_>>();
    assert_eq!(subjects(), ["Chairs: Nov 2026", "Seats: Nov 2026"]);

    execute("update report set asked = (select asked from report where name = 'Seats')").await;
    set_clock_and_wait(&portal, "2026-12-01T08:04:59+05:30", "2026-11-01").await;
    assert_eq!(subjects().len(), 2);
    set_clock_and_wait(&portal, "2026-12-01T08:05:00+05:30", "2026-11-01").await;
    assert_eq!(subjects(), ["Chairs: Nov 2026", "Damaged: Nov 2026", "Seats: Nov 2026"]);
}
