//! Reading a notice with a model behind an OpenAI-compatible server, beside the embedded rules of [`crate::extract`], which always
//! come first. A model is asked about one notice at a time, its answer is untrusted, and whatever goes wrong with it, the
//! rules' reading stands. Which notices are asked about, and what is recorded of it, is the batch's.

mod budget;
mod client;
mod failure;
mod prompt;
mod reconcile;
mod response;

pub use budget::{Prices, Tokens};
pub use client::ATTEMPTS;
pub use failure::Failure;
pub use prompt::Question;
pub use reconcile::Weighed;

use crate::extract::{Gazetteer, Printed};
use budget::Budget;
use client::Caller;
use index::{tender::Tender, vocabulary::Day};
use reqwest::Url;
use response::Answer;
use secrecy::SecretString;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{runtime::Runtime, sync::Semaphore};

/// Raised whenever the question changes, or what is believed of an answer, so that pages are read again.
pub const VERSION: u32 = 1;
/// So many calls in a row that fail by the server's fault end the asking.
const FAILURES_IN_A_ROW: usize = 5;
/// Notices and tokens that a page of notices was measured to take, for an estimate before anything is read.
const USUAL_NOTICES: u64 = 21;
const USUAL_TOKENS: Tokens = Tokens { input: 2200, output: 700 };

/// Which model, where, and how patient and thrifty to be.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The server's base address: requests go to `chat/completions` below it.
    pub url: Url,
    /// The key.
    pub key: SecretString,
    /// The model's name.
    pub model: String,
    /// Questions on their way at the same time.
    pub jobs: usize,
    /// For each attempt at an answer, from start to end.
    pub timeout: Duration,
    /// Before the second attempt; doubled before each further one.
    pub first_wait: Duration,
    /// The server's own wish to wait is not heeded beyond this.
    pub longest_wait: Duration,
    /// The most tokens of an answer.
    pub most_answered: u32,
    /// What tokens cost.
    pub prices: Prices,
    /// What all calls together may cost, in the prices' currency.
    pub max_cost: Option<f64>,
}

/// Why no model can be asked: what is wrong and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// No key.
    #[error("reading with a model needs a key: set OPENAI_API_KEY, or choose --extractor embedded")]
    NoKey,
    /// The key can be none.
    #[error("OPENAI_API_KEY has characters that no key has; set it to the key alone")]
    Key,
    /// No model.
    #[error("reading with a model needs its name: set OPENAI_MODEL or give --model NAME")]
    NoModel,
    /// The name can be none.
    #[error("OPENAI_MODEL or --model is no name of a model; give it as the server lists it")]
    Model,
    /// No address.
    #[error("OPENAI_BASE_URL or --model-url is no address; write it as https://host/v1")]
    Url,
    /// A price or a cost that is none.
    #[error("prices and --max-cost are numbers from 0 up, such as 0.15")]
    Price,
    /// A bound on what has no price.
    #[error("--max-cost needs --price-in or --price-out: without prices no cost is known")]
    Unpriced,
    /// Nothing can be sent at all.
    #[error("no connections can be made on this machine; choose --extractor embedded")]
    Client,
}

impl Settings {
    /// Settings with the usual patience, and no prices.
    ///
    /// # Errors
    /// Where the address, the key or the name can be none.
    pub fn new(url: &str, key: &str, model: &str) -> Result<Self, ModelError> {
        let is_plain = |text: &str| text.len() <= 512 && text.chars().all(|c| c.is_ascii_graphic());
        let (key, model) = (key.trim(), model.trim());
        if key.is_empty() {
            return Err(ModelError::NoKey);
        }
        if model.is_empty() {
            return Err(ModelError::NoModel);
        }
        if !is_plain(key) {
            return Err(ModelError::Key);
        }
        if !is_plain(model) {
            return Err(ModelError::Model);
        }
        let url: Url = url.trim().parse().map_err(|_| ModelError::Url)?;
        // A query would end up in the midst of the calls' addresses.
        if !matches!(url.scheme(), "http" | "https") || url.query().is_some() || url.fragment().is_some() {
            return Err(ModelError::Url);
        }
        Ok(Self {
            url,
            key: key.into(),
            model: model.to_owned(),
            jobs: 4,
            timeout: Duration::from_secs(120),
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
            most_answered: 2000,
            prices: Prices::default(),
            max_cost: None,
        })
    }
}

/// What asking came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// The model's name.
    pub model: String,
    /// Notices that it was to read.
    pub notices: usize,
    /// Notices that it read.
    pub read: usize,
    /// Notices where the rules' reading stands alone, by why.
    pub kept: BTreeMap<&'static str, usize>,
    /// What became of its values.
    #[serde(flatten)]
    pub weighed: Weighed,
    /// Tokens of all calls.
    pub tokens: Tokens,
    /// Their cost, where prices are known.
    pub cost: Option<f64>,
    /// Why asking was given up, and what to do.
    pub stopped: Option<&'static str>,
}

/// A model, and what was asked of it so far.
pub struct Model {
    settings: Settings,
    caller: Caller,
    budget: Budget,
    places: Semaphore,
    runtime: Runtime,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    notices: usize,
    read: usize,
    kept: BTreeMap<&'static str, usize>,
    weighed: Weighed,
    failures_in_a_row: usize,
    stopped: Option<Failure>,
}

/// An answer that was read, and not yet weighed.
#[derive(Debug, Clone)]
pub struct Reading(Answer);

impl Model {
    /// A model ready to be asked; nothing is sent yet.
    ///
    /// # Errors
    /// Where prices contradict each other, or this machine has no means to send anything.
    pub fn new(settings: Settings) -> Result<Self, ModelError> {
        let Prices { input, output } = settings.prices;
        let is_price = |number: f64| number.is_finite() && number >= 0.0;
        if ![input, output, settings.max_cost.unwrap_or_default()].into_iter().all(is_price) {
            return Err(ModelError::Price);
        }
        if settings.max_cost.is_some() && settings.prices.of(Tokens::default()).is_none() {
            return Err(ModelError::Unpriced);
        }
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).enable_all().build().map_err(|_| ModelError::Client)?;
        Ok(Self {
            caller: Caller::new(&settings)?,
            budget: Budget::new(settings.prices, settings.max_cost),
            places: Semaphore::new(settings.jobs.clamp(1, 256)),
            runtime,
            state: Mutex::default(),
            settings,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.settings.model
    }

    /// What a batch of so many pages takes, where each is as full of notices as was measured, and what that costs.
    #[must_use]
    pub fn estimate(&self, pages: usize) -> (Tokens, Option<f64>) {
        let notices = USUAL_NOTICES.saturating_mul(pages as u64);
        let tokens = Tokens {
            input: notices.saturating_mul(USUAL_TOKENS.input),
            output: notices.saturating_mul(USUAL_TOKENS.output),
        };
        (tokens, self.settings.prices.of(tokens))
    }

    /// Asks about notices side by side, and waits for all of them. Answers come in the questions' order.
    pub fn ask(&self, questions: &[Question]) -> Vec<Result<Reading, Failure>> {
        let all = questions.iter().map(|question| self.ask_one(question));
        self.runtime.block_on(futures::future::join_all(all))
    }

    async fn ask_one(&self, question: &Question) -> Result<Reading, Failure> {
        // The places are never closed.
        let _place = self.places.acquire().await;
        let outcome = if self.state().stopped.is_some() {
            Err(Failure::GivenUp)
        } else {
            self.caller.ask(question, &self.budget).await
        };
        let mut state = self.state();
        state.notices += 1;
        match outcome {
            Ok(_) => {
                state.read += 1;
                state.failures_in_a_row = 0;
            }
            Err(failure) => {
                *state.kept.entry(failure.words()).or_default() += 1;
                if failure.is_of_the_server() {
                    state.failures_in_a_row += 1;
                } else if failure != Failure::GivenUp && failure != Failure::OverBudget {
                    state.failures_in_a_row = 0;
                }
                if failure.is_final() || state.failures_in_a_row >= FAILURES_IN_A_ROW {
                    state.stopped.get_or_insert(failure);
                }
            }
        }
        outcome.map(Reading)
    }

    /// Lays a reading beside the rules' one. `gazetteer`, `issue` and `legibility` are as they were to the rules.
    pub fn weigh(
        &self,
        gazetteer: &Gazetteer,
        tender: &mut Tender,
        reading: Reading,
        printed: &Printed,
        issue: Option<Day>,
        legibility: f64,
    ) {
        let weighed = reconcile::weigh(self.name(), gazetteer, tender, reading.0, printed, issue, legibility);
        self.state().weighed += weighed;
    }

    /// What asking came to so far.
    #[must_use]
    pub fn account(&self) -> Account {
        let (tokens, cost) = self.budget.spent();
        let state = self.state();
        Account {
            model: self.settings.model.clone(),
            notices: state.notices,
            read: state.read,
            kept: state.kept.clone(),
            weighed: state.weighed,
            tokens,
            cost,
            stopped: state.stopped.map(Failure::advice),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Model").field("name", &self.settings.model).finish_non_exhaustive()
    }
}

impl fmt::Display for Account {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Weighed { confirmed, added, disputed, unprinted } = self.weighed;
        write!(out, "Model      {} read {} of {} notices: ", self.model, self.read, self.notices)?;
        writeln!(
            out,
            "{confirmed} values confirmed, {added} added, {disputed} disputed, {unprinted} not printed"
        )?;
        if !self.kept.is_empty() {
            let kept: usize = self.kept.values().sum();
            let why = self.kept.iter().map(|(why, count)| format!("{count} {why}"));
            writeln!(out, "  {kept} as the rules read them: {}", why.collect::<Vec<_>>().join(", "))?;
        }
        if let Some(stopped) = self.stopped {
            writeln!(out, "  ! asking was given up: {stopped}")?;
        }
        let cost = self.cost.map_or_else(|| "no prices given".to_owned(), |cost| format!("cost {cost:.4}"));
        writeln!(out, "Tokens     {} sent, {} answered, {cost}", self.tokens.input, self.tokens.output)
    }
}
