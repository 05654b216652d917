//! The portal's server: HTTP, accounts, alerts, mail and billing. It is the only crate with SQL.
//! Postgres is the source of truth; the search index and the matches are derived from its change
//! log. `README.md` lists the commands and the folders.

// Modules are visible outside the crate only where a test or a benchmark needs them, so that the
// compiler finds dead code. Items are `pub` all the same.
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
