//! HTTP, accounts, alerts, mail and money: the server of the portal, and the only crate that knows SQL. Postgres is the
//! record; the Tantivy index and the matches follow the change log from it. `ARCHITECTURE.md` tells the way of the data.

pub mod auth;
pub mod billing;
pub mod channels;
pub mod clips;
pub mod clock;
pub mod commands;
pub mod config;
pub mod content;
pub mod db;
pub mod demo;
pub mod documents;
pub mod edge;
pub mod entitlement;
pub mod erasure;
pub mod error;
pub mod export;
pub mod feed;
pub mod jobs;
pub mod locales;
pub mod mail;
pub mod notices;
pub mod payments;
pub mod plans;
pub mod publisher;
pub mod publishing;
pub mod random;
pub mod reports;
pub mod returns;
pub mod router;
pub mod routes;
pub mod schedule;
mod scratch;
pub mod serve;
pub mod sign_in;
pub mod start;
pub mod state;
