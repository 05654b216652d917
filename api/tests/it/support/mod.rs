//! Test support: a database and a portal per test, with a fixed clock and a seeded generator, and a
//! client that checks every response against the contract.

mod client;
pub mod cluster;
mod database;
mod document;
pub mod issuer;
pub mod killable_server;
pub mod mailbox;
mod portal;
pub mod publishing;
mod schema;
pub mod server;
pub mod smtp;
pub mod stage;
mod words;

pub use client::{Client, Reply};
pub use database::TestDatabase;
pub use portal::TestPortal;
