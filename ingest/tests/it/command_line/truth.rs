//! Tests `truth` with the real program and a mock portal, and that `eval` reads what it writes.

use super::support::{ingest, output_text, page};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{fs, path::Path, process::Output};
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{header, method, path, query_param, query_param_is_missing},
};

const PAGE: &str = "01939999-0000-7000-8000-000000000007";

fn ok(data: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({"success": true, "data": data}))
}

/// A portal with a page of the fixtures on which a reviewer has checked the first notice, and a page
/// that it has no file of.
async fn portal(bytes: &[u8]) -> MockServer {
    let server = MockServer::start().await;
    let notice = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/notices/daily-lanka/2026-11-20/p2-01.md");
    let notice = tender_model::notice_file::read(&fs::read_to_string(notice).unwrap()).unwrap();
    let fields = json!({"title": notice.title, "organisation": notice.organization.name, "kind": "purchase",
        "reference_no": "ANOTHER/1"});
    let region = json!({"id": "a1", "type": "tender", "lang": "en", "page_box": notice.sources[0].area, "fields": fields});
    let checked = |id: &str, number: u32, is_stored: bool, regions: Value| {
        json!({"page": id, "number": number, "publication": "Daily Lanka", "date": "2026-11-20", "fileName": "../p2.pdf",
            "fileHash": hex::encode(Sha256::digest(bytes)), "isStored": is_stored,
            "truth": {"complete": false, "notices": regions}})
    };
    let list = || Mock::given(method("GET")).and(path("/api/operate/review/truth"));
    let first = list().and(query_param_is_missing("after")).and(header("authorization", "Bearer secret"));
    let pages = [checked(PAGE, 1, true, json!([region]))];
    first.respond_with(ok(json!({"pages": pages, "next": PAGE}))).mount(&server).await;
    let pages = [checked("01939999-0000-7000-8000-000000000008", 3, false, json!([]))];
    let rest = list().and(query_param("after", PAGE));
    rest.respond_with(ok(json!({"pages": pages, "next": null}))).mount(&server).await;
    let file = Mock::given(method("GET")).and(path(format!("/api/operate/pages/{PAGE}/file")));
    file.respond_with(ResponseTemplate::new(200).set_body_bytes(bytes)).expect(1).mount(&server).await;
    server
}

async fn run(arguments: &[&str]) -> Output {
    let mut command = ingest(arguments);
    command.env("INGEST_TOKEN", "secret");
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

#[tokio::test]
async fn checked_pages_are_written_once_and_evaluated() {
    let bytes = fs::read(page()).unwrap();
    let server = portal(&bytes).await;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let uri = server.uri();
    // The file is downloaded once only.
    for _ in 0..2 {
        let written = run(&["truth", "--portal", &uri, "--out", out]).await;
        assert!(written.status.success(), "{}", output_text(&written));
        let text = output_text(&written);
        assert!(
            text.contains("1 checked notice on 2 pages")
                && text.contains("does not have the file of 1 page;"),
            "{text}"
        );
    }
    let issue = folder.path().join("daily-lanka/2026-11-20");
    let mut names: Vec<String> = fs::read_dir(&issue)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let start = &hex::encode(Sha256::digest(&bytes))[..8];
    let expected = ["p2.3.gt.json", "p2.gt.json", "p2.pdf"].map(|name| format!("{start}-{name}"));
    assert_eq!(names, expected);
    assert_eq!(fs::read(issue.join(&expected[2])).unwrap(), bytes);

    // The third page does not exist, which the evaluation says.
    fs::remove_file(issue.join(&expected[0])).unwrap();
    let evaluated = run(&["eval", out, "--truth", out, "--json"]).await;
    assert!(evaluated.status.success(), "{}", output_text(&evaluated));
    let scores: Value = serde_json::from_slice(&evaluated.stdout).unwrap();
    let scores = &scores["groups"]["pdf"];
    assert_eq!((&scores["notices"], &scores["foundWell"]), (&json!(1), &json!(1)), "{scores}");
    assert_eq!(
        (&scores["fields"]["title"]["right"], &scores["fields"]["reference"]["right"]),
        (&json!(1), &json!(0))
    );
    assert_eq!((&scores["publishedWrongly"], &scores["letterErrors"]), (&json!([]), &json!({})));
}

#[tokio::test]
async fn a_token_that_may_not_review_is_refused() {
    let server = MockServer::start().await;
    Mock::given(method("GET")).respond_with(ResponseTemplate::new(403)).mount(&server).await;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("truth");
    let refused = run(&["truth", "--portal", &server.uri(), "--out", out.to_str().unwrap()]).await;
    assert_eq!(refused.status.code(), Some(2), "{}", output_text(&refused));
    assert!(output_text(&refused).contains("token") && !Path::new(&out).exists());
}
