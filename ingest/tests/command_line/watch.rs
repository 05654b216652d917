//! `ingest watch`: a drop folder, from the outside.

use crate::support::{created, ingest, page, portal, read_notices, received, said};
use ingest::{
    batch::{self, Options, Outlets, Progress, Sender, Standing, Surroundings, entries},
    publish::Portal,
    read::Readers,
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
use wiremock::ResponseTemplate;

struct Watching {
    child: Child,
    events: Lines<BufReader<ChildStdout>>,
}

impl Watching {
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

    /// The next event of this name.
    fn next(&mut self, name: &str) -> Value {
        loop {
            let line = self.events.next().expect("it goes on").unwrap();
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
fn what_is_dropped_is_read_and_what_is_still_written_is_not() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut watching = Watching::start(folder.path(), out.path());
    let place = folder.path().join("daily-lanka/2026-11-20");
    fs::create_dir_all(&place).unwrap();
    for name in [".p2.pdf", "p2.pdf.part", "p2.tmp"] {
        fs::copy(page(), place.join(name)).unwrap();
    }
    fs::rename(place.join("p2.pdf.part"), place.join("p2.pdf")).unwrap();
    let told = watching.next("report");
    assert_eq!((&told["done"], &told["notices"]["purchase"]), (&1.into(), &16.into()), "{told}");
    // A second page, with another name for the first one beside it: that is not read again.
    let mut other = fs::read(page()).unwrap();
    other.extend_from_slice(b"% other\n");
    fs::write(folder.path().join("daily-news_2026-11-20_p7.pdf"), other).unwrap();
    let told = watching.next("report");
    assert_eq!((&told["done"], &told["unchanged"]), (&1.into(), &0.into()), "{told}");
    assert!(out.path().join("daily-news/2026-11-20/p7.page.json").is_file(), "its name tells its issue");
    // The first page under another name is told, and not read again.
    fs::copy(page(), place.join("p3.pdf")).unwrap();
    let told = watching.next("report");
    assert_eq!((&told["done"], told["duplicates"].as_array().unwrap().len()), (&0.into(), 1), "{told}");
    // So is what is no page, once.
    for name in ["phone.heic", "notice.docx"] {
        fs::write(folder.path().join(name), "x").unwrap();
        let told = watching.next("report");
        assert_eq!((&told["done"], &told["passedOver"]), (&0.into(), &serde_json::json!([name])), "{told}");
    }
    watching.signal("-INT");
    assert_eq!(watching.child.wait().unwrap().code(), Some(0));
}

#[test]
fn asked_to_end_it_ends_after_the_page_in_hand() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for name in ["p1", "p2", "p3"] {
        let mut bytes = fs::read(page()).unwrap();
        bytes.extend_from_slice(format!("% {name}\n").as_bytes());
        fs::write(folder.path().join(format!("isle_2026-11-20_{name}.pdf")), bytes).unwrap();
    }
    let mut watching = Watching::start(folder.path(), out.path());
    watching.next("stage");
    watching.signal("-TERM");
    let told = watching.next("report");
    let read = told["done"].as_u64().unwrap();
    assert!((1..3).contains(&read), "what was in hand, and no more: {told}");
    assert_eq!(watching.child.wait().unwrap().code(), Some(0));
    let records = fs::read_dir(out.path().join("isle/2026-11-20")).unwrap();
    let records =
        records.filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().ends_with(".page.json"));
    assert_eq!(records.count() as u64, read);
}

/// Rounds without a new page: what the portal lacks is sent as soon as it can be.
#[test]
fn what_a_portal_that_was_away_or_a_reviewer_has_kept_back_is_sent_after() {
    let (folder, out) = (tempfile::tempdir().unwrap(), read_notices());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let server = runtime.block_on(portal(ResponseTemplate::new(503)));
    let address = Portal { first_wait: Duration::from_millis(1), ..Portal::new(&server.uri()).unwrap() };
    let sender = Sender::new(address, "token", false).unwrap();
    let all = entries(out.path()).unwrap();
    let open = all.iter().filter(|entry| entry.standing().is_open()).count();
    let waits = all.iter().find(|entry| matches!(entry.standing(), Standing::Waiting { .. })).unwrap();

    let (stop, reports) = (AtomicBool::new(false), RefCell::new(Vec::new()));
    let now = Cell::new(Duration::ZERO);
    let mut round = 0;
    let mut wait = |_| {
        round += 1;
        match round {
            // The portal is back.
            1 => runtime.block_on(async {
                server.reset().await;
                let good = created();
                wiremock::Mock::given(wiremock::matchers::method("PUT"))
                    .respond_with(good)
                    .mount(&server)
                    .await;
            }),
            2 => {
                assert_eq!(reports.borrow().len(), 0, "it is left alone for a while, and nothing is told");
                now.set(Duration::from_secs(60));
            }
            3 => assert_eq!(reports.borrow().len(), 1),
            4 => waits
                .accept(out.path(), &waits.open().unwrap(), "2026-11-20T12:00:00+05:30".parse().unwrap())
                .unwrap(),
            5 => {}
            _ => stop.store(true, Ordering::Relaxed),
        }
    };
    let options =
        Options::new(vec![folder.path().into()], out.path().into(), || unreachable!("no page is read"));
    batch::watch(
        &options,
        Duration::ZERO,
        &Readers::new,
        Outlets { sender: Some(&sender), index: None },
        &Progress::Silent,
        Surroundings {
            now: &|| now.get(),
            wait: &mut wait,
            stop: &stop,
            report: &mut |report| reports.borrow_mut().push(report.published.clone().unwrap()),
        },
    )
    .unwrap();
    let sent: Vec<usize> = reports.borrow().iter().map(|sent| sent.created).collect();
    assert_eq!(sent, [open, 1]);
    assert_eq!(runtime.block_on(received(&server)).len(), open + 1, "nothing is sent twice");
}

/// A disk that is full for a while, which can't even be told of a failure.
#[test]
fn what_could_not_be_written_is_read_again_later() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::copy(page(), folder.path().join("isle_2026-11-20_p2.pdf")).unwrap();
    // Neither record nor note can be put where a file stands.
    let full = out.path().join("isle");
    fs::write(&full, "").unwrap();
    let (stop, reports) = (AtomicBool::new(false), RefCell::new(Vec::new()));
    let (now, mut round) = (Cell::new(Duration::ZERO), 0);
    let mut wait = |_| {
        round += 1;
        match round {
            1 => fs::remove_file(&full).unwrap(),
            2 => {
                assert_eq!(reports.borrow().len(), 1, "it is not tried all the time");
                now.set(Duration::from_secs(30));
            }
            _ => stop.store(true, Ordering::Relaxed),
        }
    };
    let options = Options::new(vec![folder.path().into()], out.path().into(), || {
        "2026-11-20T12:00:00+05:30".parse().unwrap()
    });
    batch::watch(
        &options,
        Duration::ZERO,
        &Readers::new,
        Outlets { sender: None, index: None },
        &Progress::Silent,
        Surroundings {
            now: &|| now.get(),
            wait: &mut wait,
            stop: &stop,
            report: &mut |report| reports.borrow_mut().push((report.done, report.failed.join(""))),
        },
    )
    .unwrap();
    let told = reports.into_inner();
    assert!(told[0].1.contains("`retry` will not know of it"), "{told:?}");
    assert_eq!(told[1..], [(1, String::new())]);
}

/// A share that is away for a while.
#[test]
fn a_drop_folder_that_goes_and_comes_back_is_watched_on() {
    let (place, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let drop = place.path().join("drop");
    fs::create_dir(&drop).unwrap();
    let (stop, reports) = (AtomicBool::new(false), RefCell::new(Vec::new()));
    let mut round = 0;
    let mut wait = |_| {
        round += 1;
        match round {
            1 => fs::remove_dir(&drop).unwrap(),
            2 => {}
            3 => {
                fs::create_dir(&drop).unwrap();
                fs::write(drop.join("empty.jpg"), "").unwrap();
            }
            _ => stop.store(true, Ordering::Relaxed),
        }
    };
    let options =
        Options::new(vec![drop.clone()], out.path().into(), || "2026-11-20T12:00:00+05:30".parse().unwrap());
    batch::watch(
        &options,
        Duration::ZERO,
        &Readers::new,
        Outlets { sender: None, index: None },
        &Progress::Silent,
        Surroundings {
            now: &|| Duration::ZERO,
            wait: &mut wait,
            stop: &stop,
            report: &mut |report| reports.borrow_mut().push(report.failed.join("")),
        },
    )
    .unwrap();
    let told = reports.into_inner();
    assert_eq!(told.len(), 2, "that it is away is told once: {told:?}");
    assert!(told[0].contains("there is no such") && told[1].contains("empty.jpg: is empty"), "{told:?}");
}

#[test]
fn a_wrong_drop_folder_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let within = format!("{folder}/out");
    for (arguments, expected) in [
        (vec!["watch", "/nowhere/at/all", "--out", folder], "there is no such folder"),
        (vec!["watch", folder, "--out", &within], "lies in the drop folder"),
        (vec!["watch", folder], "--out"),
        (vec!["watch", folder, "--out", "/tmp", "--settle=-1"], "a number of seconds"),
        (vec!["watch", folder, "--out", "/tmp", "--settle=soon"], "a number of seconds"),
    ] {
        let output = ingest(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains(expected), "{arguments:?}: {}", said(&output));
    }
}
