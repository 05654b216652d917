//! Test support. Each test has its own database and portal, with a fixed clock and a seeded random
//! generator. Its client checks every response against the contract.

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
mod translations;

pub use client::{Client, Reply};
pub use database::TestDatabase;
pub use portal::TestPortal;
