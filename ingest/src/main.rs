//! The operator's command line: reads a batch of newspaper pages and publishes what was read.

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};
use index::vocabulary::{Day, Moment};
use ingest::{
    batch::{self, BatchError, Embedded, Extractor, Issue, Options, Outlets, Progress, Report, Sender},
    extract::CONFIDENCE_LINE,
    model::{self, Model, ModelError},
    publish::Portal,
    read::Readers,
};
use std::{fs, io::Write, path::PathBuf, process::ExitCode, sync::Arc, time::Duration};

/// Reads newspaper pages into tender notices, one markdown file each, and publishes them to a portal.
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 all well; 1 some pages failed or were not published, or the model was given up, named in the report; 2 wrong usage."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read a batch: find the notices of each page, read them, write them to a folder, and publish them if asked to
    ///
    /// Pages are PDF, JPEG, PNG or TIFF. In folders named PUBLICATION/DATE/PAGE, such as daily-lanka/2026-11-20/p1.jpg, the
    /// folders tell the newspaper and its issue. Pages that did not change since the last run are skipped; a run that was
    /// interrupted goes on where it stopped.
    Run(Run),
    /// Publish what an earlier run has read: every notice that the portal has not answered for and that does not wait for
    /// review
    Publish(Publish),
}

#[derive(Args)]
struct Run {
    /// Folders of pages, or single pages
    #[arg(required = true, value_name = "BATCH")]
    batches: Vec<PathBuf>,
    /// Folder for the notices: OUT/PUBLICATION/DATE/PAGE-NN.md, each with its clip
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Publish to the portal at this address
    #[arg(long, value_name = "URL")]
    publish: Option<String>,
    #[command(flatten)]
    token: Token,
    /// Put the notices into the search index in this directory, without any portal
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    /// The newspaper, where the folders do not tell
    #[arg(long, value_name = "NAME")]
    publication: Option<String>,
    /// The issue, as 2026-11-20, where the folders do not tell
    #[arg(long, value_name = "DATE")]
    date: Option<Day>,
    /// Publish a notice unseen only if its title, organisation, closing and reference are each read with at least this
    /// confidence, 0 to 1; the others wait for review. 0 lets everything through
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = CONFIDENCE_LINE)]
    confidence_line: f64,
    /// Cores to use [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Tell each event, and the report at the end, as a line of JSON
    #[arg(long)]
    json: bool,
    /// Who reads the notices: the embedded rules alone, or a model after them, behind a server that speaks OpenAI's protocol
    #[arg(long, value_enum, default_value_t)]
    extractor: ExtractorName,
    #[command(flatten, next_help_heading = "Reading with a model (--extractor openai)")]
    model: ModelOptions,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ExtractorName {
    #[default]
    Embedded,
    Openai,
}

/// The key comes from OPENAI_API_KEY alone: a command line can be read by others.
#[derive(Args)]
struct ModelOptions {
    /// The model; it must read pictures and answer by a JSON schema. The key is taken from OPENAI_API_KEY
    #[arg(long, value_name = "NAME", env = "OPENAI_MODEL", default_value = "", hide_default_value = true)]
    model: String,
    /// The server's address
    #[arg(long, value_name = "URL", env = "OPENAI_BASE_URL", default_value = "https://api.openai.com/v1")]
    model_url: String,
    /// Notices asked about at the same time
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=256))]
    model_jobs: u16,
    /// Seconds to wait for an answer; one that is late is asked for again, four times in all
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = clap::value_parser!(u16).range(1..=3600))]
    model_timeout: u16,
    /// The most tokens of an answer, those of thinking included
    #[arg(long, value_name = "N", default_value = "2000", value_parser = clap::value_parser!(u32).range(100..=100_000))]
    model_tokens: u32,
    /// Price of a million tokens sent; 0: unknown
    #[arg(long, value_name = "PRICE", default_value = "0")]
    price_in: f64,
    /// Price of a million tokens answered; 0: unknown
    #[arg(long, value_name = "PRICE", default_value = "0")]
    price_out: f64,
    /// Stop asking before the cost of this run could pass this; the rest is read by the rules alone
    #[arg(long, value_name = "COST")]
    max_cost: Option<f64>,
}

impl ModelOptions {
    fn open(self) -> Result<Extractor, ModelError> {
        let key = std::env::var("OPENAI_API_KEY").unwrap_or_default();
        let settings = model::Settings {
            jobs: self.model_jobs.into(),
            timeout: Duration::from_secs(self.model_timeout.into()),
            most_answered: self.model_tokens,
            prices: model::Prices { input: self.price_in, output: self.price_out },
            max_cost: self.max_cost,
            ..model::Settings::new(&self.model_url, &key, &self.model)?
        };
        Ok(Extractor::Model(Arc::new(Model::new(settings)?)))
    }
}

#[derive(Args)]
struct Publish {
    /// The folder that `run --out` wrote
    out: PathBuf,
    /// The portal's address
    #[arg(long, value_name = "URL")]
    publish: String,
    #[command(flatten)]
    token: Token,
    /// Send what was published before, too; the portal takes the same notice twice without harm
    #[arg(long)]
    all: bool,
    /// Tell each event, and the report at the end, as a line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Token {
    /// File with the operator's token, which `api admin token create` makes
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The operator's token, where no file is given
    #[arg(long = "token", env = "INGEST_TOKEN", hide = true, hide_env_values = true)]
    token: Option<String>,
}

impl Token {
    fn read(&self) -> anyhow::Result<String> {
        let token = match (&self.token_file, &self.token) {
            (Some(path), _) => fs::read_to_string(path).with_context(|| {
                format!("{}: the token cannot be read; check --token-file", path.display())
            })?,
            (None, Some(token)) => token.clone(),
            (None, None) => {
                bail!("publishing needs an operator's token: give --token-file FILE or set INGEST_TOKEN")
            }
        };
        let token = token.trim();
        if token.is_empty() || !token.chars().all(|c| c.is_ascii_graphic()) {
            bail!(
                "the operator's token is empty or has characters that no token has; make one with `api admin token create`"
            );
        }
        Ok(token.to_owned())
    }
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(command) => run(command),
        Command::Publish(command) => publish(&command),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {}", ingest::message::told(error.as_ref()));
            let failed = error.downcast_ref::<BatchError>().is_some_and(|error| !error.is_usage());
            ExitCode::from(if failed { 1 } else { 2 })
        }
    }
}

fn run(command: Run) -> anyhow::Result<bool> {
    let sender = command.publish.as_deref().map(|url| sender(url, &command.token, false)).transpose()?;
    let extractor = match command.extractor {
        ExtractorName::Embedded => Extractor::Embedded,
        ExtractorName::Openai => command.model.open()?,
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        batches: command.batches,
        out: command.out,
        issue: Issue { publication: command.publication, date: command.date },
        jobs: command.jobs.map_or(cores, usize::from),
        confidence_line: command.confidence_line,
        extractor,
    };
    let embedded = command.index.as_deref().map(|directory| Embedded::open(directory, now())).transpose()?;
    let outlets = Outlets { sender: sender.as_ref(), index: embedded.as_ref() };
    let progress = Progress::choose(command.json);
    let report = batch::run(&options, &Readers::new, outlets, &progress);
    progress.finish();
    finish(&report?, command.json)
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it is a number from 0 to 1, such as 0.6".to_owned())
}

#[expect(clippy::disallowed_methods, reason = "the command line is where the wall clock is read")]
fn now() -> Moment {
    Moment::new(jiff::Timestamp::now())
}

fn publish(command: &Publish) -> anyhow::Result<bool> {
    let sender = sender(&command.publish, &command.token, command.all)?;
    let progress = Progress::choose(command.json);
    let report = batch::publish(&command.out, &sender, &progress);
    progress.finish();
    finish(&report?, command.json)
}

fn sender(url: &str, token: &Token, all: bool) -> anyhow::Result<Sender> {
    Ok(Sender::new(Portal::new(url)?, &token.read()?, all)?)
}

fn finish(report: &Report, json: bool) -> anyhow::Result<bool> {
    let text = if json {
        let mut report = serde_json::to_value(report)?;
        if let Some(fields) = report.as_object_mut() {
            fields.insert("event".to_owned(), "report".into());
        }
        format!("{report}\n")
    } else {
        report.to_string()
    };
    // A reader that went away has seen enough.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(report.is_well())
}
