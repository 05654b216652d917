//! Portals whose clips, documents and newspaper pages are in a bucket, and the move of the files of a
//! running portal.

use crate::{
    documents::{attach_document, pdf, wait_until_read},
    ingest::{self, publish_notice},
    support::{
        Client, Reply, TestPortal,
        publishing::CLIP,
        s3::Bucket,
        server::{self, Server},
        smtp::Behaviour,
        stage::Stage,
        wait_for,
    },
};
use api::{
    app::metrics::gauges::Gauges,
    jobs::delete_orphaned_files::delete_unused_files,
    services::check::{run, target::CheckTarget},
};
use axum::http::{Method, header};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use std::{path::Path, process::Command, time::Duration};

/// The place of the files of a portal in the bucket.
const PLACE: &str = "s3://bucket/portal";

async fn start(bucket: &Bucket) -> TestPortal {
    let access = bucket.settings();
    let settings: Vec<&str> =
        ["--files", PLACE].into_iter().chain(access.iter().map(String::as_str)).collect();
    TestPortal::start_with(&settings).await
}

async fn create_tender(client: &Client) -> String {
    let form = json!({
        "title": "Chairs", "description": "Two hundred chairs.", "referenceNo": "S/1", "category": "Furniture",
        "status": "draft", "organization": {"name": "Abans"}, "dates": {"closing": "2026-12-01"},
        "location": {"province": "Western", "district": "Gampaha"},
    });
    let made = client.post("/tenders", &form).await.expect(201);
    format!("/tenders/{}", made["data"]["tender"]["_id"].as_str().unwrap())
}

/// The path below /api of a document's download.
async fn download_path(client: &Client, tender: &str, document: &Value) -> String {
    let path = format!("{tender}/documents/{}", document["_id"].as_str().unwrap());
    let url = client.get(&path).await.expect(200)["data"]["url"].as_str().unwrap().to_owned();
    url.strip_prefix("/api").unwrap().to_owned()
}

async fn get_range(client: &Client, url: &str, range: &str) -> Reply {
    client.send(client.request(Method::GET, url).header(header::RANGE, range), Method::GET, url).await
}

/// The path below /api of the clip of the first tender of the listing.
async fn clip_path(guest: &Client) -> String {
    let listed = guest.get("/tenders").await.expect(200);
    let id = listed["data"]["tenders"][0]["_id"].as_str().unwrap().to_owned();
    let tender = guest.get(&format!("/tenders/{id}")).await.expect(200)["data"]["tender"].clone();
    tender["sources"][0]["clipUrl"].as_str().unwrap().strip_prefix("/api").unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_are_stored_in_the_bucket_and_served_from_it() {
    let bucket = Bucket::start().await;
    let portal = start(&bucket).await;
    publish_notice(&portal.operator().await).await;
    portal.wait_until_indexed().await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier).await;
    let bytes = pdf("Bidding document for chairs");
    let document = attach_document(&supplier, &tender, "bid.pdf", bytes.clone()).await;
    wait_until_read(&portal).await;
    let text = format!("{tender}/documents/{}/text", document["_id"].as_str().unwrap());
    let text = supplier.get(&text).await.expect(200);
    assert_eq!(text["data"]["text"], "Bidding document for chairs");

    let names = bucket.names();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names[0].starts_with("portal/clips/") && names[0].ends_with(".jpg"), "{names:?}");
    assert!(names[1].starts_with("portal/documents/"), "{names:?}");
    for folder in ["clips", "documents", "newspaper-pages", "incoming-files"] {
        let local = portal.state.config.data.data.join(folder);
        assert_eq!(std::fs::read_dir(local).unwrap().count(), 0, "{folder}");
    }

    let guest = portal.guest();
    let url = download_path(&supplier, &tender, &document).await;
    let whole = guest.get(&url).await;
    assert_eq!((whole.status.as_u16(), &whole.bytes), (200, &bytes));
    let part = get_range(&guest, &url, "bytes=5-7").await;
    assert_eq!((part.status.as_u16(), part.bytes.as_slice()), (206, &bytes[5..8]));
    assert_eq!(part.header("content-range"), format!("bytes 5-7/{}", bytes.len()));
    get_range(&guest, &url, "bytes=999999-").await.expect_error(416);
    let again = guest.request(Method::GET, &url).header(header::IF_NONE_MATCH, whole.header("etag"));
    assert_eq!(guest.send(again, Method::GET, &url).await.status, 304);
    // The clip's URL grants access by itself.
    let clip = clip_path(&guest).await;
    assert_eq!(guest.get(&clip).await.bytes, ingest::CLIP);

    let state = &portal.state;
    let check = async || {
        let target = CheckTarget {
            keys: None,
            db: &state.db,
            data: &state.config.data,
            search: &state.config.search,
            files: &state.files,
            clock: &state.clock,
            patience: None,
        };
        run::run(target).await.unwrap().problems
    };
    assert_eq!(check().await, []);
    bucket.remove(&names[0]);
    let [missing] = &check().await[..] else { panic!("one problem") };
    assert!(missing.detail.contains("is missing"), "{missing:?}");
    supplier.delete(&tender).await.expect(200);
    assert_eq!(delete_unused_files(state, Duration::from_hours(1)).await.unwrap(), 0);
    assert_eq!(delete_unused_files(state, Duration::ZERO).await.unwrap(), 1);
    assert_eq!(bucket.names(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn portal_without_its_bucket_says_so_and_serves_the_rest() {
    let bucket = Bucket::start().await;
    let portal = start(&bucket).await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier).await;
    let document = attach_document(&supplier, &tender, "bid.pdf", pdf("First")).await;
    let url = download_path(&supplier, &tender, &document).await;
    bucket.refuse(Some("/portal/"));
    let message = "The portal cannot reach its files at present. Please try again later.";
    assert_eq!(portal.guest().get(&url).await.expect_error(503), message);
    let path = format!("{tender}/documents");
    let form = Form::new().part("file", Part::bytes(pdf("Second")).file_name("more.pdf"));
    let refused = supplier.send(supplier.request(Method::POST, &path).multipart(form), Method::POST, &path);
    assert_eq!(refused.await.expect_error(503), message);
    let shown = supplier.get(&tender).await.expect(200);
    assert_eq!(shown["data"]["tender"]["documents"].as_array().unwrap().len(), 1);
    // The metrics show the outage, and that it was none before.
    let requests = |operation: &str, outcome: &str| {
        let labels = format!("{{operation=\"{operation}\",outcome=\"{outcome}\"}}");
        let series = format!("serendib_file_request_duration_seconds_count{labels} ");
        let text = portal.state.metrics.expose(Gauges::default()).unwrap();
        text.lines().find_map(|line| line.strip_prefix(&series)).unwrap().parse::<u32>().unwrap()
    };
    assert!(requests("write", "succeeded") >= 1);
    assert!(requests("read", "failed") >= 1 && requests("write", "failed") >= 1);
    let failed = requests("write", "failed");
    bucket.refuse(None);
    attach_document(&supplier, &tender, "more.pdf", pdf("Second")).await;
    assert_eq!(portal.guest().get(&url).await.bytes, pdf("First"));
    assert_eq!(requests("write", "failed"), failed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn text_of_a_document_is_read_after_an_outage_of_the_bucket() {
    let bucket = Bucket::start().await;
    let portal = start(&bucket).await;
    let supplier = portal.user("nimal", "supplier").await;
    let tender = create_tender(&supplier).await;
    attach_document(&supplier, &tender, "bid.pdf", pdf("Bidding document")).await;
    wait_until_read(&portal).await;
    bucket.refuse(Some("/documents/"));
    // One attempt is left.
    let again =
        "update document set awaits_text = true, text = null, text_attempts = 2, text_claimed_at = null";
    sqlx::query(again).execute(&portal.state.db).await.unwrap();
    let failed = "select text_claimed_at is not null and text_attempts = 2 from document";
    wait_for(&portal.state.db, failed).await;
    bucket.refuse(None);
    portal.advance(3 * 60);
    wait_until_read(&portal).await;
}

fn files_command(stage: &Stage, bucket: &Bucket, moved_from: Option<&str>, arguments: &[&str]) -> Command {
    let mut command = server::command();
    bucket.configure(&mut command).args(arguments);
    command.env("DATABASE_URL", stage.database.url()).env("DATA", stage.data()).env("FILES", PLACE);
    if let Some(place) = moved_from {
        command.env("FILES_MOVED_FROM", place);
    }
    command
}

fn run_command(mut command: Command) -> (bool, String) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

fn count_local(data: &Path) -> usize {
    std::fs::read_dir(data.join("clips")).unwrap().count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_are_moved_while_the_portal_runs() {
    let (stage, bucket) = (Stage::new(Behaviour::Accept).await, Bucket::start().await);
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    assert!(server.stop().success());
    assert_eq!((count_local(stage.data()), bucket.names().len()), (1, 0));

    // The server stores new files in the bucket, and still reads the old ones from the data folder.
    let start = async |moved_from| {
        let command = files_command(&stage, &bucket, moved_from, &[]);
        Server::start_command(command, &stage.database.url(), stage.data(), &stage.smtp, true, &[]).await
    };
    let clip_of = async |server: &Server| {
        let listed: Value =
            reqwest::get(format!("{}/api/tenders", server.base)).await.unwrap().json().await.unwrap();
        let id = listed["data"]["tenders"][0]["_id"].as_str().unwrap().to_owned();
        let url = format!("{}/api/tenders/{id}", server.base);
        let tender: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
        let clip = tender["data"]["tender"]["sources"][0]["clipUrl"].as_str().unwrap().to_owned();
        let response = reqwest::get(format!("{}{clip}", server.base)).await.unwrap();
        (response.status().as_u16(), response.bytes().await.unwrap().to_vec())
    };
    let server = start(Some("data")).await;
    assert_eq!(clip_of(&server).await, (200, CLIP.to_vec()));

    // A move that the bucket interrupts has moved nothing halfway. Repeated, it moves the rest.
    bucket.refuse(Some("/clips/"));
    let (succeeded, output) = run_command(files_command(&stage, &bucket, Some("data"), &["files", "move"]));
    assert!(!succeeded && output.contains("looking for clips/"), "{output}");
    bucket.refuse(None);
    let (succeeded, output) = run_command(files_command(&stage, &bucket, Some("data"), &["files", "move"]));
    assert!(succeeded && output.contains("copied 1 file from ") && output.contains("run this"), "{output}");
    assert_eq!((count_local(stage.data()), bucket.names().len()), (1, 1));
    let arguments = ["files", "move", "--delete"];
    // A copy that is damaged is replaced before the original is deleted.
    let name = bucket.names().remove(0);
    bucket.change(&name, |bytes| bytes[0] ^= 1);
    let (succeeded, output) = run_command(files_command(&stage, &bucket, Some("data"), &arguments));
    assert!(
        succeeded && output.contains("copied 1 file from ") && output.contains("deleted 1 file"),
        "{output}"
    );
    let (succeeded, output) = run_command(files_command(&stage, &bucket, Some("data"), &arguments));
    assert!(succeeded && output.contains("which had 1 file already"), "{output}");
    assert!(output.contains("no longer need FILES_MOVED_FROM"), "{output}");
    assert_eq!((count_local(stage.data()), bucket.names().len()), (0, 1));
    assert_eq!(clip_of(&server).await, (200, CLIP.to_vec()));
    assert!(server.stop().success());

    let server = start(None).await;
    assert_eq!(clip_of(&server).await, (200, CLIP.to_vec()));
    let (succeeded, output) = run_command(files_command(&stage, &bucket, None, &["files", "move"]));
    assert!(!succeeded && output.contains("FILES_MOVED_FROM is not set"), "{output}");
    let (succeeded, output) = run_command(files_command(&stage, &bucket, Some(PLACE), &["files", "move"]));
    assert!(!succeeded && output.contains("is the same place as FILES"), "{output}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_and_missing_files_are_named_and_not_moved() {
    let (stage, bucket) = (Stage::new(Behaviour::Accept).await, Bucket::start().await);
    let server = stage.start().await;
    stage.publish(&server, 1).await;
    assert!(server.stop().success());
    let clip = std::fs::read_dir(stage.data().join("clips")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&clip, b"not this clip").unwrap();
    let arguments = ["files", "move", "--delete"];
    let (succeeded, output) = run_command(files_command(&stage, &bucket, Some("data"), &arguments));
    assert!(
        !succeeded && output.contains("missing or damaged") && output.contains("1 file could"),
        "{output}"
    );
    assert!(clip.exists() && bucket.names().is_empty(), "a damaged file stays");
    std::fs::remove_file(&clip).unwrap();
    let (succeeded, output) = run_command(files_command(&stage, &bucket, Some("data"), &arguments));
    assert!(!succeeded && output.contains("missing or damaged"), "{output}");
}
