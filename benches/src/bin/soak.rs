//! Kills the processes of a portal at random while users work with it: `soak --help`. The library
//! does the work.

use anyhow::{Context, Result};
use benches::soak::{self, SoakPlan, SoakReport, chaos::Attack, layout::Layout, sink};
use clap::{Parser, Subcommand};
use std::{fs, net::SocketAddr, path::PathBuf, process::ExitCode, time::Duration};

/// Runs a portal with random traffic, kills its processes at random, and then checks that nothing
/// was lost and nothing was done twice. Prints a table. Exit code 1: something was lost or doubled,
/// or the run failed.
#[derive(Parser)]
#[command(name = "soak", args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Internal>,
    /// How long the processes are killed, in minutes
    #[arg(long, value_name = "MINUTES", default_value_t = 10)]
    minutes: u64,
    /// The seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The processes of the portal
    #[arg(long, value_enum, default_value_t = Layout::One)]
    layout: Layout,
    /// A kind of attack. The run then has no others; several can be given
    #[arg(long, value_enum, value_name = "ATTACK")]
    only: Vec<Attack>,
    /// The folder of the programs `api` and `ingest` [default: the folder of this program]
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// The folder of the ledger, the logs and the data, which must not exist
    #[arg(long, value_name = "DIR", default_value = "target/soak")]
    folder: PathBuf,
}

/// The parts of a run that are processes of their own.
#[derive(Subcommand)]
enum Internal {
    /// The mail server of a run
    #[command(hide = true)]
    MailServer { address: SocketAddr, file: PathBuf, trap: PathBuf },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Some(Internal::MailServer { address, file, trap }) => {
            sink::serve(address, &file, &trap).map(|()| true)
        }
        None => run(&arguments),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("soak: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let own = std::env::current_exe().context("the path of this program is unknown")?;
    let beside = own.parent().context("this program has no folder")?.to_owned();
    let plan = SoakPlan {
        programs: arguments.programs.clone().unwrap_or(beside),
        folder: arguments.folder.clone(),
        duration: Duration::from_secs(arguments.minutes * 60),
        seed: arguments.seed,
        layout: arguments.layout,
        only: arguments.only.clone(),
    };
    let report = tokio::runtime::Runtime::new()?.block_on(soak::run(&plan))?;
    fs::write(plan.folder.join("report.json"), serde_json::to_string_pretty(&report)?)?;
    print(&report);
    if !report.is_clean() {
        eprintln!("soak: the ledger and the logs are in {}", plan.folder.display());
    }
    Ok(report.is_clean())
}

fn print(report: &SoakReport) {
    println!("{report}");
}
