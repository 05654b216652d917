//! Reading a notice with a model behind an OpenAI-compatible server, beside the embedded rules of [`crate::extract`], which always
//! come first. A model is asked about one notice at a time, its answer is untrusted, and whatever goes wrong with it, the
//! rules' reading stands. Which notices are asked about, and what is recorded of it, is the batch's.

mod budget;
mod client;
mod failure;
mod model;
mod prompt;
mod reconcile;
mod response;
mod settings;

pub use budget::{Prices, Tokens};
pub use client::ATTEMPTS;
pub use failure::ModelFailure;
pub use model::{Model, ModelReading, UsageReport};
pub use prompt::{Prompt, VERSION};
pub use reconcile::ReconcileCounts;
pub use settings::{ModelError, ModelSettings};
