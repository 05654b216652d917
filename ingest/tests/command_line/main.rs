//! Tests of the operator's command line with the real program.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod confidence_threshold;
mod gazetteer;
mod hostile;
mod issue;
mod output_paths;
mod publishing;
mod retry;
mod review;
mod run;
mod show;
mod support;
mod text;
mod watch;
