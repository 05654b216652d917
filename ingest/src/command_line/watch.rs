//! `ingest watch`: reads pages as they arrive in a drop folder, until Ctrl-C.

use super::read_args::{Destinations, ReadArgs, print_report};
use anyhow::{Context, bail};
use clap::Args;
use ingest::batch::{self, Issue, Progress, WatchEnvironment};
use notify::{
    Event, EventKind, RecursiveMode, Watcher,
    event::{AccessKind, AccessMode},
};
use std::{
    path::{Path, PathBuf},
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};
use tender_model::vocabulary::Moment;
use tokio::signal::unix::{SignalKind, signal};

/// How long further events are collected after the first event.
const EVENT_DELAY: Duration = Duration::from_millis(200);

#[derive(Args)]
pub(crate) struct Watch {
    /// Drop folder, with the layout of a batch of `run`
    folder: PathBuf,
    /// Output folder, outside the drop folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    destinations: Destinations,
    /// Seconds for which a file must keep its size and modification time before it is read
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = parse_seconds)]
    settle: f64,
    /// Print each event and each report as a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read_args: ReadArgs,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "give a number of seconds from 0 to 3600".to_owned())
}

pub(crate) fn watch(command: Watch, clock: fn() -> Moment) -> anyhow::Result<bool> {
    let Watch { folder, out, destinations, settle, read_args, json } = command;
    if !folder.is_dir() {
        bail!("{}: there is no such folder; create it first", folder.display());
    }
    std::fs::create_dir_all(&out)
        .with_context(|| format!("{}: the output folder cannot be created; choose another", out.display()))?;
    if out.canonicalize()?.starts_with(folder.canonicalize()?) {
        bail!("--out is in the drop folder, and its clips would be read as pages; choose another folder");
    }
    let readers = read_args.readers();
    let options = read_args.options(vec![folder.clone()], out, Issue::default(), clock)?;
    let opened = destinations.open(&options.out, clock)?;
    let (wake, woken) = channel();
    let stop = stop_on_signal(wake.clone())?;
    let _watcher = watch_folder(&folder, wake.clone());
    let started = Instant::now();
    let progress = Progress::choose(json);
    let mut is_success = true;
    let mut reported = Ok(());
    let outcome = batch::watch(
        &options,
        Duration::from_secs_f64(settle),
        &readers,
        opened.sinks(),
        &progress,
        WatchEnvironment {
            now: &|| started.elapsed(),
            wait: &mut |longest| {
                // Copying a file causes many events, which are handled together.
                if woken.recv_timeout(longest).is_ok() {
                    thread::sleep(EVENT_DELAY);
                }
                while woken.try_recv().is_ok() {}
            },
            stop: &stop,
            report: &mut |report| {
                is_success &= report.is_success();
                if let Err(error) = print_report(report, json) {
                    reported = Err(error);
                }
            },
        },
    );
    progress.finish();
    outcome?;
    reported?;
    Ok(is_success)
}

/// Watches the folder for events. Returns `None` if the system supports no events. The folder is
/// then only polled.
fn watch_folder(folder: &Path, wake: Sender<()>) -> Option<impl Watcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        if event.is_ok_and(|event| is_read_access(event.kind)) {
            return;
        }
        let _ = wake.send(());
    })
    .ok()?;
    watcher.watch(folder, RecursiveMode::Recursive).ok()?;
    Some(watcher)
}

/// Whether a file was only read, as this program does.
const fn is_read_access(kind: EventKind) -> bool {
    matches!(kind, EventKind::Access(access) if !matches!(access, AccessKind::Close(AccessMode::Write)))
}

/// Returns a flag that the first Ctrl-C or termination signal sets. The second signal ends the
/// program at once.
fn stop_on_signal(wake: Sender<()>) -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut interrupt, mut terminate) = {
        let _inside = runtime.enter();
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    thread::spawn(move || {
        runtime.block_on(async {
            loop {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
                if stopped.swap(true, Ordering::Relaxed) {
                    process::exit(130);
                }
                eprintln!("ending after the current page; press again to end at once");
                let _ = wake.send(());
            }
        });
    });
    Ok(stop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn reading_files_does_not_wake_the_watch() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("p1.jpg"), "a page").unwrap();
        let (wake, woken) = channel();
        let watcher = watch_folder(folder.path(), wake).unwrap();
        for _ in 0..100 {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
            fs::read(folder.path().join("p1.jpg")).unwrap();
        }
        fs::write(folder.path().join("p2.jpg"), "another one").unwrap();
        // Events arrive in order. After the watcher is dropped, none arrives.
        woken.recv().unwrap();
        fs::remove_file(folder.path().join("p2.jpg")).unwrap();
        drop(watcher);
        let events = 1 + woken.iter().count();
        assert!(events < 20, "{events}");
    }
}
