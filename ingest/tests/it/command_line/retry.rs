//! Tests `ingest retry`, dry runs, identical files, the events of a run, and the lock of the
//! output folder.

use super::support::{batch, contents, created, ingest, output_text, page, portal, received_paths, report};
use serde_json::Value;
use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

fn run(pages: &Path, out: &Path) -> Value {
    let arguments = ["run", pages.to_str().unwrap(), "--out", out.to_str().unwrap(), "--json"];
    report(&ingest(&arguments).output().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn retry_reads_failed_pages_and_sends_unsent_notices() {
    let (pages, out) = (batch(&["2026-11-19", "2026-11-20"]), tempfile::tempdir().unwrap());
    let broken = pages.path().join("daily-lanka/2026-11-20/p2.pdf");
    let whole = fs::read(&broken).unwrap();
    fs::write(&broken, &whole[..4000]).unwrap();
    let gone = pages.path().join("daily-lanka/2026-11-20/gone.jpg");
    fs::write(&gone, "").unwrap();
    let outcome = run(pages.path(), out.path());
    assert_eq!((&outcome["done"], outcome["failed"].as_array().unwrap().len()), (&1.into(), 2), "{outcome}");

    let server = portal(created()).await;
    let retry = || {
        let output = ingest(&["retry", out.path().to_str().unwrap(), "--json"])
            .args(["--publish", &server.uri(), "--token", "t"])
            .output()
            .unwrap();
        (output.status.code(), report(&output))
    };
    // One file is still broken and another is missing. Both are reported. The broken file is read
    // again.
    fs::remove_file(&gone).unwrap();
    let (code, outcome) = retry();
    assert_eq!(code, Some(1));
    let failed = outcome["failed"].to_string();
    assert!(failed.contains("is truncated") && failed.contains("no longer exists"), "{failed}");
    assert_eq!(
        (&outcome["done"], &outcome["unchanged"]),
        (&0.into(), &0.into()),
        "the retry leaves out the page that was read"
    );
    assert_eq!(outcome["published"]["created"], 16, "{outcome}");

    fs::write(&broken, &whole).unwrap();
    let (code, outcome) = retry();
    assert_eq!(
        (code, &outcome["done"], &outcome["failed"]),
        (Some(0), &1.into(), &Value::Array(vec![])),
        "{outcome}"
    );
    assert_eq!(
        (&outcome["published"]["created"], &outcome["published"]["before"]),
        (&16.into(), &16.into()),
        "{outcome}"
    );
    assert_eq!(received_paths(&server).await.len(), 32);
    let (code, outcome) = retry();
    assert_eq!(
        (code, &outcome["done"], &outcome["published"]["before"]),
        (Some(0), &0.into(), &32.into()),
        "{outcome}"
    );
    assert!(contents(out.path()).keys().all(|path| !path.to_string_lossy().ends_with(".failed.json")));
}

#[test]
fn a_failure_has_file_page_reason_and_time() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let folder = pages.path().join("daily-lanka/2026-11-20");
    fs::write(folder.join("p2.pdf"), "%PDF-1.7\nnothing\n%%EOF").unwrap();
    run(pages.path(), out.path());
    let is_failure = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("p2-") && name.ends_with(".failed.json")
    };
    let note = out.path().join(contents(out.path()).into_keys().find(is_failure).unwrap());
    let note: Value = serde_json::from_slice(&fs::read(note).unwrap()).unwrap();
    assert_eq!(
        (&note["source"]["file"], &note["page"]),
        (&"daily-lanka/2026-11-20/p2.pdf".into(), &Value::Null)
    );
    assert!(note["message"].as_str().unwrap().contains("cannot be decoded"), "{note}");
    assert!(note["at"].as_str().unwrap().ends_with("+05:30"), "{note}");
    // A forged failure whose path leads out of the output folder is ignored, and so is an invalid
    // one.
    let mut forged = note.clone();
    forged["source"]["folder"] = "../../elsewhere".into();
    fs::write(out.path().join("forged.failed.json"), forged.to_string()).unwrap();
    fs::write(out.path().join("rubbish.failed.json"), "{").unwrap();
    let again = ingest(&["retry", out.path().to_str().unwrap(), "--json"]).output().unwrap();
    assert_eq!(report(&again)["failed"].as_array().unwrap().len(), 1, "{}", output_text(&again));
}

#[test]
fn failures_of_unavailable_files_are_kept() {
    let (parent, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let disk = parent.path().join("disk");
    let names: [&[u8]; 2] = [b"scan\xFF.jpg", b"scan\xFE.jpg"];
    for day in ["mon", "tue"] {
        fs::create_dir_all(disk.join(day)).unwrap();
        for name in names {
            fs::write(disk.join(day).join(OsStr::from_bytes(name)), "").unwrap();
        }
        // Each day is a run of its own. The second run keeps the failures of the first one.
        assert_eq!(run(&disk.join(day), out.path())["failed"].as_array().unwrap().len(), 2);
    }
    let retry = || {
        let outcome = report(&ingest(&["retry", out.path().to_str().unwrap(), "--json"]).output().unwrap());
        let failed =
            outcome["failed"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned());
        failed.collect::<Vec<_>>()
    };
    let all_contain = |lines: &[String], text: &str| lines.iter().all(|line| line.contains(text));
    // The disk is unmounted, and its mount point is an empty folder. Then the disk is mounted
    // again.
    for _ in 0..2 {
        fs::rename(&disk, parent.path().join("elsewhere")).unwrap();
        fs::create_dir(&disk).unwrap();
        let failed = retry();
        assert!(failed.len() == 4 && all_contain(&failed, "its folder is empty or missing"), "{failed:?}");
        fs::remove_dir(&disk).unwrap();
        fs::rename(parent.path().join("elsewhere"), &disk).unwrap();
        let failed = retry();
        assert!(failed.len() == 4 && all_contain(&failed, "is empty"), "{failed:?}");
    }
    // One file is removed. Its failure is reported once and then forgotten.
    fs::remove_file(disk.join("mon").join(OsStr::from_bytes(names[0]))).unwrap();
    assert_eq!(retry().iter().filter(|line| line.contains("no longer exists")).count(), 1);
    assert_eq!(retry().len(), 3);
}

#[test]
fn a_page_read_under_another_issue_or_path_is_not_retried() {
    let (pages, out) = (batch(&[]), tempfile::tempdir().unwrap());
    let scan = pages.path().join("scan.pdf");
    let retry = || report(&ingest(&["retry", out.path().to_str().unwrap(), "--json"]).output().unwrap());
    let notes = || {
        let all = contents(out.path());
        all.into_keys().filter(|path| path.to_string_lossy().ends_with(".failed.json")).count()
    };
    // A broken file without an issue is repaired and assigned to an issue.
    fs::write(&scan, "").unwrap();
    run(pages.path(), out.path());
    // Failure files of earlier versions have no path hash in their names.
    let of_old = out.path().join("unnamed/undated/scan.failed.json");
    let marked = fs::read_dir(out.path().join("unnamed/undated")).unwrap().next().unwrap().unwrap().path();
    fs::copy(marked, &of_old).unwrap();
    fs::copy(page(), &scan).unwrap();
    let issue = ["--publication", "Isle", "--date", "2026-11-20"];
    let arguments = ["run", scan.to_str().unwrap(), "--out", out.path().to_str().unwrap(), "--json"];
    let outcome = report(&ingest(&arguments).args(issue).output().unwrap());
    assert_eq!((&outcome["done"], notes()), (&1.into(), 0), "{outcome}");
    // The output of a page could not be written. The page is copied to a folder that gives its
    // issue.
    let bytes = [fs::read(page()).unwrap(), b"% other\n".to_vec()].concat();
    fs::write(pages.path().join("other.pdf"), &bytes).unwrap();
    let full = out.path().join("unnamed/undated/other.page.json");
    fs::create_dir(&full).unwrap();
    assert_eq!(run(&pages.path().join("other.pdf"), out.path())["failed"].as_array().unwrap().len(), 1);
    fs::remove_dir(full).unwrap();
    let right = pages.path().join("isle/2026-11-22/p1.pdf");
    fs::create_dir_all(right.parent().unwrap()).unwrap();
    fs::write(&right, bytes).unwrap();
    assert_eq!((&run(&right, out.path())["done"], notes()), (&1.into(), 0));
    let before = contents(out.path());
    assert_eq!((&retry()["done"], contents(out.path()) == before), (&0.into(), true));
}

#[test]
fn identical_files_are_retried_once() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let folder = pages.path().join("daily-lanka/2026-11-20");
    let whole = fs::read(folder.join("p2.pdf")).unwrap();
    for name in ["p2.pdf", "p3.pdf"] {
        fs::write(folder.join(name), format!("torn {name}")).unwrap();
    }
    assert_eq!(run(pages.path(), out.path())["failed"].as_array().unwrap().len(), 2);
    for name in ["p2.pdf", "p3.pdf"] {
        fs::write(folder.join(name), &whole).unwrap();
    }
    let outcome = report(&ingest(&["retry", out.path().to_str().unwrap(), "--json"]).output().unwrap());
    assert_eq!(
        (&outcome["done"], outcome["duplicates"].as_array().unwrap().len()),
        (&1.into(), 1),
        "{outcome}"
    );
    assert!(contents(out.path()).keys().all(|path| !path.to_string_lossy().ends_with(".failed.json")));
    assert_eq!(run(pages.path(), out.path())["unchanged"], 1);
}

#[test]
fn a_folder_of_scans_does_not_become_an_output_folder() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let scans = pages.path().to_str().unwrap();
    for arguments in
        [vec!["retry", scans], vec!["publish", scans, "--publish", "http://127.0.0.1:1", "--token", "t"]]
    {
        let wrong = ingest(&arguments).output().unwrap();
        assert_eq!(wrong.status.code(), Some(2), "{arguments:?}: {}", output_text(&wrong));
        assert!(output_text(&wrong).contains("is not an output folder"), "{}", output_text(&wrong));
    }
    assert_eq!(contents(pages.path()).len(), 1);
    assert_eq!(run(pages.path(), out.path())["done"], 1);
}

#[test]
fn a_dry_run_reports_the_plan_and_writes_nothing() {
    let (pages, out) = (batch(&["2026-11-19", "2026-11-20"]), tempfile::tempdir().unwrap());
    let folder = pages.path().join("daily-lanka/2026-11-20");
    let notices = out.path().join("notices");
    let dry = || {
        let arguments =
            ["run", pages.path().to_str().unwrap(), "--out", notices.to_str().unwrap(), "--dry-run"];
        ingest(&arguments).output().unwrap()
    };
    let first = dry();
    assert_eq!(first.status.code(), Some(0), "{}", output_text(&first));
    assert!(output_text(&first).contains("2026-11-19/p2.pdf, page 1  read: new"), "{}", output_text(&first));
    assert!(output_text(&first).contains("2 to read, 0 unchanged"), "{}", output_text(&first));
    assert!(!notices.exists(), "nothing was written");
    run(pages.path(), &notices);
    let before = contents(&notices);
    fs::write(folder.join("empty.jpg"), "").unwrap();
    fs::copy(folder.join("p2.pdf"), folder.join("p3.pdf")).unwrap();
    fs::remove_file(notices.join("daily-lanka/2026-11-19/p2-01.jpg")).unwrap();
    let second = dry();
    let text = output_text(&second);
    assert_eq!(second.status.code(), Some(1), "{text}");
    assert!(text.contains("2026-11-19/p2.pdf, page 1  read: a file of a notice is missing"), "{text}");
    assert!(text.contains("2026-11-20/p2.pdf, page 1  skip: unchanged"), "{text}");
    assert!(text.contains("p3.pdf  skip: the same as daily-lanka/2026-11-20/p2.pdf"), "{text}");
    assert!(text.contains("empty.jpg: is empty"), "{text}");
    assert!(text.contains("1 to read, 1 unchanged, 1 duplicate, 1 would fail"), "{text}");
    assert_eq!(contents(&notices).len(), before.len() - 1);
}

#[test]
fn identical_files_are_read_once() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let folder = pages.path().join("daily-lanka/2026-11-20");
    fs::copy(folder.join("p2.pdf"), folder.join("p9.pdf")).unwrap();
    let outcome = run(pages.path(), out.path());
    assert_eq!((&outcome["done"], &outcome["notices"]["purchase"]), (&1.into(), &16.into()), "{outcome}");
    assert_eq!(outcome["duplicates"][0]["file"], "daily-lanka/2026-11-20/p9.pdf");
    assert_eq!(outcome["duplicates"][0]["of"], "daily-lanka/2026-11-20/p2.pdf");
}

#[test]
fn events_report_stages_and_remaining_time() {
    let (pages, out) = (batch(&["2026-11-19", "2026-11-20"]), tempfile::tempdir().unwrap());
    let arguments = ["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap(), "--json"];
    let output = ingest(&arguments).args(["--jobs", "1"]).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let stages: Vec<&str> = events.iter().filter_map(|event| event["stage"].as_str()).collect();
    assert_eq!(stages, ["draw", "read", "write", "draw", "read", "write"]);
    let done: Vec<&Value> = events.iter().filter(|event| event["event"] == "fileDone").collect();
    assert_eq!((&done[0]["done"], &done[0]["files"]), (&1.into(), &2.into()));
    assert!(done[0]["remaining"].is_u64() && done[1]["remaining"] == 0, "{lines}");
}

#[test]
fn a_second_ingest_on_the_same_folder_is_refused() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let out = out.path().to_str().unwrap();
    let held = fs::File::create(Path::new(out).join(".run.lock")).unwrap();
    held.lock().unwrap();
    for arguments in [
        vec!["run", pages.path().to_str().unwrap(), "--out", out],
        vec!["retry", out],
        vec!["publish", out, "--publish", "http://127.0.0.1:1", "--token", "t"],
    ] {
        let second = ingest(&arguments).output().unwrap();
        assert_eq!(second.status.code(), Some(2), "{arguments:?}: {}", output_text(&second));
        assert!(
            output_text(&second).contains("another ingest is using this folder"),
            "{}",
            output_text(&second)
        );
    }
    // `review` does not need the lock.
    let review = ingest(&["review", out]).output().unwrap();
    assert_eq!(review.status.code(), Some(0), "{}", output_text(&review));
    drop(held);
    assert_eq!(run(pages.path(), Path::new(out))["done"], 1);
}
