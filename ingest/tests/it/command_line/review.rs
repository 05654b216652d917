//! Tests `ingest review`: decisions survive kills and new readings, and determine which notices
//! are published.

use super::support::{
    batch, contents, created, ingest, make_title_doubtful, notices_to_review, output_text, portal,
    received_paths, report, with_lines,
};
use ingest::batch::{ReviewError, ReviewState, StoredNotice, stored_notices};
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

fn review(out: &Path) -> Command {
    let mut command = ingest(&["review", out.to_str().unwrap()]);
    command.env_remove("EDITOR").env_remove("VISUAL");
    command
}

/// The files under `out` whose paths end with `ending`.
fn files(out: &Path, ending: &str) -> Vec<PathBuf> {
    let all = contents(out).into_keys().filter(|path| path.to_string_lossy().ends_with(ending));
    all.map(|path| out.join(path)).collect()
}

/// The undecided notices in the order in which `ingest review` shows them.
fn undecided(out: &Path) -> Vec<StoredNotice> {
    let mut undecided = stored_notices(out).unwrap();
    undecided.retain(|entry| entry.review_state().is_undecided());
    undecided.sort_by_key(|entry| entry.review_state().may_be_published());
    undecided
}

fn read_tender(path: &Path) -> tender_model::tender::Tender {
    ingest::markdown::read(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn review_without_notices_says_so() {
    let out = tempfile::tempdir().unwrap();
    for (lines, expected) in [
        ("", "nothing waits for review\n"),
        ("\nquit\n", "nothing waits for review\n"),
        ("accept\n", "nothing waits for review\nno notice is left: the following commands are ignored\n"),
    ] {
        let output = with_lines(&mut review(out.path()), lines);
        assert_eq!((output.status.code(), output_text(&output).as_str()), (Some(0), expected));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_notice_except_the_rejected_one_is_published() {
    let notices = notices_to_review();
    let out = notices.path();
    let (all, count) = (stored_notices(out).unwrap().len(), undecided(out).len());
    let lines = "accept\nedit closing=2027-05-03 14:30\nedit title=Repair of bridges\naccept\nreject not legible\nskip\nquit\n";
    let output = with_lines(&mut review(out), lines);
    assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
    let text = output_text(&output);
    assert!(text.contains(&format!("── 1 of {count} ──")) && text.contains("not certain: "), "{text}");
    assert!(text.contains(&format!("2 accepted, 1 rejected, {} left to review", count - 3)), "{text}");

    let server = portal(created()).await;
    let publish = || {
        ingest(&["publish", out.to_str().unwrap(), "--publish", &server.uri(), "--token", "t", "--json"])
            .output()
            .unwrap()
    };
    let outcome = report(&publish());
    assert_eq!(outcome["published"]["created"], all - 1, "doubtful notices are published too: {outcome}");
    assert_eq!(
        (&outcome["published"]["held"], &outcome["doubtful"]),
        (&1.into(), &(count - 3).into()),
        "{outcome}"
    );
    assert_eq!((&outcome["accepted"], &outcome["turnedDown"]), (&2.into(), &1.into()), "{outcome}");
    let requests = server.received_requests().await.unwrap();
    let bodies: Vec<String> =
        requests.iter().map(|request| String::from_utf8_lossy(&request.body).into_owned()).collect();
    let edited = bodies.iter().find(|body| body.contains("title: Repair of bridges")).unwrap();
    assert!(
        edited.contains("closing: \"2027-05-03T14:30:00+05:30\"") && !edited.contains("needsReview"),
        "{edited}"
    );

    // Another notice is decided later. Only this notice is sent again, with all fields certain.
    let next = undecided(out)[1].clone();
    let output = with_lines(&mut review(out), "skip\nedit closing=2028-06-21\naccept\nquit\n");
    assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
    assert!(output_text(&output).contains(&format!("── 1 of {} ──", count - 3)), "{}", output_text(&output));
    let outcome = report(&publish());
    assert_eq!(
        (&outcome["published"]["created"], &outcome["published"]["before"]),
        (&1.into(), &(all - 2).into()),
        "{outcome}"
    );
    assert_eq!(received_paths(&server).await.len(), all);
    let settled = read_tender(&next.files().markdown);
    assert_eq!((settled.field_states, settled.needs_review), (Some(Default::default()), false));
    let shown = ingest(&["show", next.files().markdown.to_str().unwrap()]).output().unwrap();
    assert!(
        output_text(&shown).contains("accepted in review")
            && output_text(&shown).contains("published  at http"),
        "{}",
        output_text(&shown)
    );
}

#[test]
fn invalid_commands_change_nothing() {
    let notices = notices_to_review();
    let out = notices.path();
    fs::write(out.join(".write.lock"), "").unwrap();
    let before = contents(out);
    let long = format!("edit title={}\n", "x".repeat(2000));
    for (lines, expected) in [
        ("frobnicate\n", "`frobnicate` is not one of"),
        ("edit titel=x\n", "there is no field `titel` to edit"),
        ("edit closing=soon\n", "`soon` is not a value for dates.closing"),
        ("edit closing=1999-01-01\n", "it closes before it is published"),
        ("edit title=\n", "it has no title"),
        ("edit status=closed\n", "there is no field `status`"),
        ("edit title\n", "write `edit FIELD=VALUE`"),
        ("edit\n", "no editor is set"),
        ("reject\n", "a rejection needs a reason"),
        (&long, "its title is too long"),
        ("\u{0}\u{1B}[2J\n", "is not one of"),
    ] {
        let output = with_lines(&mut review(out), lines);
        assert_eq!(output.status.code(), Some(1), "{lines:?}: {}", output_text(&output));
        assert!(output_text(&output).contains(expected), "{lines:?}: {}", output_text(&output));
        assert!(!output_text(&output).contains('\u{1B}'), "{lines:?}");
        assert!(contents(out) == before, "{lines:?}");
    }
    let nowhere = with_lines(&mut review(Path::new("/nowhere/at/all")), "");
    assert_eq!(nowhere.status.code(), Some(2), "{}", output_text(&nowhere));
    let nothing = with_lines(&mut review(out), "");
    assert_eq!(
        nothing.status.code(),
        Some(0),
        "the end of the input is not an error: {}",
        output_text(&nothing)
    );
    let left = format!("0 accepted, 0 rejected, {} left to review", undecided(out).len());
    assert!(output_text(&nothing).contains(&left), "{}", output_text(&nothing));
}

#[test]
fn the_editor_changes_a_notice_and_invalid_drafts_are_kept() {
    let notices = notices_to_review();
    let out = notices.path();
    let with = |editor: &str, lines: &str| with_lines(review(out).env("EDITOR", editor), lines);
    let rubbish = with("sed -i '1d'", "edit\n");
    assert_eq!(rubbish.status.code(), Some(1));
    assert!(output_text(&rubbish).contains("is kept as you left it"), "{}", output_text(&rubbish));
    assert!(output_text(&rubbish).contains("no front matter"), "{}", output_text(&rubbish));
    let mended = with("sed -i -e '1i ---' -e 's/^title: .*/title: Mended/'", "edit\naccept\n");
    assert_eq!(mended.status.code(), Some(0), "{}", output_text(&mended));
    let titles: Vec<String> = files(out, ".md")
        .iter()
        .map(|path| read_tender(path).title)
        .filter(|title| title == "Mended")
        .collect();
    assert_eq!(titles.len(), 1);
    assert_eq!(files(out, ".edit.md").len(), 0, "the draft is removed after it is saved");
    // A leftover draft is ignored after another edit and removed after a decision. The second
    // editor changes nothing.
    let with_leftover_draft = |lines: &str| {
        let output = with("sed -i -e '1d' -e 's/^title: .*/title: Old/'", "edit\n");
        assert!(output_text(&output).contains("is kept as you left it"), "{}", output_text(&output));
        with("sed -i 's/^x$/x/'", lines)
    };
    let newer = with_leftover_draft("edit title=Newer\nedit\n");
    assert_eq!(newer.status.code(), Some(0), "{}", output_text(&newer));
    assert!(output_text(&newer).contains("nothing was changed"), "{}", output_text(&newer));
    assert_eq!(files(out, ".edit.md").len(), 1);
    with_leftover_draft("reject torn\n");
    assert_eq!(files(out, ".edit.md").len(), 0);
    let failing = with("false", "edit\n");
    assert!(output_text(&failing).contains("nothing was changed"), "{}", output_text(&failing));
    let missing = with("/nowhere/editor", "edit\n");
    assert_eq!(missing.status.code(), Some(1), "{}", output_text(&missing));
}

#[test]
fn a_decision_survives_a_new_reading() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let run = || {
        let output = ingest(&["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()])
            .args(["--json", "--hold-doubtful", "--confidence-line", "0.93"])
            .output()
            .unwrap();
        report(&output)
    };
    let waiting = run()["needingReview"].as_u64().unwrap();
    assert!(waiting >= 3);
    let decided = with_lines(
        &mut review(out.path()),
        "edit title=Decided\naccept\nreject torn\nedit title=Half\nquit\n",
    );
    assert!(output_text(&decided).contains("1 accepted, 1 rejected"), "{}", output_text(&decided));
    let before = contents(out.path());
    let folder = out.path().join("daily-lanka/2026-11-20");
    let reviews = files(out.path(), ".review.json");
    assert_eq!(reviews.len(), 3);
    let clip_of_a_decided = reviews[0].to_string_lossy().replace(".review.json", ".jpg");
    // If a clip or the page record is lost, the page is read again.
    for lost in [PathBuf::from(clip_of_a_decided), folder.join("p2.page.json")] {
        fs::remove_file(&lost).unwrap();
        let outcome = run();
        assert_eq!(
            (&outcome["done"], &outcome["accepted"], &outcome["turnedDown"]),
            (&1.into(), &1.into(), &1.into()),
            "{outcome}"
        );
        assert_eq!(outcome["needingReview"], waiting - 2, "{outcome}");
        let after = contents(out.path());
        // Only the page record differs. There, the extractor of decided notices is `reviewed`.
        let is_record = |path: &Path| path.to_string_lossy().ends_with(".page.json");
        let differ = before.iter().find(|(path, bytes)| !is_record(path) && after.get(*path) != Some(bytes));
        assert_eq!(differ.map(|(path, _)| path), None);
        assert_eq!(after.len(), before.len());
    }
    // A file with other content is another page, which has no decisions. The decisions of the
    // first page are kept.
    let page = pages.path().join("daily-lanka/2026-11-20/p2.pdf");
    let mut bytes = fs::read(&page).unwrap();
    bytes.extend_from_slice(b"% again\n");
    fs::write(&page, bytes).unwrap();
    let outcome = run();
    assert_eq!((&outcome["accepted"], &outcome["needingReview"]), (&0.into(), &waiting.into()), "{outcome}");
    assert_eq!(files(out.path(), ".review.json"), reviews);
}

#[test]
fn a_review_can_be_completed_after_a_kill() {
    for kill_at in 0..7 {
        let notices = notices_to_review();
        let out = notices.path();
        let count = undecided(out).len();
        let mut child =
            review(out).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = child.stdin.take().unwrap();
        // All commands are sent before the output is read, so that the kill interrupts the review.
        for _ in 0..count {
            lines.write_all(b"edit closing=2028-01-02\nedit title=Decided\naccept\n").unwrap();
        }
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..kill_at * 30 {
            if output.next().is_none() {
                break;
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        for path in files(out, ".review.json") {
            let review: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            let tender = read_tender(Path::new(&path.to_string_lossy().replace(".review.json", ".md")));
            if review["verdict"] == "accepted" {
                assert_eq!((tender.title.as_str(), tender.needs_review), ("Decided", false));
            }
        }
        assert!(files(out, ".md").iter().all(|path| !read_tender(path).title.is_empty()));
        let rest = with_lines(
            &mut review(out),
            &"edit closing=2028-01-02\nedit title=Decided\naccept\n".repeat(count),
        );
        assert_eq!(rest.status.code(), Some(0), "{}", output_text(&rest));
        let decided = files(out, ".md").iter().filter(|path| read_tender(path).title == "Decided").count();
        assert_eq!((decided, files(out, ".review.json").len()), (count, count));
    }
}

#[test]
fn a_notice_that_changed_in_the_meantime_is_not_decided() {
    let notices = notices_to_review();
    let out = notices.path();
    let mut child =
        review(out).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let path = output.find_map(|line| line.strip_prefix("text       ").map(str::to_owned)).unwrap();
    let other = fs::read_to_string(&path).unwrap().replacen("title: ", "title: other ", 1);
    fs::write(&path, other).unwrap();
    let mut lines = child.stdin.take().unwrap();
    lines.write_all(b"accept\naccept\n").unwrap();
    drop(lines);
    let rest: Vec<String> = output.collect();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(rest.iter().any(|line| line.contains("was read again or reviewed in the meantime")), "{rest:?}");
    assert!(
        rest.iter().any(|line| line.contains("0 accepted")),
        "the reviewer has not seen the new text: {rest:?}"
    );
    let again = with_lines(&mut review(out), "accept\nquit\n");
    assert!(output_text(&again).contains("1 accepted"), "after a second look: {}", output_text(&again));
}

#[test]
fn a_second_reviewer_does_not_overwrite_a_decision() {
    let notices = notices_to_review();
    let out = notices.path();
    let notice = undecided(out).remove(0);
    let now = || "2026-11-20T12:00:00+05:30".parse().unwrap();
    let (one, other) = (notice.open().unwrap(), notice.open().unwrap());
    notice.reject(out, &one, "an advertisement", now()).unwrap();
    let late = notice.accept(out, &other, now()).unwrap_err();
    assert!(matches!(late, ReviewError::Changed(_)), "{late}");
    assert!(matches!(notice.review_state(), ReviewState::Rejected { .. }));
    // If the notice changes while a reviewer has it open in an editor, the edited text is kept.
    let editor =
        format!("cp {0}/other.md {0}/$(cat {0}/name) && sed -i 's/^title: .*/title: Mine/'", out.display());
    let first = with_lines(&mut review(out), "quit\n");
    let path = output_text(&first)
        .lines()
        .find_map(|line| line.strip_prefix("text       ").map(PathBuf::from))
        .unwrap();
    fs::write(out.join("name"), path.strip_prefix(out).unwrap().to_str().unwrap()).unwrap();
    let text = fs::read_to_string(&path).unwrap().replacen("title: ", "title: other ", 1);
    fs::write(out.join("other.md"), text).unwrap();
    let late = with_lines(review(out).env("EDITOR", editor), "edit\n");
    assert!(output_text(&late).contains("in the meantime"), "{}", output_text(&late));
    assert!(output_text(&late).contains("is kept as you left it"), "{}", output_text(&late));
    let draft = fs::read_to_string(&files(out, ".edit.md")[0]).unwrap();
    assert!(draft.contains("title: Mine"), "{draft}");
}

#[test]
fn a_failed_command_ends_a_script() {
    let notices = notices_to_review();
    let out = notices.path();
    let last_line = |output: &Output| output_text(output).lines().last().unwrap().to_owned();
    // Two pages have an undecided notice `p2-15`. The first two undecided notices are decided
    // below.
    for (issue, name) in [("2024-05-07", "p2-11"), ("2024-05-07", "p2-15"), ("2026-11-20", "p2-15")] {
        make_title_doubtful(&out.join(format!("daily-lanka/{issue}/p2.page.json")), name);
    }
    let count = undecided(out).len();
    // The first command fails. Otherwise the second one would accept the notice without the edit.
    let refused = with_lines(&mut review(out), "edit closing=soon\naccept\n");
    assert_eq!(refused.status.code(), Some(1));
    assert!(output_text(&refused).contains("stopped there"), "{}", output_text(&refused));
    assert_eq!(last_line(&refused), format!("0 accepted, 0 rejected, {count} left to review"));
    // If the file of a notice is invalid, its command is not applied to the next notice.
    let first = with_lines(&mut review(out), "quit\n");
    let of = |output: &Output, what: &str| {
        let text = output_text(output);
        let line = text.lines().find_map(|line| line.strip_prefix(what).map(str::trim));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let (path, key) = (of(&first, "text "), of(&first, "key "));
    let whole = fs::read(&path).unwrap();
    fs::write(&path, "rubbish").unwrap();
    let damaged = with_lines(&mut review(out), "accept\n");
    assert_eq!(damaged.status.code(), Some(1));
    assert_eq!(last_line(&damaged), format!("0 accepted, 0 rejected, {count} left to review"));
    let skipped = with_lines(&mut review(out), "skip\nreject torn\n");
    assert_eq!(skipped.status.code(), Some(0), "{}", output_text(&skipped));
    let left = format!("0 accepted, 1 rejected, {} left to review", count - 1);
    assert!(output_text(&skipped).contains(&left), "{}", output_text(&skipped));
    fs::write(&path, whole).unwrap();
    // A command with a key applies to the notice with this key, even after the notice was skipped.
    let named = with_lines(&mut review(out), &format!("skip\n@{key} edit title=Named\n@{key} accept\n"));
    assert_eq!(named.status.code(), Some(0), "{}", output_text(&named));
    assert_eq!(read_tender(Path::new(&path)).title, "Named");
    for (name, expected) in [
        (&key, "no undecided notice"),
        (&"nobody".to_owned(), "no undecided notice"),
        (&"p2-15".to_owned(), "2 notices have the name"),
    ] {
        let wrong = with_lines(&mut review(out), &format!("@{name} accept\n"));
        assert_eq!(wrong.status.code(), Some(1));
        assert!(output_text(&wrong).contains(expected), "{name}: {}", output_text(&wrong));
    }
}
