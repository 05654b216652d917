//! The commands of the `api` binary: `serve`, `migrate`, `reindex`, `admin`, `mail`, `trace`,
//! `openapi`.

pub mod bootstrap;
pub mod commands;
pub mod demo;
pub mod serve;
