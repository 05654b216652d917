//! Tests `ingest run` and `ingest publish`: exit codes, messages, resuming, kills, and portals
//! that accept notices, refuse the token or are down.

use super::support::{batch, contents, created, ingest, output_text, page, portal, received_paths, report};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};
use tempfile::TempDir;
use wiremock::ResponseTemplate;

#[test]
fn a_batch_is_read_once_and_skipped_afterwards() {
    let pages = batch(&["2026-11-20"]);
    fs::write(pages.path().join("phone.heic"), "a photograph").unwrap();
    // The output folder is inside the batch folder, but its clips are not read as pages.
    let out = pages.path().join("notices");
    let arguments = [pages.path().to_str().unwrap(), out.to_str().unwrap()];
    let run = || ingest(&["run", arguments[0], "--out", arguments[1], "--json"]).output().unwrap();
    let first = run();
    assert_eq!(first.status.code(), Some(0), "{}", output_text(&first));
    assert_eq!(report(&first)["done"], 1);
    assert_eq!(report(&first)["notices"]["purchase"], 16, "{}", report(&first));
    assert_eq!(report(&first)["passedOver"], serde_json::json!(["phone.heic"]));
    let before = contents(&out);
    assert!(before.keys().all(|path| !path.to_string_lossy().ends_with(".part")));
    let second = run();
    assert_eq!((report(&second)["done"].as_u64(), report(&second)["unchanged"].as_u64()), (Some(0), Some(1)));
    assert_eq!(contents(&out), before);
    let notice = fs::read_to_string(out.join("daily-lanka/2026-11-20/p2-01.md")).unwrap();
    let tender = ingest::markdown::read(&notice).unwrap();
    assert_eq!(tender.sources[0].publication, "Daily Lanka");
    // If a file of a notice is missing, the page is read again.
    fs::remove_file(out.join("daily-lanka/2026-11-20/p2-03.jpg")).unwrap();
    assert_eq!(report(&run())["done"], 1);
    assert_eq!(contents(&out), before);
}

#[test]
fn notices_are_indexed_without_a_portal() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let index = out.path().join("index");
    for unchanged in [0, 1] {
        let output = ingest(&["run", pages.path().to_str().unwrap(), "--json"])
            .args(["--out", out.path().join("notices").to_str().unwrap(), "--index", index.to_str().unwrap()])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
        assert_eq!(report(&output)["unchanged"], unchanged);
        let store = index::IndexStore::open(&index).unwrap();
        let request = index::ListingRequest { limit: 10, ..Default::default() };
        let listing = store.listing(&request, "2026-11-20T09:00:00+05:30".parse().unwrap()).unwrap();
        assert_eq!(listing.total, 16);
    }
}

#[test]
fn a_killed_run_is_completed_without_loss_or_duplicates() {
    let pages = batch(&["2026-11-18", "2026-11-19", "2026-11-20"]);
    let (undisturbed, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = |out: &TempDir| {
        let mut command = ingest(&[
            "run",
            pages.path().to_str().unwrap(),
            "--jobs",
            "1",
            "--out",
            out.path().to_str().unwrap(),
        ]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    assert!(run(&undisturbed).status().unwrap().success());
    // The process is killed while it writes the first page, when at least five files exist.
    let mut child = run(&killed).spawn().unwrap();
    let written = killed.path().join("daily-lanka/2026-11-18");
    while !fs::read_dir(&written).is_ok_and(|mut files| files.nth(4).is_some()) {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it was killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let half = contents(killed.path());
    assert!(half.len() < contents(undisturbed.path()).len(), "the run was killed too late");
    assert!(run(&killed).status().unwrap().success());
    let mut again = contents(killed.path());
    // A file that was not completely written ends in `.part`. It may remain and is never read.
    again.retain(|path, _| !path.to_string_lossy().ends_with(".part"));
    assert_eq!(again, contents(undisturbed.path()));
}

#[test]
fn bad_pages_are_reported_and_the_others_are_read() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let folder = pages.path().join("daily-lanka/2026-11-20");
    fs::write(folder.join("empty.jpg"), "").unwrap();
    fs::write(folder.join("text.png"), "this is no image").unwrap();
    fs::write(folder.join("cut.pdf"), &fs::read(page()).unwrap()[..4000]).unwrap();
    let output = ingest(&["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", output_text(&output));
    let text = output_text(&output);
    assert!(text.contains("1 read, 0 unchanged, 3 failed") && text.contains("Notices    16"), "{text}");
    assert!(text.contains("empty.jpg: is empty; copy or scan it again"), "{text}");
    assert!(text.contains("text.png: is not a PDF, JPEG, PNG or TIFF"), "{text}");
    assert!(text.contains("cut.pdf"), "{text}");
}

#[test]
fn wrong_usage_of_run_and_publish_is_refused_with_a_reason() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = folder.path().to_str().unwrap();
    let out = out.path().to_str().unwrap();
    let file = format!("{out}/file");
    fs::write(&file, "").unwrap();
    let page = page();
    let page = page.to_str().unwrap();
    for (arguments, expected) in [
        (vec!["run", "/nowhere/at/all", "--out", out], "there is no such file or folder"),
        (vec!["run", folder, "--out", out], "no page in this folder"),
        (vec!["run", folder, "--out", folder], "is an output folder"),
        (
            vec!["run", page, "--out", out, "--publish", "http://127.0.0.1:9"],
            "give --token-file FILE or set INGEST_TOKEN",
        ),
        (
            vec!["run", page, "--out", out, "--publish", "nonsense", "--token", "t"],
            "is not the address of a portal",
        ),
        (vec!["run", page, "--out", &file], "the output folder cannot be written"),
        (vec!["run", page], "--out"),
        (vec!["run", page, "--out", out, "--jobs", "0"], "--jobs"),
        (vec!["run", page, "--out", out, "--date", "20.11.2026"], "--date"),
        (
            vec!["publish", "/nowhere/at/all", "--publish", "http://127.0.0.1:9", "--token", "t"],
            "there is no such",
        ),
    ] {
        let output = ingest(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", output_text(&output));
        assert!(output_text(&output).contains(expected), "{arguments:?}: {}", output_text(&output));
    }
}

#[test]
fn a_missing_tesseract_is_reported() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let output = ingest(&["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()])
        .env("PATH", path_with_poppler_only(out.path()))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", output_text(&output));
    assert!(output_text(&output).contains("tesseract-ocr"), "{}", output_text(&output));
}

/// A PATH on which only the programs of Poppler are found.
fn path_with_poppler_only(folder: &Path) -> PathBuf {
    let programs = folder.join("programs");
    fs::create_dir_all(&programs).unwrap();
    for name in ["pdfinfo", "pdftoppm", "pdftotext"] {
        let found = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|directory| directory.join(name))
            .find(|program| program.is_file())
            .expect("poppler is installed");
        std::os::unix::fs::symlink(found, programs.join(name)).unwrap();
    }
    programs
}

#[tokio::test(flavor = "multi_thread")]
async fn notices_are_published_once_and_again_on_request() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let (pages, out) = (pages.path().to_str().unwrap(), out.path().to_str().unwrap());
    // The portal is down at first. All notices are read, none is published, and the report says
    // so.
    let down =
        ingest(&["run", pages, "--out", out, "--json", "--publish", "http://127.0.0.1:1", "--token", "t"]);
    let down = tokio::task::spawn_blocking(move || {
        let mut down = down;
        down.output().unwrap()
    })
    .await
    .unwrap();
    assert_eq!(down.status.code(), Some(1), "{}", output_text(&down));
    assert_eq!(report(&down)["published"]["unsent"], 16);
    assert!(output_text(&down).contains("nothing accepts connections there"), "{}", output_text(&down));

    let server = portal(created()).await;
    let uri = server.uri();
    let again =
        ingest(&["run", pages, "--out", out, "--json", "--publish", &uri, "--token", "t"]).output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", output_text(&again));
    assert_eq!(
        (report(&again)["unchanged"].as_u64(), report(&again)["published"]["created"].as_u64()),
        (Some(1), Some(16))
    );
    let keys = received_paths(&server).await;
    assert_eq!(keys.len(), 16);
    assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "each notice has its own key");

    let third = ingest(&["publish", out, "--publish", &uri, "--token", "t", "--json"]).output().unwrap();
    assert_eq!(report(&third)["published"]["before"], 16, "{}", output_text(&third));
    assert_eq!(received_paths(&server).await.len(), 16);
    let all = ingest(&["publish", out, "--publish", &uri, "--token", "t", "--all"]).output().unwrap();
    assert_eq!(all.status.code(), Some(0), "{}", output_text(&all));
    assert_eq!(received_paths(&server).await.len(), 32);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_token_stops_publishing() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let server = portal(ResponseTemplate::new(403)).await;
    let token = out.path().join("token");
    fs::write(&token, "stale\n").unwrap();
    let output = ingest(&["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()])
        .args(["--publish", &server.uri(), "--token-file", token.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        output_text(&output).contains("refuses the token (403: it gives no reason)"),
        "{}",
        output_text(&output)
    );
    assert!(
        received_paths(&server).await.len() <= 4,
        "only the notices in flight at the first refusal are sent"
    );
}
