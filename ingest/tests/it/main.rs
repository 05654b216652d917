//! The integration tests in one binary. They use the public API and the real program.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod awards;
mod classifier;
mod command_line;
mod deduplication;
mod eval;
mod evidence;
mod fuzz_corpora;
mod lexicon;
mod llm;
mod pages;
