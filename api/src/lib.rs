//! HTTP, accounts, alerts, mail and money: the server of the portal, and the only crate that knows SQL. Postgres is the
//! record; the Tantivy index and the matches follow the change log from it. `ARCHITECTURE.md` tells the way of the data.

pub mod app;
pub mod base;
pub mod cli;
pub mod clients;
pub mod domain;
pub mod http;
pub mod jobs;
pub mod services;
pub mod storage;
