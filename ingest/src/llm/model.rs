//! [`Model`] sends requests for notices and counts their outcomes.

use super::{
    budget::{Budget, Prices, Tokens},
    client::ChatClient,
    failure::ModelFailure,
    prompt::Prompt,
    reconcile::{self, ReconcileCounts},
    response::ModelResponse,
    settings::{ModelError, ModelSettings},
};
use crate::extract::{Gazetteer, Printed};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};
use tender_model::{tender::Tender, terminal_text::counted, vocabulary::Day};
use tokio::{runtime::Runtime, sync::Semaphore};

/// After this many consecutive server failures, no further requests are sent.
const MAX_CONSECUTIVE_FAILURES: usize = 5;

/// The measured average number of notices per page, for the estimate before a run.
const NOTICES_PER_PAGE: u64 = 21;

/// The measured average number of tokens per notice.
const TOKENS_PER_NOTICE: Tokens = Tokens { input: 2200, output: 700 };

/// The outcome of all requests.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageReport {
    /// The model's name.
    pub model: String,
    /// Notices that were given to the model.
    pub notices: usize,
    /// Notices that the model read.
    pub read: usize,
    /// Notices that the model did not read, by reason.
    pub kept: BTreeMap<&'static str, usize>,
    /// How the values of the model were reconciled.
    #[serde(flatten)]
    pub counts: ReconcileCounts,
    /// The tokens of all requests.
    pub tokens: Tokens,
    /// The cost, if prices are known.
    pub cost: Option<f64>,
    /// Why requests were stopped, and what to do.
    pub stopped: Option<&'static str>,
}

/// A model and the state of its requests.
pub struct Model {
    settings: ModelSettings,
    client: ChatClient,
    budget: Budget,
    permits: Semaphore,
    runtime: Runtime,
    state: Mutex<RequestState>,
}

#[derive(Default)]
struct RequestState {
    notices: usize,
    read: usize,
    kept: BTreeMap<&'static str, usize>,
    counts: ReconcileCounts,
    consecutive_failures: usize,
    stopped: Option<ModelFailure>,
}

/// A valid answer that is not reconciled yet.
#[derive(Debug, Clone)]
pub struct ModelReading(ModelResponse);

impl Model {
    /// Creates a model. Nothing is sent yet.
    ///
    /// # Errors
    /// If a price or the cost limit is invalid, if there is a cost limit without prices, or if no
    /// HTTP client can be created.
    pub fn new(settings: ModelSettings) -> Result<Self, ModelError> {
        let Prices { input, output } = settings.prices;
        let is_price = |number: f64| number.is_finite() && number >= 0.0;
        if ![input, output, settings.max_cost.unwrap_or_default()].into_iter().all(is_price) {
            return Err(ModelError::Price);
        }
        if settings.max_cost.is_some() && settings.prices.cost_of(Tokens::default()).is_none() {
            return Err(ModelError::Unpriced);
        }
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).enable_all().build().map_err(|_| ModelError::Client)?;
        Ok(Self {
            client: ChatClient::new(&settings)?,
            budget: Budget::new(settings.prices, settings.max_cost),
            permits: Semaphore::new(settings.jobs.clamp(1, 256)),
            runtime,
            state: Mutex::default(),
            settings,
        })
    }

    /// The name of the model.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.settings.model
    }

    /// Estimates the tokens and the cost of a number of pages by the measured averages.
    #[must_use]
    pub fn estimate(&self, pages: usize) -> (Tokens, Option<f64>) {
        let notices = NOTICES_PER_PAGE.saturating_mul(pages as u64);
        let tokens = Tokens {
            input: notices.saturating_mul(TOKENS_PER_NOTICE.input),
            output: notices.saturating_mul(TOKENS_PER_NOTICE.output),
        };
        (tokens, self.settings.prices.cost_of(tokens))
    }

    /// Sends requests concurrently and waits for all of them. Results come in the order of the
    /// prompts.
    pub fn ask(&self, prompts: &[Prompt]) -> Vec<Result<ModelReading, ModelFailure>> {
        let all = prompts.iter().map(|prompt| self.ask_one(prompt));
        self.runtime.block_on(futures::future::join_all(all))
    }

    async fn ask_one(&self, prompt: &Prompt) -> Result<ModelReading, ModelFailure> {
        // The semaphore is never closed.
        let _permit = self.permits.acquire().await;
        let outcome = if self.state().stopped.is_some() {
            Err(ModelFailure::Stopped)
        } else {
            self.client.ask(prompt, &self.budget).await
        };
        let mut state = self.state();
        state.notices += 1;
        match outcome {
            Ok(_) => {
                state.read += 1;
                state.consecutive_failures = 0;
            }
            Err(failure) => {
                *state.kept.entry(failure.label()).or_default() += 1;
                if failure.is_server_failure() {
                    state.consecutive_failures += 1;
                } else if failure != ModelFailure::Stopped && failure != ModelFailure::OverBudget {
                    state.consecutive_failures = 0;
                }
                if failure.is_final() || state.consecutive_failures >= MAX_CONSECUTIVE_FAILURES {
                    state.stopped.get_or_insert(failure);
                }
            }
        }
        outcome.map(ModelReading)
    }

    /// Reconciles a reading with the values that the rules read in `printed`. `gazetteer`, `issue`
    /// and `legibility` must be the same as for the rules.
    pub fn reconcile(
        &self,
        gazetteer: &Gazetteer,
        tender: &mut Tender,
        reading: ModelReading,
        printed: &Printed,
        issue: Option<Day>,
        legibility: f64,
    ) {
        let counts =
            reconcile::reconcile(self.name(), gazetteer, tender, reading.0, printed, issue, legibility);
        self.state().counts += counts;
    }

    /// The outcome of all requests so far.
    #[must_use]
    pub fn usage_report(&self) -> UsageReport {
        let (tokens, cost) = self.budget.spent();
        let state = self.state();
        UsageReport {
            model: self.settings.model.clone(),
            notices: state.notices,
            read: state.read,
            kept: state.kept.clone(),
            counts: state.counts,
            tokens,
            cost,
            stopped: state.stopped.map(ModelFailure::advice),
        }
    }

    fn state(&self) -> MutexGuard<'_, RequestState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Model").field("name", &self.settings.model).finish_non_exhaustive()
    }
}

impl fmt::Display for UsageReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReconcileCounts { confirmed, added, disputed, unprinted } = self.counts;
        write!(out, "Model      {} read {} of {}: ", self.model, self.read, counted(self.notices, "notice"))?;
        writeln!(
            out,
            "{} confirmed, {added} added, {disputed} disputed, {unprinted} not printed",
            counted(confirmed, "value")
        )?;
        if !self.kept.is_empty() {
            let kept: usize = self.kept.values().sum();
            let why = self.kept.iter().map(|(why, count)| format!("{count} {why}"));
            writeln!(out, "  {kept} with the rules only: {}", why.collect::<Vec<_>>().join(", "))?;
        }
        if let Some(stopped) = self.stopped {
            writeln!(out, "  ! requests were stopped: {stopped}")?;
        }
        let cost = self.cost.map_or_else(|| "no prices given".to_owned(), |cost| format!("cost {cost:.4}"));
        writeln!(out, "Tokens     {} sent, {} answered, {cost}", self.tokens.input, self.tokens.output)
    }
}
