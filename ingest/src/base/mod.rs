//! Shared helpers. No module here imports another part of the crate.

pub(crate) mod digest;
pub(crate) mod files;
pub(crate) mod jpeg;
pub mod lexicon;
pub(crate) mod memory;
pub(crate) mod retry;
pub(crate) mod word;

pub use word::Word;
