//! The operator's command line, held to its word by running the real program.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod line;
mod run;
mod support;
