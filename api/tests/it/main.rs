//! The server as its callers meet it: a real Postgres, a real socket, and every answer held against the contract. One
//! binary, a file a resource.

#![expect(unreachable_pub, reason = "a test binary has no callers; `pub` marks what its files share")]

mod auth;
mod contract;
mod ingest;
mod outside;
mod support;
mod tenders;
