//! Tests of search and matching through the public API, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod canary;
mod conformance;
mod durability;
mod engine;
mod facets;
mod fuzz_corpora;
mod pages;
mod percolator;
mod search;
mod similar;
mod suggest;
mod support;
mod user_query;
mod workload;
