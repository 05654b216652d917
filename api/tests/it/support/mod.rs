//! Test support. Each test has its own database. Most tests use a [`TestPortal`] with a settable
//! clock and a seeded random generator. Others start the real binary as a process. A [`Client`]
//! checks API responses against the OpenAPI document.

pub mod authenticator;
mod client;
pub mod cluster;
mod database;
pub mod database_proxy;
mod document;
pub mod issuer;
pub mod killable_server;
pub mod mailbox;
pub mod payments;
mod polling;
mod portal;
pub mod publishing;
pub mod s3;
mod schema;
pub mod server;
pub mod shared_engine;
pub mod smtp;
pub mod stage;
mod translations;

pub use client::{Client, Reply};
pub use database::{TestDatabase, wait_for};
pub use polling::{poll, wait_until};
pub use portal::TestPortal;
