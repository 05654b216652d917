//! `ingest work`.

use super::{
    print_line,
    read_args::{ReadArgs, TokenArgs, both},
};
use clap::Args;
use ingest::batch::{Issue, Worker, WorkerEvent, WorkerReport};
use std::{path::PathBuf, process, sync::Arc, thread};
use tender_model::{
    terminal_text::{counted, single_line},
    vocabulary::Moment,
};
use tokio::signal::unix::{SignalKind, signal};

#[derive(Args)]
pub(crate) struct Work {
    /// URL of the portal
    #[arg(long, value_name = "URL", env = "INGEST_PORTAL")]
    portal: String,
    #[command(flatten)]
    token: TokenArgs,
    /// Name of the worker, which operators see on the portal [default: the name of this machine]
    #[arg(long, value_name = "NAME", env = "INGEST_NAME")]
    name: Option<String>,
    /// End when no page waits
    #[arg(long)]
    once: bool,
    /// Print each event and the final report as a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read_args: ReadArgs,
}

pub(crate) fn work(command: Work, clock: fn() -> Moment) -> anyhow::Result<bool> {
    let Work { portal, token, name, once, json, read_args } = command;
    let readers = read_args.readers();
    let options = read_args.options(Vec::new(), PathBuf::new(), Issue::default(), clock);
    let (options, (portal, token)) = both(options, token.open_portal(&portal))?;
    let name = name.unwrap_or_else(machine_name);
    let worker = Arc::new(Worker::new(portal, &token, name)?);
    stop_on_signal(Arc::clone(&worker))?;
    let report = |event: &WorkerEvent<'_>| match serde_json::to_string(event) {
        Ok(line) if json => print_line(line),
        _ => eprintln!("{}", in_words(event)),
    };
    let WorkerReport { read, failed } = worker.run(&options, &readers, once, &report)?;
    if json {
        print_line(serde_json::json!({"event": "report", "read": read, "failed": failed}));
    } else {
        print_line(format!("Pages      {read} read, {failed} failed"));
    }
    Ok(failed == 0)
}

fn in_words(event: &WorkerEvent<'_>) -> String {
    let page = |file: &str, page: u32| format!("{}, page {page}", single_line(file));
    match event {
        WorkerEvent::Taken { file, page: number } => format!("{}: reading", page(file, *number)),
        WorkerEvent::Read { file, page: number, published, waiting, refused, others } => format!(
            "{}: read; {} published, {waiting} waiting, {refused} refused, {}",
            page(file, *number),
            counted(*published, "notice"),
            counted(*others, "other block")
        ),
        WorkerEvent::Failed { file, page: number, message } => {
            format!("! {}: {}", page(file, *number), single_line(message))
        }
        WorkerEvent::Lost { file, page: number } => {
            format!("{}: the lease was lost; another worker reads the page", page(file, *number))
        }
        WorkerEvent::TokenExpires { at } => format!(
            "! the portal refuses the token from {at}; create a new one with `api admin token create NAME`, and restart the worker with it"
        ),
        WorkerEvent::Away { message } => format!("! {}; waiting for the portal", single_line(message)),
    }
}

/// The name of this machine, or `worker` if it is unknown.
fn machine_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name: String = single_line(name.trim()).chars().take(100).collect();
    if name.is_empty() { "worker".to_owned() } else { name }
}

/// Gives the pages back and ends the program on Ctrl-C or a termination signal.
fn stop_on_signal(worker: Arc<Worker>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut interrupt, mut terminate) = {
        let _inside = runtime.enter();
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    thread::spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        });
        eprintln!("giving the pages back");
        worker.stop();
        process::exit(0);
    });
    Ok(())
}
