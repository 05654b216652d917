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
pub use failure::Failure;
pub use model::{Account, Model, Reading};
pub use prompt::{Question, VERSION};
pub use reconcile::Weighed;
pub use settings::{ModelError, Settings};
