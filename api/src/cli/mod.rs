//! The commands of the `api` binary, the checks at startup and the demonstration accounts.

pub mod bootstrap;
pub mod commands;
pub mod demo;
pub mod logging;
pub mod serve;
pub mod service_manager;
