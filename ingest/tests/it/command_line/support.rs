//! Helpers that run the real program on pages and folders, with a mock portal.

use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{method, path_regex},
};

/// The path of a born-digital page. Its text layer spares the tests the OCR of a whole page.
pub(crate) fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/newspapers/daily-lanka/2026-11-20/p2.pdf")
}

pub(crate) fn ingest(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ingest"));
    command.args(arguments).env_remove("INGEST_TOKEN").stdin(Stdio::null());
    command
}

/// Runs the program with these lines on standard input.
pub(crate) fn with_lines(command: &mut Command, lines: &str) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Writing fails if the program ends before it has read all lines. The tests allow this.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap()
}

pub(crate) fn output_text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A batch with a copy of the page for each issue date. The copies differ in a comment, so each of
/// them counts as a page of its own.
pub(crate) fn batch(issues: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for issue in issues {
        let issue_folder = folder.path().join("daily-lanka").join(issue);
        fs::create_dir_all(&issue_folder).unwrap();
        let mut bytes = fs::read(page()).unwrap();
        // A comment after the end of the PDF changes the hash of the file, but not what it shows.
        bytes.extend_from_slice(format!("\n% {issue}\n").as_bytes());
        fs::write(issue_folder.join("p2.pdf"), bytes).unwrap();
    }
    folder
}

/// The contents of all files under a folder, by path. The processing times in page records are
/// removed.
pub(crate) fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(current).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let mut bytes = fs::read(&path).unwrap();
            if path.to_string_lossy().ends_with(".page.json") {
                let mut record: Value = serde_json::from_slice(&bytes).unwrap();
                record.as_object_mut().unwrap().insert("seconds".into(), serde_json::json!({}));
                bytes = record.to_string().into_bytes();
            }
            all.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
        }
    }
    all
}

/// The report, which is the last line of JSON that the program prints.
pub(crate) fn report(output: &Output) -> Value {
    let lines = String::from_utf8(output.stdout.clone()).unwrap();
    let last = lines.lines().last().unwrap_or_else(|| panic!("{}", output_text(output)));
    serde_json::from_str(last).unwrap()
}

/// A mock portal that gives this answer to each notice.
pub(crate) async fn portal(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("PUT"))
        .and(path_regex("^/api/ingest/notices/[0-9a-f]{32}$"))
        .respond_with(answer)
        .mount(&server)
        .await;
    server
}

/// The sorted paths of the notices that the mock portal received. Each path contains the key of a
/// notice.
pub(crate) async fn received_paths(server: &MockServer) -> Vec<String> {
    let requests = server.received_requests().await.unwrap();
    let mut paths: Vec<String> = requests.iter().map(|request| request.url.path().to_owned()).collect();
    paths.retain(|path| path.contains("/notices/"));
    paths.sort();
    paths
}

/// The answer of a portal to a new notice.
pub(crate) fn created() -> ResponseTemplate {
    let id = "01939999-0000-7000-8000-000000000001";
    let answer = serde_json::json!({"success": true, "data": {"_id": id, "outcome": "created"}});
    ResponseTemplate::new(201).set_body_json(answer)
}

/// A writable copy of `fixtures/notices`, without the stored answers of a portal.
pub(crate) fn copy_notices() -> TempDir {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/notices");
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in contents(&from) {
        let to = folder.path().join(&path);
        if path.to_string_lossy().ends_with(".published.json") {
            continue;
        }
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
    folder
}

/// A writable copy of `fixtures/notices` in which the titles of four notices of state
/// organisations are doubtful.
pub(crate) fn notices_to_review() -> TempDir {
    let notices = copy_notices();
    let record = notices.path().join("daily-lanka/2024-05-07/p2.page.json");
    ["p2-01", "p2-02", "p2-03", "p2-04"].into_iter().for_each(|name| make_title_doubtful(&record, name));
    notices
}

/// Makes the title of a notice doubtful.
pub(crate) fn make_title_doubtful(record: &Path, name: &str) {
    let mut page: Value = serde_json::from_slice(&fs::read(record).unwrap()).unwrap();
    let notices = page["notices"].as_array_mut().unwrap();
    let notice = notices.iter_mut().find(|notice| notice["name"] == name).unwrap();
    notice["doubts"] = json!(["title doubtful"]);
    fs::write(record, page.to_string()).unwrap();
    let path = record.with_file_name(format!("{name}.md"));
    let text = fs::read_to_string(&path).unwrap();
    let line = text.lines().find(|line| line.starts_with("  title: 0.")).unwrap();
    let text = text.replacen(line, "  title: 0.5", 1);
    let states = "fieldStates:\n  title: doubtful\n";
    let doubted = text.replacen("fieldStates: {}\n", states, 1);
    let doubted = if doubted == text { text.replacen("fieldStates:\n", states, 1) } else { doubted };
    fs::write(path, doubted).unwrap();
}
