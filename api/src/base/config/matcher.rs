//! The settings of the matcher.

use clap::Args;

/// The settings of the matcher.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Server")]
pub struct MatcherConfig {
    /// Into how many shards the stored alerts are divided for matching. Each process that runs the jobs
    /// takes an equal part of the shards, and keeps only the alerts of these shards in memory. The start of
    /// a process changes the number for all processes, and no match is lost or doubled
    #[arg(long, env = "MATCHER_SHARDS", help_heading = "Server", default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub matcher_shards: u16,
}
