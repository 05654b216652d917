//! The server as its callers meet it: a real Postgres, a real socket, and every answer held against the contract. One
//! binary, a file a resource.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(unreachable_pub, reason = "a test binary has no callers; `pub` marks what its files share")]

mod accounts;
mod alerts;
mod auth;
mod changes;
mod channels;
mod connections;
mod contact;
mod contract;
mod crashing;
mod demo;
mod documents;
mod doubtful_fields;
mod dying;
mod erasure;
mod failure;
mod first;
mod flow;
mod google;
mod ingest;
mod intentions;
mod keys;
mod listing;
mod lockout;
mod mails;
mod migrating;
mod outside;
mod ownership;
mod payhere;
mod payments;
mod promised;
mod publishing;
mod reading;
mod reports;
mod rubbish;
mod saved;
mod searching;
mod sending;
mod sources;
mod starting;
mod stripe;
mod subscriptions;
mod support;
mod team;
mod tenders;
