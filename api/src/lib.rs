//! The portal's server: HTTP, accounts, tenders, alerts, mail and billing. Apart from the
//! benchmarks, no other crate contains SQL. Postgres is the source of truth. The search index and
//! the matches are derived from its change log. `README.md` lists the commands and the folders.

// A module is visible outside the crate only if the binary, a test or a benchmark needs it, so
// that the compiler finds dead code. The items inside a hidden module may still be `pub`.
#![allow(unreachable_pub)]

pub mod app;
pub mod base;
pub mod cli;
pub mod clients;
pub mod domain;
pub mod http;
pub mod jobs;
pub mod services;
pub mod storage;
