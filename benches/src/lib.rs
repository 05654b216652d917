//! The shared code of the benchmarks: workloads, clocks, and the compared engines. The binaries
//! only parse arguments and print. The portal does not use this crate.

pub mod alert_mixer;
pub mod engine;
pub mod inbox;
pub mod lists;
pub mod load;
pub mod mails;
pub mod measure;
pub mod mixer;
pub mod pairs;
pub mod plain;
pub mod relevance;
pub mod search;
pub mod search_node;
pub mod server;
pub mod servers;
pub mod soak;
pub mod takeover;
pub mod workload;
pub mod writes;
