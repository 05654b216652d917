//! What every other part may use: no module here imports another part of the crate.

pub(crate) mod jpeg;
pub mod lexicon;
pub(crate) mod retry;
