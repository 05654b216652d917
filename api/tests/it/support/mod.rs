//! What every test stands on: a database of its own, a portal on a port of its own with a clock that stands still and
//! a seeded generator, and a client that believes no answer that the contract does not declare.

mod client;
pub mod cluster;
mod database;
mod document;
pub mod issuer;
pub mod mailbox;
pub mod mortal;
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
