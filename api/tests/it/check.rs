//! `api check`: it names what was broken, and nothing on a portal that works.

use crate::{
    documents::{attach_document, pdf, wait_until_read},
    newspaper_pages::upload_page,
    support::{TestPortal, publishing, server},
};
use api::{
    base::{clock::Clock, config::DataConfig},
    services::check::{
        problem::{CheckReport, ProblemKind},
        run,
        target::CheckTarget,
    },
};
use index::{IndexStore, LogPosition};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use uuid::Uuid;

/// How long a check waits for a job that does not move.
const SHORT_PATIENCE: Duration = Duration::from_millis(300);

/// Checks a portal. A job that is behind may take a moment only.
async fn check(portal: &TestPortal) -> CheckReport {
    check_with(portal, &portal.state.clock, Some(SHORT_PATIENCE)).await
}

/// Checks a portal at another time than that of its jobs.
async fn check_at(portal: &TestPortal, clock: &Clock) -> CheckReport {
    check_with(portal, clock, Some(SHORT_PATIENCE)).await
}

async fn check_with(portal: &TestPortal, clock: &Clock, patience: Option<Duration>) -> CheckReport {
    let state = &portal.state;
    let target = CheckTarget {
        db: &state.db,
        data: &state.config.data,
        search: &state.config.search,
        files: &state.files,
        keys: Some(&state.signing_key),
        clock,
        patience,
    };
    run::run(target).await.unwrap()
}

/// A portal with a tender that has a clip, one that has a document, and a newspaper page.
async fn full_portal() -> TestPortal {
    let portal = TestPortal::start().await;
    let base = format!("http://{}", portal.address);
    publishing::publish(&base, &portal.operator_token().await, 1, "Construction of a bridge").await;
    let user = portal.user("nimali", "supplier").await;
    let form = json!({"title": "Supply of steel chairs", "description": "Two hundred.", "referenceNo": "D/1", "organization": {"name": "Town Council"},
        "category": "Furniture", "status": "published", "location": {"province": "Western", "district": "Gampaha"},
        "dates": {"closing": "2026-12-20"}});
    let tender = user.post("/tenders", &form).await.expect(201);
    let id = tender["data"]["tender"]["_id"].as_str().unwrap();
    attach_document(&user, &format!("/tenders/{id}"), "Bidding.pdf", pdf("Bidding document")).await;
    wait_until_read(&portal).await;
    upload_page(&portal.operator().await, "a page").await;
    portal.wait_until_indexed().await;
    portal.wait_until_matched().await;
    portal
}

/// The only file of a folder.
fn only_file(folder: &Path) -> PathBuf {
    fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
}

async fn change(portal: &TestPortal, sql: &'static str) {
    sqlx::raw_sql(sql).execute(&portal.state.db).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_names_each_broken_thing() {
    let portal = full_portal().await;
    assert_eq!(check(&portal).await.problems, []);
    let data = &portal.state.config.data;
    let expect = async |kind: ProblemKind, subject: &str, detail: &str| {
        let report = check(&portal).await;
        let found = report.problems.iter().any(|problem| {
            problem.kind == kind && problem.subject.contains(subject) && problem.detail.contains(detail)
        });
        assert!(found, "{subject}: {detail} is not in {report:?}");
        assert!(report.problems.iter().all(|problem| problem.kind == kind), "{report:?}");
    };
    for (folder, row) in [
        (data.data.join("clips"), "clip "),
        (data.data.join("documents"), "document "),
        (data.data.join("newspaper-pages"), "newspaper file "),
    ] {
        let file = only_file(&folder);
        let bytes = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        expect(ProblemKind::MissingFile, row, "is missing").await;
        fs::write(&file, &bytes[1..]).unwrap();
        expect(ProblemKind::MissingFile, row, "bytes instead of").await;
        fs::write(&file, &bytes).unwrap();
        let orphan = folder.join("0".repeat(64));
        fs::write(&orphan, "x").unwrap();
        assert!(check(&portal).await.is_clean(), "a young file may get its row soon");
        let old = std::time::UNIX_EPOCH;
        fs::File::options().write(true).open(&orphan).unwrap().set_modified(old).unwrap();
        expect(ProblemKind::OrphanedFile, &"0".repeat(64), "no row refers").await;
        fs::remove_file(&orphan).unwrap();
    }

    change(&portal, "update tender_revision set record = jsonb_set(record, '{title}', '\"Another title\"') where record ->> 'title' like '%chairs'").await;
    expect(ProblemKind::Index, "tender ", "another revision").await;
    change(&portal, "update tender_revision set record = jsonb_set(record, '{title}', '\"Supply of steel chairs\"') where record ->> 'title' = 'Another title';
        update tender_revision set record = jsonb_set(record, '{status}', '\"withdrawn\"') where record ->> 'title' like '%chairs';
        update tender set status = 'withdrawn' where owner_id is not null").await;
    expect(ProblemKind::Index, "tender ", "it is not published").await;
    change(&portal, "update tender_revision set record = jsonb_set(record, '{status}', '\"published\"') where record ->> 'title' like '%chairs';
        update tender set status = 'published' where owner_id is not null").await;
    assert_eq!(check(&portal).await.problems, []);

    // The messages are not yet due for the jobs of the portal, but for a later check.
    change(
        &portal,
        "insert into delivery (id, user_id, channel, kind, frequency, address, state, opened_at, seal_at, message_id, content, sealed_at, try_at)
        select md5(state)::uuid, id, 'sms', 'letter', 'immediate', 'sms:+94770000000', state, '2026-11-20Z', '2026-11-20Z', state,
            'x', '2026-11-20Z', '2026-11-20T07:00:00Z' from users, unnest(array['leased', 'sealed', 'dead']) as of (state) where email like 'nimali@%'",
    )
    .await;
    assert!(check(&portal).await.is_clean());
    let later = Clock::fixed("2026-11-20T08:01:00Z".parse().unwrap());
    let report = check_at(&portal, &later).await;
    let details: Vec<&str> = report.problems.iter().map(|problem| problem.detail.as_str()).collect();
    let since = "by sms since 2026-11-20T07:00:00Z";
    assert_eq!(details, [format!("it is leased {since}"), format!("it is sealed {since}")]);
    assert!(report.problems.iter().all(|problem| problem.kind == ProblemKind::Delivery));
    assert!(report.information[0].contains("given up: 1 message;"), "{report:?}");
    change(
        &portal,
        "update portal_state set sending_off_since = '2026-11-20Z', sending_off_reason = 'a test'",
    )
    .await;
    let report = check_at(&portal, &later).await;
    assert!(report.is_clean() && report.information[1].contains("a test"), "{report:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_names_a_broken_log_and_a_wrong_matcher() {
    let portal = full_portal().await;
    change(
        &portal,
        "update change set position = position + 10 where position = (select max(position) from change)",
    )
    .await;
    let report = check(&portal).await;
    let kinds: Vec<ProblemKind> = report.problems.iter().map(|problem| problem.kind).collect();
    assert!(kinds.contains(&ProblemKind::ChangeLog) && kinds.contains(&ProblemKind::Matcher), "{report:?}");
    assert!(
        report.problems.iter().any(|problem| problem.detail.contains("the log lacks this change")),
        "{report:?}"
    );
    change(
        &portal,
        "update change set position = position - 10 where position = (select max(position) from change)",
    )
    .await;
    change(&portal, "update tender set revision = revision + 1 where owner_id is not null").await;
    let report = check(&portal).await;
    assert!(
        report.problems.iter().any(|problem| problem.detail.contains("is not in the change log")),
        "{report:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_is_clean_while_writes_go_on() {
    let portal = full_portal().await;
    let (base, token) = (format!("http://{}", portal.address), portal.operator_token().await);
    let writer = tokio::spawn(async move {
        for nth in 2.. {
            publishing::publish(&base, &token, nth, &format!("Construction of bridge {nth}")).await;
        }
    });
    for _ in 0..3 {
        // On a busy machine, a job may take longer than the short patience for a step.
        let report = check_with(&portal, &portal.state.clock, None).await;
        assert_eq!(report.problems, []);
    }
    writer.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn index_that_is_not_built_yet_is_no_problem() {
    let portal = full_portal().await;
    let state = &portal.state;
    let restored = tempfile::tempdir().unwrap();
    let data = DataConfig { data: restored.path().to_owned(), index: None };
    let expect = async |data: &DataConfig, expected: &str| {
        let target = CheckTarget {
            db: &state.db,
            data,
            search: &state.config.search,
            files: &state.files,
            keys: None,
            clock: &state.clock,
            patience: None,
        };
        let report = run::run(target).await.unwrap();
        assert_eq!(report.problems, []);
        let information = report.information.join("\n");
        assert!(information.contains(expected) && information.contains("builds a new one"), "{information}");
        assert!(report.checked.iter().all(|(what, _)| *what != "tenders in the index"));
    };
    expect(&data, "does not exist yet").await;
    IndexStore::open_or_create(&data.index()).unwrap();
    expect(&data, "is new and empty").await;
    let store = IndexStore::open(&data.index()).unwrap();
    let of_another_log = LogPosition { position: 1, change_id: Uuid::from_u128(1) };
    store.writer().unwrap().commit(of_another_log).unwrap();
    drop(store);
    expect(&data, "belongs to another database").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exit_code_of_check_tells_problems_from_failures() {
    let portal = full_portal().await;
    let (url, data) = (portal.database_url(), portal.state.config.data.data.clone());
    let run = |arguments: &[&str], url: &str, data: &Path| {
        let output =
            server::command().args(arguments).env("DATABASE_URL", url).env("DATA", data).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (code, output) = run(&["check"], &url, &data);
    assert!(code == 0 && output.starts_with("no problems; checked "), "{output}");
    fs::remove_file(only_file(&data.join("clips"))).unwrap();
    let (code, output) = run(&["check"], &url, &data);
    assert!(code == 1 && output.contains("api restore") && output.contains("problems found"), "{output}");
    let (code, output) = run(&["check", "--json"], &url, &data);
    let report: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((code, report["problems"][0]["kind"].as_str()), (1, Some("missing-file")));
    let (code, output) = run(&["check"], "postgres://nobody@127.0.0.1:1/none", &data);
    assert!(code == 2 && output.contains("cannot connect"), "{output}");
    let (code, output) = run(&["check"], &url, Path::new("/nowhere"));
    assert!(code == 2 && output.contains("/nowhere is not a folder"), "{output}");
    assert_eq!(run(&["check", "--wrong"], &url, &data).0, 2);
}
