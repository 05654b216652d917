//! Tests of the operator's command line with the real program.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod again;
mod gazetteer;
mod hostile;
mod issue;
mod line;
mod places;
mod publishing;
mod review;
mod run;
mod show;
mod support;
mod text;
mod watch;
