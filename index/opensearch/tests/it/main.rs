//! The tests of the embedded engine, run on a cluster. Both engines must find the same tenders, count
//! the same facets and list them in the same order.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../../../tests/it/canary.rs"]
mod canary;
#[path = "../../../tests/it/conformance.rs"]
mod conformance;
mod engine;
#[path = "../../../tests/it/facets.rs"]
mod facets;
#[path = "../../../tests/it/pages.rs"]
mod pages;
#[path = "../../../tests/it/search.rs"]
mod search;
#[path = "../../../tests/it/similar.rs"]
mod similar;
#[path = "../../../tests/it/suggest.rs"]
mod suggest;
#[path = "../../../tests/it/support/mod.rs"]
mod support;
#[path = "../../../tests/it/user_query.rs"]
mod user_query;
#[path = "../../../tests/it/workload.rs"]
mod workload;
