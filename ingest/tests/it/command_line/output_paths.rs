//! Tests the output paths of pages. Each page has its own output files. If the name or the issue
//! of a page changes, its reviews move with the output.

use super::support::{batch, contents, ingest, output_text, page, report, with_lines};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

fn run(pages: &Path, out: &Path, more: &[&str]) -> Value {
    let arguments = ["run", pages.to_str().unwrap(), "--out", out.to_str().unwrap(), "--json"];
    let output = ingest(&arguments).args(["--confidence-line", "0.93"]).args(more).output().unwrap();
    report(&output)
}

/// A folder with a copy of the page under this name. Copies with different `other` texts count as
/// different pages.
fn scan(name: &str, other: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_scan(&folder.path().join(name), other);
    folder
}

fn write_scan(path: &Path, other: &str) {
    let mut bytes = fs::read(page()).unwrap();
    bytes.extend_from_slice(format!("% {other}\n").as_bytes());
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Gives the first undecided notice another title and accepts it. Rejects the second one.
fn decide(out: &Path) {
    let lines = "edit title=Decided\naccept\nreject torn\nquit\n";
    let decided = with_lines(&mut ingest(&["review", out.to_str().unwrap()]), lines);
    assert!(output_text(&decided).contains("1 accepted, 1 rejected"), "{}", output_text(&decided));
}

/// The numbers of accepted and rejected notices in a report.
fn decided(outcome: &Value) -> (u64, u64) {
    (outcome["accepted"].as_u64().unwrap(), outcome["turnedDown"].as_u64().unwrap())
}

fn files(out: &Path, ending: &str) -> Vec<PathBuf> {
    contents(out).into_keys().filter(|path| path.to_string_lossy().ends_with(ending)).collect()
}

#[test]
fn pages_with_the_same_name_do_not_overwrite_each_other() {
    let out = tempfile::tempdir().unwrap();
    let (monday, tuesday) = (scan("scan001.pdf", "mon"), scan("scan001.pdf", "tue"));
    assert_eq!(run(monday.path(), out.path(), &[])["notices"]["purchase"], 16);
    decide(out.path());
    let before = contents(out.path());
    let outcome = run(tuesday.path(), out.path(), &[]);
    assert_eq!((&outcome["done"], &outcome["notices"]["purchase"]), (&1.into(), &16.into()), "{outcome}");
    let remark = outcome["remarks"][0].as_str().unwrap();
    assert!(
        remark.contains("scan001.pdf, page 1: another page was read under this name before and is kept"),
        "{outcome}"
    );
    let after = contents(out.path());
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
    assert_eq!(files(out.path(), ".page.json").len(), 2);
    // Each page is recognised when its folder is read again.
    for (pages, expected) in [(&monday, (1, 1)), (&tuesday, (0, 0))] {
        let outcome = run(pages.path(), out.path(), &[]);
        assert_eq!((&outcome["unchanged"], decided(&outcome)), (&1.into(), expected), "{outcome}");
        assert_eq!(outcome["remarks"].as_array().unwrap().len(), 0, "{outcome}");
    }
    assert_eq!(contents(out.path()), after);
}

#[test]
fn reviews_move_with_their_page() {
    let out = tempfile::tempdir().unwrap();
    let pages = batch(&["2026-11-20"]);
    let (wrong, right) =
        (pages.path().join("daily-lanka/2026-11-20"), pages.path().join("sunday-isle/2026-11-22"));
    run(pages.path(), out.path(), &[]);
    decide(out.path());
    let earlier = contents(out.path());
    // The path gave a wrong newspaper, date and page number. Now it is corrected.
    fs::create_dir_all(&right).unwrap();
    fs::rename(wrong.join("p2.pdf"), right.join("p7.pdf")).unwrap();
    let dry = ingest(&["run", pages.path().to_str().unwrap(), "--dry-run", "--out"]).arg(out.path()).output();
    let dry = dry.unwrap();
    assert!(
        output_text(&dry).contains("p7.pdf, page 1  read: it has another name or issue now"),
        "{}",
        output_text(&dry)
    );
    let outcome = run(pages.path(), out.path(), &[]);
    assert_eq!((&outcome["done"], decided(&outcome)), (&1.into(), (1, 1)), "{outcome}");
    assert!(
        outcome["remarks"].to_string().contains("was read before as daily-lanka/2026-11-20/p2"),
        "{outcome}"
    );
    let after = contents(out.path());
    assert!(after.keys().all(|path| !path.starts_with("daily-lanka")), "{:?}", after.keys());
    assert_eq!(after.len(), earlier.len());
    let decided_one =
        after.iter().find(|(_, bytes)| String::from_utf8_lossy(bytes).contains("title: Decided"));
    let text = String::from_utf8_lossy(decided_one.unwrap().1).into_owned();
    assert!(text.contains("publication: Sunday Isle") && text.contains("date: \"2026-11-22\""), "{text}");
    assert!(text.contains("file: sunday-isle/2026-11-22/p7.pdf"), "{text}");
    // A kill before the old location is removed leaves both locations. The next run removes the
    // old one.
    for (path, bytes) in &earlier {
        let path = out.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    assert_eq!(decided(&run(pages.path(), out.path(), &[])), (1, 1));
    assert_eq!(contents(out.path()), after);
    // If a notice has a review in both locations, the newer review is kept.
    let (old_folder, new_folder) =
        (out.path().join("daily-lanka/2026-11-20"), out.path().join("sunday-isle/2026-11-22"));
    for (path, bytes) in &earlier {
        let path = out.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    fs::remove_file(new_folder.join("p7.page.json")).unwrap();
    let newer =
        with_lines(&mut ingest(&["review", out.path().to_str().unwrap()]), "edit title=Newer\nquit\n");
    assert!(output_text(&newer).contains("Newer"), "{}", output_text(&newer));
    let waiting_one = files(&old_folder, ".review.json").pop().unwrap();
    let copied = new_folder.join(waiting_one.to_string_lossy().replacen("p2-", "p7-", 1));
    fs::copy(old_folder.join(&waiting_one), &copied).unwrap();
    let text = |review: &Path| PathBuf::from(review.to_string_lossy().replace(".review.json", ".md"));
    fs::copy(text(&old_folder.join(&waiting_one)), text(&copied)).unwrap();
    let accepted = with_lines(&mut ingest(&["review", out.path().to_str().unwrap()]), "accept\nquit\n");
    assert!(output_text(&accepted).contains("1 accepted"), "{}", output_text(&accepted));
    assert_eq!(decided(&run(pages.path(), out.path(), &[])), (2, 1));
    assert!(!old_folder.join("p2.page.json").exists());
    for (path, bytes) in &after {
        fs::write(out.path().join(path), bytes).unwrap();
    }
    fs::remove_file(copied).unwrap();
    // Reviews move even if the page record is missing.
    let back = pages.path().join("daily-lanka/2026-11-20/p2.pdf");
    fs::remove_file(out.path().join("sunday-isle/2026-11-22/p7.page.json")).unwrap();
    fs::rename(right.join("p7.pdf"), &back).unwrap();
    assert_eq!(decided(&run(pages.path(), out.path(), &[])), (1, 1));
    fs::rename(&back, right.join("p7.pdf")).unwrap();
    assert_eq!(decided(&run(pages.path(), out.path(), &[])), (1, 1));
    assert_eq!(contents(out.path()), after);
    // Other pages with the same name in the same folder do not affect the page.
    write_scan(&right.join("p7.jpg.pdf"), "other");
    fs::copy(page(), right.join("p7.PDF")).unwrap();
    let outcome = run(pages.path(), out.path(), &[]);
    assert_eq!(
        (&outcome["done"], &outcome["unchanged"], decided(&outcome)),
        (&2.into(), &1.into(), (1, 1)),
        "{outcome}"
    );
}

#[test]
fn without_their_texts_rejected_notices_stay_rejected_and_accepted_ones_need_review() {
    let (pages, out) = (scan("isle_2026-11-20_p2.pdf", "one"), tempfile::tempdir().unwrap());
    run(pages.path(), out.path(), &[]);
    decide(out.path());
    let folder = out.path().join("isle/2026-11-20");
    let everything = contents(out.path());
    let before = files(out.path(), ".review.json");
    for review in &before {
        let text = folder.join(review.file_name().unwrap().to_string_lossy().replace(".review.json", ".md"));
        fs::remove_file(text).unwrap();
    }
    let outcome = run(pages.path(), out.path(), &[]);
    assert_eq!((&outcome["done"], decided(&outcome)), (&1.into(), (0, 1)), "{outcome}");
    assert_eq!(outcome["notices"]["purchase"], 16, "{outcome}");
    assert_eq!(files(out.path(), ".review.json"), before);
    // Nobody has reviewed the new reading, so the notice needs review, even if all fields are
    // certain.
    let again = |line: &str| {
        let arguments = ["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()];
        report(&ingest(&arguments).args(["--json", "--confidence-line", line]).output().unwrap())
    };
    for _ in 0..2 {
        let outcome = again("0");
        assert_eq!((decided(&outcome), &outcome["needingReview"]), ((0, 1), &1.into()), "{outcome}");
        assert!(outcome["doubts"].to_string().contains("the accepted text is lost"), "{outcome}");
        fs::remove_file(out.path().join("isle/2026-11-20/p2.page.json")).unwrap();
    }
    // An unreadable review may be a rejection, so the notice needs review.
    let rejection = before
        .iter()
        .find(|review| String::from_utf8_lossy(&fs::read(out.path().join(review)).unwrap()).contains("torn"));
    let rejection = out.path().join(rejection.unwrap());
    let whole = fs::read(&rejection).unwrap();
    again("0");
    fs::write(&rejection, "{").unwrap();
    let outcome = again("0");
    assert_eq!((decided(&outcome), &outcome["needingReview"]), ((0, 0), &2.into()), "{outcome}");
    fs::remove_file(folder.join("p2-03.jpg")).unwrap();
    let outcome = again("0");
    assert!(outcome["failed"].to_string().contains("cannot be read"), "{outcome}");
    fs::write(&rejection, whole).unwrap();
    assert_eq!(decided(&again("0")), (0, 1));
    for (path, bytes) in everything {
        fs::write(out.path().join(path), bytes).unwrap();
    }
    // If an accepted notice was edited and its file is unreadable, the file is not overwritten.
    decide(out.path());
    let accepted = contents(out.path()).into_iter().find(|(path, bytes)| {
        path.extension().is_some_and(|ending| ending == "md")
            && String::from_utf8_lossy(bytes).contains("title: Decided")
    });
    let accepted = out.path().join(accepted.unwrap().0);
    fs::write(&accepted, "title: Decided, and torn").unwrap();
    fs::remove_file(folder.join("p2-01.jpg")).unwrap();
    let outcome = run(pages.path(), out.path(), &[]);
    assert!(outcome["failed"].to_string().contains("repair it, or remove it"), "{outcome}");
    assert_eq!(fs::read_to_string(&accepted).unwrap(), "title: Decided, and torn");
}

#[test]
fn a_better_scan_replaces_the_former_one_on_request() {
    let (pages, out) = (batch(&["2026-11-19", "2026-11-20"]), tempfile::tempdir().unwrap());
    run(pages.path(), out.path(), &[]);
    let folder = pages.path().join("daily-lanka/2026-11-20");
    // The former page was renamed to p3 and still exists, so it is not replaced.
    fs::rename(folder.join("p2.pdf"), folder.join("p3.pdf")).unwrap();
    write_scan(&folder.join("p2.pdf"), "first");
    let outcome = run(pages.path(), out.path(), &["--replace"]);
    assert_eq!((&outcome["done"], files(out.path(), ".page.json").len()), (&2.into(), 3), "{outcome}");
    // The former page no longer exists. Without --replace, its output is kept.
    write_scan(&folder.join("p2.pdf"), "second");
    let outcome = run(pages.path(), out.path(), &[]);
    assert_eq!((&outcome["done"], files(out.path(), ".page.json").len()), (&1.into(), 4), "{outcome}");
    assert!(outcome["remarks"].to_string().contains("run again with --replace"), "{outcome}");
    // A broken page replaces nothing.
    let second = fs::read(folder.join("p2.pdf")).unwrap();
    fs::write(folder.join("p2.pdf"), "").unwrap();
    run(pages.path(), out.path(), &["--replace"]);
    assert_eq!(files(out.path(), ".page.json").len(), 4);
    fs::write(folder.join("p2.pdf"), second).unwrap();
    let dry = ["run", pages.path().to_str().unwrap(), "--dry-run", "--replace", "--out"];
    let dry = output_text(&ingest(&dry).arg(out.path()).output().unwrap());
    assert_eq!(dry.matches("  remove: replaced by another page").count(), 1, "{dry}");
    let outcome = run(pages.path(), out.path(), &["--replace"]);
    assert_eq!((&outcome["unchanged"], files(out.path(), ".page.json").len()), (&3.into(), 3), "{outcome}");
    assert!(outcome["remarks"].to_string().contains("replaced, with its 16 notices"), "{outcome}");
    assert_eq!(files(out.path(), ".md").len(), 3 * 16);
    // A page that the same run replaces is not reported as kept.
    write_scan(&folder.join("p2.pdf"), "third");
    let outcome = run(pages.path(), out.path(), &["--replace"]);
    assert_eq!((&outcome["done"], files(out.path(), ".page.json").len()), (&1.into(), 3), "{outcome}");
    let remarks = outcome["remarks"].to_string();
    assert!(remarks.contains("replaced, with its") && !remarks.contains("and is kept"), "{outcome}");
}

#[test]
fn pages_of_other_folders_and_batches_with_failures_replace_nothing() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    run(pages.path(), out.path(), &[]);
    decide(out.path());
    // A page of another batch folder has the same name.
    let other = tempfile::tempdir().unwrap();
    write_scan(&other.path().join("daily-lanka/2026-11-20/p2.pdf"), "other");
    let outcome = run(other.path(), out.path(), &["--replace"]);
    assert_eq!((&outcome["done"], files(out.path(), ".page.json").len()), (&1.into(), 2), "{outcome}");
    let remarks = outcome["remarks"].to_string();
    assert!(remarks.contains("another page was read under this name before"), "{outcome}");
    assert!(!remarks.contains("--replace"), "{outcome}");
    // The batch is copied to another folder. A run on this folder recognises the page.
    let moved = tempfile::tempdir().unwrap();
    let folder = moved.path().join("daily-lanka/2026-11-20");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(pages.path().join("daily-lanka/2026-11-20/p2.pdf"), folder.join("p2.pdf")).unwrap();
    assert_eq!(run(moved.path(), out.path(), &[])["unchanged"], 1);
    write_scan(&folder.join("p2.pdf"), "better");
    fs::write(folder.join("p3.pdf"), "").unwrap();
    let outcome = run(moved.path(), out.path(), &["--replace"]);
    assert_eq!((&outcome["done"], files(out.path(), ".page.json").len()), (&1.into(), 3), "{outcome}");
    assert!(outcome["remarks"].to_string().contains("--replace removed nothing"), "{outcome}");
    fs::remove_file(folder.join("p3.pdf")).unwrap();
    let outcome = run(moved.path(), out.path(), &["--replace"]);
    assert_eq!((&outcome["unchanged"], files(out.path(), ".page.json").len()), (&1.into(), 2), "{outcome}");
    // The rejected notice of the replaced page is remembered in case the page comes back.
    assert_eq!(files(out.path(), ".review.json").len(), 1);
    let outcome = run(pages.path(), out.path(), &[]);
    assert_eq!((&outcome["done"], decided(&outcome)), (&1.into(), (0, 1)), "{outcome}");
}
