//! Arguments of `run`, `retry`, `watch` and `work`: how pages are read and where notices go.

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use ingest::{
    batch::{Extractor, Issue, LocalIndex, Options, Progress, PublicationRule, Report, Sender, Sinks},
    extract::{CONFIDENCE_THRESHOLD, Gazetteer},
    llm::{self, Model, ModelError},
    ocr::{OcrError, Readers, Tesseract},
    portal_client::Portal,
};
use settings::transport;
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tender_model::{
    terminal_text::{error_chain, single_line},
    vocabulary::Moment,
};

/// How pages are read.
#[derive(Args)]
pub(crate) struct ReadArgs {
    /// Confidence threshold, from 0 to 1. A field below the threshold is doubtful and is published
    /// with a mark. Any other field is certain. With 0, every field is certain
    #[arg(
        long = "confidence-line",
        env = "INGEST_CONFIDENCE_LINE",
        value_name = "SHARE",
        value_parser = parse_share,
        default_value_t = CONFIDENCE_THRESHOLD
    )]
    confidence_threshold: f64,
    /// Hold a notice for review if its title, organisation or closing date is doubtful or missing,
    /// or if its reference is doubtful
    #[arg(long, env = "INGEST_HOLD_DOUBTFUL")]
    hold_doubtful: bool,
    /// Number of cores [default: all]. At most two pages are in memory, regardless of the number of
    /// cores
    #[arg(long, env = "INGEST_JOBS", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Time limit for the text recognition of one clip, in seconds. A page with a slower clip fails
    #[arg(long, env = "INGEST_CLIP_TIMEOUT", value_name = "SECONDS", default_value = "180", value_parser = clap::value_parser!(u16).range(1..))]
    clip_timeout: u16,
    /// File with further organisations, districts and towns. Each line has English names, acronyms,
    /// Sinhala names, Tamil names and type, separated by tabs. `ingest learn` writes lines in this
    /// format. Pages that were read with another file are read again
    #[arg(long, env = "INGEST_GAZETTEER", value_name = "FILE")]
    gazetteer: Option<PathBuf>,
    /// How notices are read: with the built-in rules only, or also with a model behind an
    /// OpenAI-compatible server
    #[arg(long, env = "INGEST_EXTRACTOR", value_enum, default_value_t)]
    extractor: ExtractorName,
    #[command(flatten, next_help_heading = "Reading with a model (--extractor openai)")]
    model: ModelArgs,
}

impl ReadArgs {
    /// A function that creates the readers.
    pub(crate) fn readers(&self) -> impl Fn() -> Result<Readers, OcrError> + Sync + use<> {
        let time = Duration::from_secs(self.clip_timeout.into());
        move || Ok(Readers::with(Tesseract::new()?.with_time_limit(time)))
    }

    /// The options of a batch.
    pub(crate) fn options(
        self,
        batches: Vec<PathBuf>,
        out: PathBuf,
        issue: Issue,
        clock: fn() -> Moment,
    ) -> anyhow::Result<Options> {
        let extractor = match self.extractor {
            ExtractorName::Embedded => Extractor::Embedded,
            ExtractorName::Openai => self.model.open_model()?,
        };
        Ok(Options {
            issue,
            jobs: super::cores(self.jobs),
            rule: PublicationRule {
                confidence_threshold: self.confidence_threshold,
                hold_doubtful: self.hold_doubtful,
            },
            extractor,
            gazetteer: Arc::new(gazetteer(self.gazetteer.as_deref())?),
            ..Options::new(batches, out, clock)
        })
    }
}

/// The built-in gazetteer, with the operator's file if there is one.
pub(crate) fn gazetteer(file: Option<&Path>) -> anyhow::Result<Gazetteer> {
    match file {
        None => Ok(Gazetteer::built_in().clone()),
        Some(path) => Gazetteer::read(path).with_context(|| path.display().to_string()),
    }
}

/// Where notices go besides the output folder.
#[derive(Args)]
pub(crate) struct Destinations {
    /// Publish to the portal at this URL
    #[arg(long, value_name = "URL")]
    publish: Option<String>,
    #[command(flatten)]
    token: TokenArgs,
    /// Keep a search index of the output folder in this directory, without a portal. Repeated
    /// notices are merged and corrigenda are applied
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
}

/// The opened portal and local index, if they were requested.
pub(crate) struct OpenSinks {
    sender: Option<Sender>,
    index: Option<LocalIndex>,
}

impl Destinations {
    /// Opens the sinks for an output folder. `clock` gives the publication time of notices that are
    /// new to the index.
    pub(crate) fn open(&self, out: &Path, clock: fn() -> Moment) -> anyhow::Result<OpenSinks> {
        let sender = self.publish.as_deref().map(|url| sender(url, &self.token, false)).transpose()?;
        let index =
            self.index.as_deref().map(|directory| LocalIndex::open(directory, out, clock)).transpose()?;
        Ok(OpenSinks { sender, index })
    }
}

impl OpenSinks {
    pub(crate) fn sinks(&self) -> Sinks<'_> {
        Sinks { sender: self.sender.as_ref(), index: self.index.as_ref() }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ExtractorName {
    #[default]
    Embedded,
    Openai,
}

#[derive(Args)]
struct ModelArgs {
    /// Name of the model. The model must accept images and support JSON schema output. The API key
    /// is read from OPENAI_API_KEY
    #[arg(long, value_name = "NAME", env = "OPENAI_MODEL", default_value = "", hide_default_value = true)]
    model: String,
    /// URL of the model's server
    #[arg(long, value_name = "URL", env = "OPENAI_BASE_URL", default_value = "https://api.openai.com/v1")]
    model_url: String,
    /// The API key of the model. The option is hidden, because other users can see command lines
    #[arg(long, value_name = "KEY", env = "OPENAI_API_KEY", hide = true, hide_env_values = true)]
    model_key: Option<String>,
    /// Maximum number of concurrent requests to the model
    #[arg(long, env = "INGEST_MODEL_JOBS", value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=256))]
    model_jobs: u16,
    /// Timeout of a request to the model, in seconds. A request is tried at most four times
    #[arg(long, env = "INGEST_MODEL_TIMEOUT", value_name = "SECONDS", default_value = "120", value_parser = clap::value_parser!(u16).range(1..=3600))]
    model_timeout: u16,
    /// Maximum number of output tokens per response of the model, including reasoning
    #[arg(long, env = "INGEST_MODEL_TOKENS", value_name = "N", default_value = "2000", value_parser = clap::value_parser!(u32).range(100..=100_000))]
    model_tokens: u32,
    /// Price per million input tokens; 0 if unknown
    #[arg(long, env = "INGEST_PRICE_IN", value_name = "PRICE", default_value = "0")]
    price_in: f64,
    /// Price per million output tokens; 0 if unknown
    #[arg(long, env = "INGEST_PRICE_OUT", value_name = "PRICE", default_value = "0")]
    price_out: f64,
    /// Cost limit of the run. If another request could exceed the limit, the remaining notices are
    /// read with the rules only
    #[arg(long, env = "INGEST_MAX_COST", value_name = "COST")]
    max_cost: Option<f64>,
}

impl ModelArgs {
    fn open_model(self) -> Result<Extractor, ModelError> {
        let key = self.model_key.unwrap_or_default();
        warn_if_insecure("the API key and the notices go to the model", &self.model_url);
        let settings = llm::ModelSettings {
            jobs: self.model_jobs.into(),
            timeout: Duration::from_secs(self.model_timeout.into()),
            max_output_tokens: self.model_tokens,
            prices: llm::Prices { input: self.price_in, output: self.price_out },
            max_cost: self.max_cost,
            ..llm::ModelSettings::new(&self.model_url, &key, &self.model)?
        };
        Ok(Extractor::Model(Arc::new(Model::new(settings)?)))
    }
}

#[derive(Args)]
pub(crate) struct TokenArgs {
    /// The operator's token from `api admin token create`. The option is hidden, because other users can
    /// see command lines
    #[arg(long, value_name = "TOKEN", env = "INGEST_TOKEN", hide = true, hide_env_values = true)]
    token: Option<String>,
}

impl TokenArgs {
    /// The token.
    pub(crate) fn read(&self) -> anyhow::Result<String> {
        let Some(token) = &self.token else {
            bail!("the portal needs an operator's token: give --token-file FILE or set INGEST_TOKEN")
        };
        let token = token.trim();
        if token.is_empty() || !token.chars().all(|c| c.is_ascii_graphic()) {
            bail!(
                "the operator's token is empty or has invalid characters; create one with `api admin token create`"
            );
        }
        Ok(token.to_owned())
    }

    /// Opens the portal at this URL. Returns the portal and the token.
    pub(crate) fn open_portal(&self, url: &str) -> anyhow::Result<(Portal, String)> {
        let (portal, token) = both(Portal::new(url).map_err(Into::into), self.read())?;
        warn_if_insecure("the operator's token goes to the portal", url);
        Ok((portal, token))
    }
}

/// Returns both values. If both are wrong, both errors are reported together.
pub(crate) fn both<A, B>(one: anyhow::Result<A>, other: anyhow::Result<B>) -> anyhow::Result<(A, B)> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(one), Err(other)) => {
            bail!("{}\nerror: {}", error_chain(one.as_ref()), error_chain(other.as_ref()))
        }
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}

/// Warns if this URL sends secrets over the network without TLS.
fn warn_if_insecure(what: &str, url: &str) {
    if transport::is_insecure(url) {
        eprintln!("warning: {what} without TLS: {}; use an https:// URL", single_line(url));
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "give a number from 0 to 1, such as 0.6".to_owned())
}

pub(crate) fn sender(url: &str, token: &TokenArgs, all: bool) -> anyhow::Result<Sender> {
    let (portal, token) = token.open_portal(url)?;
    Ok(Sender::new(portal, &token, all)?)
}

/// Runs a command with progress output and prints its report. Returns whether it succeeded.
pub(crate) fn run_and_report<E>(
    json: bool,
    work: impl FnOnce(&Progress) -> Result<Report, E>,
) -> anyhow::Result<bool>
where
    anyhow::Error: From<E>,
{
    let progress = Progress::choose(json);
    let report = work(&progress);
    progress.finish();
    let report = report?;
    print_report(&report, json)?;
    Ok(report.is_success())
}

/// Prints a report, as text or as a line of JSON.
pub(crate) fn print_report(report: &Report, json: bool) -> anyhow::Result<()> {
    let text = if json {
        let mut report = serde_json::to_value(report)?;
        if let Some(fields) = report.as_object_mut() {
            fields.insert("event".to_owned(), "report".into());
        }
        format!("{report}\n")
    } else {
        report.to_string()
    };
    // A closed pipe is ignored.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(())
}
