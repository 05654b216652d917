//! What the benchmarks share: the workload's files, the clocks, and the engines that are measured beside one another. The
//! binaries parse arguments and print; nothing here is used by the portal itself.

pub mod engine;
pub mod inbox;
pub mod mails;
pub mod measure;
pub mod mixer;
pub mod pairs;
pub mod plain;
pub mod relevance;
pub mod search;
pub mod server;
pub mod workload;
