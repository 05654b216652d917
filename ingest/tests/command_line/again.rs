//! Pages that failed, alone again; what a run would do; one file under two names; one `ingest` at a time.

use crate::support::{batch, contents, created, ingest, page, portal, received, report, said};
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
async fn only_what_failed_is_read_again_and_only_what_was_not_sent_is_sent() {
    let (pages, out) = (batch(&["2026-11-19", "2026-11-20"]), tempfile::tempdir().unwrap());
    let broken = pages.path().join("daily-lanka/2026-11-20/p2.pdf");
    let whole = fs::read(&broken).unwrap();
    fs::write(&broken, &whole[..4000]).unwrap();
    let gone = pages.path().join("daily-lanka/2026-11-20/gone.jpg");
    fs::write(&gone, "").unwrap();
    let told = run(pages.path(), out.path());
    assert_eq!((&told["done"], told["failed"].as_array().unwrap().len()), (&1.into(), 2), "{told}");

    let server = portal(created()).await;
    let retry = || {
        let output = ingest(&["retry", out.path().to_str().unwrap(), "--json"])
            .args(["--publish", &server.uri(), "--token", "t"])
            .output()
            .unwrap();
        (output.status.code(), report(&output))
    };
    // Still broken, and one is not there any more: both are told, the first will be tried again.
    fs::remove_file(&gone).unwrap();
    let (code, told) = retry();
    assert_eq!(code, Some(1));
    let failed = told["failed"].to_string();
    assert!(failed.contains("cut off before its end") && failed.contains("no longer there"), "{failed}");
    assert_eq!(
        (&told["done"], &told["unchanged"]),
        (&0.into(), &0.into()),
        "the page that was read is left alone"
    );
    assert_eq!(told["published"]["created"], 16, "{told}");

    fs::write(&broken, &whole).unwrap();
    let (code, told) = retry();
    assert_eq!((code, &told["done"], &told["failed"]), (Some(0), &1.into(), &Value::Array(vec![])), "{told}");
    assert_eq!(
        (&told["published"]["created"], &told["published"]["before"]),
        (&16.into(), &16.into()),
        "{told}"
    );
    assert_eq!(received(&server).await.len(), 32);
    let (code, told) = retry();
    assert_eq!(
        (code, &told["done"], &told["published"]["before"]),
        (Some(0), &0.into(), &32.into()),
        "{told}"
    );
    assert!(contents(out.path()).keys().all(|path| !path.to_string_lossy().ends_with(".failed.json")));
}

#[test]
fn a_failure_says_which_page_of_which_file_failed_of_what_and_when() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let place = pages.path().join("daily-lanka/2026-11-20");
    fs::write(place.join("p2.pdf"), "%PDF-1.7\nnothing\n%%EOF").unwrap();
    run(pages.path(), out.path());
    let is_note = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("p2-") && name.ends_with(".failed.json")
    };
    let note = out.path().join(contents(out.path()).into_keys().find(is_note).unwrap());
    let note: Value = serde_json::from_slice(&fs::read(note).unwrap()).unwrap();
    assert_eq!(
        (&note["source"]["file"], &note["page"]),
        (&"daily-lanka/2026-11-20/p2.pdf".into(), &Value::Null)
    );
    assert!(note["message"].as_str().unwrap().contains("cannot be decoded"), "{note}");
    assert!(note["at"].as_str().unwrap().ends_with("+05:30"), "{note}");
    // A forged note leads nowhere.
    let mut forged = note.clone();
    forged["source"]["folder"] = "../../elsewhere".into();
    fs::write(out.path().join("forged.failed.json"), forged.to_string()).unwrap();
    fs::write(out.path().join("rubbish.failed.json"), "{").unwrap();
    let again = ingest(&["retry", out.path().to_str().unwrap(), "--json"]).output().unwrap();
    assert_eq!(report(&again)["failed"].as_array().unwrap().len(), 1, "{}", said(&again));
}

#[test]
fn a_failure_is_known_by_its_own_file_and_while_that_is_away() {
    let (place, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let disk = place.path().join("disk");
    let names: [&[u8]; 2] = [b"scan\xFF.jpg", b"scan\xFE.jpg"];
    for day in ["mon", "tue"] {
        fs::create_dir_all(disk.join(day)).unwrap();
        for name in names {
            fs::write(disk.join(day).join(OsStr::from_bytes(name)), "").unwrap();
        }
        // One run a day: what failed on the first is not forgotten for what fails on the second.
        assert_eq!(run(&disk.join(day), out.path())["failed"].as_array().unwrap().len(), 2);
    }
    let retry = || {
        let told = report(&ingest(&["retry", out.path().to_str().unwrap(), "--json"]).output().unwrap());
        let failed = told["failed"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned());
        failed.collect::<Vec<_>>()
    };
    let all_say = |lines: &[String], words: &str| lines.iter().all(|line| line.contains(words));
    // The disk is taken out, the place of its folders stays; and it comes back.
    for _ in 0..2 {
        fs::rename(&disk, place.path().join("elsewhere")).unwrap();
        fs::create_dir(&disk).unwrap();
        let failed = retry();
        assert!(
            failed.len() == 4 && all_say(&failed, "the folder it lay in is empty or not there"),
            "{failed:?}"
        );
        fs::remove_dir(&disk).unwrap();
        fs::rename(place.path().join("elsewhere"), &disk).unwrap();
        let failed = retry();
        assert!(failed.len() == 4 && all_say(&failed, "is empty"), "{failed:?}");
    }
    // One is really gone, the others are not.
    fs::remove_file(disk.join("mon").join(OsStr::from_bytes(names[0]))).unwrap();
    assert_eq!(retry().iter().filter(|line| line.contains("is no longer there")).count(), 1);
    assert_eq!(retry().len(), 3);
}

#[test]
fn what_was_read_under_another_issue_or_from_another_place_is_not_tried_again() {
    let (pages, out) = (batch(&[]), tempfile::tempdir().unwrap());
    let scan = pages.path().join("scan.pdf");
    let retry = || report(&ingest(&["retry", out.path().to_str().unwrap(), "--json"]).output().unwrap());
    let notes = || {
        let all = contents(out.path());
        all.into_keys().filter(|path| path.to_string_lossy().ends_with(".failed.json")).count()
    };
    // A file that was torn and has no issue is mended, and told its issue.
    fs::write(&scan, "").unwrap();
    run(pages.path(), out.path());
    // Notes of old bore no mark.
    let of_old = out.path().join("unnamed/undated/scan.failed.json");
    let marked = fs::read_dir(out.path().join("unnamed/undated")).unwrap().next().unwrap().unwrap().path();
    fs::copy(marked, &of_old).unwrap();
    fs::copy(page(), &scan).unwrap();
    let issue = ["--publication", "Isle", "--date", "2026-11-20"];
    let arguments = ["run", scan.to_str().unwrap(), "--out", out.path().to_str().unwrap(), "--json"];
    let told = report(&ingest(&arguments).args(issue).output().unwrap());
    assert_eq!((&told["done"], notes()), (&1.into(), 0), "{told}");
    // A page that could not be written is copied to where its issue is told.
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
fn two_files_that_say_the_same_are_tried_again_as_one() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let place = pages.path().join("daily-lanka/2026-11-20");
    let whole = fs::read(place.join("p2.pdf")).unwrap();
    for name in ["p2.pdf", "p3.pdf"] {
        fs::write(place.join(name), format!("torn {name}")).unwrap();
    }
    assert_eq!(run(pages.path(), out.path())["failed"].as_array().unwrap().len(), 2);
    for name in ["p2.pdf", "p3.pdf"] {
        fs::write(place.join(name), &whole).unwrap();
    }
    let told = report(&ingest(&["retry", out.path().to_str().unwrap(), "--json"]).output().unwrap());
    assert_eq!((&told["done"], told["duplicates"].as_array().unwrap().len()), (&1.into(), 1), "{told}");
    assert!(contents(out.path()).keys().all(|path| !path.to_string_lossy().ends_with(".failed.json")));
    assert_eq!(run(pages.path(), out.path())["unchanged"], 1);
}

#[test]
fn a_folder_of_scans_that_is_named_by_mistake_stays_one() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let scans = pages.path().to_str().unwrap();
    for arguments in
        [vec!["retry", scans], vec!["publish", scans, "--publish", "http://127.0.0.1:1", "--token", "t"]]
    {
        let wrong = ingest(&arguments).output().unwrap();
        assert_eq!(wrong.status.code(), Some(2), "{arguments:?}: {}", said(&wrong));
        assert!(said(&wrong).contains("nothing was ever read into this folder"), "{}", said(&wrong));
    }
    assert_eq!(contents(pages.path()).len(), 1);
    assert_eq!(run(pages.path(), out.path())["done"], 1);
}

#[test]
fn a_dry_run_says_what_would_be_read_and_writes_nothing() {
    let (pages, out) = (batch(&["2026-11-19", "2026-11-20"]), tempfile::tempdir().unwrap());
    let place = pages.path().join("daily-lanka/2026-11-20");
    let notices = out.path().join("notices");
    let dry = || {
        let arguments =
            ["run", pages.path().to_str().unwrap(), "--out", notices.to_str().unwrap(), "--dry-run"];
        ingest(&arguments).output().unwrap()
    };
    let first = dry();
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    assert!(said(&first).contains("2026-11-19/p2.pdf, page 1  read: new"), "{}", said(&first));
    assert!(said(&first).contains("2 to read, 0 unchanged"), "{}", said(&first));
    assert!(!notices.exists(), "nothing was written");
    run(pages.path(), &notices);
    let before = contents(&notices);
    fs::write(place.join("empty.jpg"), "").unwrap();
    fs::copy(place.join("p2.pdf"), place.join("p3.pdf")).unwrap();
    fs::remove_file(notices.join("daily-lanka/2026-11-19/p2-01.jpg")).unwrap();
    let second = dry();
    let text = said(&second);
    assert_eq!(second.status.code(), Some(1), "{text}");
    assert!(text.contains("2026-11-19/p2.pdf, page 1  read: a notice's file is missing"), "{text}");
    assert!(text.contains("2026-11-20/p2.pdf, page 1  skip: unchanged"), "{text}");
    assert!(text.contains("p3.pdf  skip: the same as daily-lanka/2026-11-20/p2.pdf"), "{text}");
    assert!(text.contains("empty.jpg: is empty"), "{text}");
    assert!(text.contains("1 to read, 1 unchanged, 1 duplicates, 1 would fail"), "{text}");
    assert_eq!(contents(&notices).len(), before.len() - 1);
}

#[test]
fn the_same_file_under_two_names_is_read_once() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let place = pages.path().join("daily-lanka/2026-11-20");
    fs::copy(place.join("p2.pdf"), place.join("p9.pdf")).unwrap();
    let told = run(pages.path(), out.path());
    assert_eq!((&told["done"], &told["notices"]["purchase"]), (&1.into(), &16.into()), "{told}");
    assert_eq!(told["duplicates"][0]["file"], "daily-lanka/2026-11-20/p9.pdf");
    assert_eq!(told["duplicates"][0]["of"], "daily-lanka/2026-11-20/p2.pdf");
}

#[test]
fn events_tell_each_stage_and_what_remains() {
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
        assert_eq!(second.status.code(), Some(2), "{arguments:?}: {}", said(&second));
        assert!(said(&second).contains("another ingest is at work on this folder"), "{}", said(&second));
    }
    // Looking and deciding need not wait.
    let review = ingest(&["review", out]).output().unwrap();
    assert_eq!(review.status.code(), Some(0), "{}", said(&review));
    drop(held);
    assert_eq!(run(pages.path(), Path::new(out))["done"], 1);
}
