//! A model that is asked about notices, and the account of what was asked.

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
use index::{tender::Tender, vocabulary::Day};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};
use tokio::{runtime::Runtime, sync::Semaphore};

/// So many calls in a row that fail by the server's fault end the asking.
const FAILURES_IN_A_ROW: usize = 5;

/// Notices and tokens that a page of notices was measured to take, for an estimate before anything is read.
const USUAL_NOTICES: u64 = 21;

const USUAL_TOKENS: Tokens = Tokens { input: 2200, output: 700 };

/// What asking came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageReport {
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
    pub counts: ReconcileCounts,
    /// Tokens of all calls.
    pub tokens: Tokens,
    /// Their cost, where prices are known.
    pub cost: Option<f64>,
    /// Why asking was given up, and what to do.
    pub stopped: Option<&'static str>,
}

/// A model, and what was asked of it so far.
pub struct Model {
    settings: ModelSettings,
    caller: ChatClient,
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
    counts: ReconcileCounts,
    failures_in_a_row: usize,
    stopped: Option<ModelFailure>,
}

/// An answer that was read, and not yet weighed.
#[derive(Debug, Clone)]
pub struct ModelReading(ModelResponse);

impl Model {
    /// A model ready to be asked; nothing is sent yet.
    ///
    /// # Errors
    /// Where prices contradict each other, or this machine has no means to send anything.
    pub fn new(settings: ModelSettings) -> Result<Self, ModelError> {
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
            caller: ChatClient::new(&settings)?,
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
    pub fn ask(&self, prompts: &[Prompt]) -> Vec<Result<ModelReading, ModelFailure>> {
        let all = prompts.iter().map(|prompt| self.ask_one(prompt));
        self.runtime.block_on(futures::future::join_all(all))
    }

    async fn ask_one(&self, prompt: &Prompt) -> Result<ModelReading, ModelFailure> {
        // The places are never closed.
        let _place = self.places.acquire().await;
        let outcome = if self.state().stopped.is_some() {
            Err(ModelFailure::GivenUp)
        } else {
            self.caller.ask(prompt, &self.budget).await
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
                } else if failure != ModelFailure::GivenUp && failure != ModelFailure::OverBudget {
                    state.failures_in_a_row = 0;
                }
                if failure.is_final() || state.failures_in_a_row >= FAILURES_IN_A_ROW {
                    state.stopped.get_or_insert(failure);
                }
            }
        }
        outcome.map(ModelReading)
    }

    /// Lays a reading beside the rules' one. `gazetteer`, `issue` and `legibility` are as they were to the rules.
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

    /// What asking came to so far.
    #[must_use]
    pub fn account(&self) -> UsageReport {
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

    fn state(&self) -> MutexGuard<'_, State> {
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
