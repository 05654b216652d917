//! Tests `ingest watch` on a drop folder.

use super::support::{copy_notices, created, ingest, output_text, page, portal, received_paths};
use ingest::{
    batch::{
        self, LocalIndex, Options, Progress, Report, ReviewState, Sender, Sinks, WatchEnvironment,
        stored_notices,
    },
    ocr::Readers,
    portal_client::Portal,
};
use serde_json::Value;
use std::{
    cell::{Cell, RefCell},
    fs,
    io::{BufRead, BufReader, Lines},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use tokio::runtime::Runtime;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{method, path_regex},
};

struct WatchProcess {
    child: Child,
    events: Lines<BufReader<ChildStdout>>,
}

impl WatchProcess {
    fn start(folder: &Path, out: &Path) -> Self {
        let mut child =
            ingest(&["watch", folder.to_str().unwrap(), "--out", out.to_str().unwrap(), "--json"])
                .args(["--settle", "0.2"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
        let events = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, events }
    }

    /// Waits for the next event with this name and returns it.
    fn next(&mut self, name: &str) -> Value {
        loop {
            let line = self.events.next().expect("the watch continues").unwrap();
            let event: Value = serde_json::from_str(&line).unwrap();
            if event["event"] == name {
                return event;
            }
        }
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap().success());
    }
}

#[test]
fn complete_files_are_read_and_partial_ones_are_not() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut watching = WatchProcess::start(folder.path(), out.path());
    let issue = folder.path().join("daily-lanka/2026-11-20");
    fs::create_dir_all(&issue).unwrap();
    for name in [".p2.pdf", "p2.pdf.part", "p2.tmp"] {
        fs::copy(page(), issue.join(name)).unwrap();
    }
    fs::rename(issue.join("p2.pdf.part"), issue.join("p2.pdf")).unwrap();
    let outcome = watching.next("report");
    assert_eq!((&outcome["done"], &outcome["notices"]["purchase"]), (&1.into(), &16.into()), "{outcome}");
    // A second page arrives.
    let mut other = fs::read(page()).unwrap();
    other.extend_from_slice(b"% other\n");
    fs::write(folder.path().join("daily-news_2026-11-20_p7.pdf"), other).unwrap();
    let outcome = watching.next("report");
    assert_eq!((&outcome["done"], &outcome["unchanged"]), (&1.into(), &0.into()), "{outcome}");
    assert!(out.path().join("daily-news/2026-11-20/p7.page.json").is_file(), "the file name gives the issue");
    // A copy of the first page arrives. It is reported as a duplicate and not read.
    fs::copy(page(), issue.join("p3.pdf")).unwrap();
    let outcome = watching.next("report");
    assert_eq!(
        (&outcome["done"], outcome["duplicates"].as_array().unwrap().len()),
        (&0.into(), 1),
        "{outcome}"
    );
    // A file of another format is reported once.
    for name in ["phone.heic", "notice.docx"] {
        fs::write(folder.path().join(name), "x").unwrap();
        let outcome = watching.next("report");
        assert_eq!(
            (&outcome["done"], &outcome["passedOver"]),
            (&0.into(), &serde_json::json!([name])),
            "{outcome}"
        );
    }
    watching.signal("-INT");
    assert_eq!(watching.child.wait().unwrap().code(), Some(0));
}

#[test]
fn after_a_stop_signal_only_the_current_pages_are_read() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for name in ["p1", "p2", "p3"] {
        let mut bytes = fs::read(page()).unwrap();
        bytes.extend_from_slice(format!("% {name}\n").as_bytes());
        fs::write(folder.path().join(format!("isle_2026-11-20_{name}.pdf")), bytes).unwrap();
    }
    let mut watching = WatchProcess::start(folder.path(), out.path());
    watching.next("stage");
    watching.signal("-TERM");
    let outcome = watching.next("report");
    let read = outcome["done"].as_u64().unwrap();
    assert!((1..3).contains(&read), "only the pages in progress: {outcome}");
    assert_eq!(watching.child.wait().unwrap().code(), Some(0));
    let records = fs::read_dir(out.path().join("isle/2026-11-20")).unwrap();
    let records =
        records.filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().ends_with(".page.json"));
    assert_eq!(records.count() as u64, read);
}

/// Watches while `between` returns `true`, and returns the reports. `between` is called at each
/// wait, with the number of the wait, the clock, and the reports so far. It may set the clock.
fn watch_while(
    options: &Options,
    sinks: Sinks<'_>,
    mut between: impl FnMut(usize, &Cell<Duration>, &[Report]) -> bool,
) -> Vec<Report> {
    let (stop, reports) = (AtomicBool::new(false), RefCell::new(Vec::new()));
    let (now, mut nth) = (Cell::new(Duration::ZERO), 0);
    let mut wait = |_| {
        nth += 1;
        let goes_on = between(nth, &now, &reports.borrow());
        stop.store(!goes_on, Ordering::Relaxed);
    };
    batch::watch(
        options,
        Duration::ZERO,
        &Readers::new,
        sinks,
        &Progress::Silent,
        WatchEnvironment {
            now: &|| now.get(),
            wait: &mut wait,
            stop: &stop,
            report: &mut |report| reports.borrow_mut().push(report.clone()),
        },
    )
    .unwrap();
    reports.into_inner()
}

fn sinks_to(sender: &Sender) -> Sinks<'_> {
    Sinks { sender: Some(sender), index: None }
}

fn options(folder: &Path, out: &Path) -> Options {
    let clock = || "2026-11-20T12:00:00+05:30".parse().unwrap();
    Options::new(vec![folder.into()], out.into(), clock)
}

/// A mock portal and a sender to it.
fn portal_and_sender(answer: ResponseTemplate) -> (Runtime, MockServer, Sender) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let server = runtime.block_on(portal(answer));
    let address = Portal { first_wait: Duration::from_millis(1), ..Portal::new(&server.uri()).unwrap() };
    let sender = Sender::new(address, "token", false).unwrap();
    (runtime, server, sender)
}

/// Makes the mock portal accept all notices from now on.
async fn bring_back(server: &MockServer) {
    server.reset().await;
    Mock::given(method("PUT")).respond_with(created()).mount(server).await;
}

/// No new page arrives. Unsent notices are sent when the portal is back, and the edited notice is
/// sent when it is accepted.
#[test]
fn unsent_and_waiting_notices_are_sent_later() {
    let (folder, out) = (tempfile::tempdir().unwrap(), copy_notices());
    let (runtime, server, sender) = portal_and_sender(ResponseTemplate::new(503));
    let all = stored_notices(out.path()).unwrap();
    // A reviewer has edited a notice. The notice waits at the portal until it is accepted.
    let (waiting, now) = (&all[0], "2026-11-20T12:00:00+05:30".parse().unwrap());
    let opened = waiting.open().unwrap();
    let edited = tender_model::tender::Tender { title: "Edited".into(), ..opened.tender.clone() };
    waiting.change(out.path(), &opened, &edited, ["title".to_owned()].into(), now).unwrap();
    assert!(matches!(waiting.review_state(), ReviewState::Waiting { .. }));
    let open = all.iter().filter(|entry| entry.review_state().may_be_published()).count();
    let outcome = watch_while(&options(folder.path(), out.path()), sinks_to(&sender), |nth, now, outcome| {
        match nth {
            1 => now.set(Duration::from_secs(60)),
            2 => {
                assert_eq!(outcome.len(), 1, "the unreachable portal is reported once");
                runtime.block_on(bring_back(&server));
            }
            3 => {
                assert_eq!(outcome.len(), 1, "nothing is sent until the wait ends");
                now.set(Duration::from_secs(180));
            }
            4 => waiting
                .accept(out.path(), &waiting.open().unwrap(), "2026-11-20T12:00:00+05:30".parse().unwrap())
                .unwrap(),
            _ => {}
        }
        nth < 6
    });
    assert!(outcome[0].publishing_stopped.as_ref().unwrap().contains("it fails (503)"), "{}", outcome[0]);
    let sent: Vec<usize> = outcome.into_iter().map(|report| report.published.unwrap().created).collect();
    assert_eq!(sent, [0, open + 1, 1]);
    assert_eq!(runtime.block_on(received_paths(&server)).len(), open + 2, "nothing is sent twice");
}

/// The portal always fails for the first nine notices, which is enough to open the circuit
/// breaker.
#[test]
fn permanently_failing_notices_do_not_block_others() {
    let (folder, out) = (tempfile::tempdir().unwrap(), copy_notices());
    let (runtime, server, sender) = portal_and_sender(created());
    let open = stored_notices(out.path())
        .unwrap()
        .into_iter()
        .filter(|entry| entry.review_state().may_be_published());
    let open: Vec<String> = open.map(|entry| entry.notice.key).collect();
    let never = open.iter().take(9).cloned().collect::<Vec<_>>().join("|");
    let fails = Mock::given(path_regex(never)).respond_with(ResponseTemplate::new(500)).with_priority(1);
    runtime.block_on(fails.mount(&server));
    let outcome = watch_while(&options(folder.path(), out.path()), sinks_to(&sender), |nth, now, _| {
        now.set(Duration::from_secs(300) * u32::try_from(nth).unwrap());
        nth < 5
    });
    let sent = |report: &Report| report.published.as_ref().unwrap().created;
    assert_eq!(outcome.iter().map(sent).sum::<usize>(), open.len() - 9);
    assert!(outcome.len() <= 3, "an unchanged state is reported once");
}

#[test]
fn pages_are_read_while_the_portal_is_down() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (runtime, server, sender) = portal_and_sender(ResponseTemplate::new(503));
    let add = |name: &str| {
        let bytes = [fs::read(page()).unwrap(), format!("% {name}\n").into_bytes()].concat();
        fs::write(folder.path().join(format!("isle_2026-11-20_{name}.pdf")), bytes).unwrap();
    };
    let (mut asked, mut at_last) = (0, 0);
    add("p1");
    let outcome = watch_while(&options(folder.path(), out.path()), sinks_to(&sender), |nth, now, outcome| {
        let requests = runtime.block_on(received_paths(&server)).len();
        match nth {
            1 => {
                assert_eq!(outcome[0].published.as_ref().unwrap().unsent, 16);
                asked = requests;
                add("p2");
            }
            2 => {
                assert_eq!((outcome.len(), outcome[1].done), (2, 1));
                assert_eq!(outcome[1].published.as_ref().unwrap().unsent, 16);
                assert_eq!(requests, asked, "nothing was sent");
                runtime.block_on(bring_back(&server));
                now.set(Duration::from_secs(60));
            }
            _ => at_last = requests,
        }
        nth < 4
    });
    // Sending stops when the third notice has failed. Up to three more notices are in flight then.
    // Each notice is tried four times.
    assert!((3 * 4..=6 * 4).contains(&asked), "{asked}");
    assert_eq!((outcome.len(), outcome[2].published.as_ref().unwrap().created), (3, 32));
    assert_eq!(at_last, 32);
}

/// The disk is full for a while. Neither the page nor its failure can be written.
#[test]
fn pages_that_could_not_be_written_are_retried() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::copy(page(), folder.path().join("isle_2026-11-20_p2.pdf")).unwrap();
    // Where the newspaper's folder belongs, a file prevents writing. This simulates the full disk.
    let full = out.path().join("isle");
    fs::write(&full, "").unwrap();
    let outcome = watch_while(&options(folder.path(), out.path()), Sinks::default(), |nth, now, outcome| {
        match nth {
            1 => fs::remove_file(&full).unwrap(),
            2 => {
                assert_eq!(outcome.len(), 1, "the page is not retried in every round");
                now.set(Duration::from_secs(30));
            }
            _ => {}
        }
        nth < 3
    });
    assert!(outcome[0].failed[0].contains("`retry` does not know it"), "{}", outcome[0]);
    assert_eq!((outcome.len(), outcome[1].done, outcome[1].failed.len()), (2, 1, 0), "{}", outcome[1]);
}

/// Two shares are unavailable for a while: first the share of the pages, then the share of the
/// notices.
#[test]
fn unavailable_folders_are_watched_again_later() {
    let (parent, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (drop, notices) = (parent.path().join("drop"), out.path().join("notices"));
    fs::create_dir(&drop).unwrap();
    let outcome = watch_while(&options(&drop, &notices), Sinks::default(), |nth, _, outcome| {
        match nth {
            1 => fs::remove_dir(&drop).unwrap(),
            3 => {
                fs::create_dir(&drop).unwrap();
                fs::write(drop.join("empty.jpg"), "").unwrap();
            }
            4 => {
                assert_eq!(outcome.len(), 2, "the missing drop folder is reported once");
                fs::rename(&notices, out.path().join("away")).unwrap();
                fs::write(&notices, "").unwrap();
                fs::copy(page(), drop.join("isle_2026-11-20_p2.pdf")).unwrap();
            }
            6 => {
                assert_eq!(outcome.len(), 3, "the missing output folder is reported once");
                fs::remove_file(&notices).unwrap();
                fs::rename(out.path().join("away"), &notices).unwrap();
            }
            _ => {}
        }
        nth < 7
    });
    assert_eq!((outcome.len(), outcome[3].done), (4, 1));
    let failed: Vec<String> = outcome.iter().map(|report| report.failed.join("")).collect();
    assert!(
        failed[0].contains("there is no such") && failed[1].contains("empty.jpg: is empty"),
        "{failed:?}"
    );
    assert!(failed[2].contains("notices: the output folder cannot be written"), "{failed:?}");
}

/// An unavailable share leaves an empty folder. Nothing must be written into this folder.
#[test]
fn an_empty_mount_point_is_not_written_into() {
    let (drop, parent) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (notices, away) = (parent.path().join("notices"), parent.path().join("away"));
    let outcome = watch_while(&options(drop.path(), &notices), Sinks::default(), |nth, _, outcome| {
        match nth {
            1 => {
                fs::rename(&notices, &away).unwrap();
                fs::create_dir(&notices).unwrap();
                fs::copy(page(), drop.path().join("isle_2026-11-20_p2.pdf")).unwrap();
            }
            3 => {
                assert_eq!(outcome.len(), 1, "the missing share is reported once");
                // Removing the folder fails if it is not empty.
                fs::remove_dir(&notices).unwrap();
                fs::rename(&away, &notices).unwrap();
            }
            _ => {}
        }
        nth < 4
    });
    assert!(outcome[0].failed[0].contains("has disappeared"), "{}", outcome[0]);
    assert_eq!((outcome.len(), outcome[1].done), (2, 1), "{}", outcome[1]);
}

/// The share becomes unavailable after the run has begun.
#[test]
fn a_page_interrupted_by_an_unavailable_share_is_retried() {
    let (drop, out, parent) = (tempfile::tempdir().unwrap(), copy_notices(), tempfile::tempdir().unwrap());
    let (notices, away) = (parent.path().join("notices"), parent.path().join("away"));
    fs::rename(out.path(), &notices).unwrap();
    fs::copy(page(), drop.path().join("isle_2026-11-20_p2.pdf")).unwrap();
    let lose_share = || {
        fs::rename(&notices, &away).unwrap();
        fs::create_dir(&notices).unwrap();
        Readers::new()
    };
    let options = options(drop.path(), &notices);
    let index = LocalIndex::open(&parent.path().join("index"), &notices, options.clock).unwrap();
    let sinks = Sinks { sender: None, index: Some(&index) };
    let outcome = batch::run(&options, &lose_share, sinks, &Progress::Silent).unwrap();
    assert_eq!((outcome.done, outcome.failed.len()), (0, 2), "{outcome}");
    assert!(outcome.failed.iter().all(|failed| failed.contains("has disappeared")), "{outcome}");
    assert!(outcome.indexed.is_none(), "an empty folder does not replace the index: {outcome}");
    // Removing the folder fails if it is not empty.
    fs::remove_dir(&notices).unwrap();
    fs::rename(&away, &notices).unwrap();
    let outcome = batch::run(&options, &Readers::new, sinks, &Progress::Silent).unwrap();
    assert_eq!((outcome.done, outcome.failed.len()), (1, 0), "{outcome}");
    assert!(outcome.indexed.is_some_and(|indexed| indexed.tenders > 0));
}

#[test]
fn an_index_that_could_not_be_filled_is_filled_later() {
    let (folder, out, parent) = (tempfile::tempdir().unwrap(), copy_notices(), tempfile::tempdir().unwrap());
    let options = options(folder.path(), out.path());
    let (directory, away) = (parent.path().join("index"), parent.path().join("away"));
    let index = LocalIndex::open(&directory, out.path(), options.clock).unwrap();
    fs::rename(&directory, &away).unwrap();
    fs::write(&directory, "").unwrap();
    let outcome = watch_while(&options, Sinks { sender: None, index: Some(&index) }, |nth, now, outcome| {
        match nth {
            1 => now.set(Duration::from_secs(30)),
            2 => {
                assert_eq!(outcome.len(), 1, "the unusable index is reported once");
                fs::remove_file(&directory).unwrap();
                fs::rename(&away, &directory).unwrap();
                now.set(Duration::from_secs(60));
            }
            _ => {}
        }
        nth < 4
    });
    assert!(outcome[0].indexed.is_none() && outcome[0].failed.len() == 1, "{}", outcome[0]);
    assert_eq!(outcome.len(), 2);
    assert!(outcome[1].indexed.as_ref().is_some_and(|indexed| indexed.tenders > 0), "{}", outcome[1]);
}

#[test]
fn wrong_usage_of_watch_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let within = format!("{folder}/out");
    for (arguments, expected) in [
        (vec!["watch", "/nowhere/at/all", "--out", folder], "there is no such folder"),
        (vec!["watch", folder, "--out", &within], "is in the drop folder"),
        (vec!["watch", folder], "--out"),
        (vec!["watch", folder, "--out", "/tmp", "--settle=-1"], "a number of seconds"),
        (vec!["watch", folder, "--out", "/tmp", "--settle=soon"], "a number of seconds"),
    ] {
        let output = ingest(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", output_text(&output));
        assert!(output_text(&output).contains(expected), "{arguments:?}: {}", output_text(&output));
    }
}
