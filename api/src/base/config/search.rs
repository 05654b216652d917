//! Settings of the search on a cluster.

use super::is_set;
use clap::Args;
use secrecy::SecretString;
use settings::{Findings, transport};
use std::path::PathBuf;

/// The search index that all processes of a portal share.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchConfig {
    /// The addresses of nodes of an OpenSearch cluster, separated by commas. All processes of the portal then
    /// share one search index there [default: each process has an index of its own, in INDEX]
    #[arg(long, env = "SEARCH_NODES", value_name = "URLS", value_delimiter = ',')]
    pub search_nodes: Vec<String>,
    /// The beginning of the name of the index in the cluster. Each portal needs a name of its own
    #[arg(long, env = "SEARCH_INDEX", default_value = "tenders", value_name = "NAME")]
    pub search_index: String,
    /// The user name for the cluster
    #[arg(long, env = "SEARCH_USER", value_name = "NAME")]
    pub search_user: Option<String>,
    /// The password for the cluster
    #[arg(long, env = "SEARCH_PASSWORD", hide_env_values = true, value_name = "PASSWORD")]
    pub search_password: Option<SecretString>,
    /// A file with the certificates of authorities that are trusted for the cluster, besides those of the
    /// system, as PEM
    #[arg(long, env = "SEARCH_CA_FILE", value_name = "FILE")]
    pub search_ca_file: Option<PathBuf>,
    /// Into how many shards a new index in the cluster is divided
    #[arg(long, env = "SEARCH_SHARDS", default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub search_shards: u32,
    /// How many copies each shard of a new index in the cluster has besides the first
    #[arg(long, env = "SEARCH_REPLICAS", default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=8))]
    pub search_replicas: u32,
    /// The time limit of a search in the cluster, in milliseconds
    #[arg(long, env = "SEARCH_TIMEOUT_MS", default_value_t = 3000, value_name = "MS", value_parser = clap::value_parser!(u32).range(100..=20_000))]
    pub search_timeout_ms: u32,
}

impl SearchConfig {
    /// Whether the index is in a cluster.
    #[must_use]
    pub const fn has_cluster(&self) -> bool {
        !self.search_nodes.is_empty()
    }

    /// Checks the addresses, the name of the index, the credentials and the certificates.
    pub fn check(&self, found: &mut Findings) {
        const EXAMPLE: &str = "https://search1.example.lk:9200,https://search2.example.lk:9200";
        for url in &self.search_nodes {
            if !found.check_url("SEARCH_NODES", url, &["https", "http"], EXAMPLE) {
                continue;
            }
            let parsed = url::Url::parse(url).ok();
            if parsed.is_some_and(|url| !url.username().is_empty() || url.password().is_some()) {
                let remedy = "write the name in SEARCH_USER and the password in SEARCH_PASSWORD";
                found.refuse("SEARCH_NODES", "an address has a user name or a password", remedy);
            } else if transport::is_insecure(url) {
                found.warn("SEARCH_NODES", "the search index is sent without TLS; use https:// URLs");
            }
        }
        let is_name_char = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        if !self.search_index.starts_with(|c: char| c.is_ascii_lowercase())
            || !self.search_index.chars().all(is_name_char)
            || self.search_index.len() > 100
        {
            let what = format!("{:?} is not a name of an index", self.search_index);
            let remedy = "use lower-case letters, digits, - and _, and begin with a letter, such as tenders";
            found.refuse("SEARCH_INDEX", what, remedy);
        }
        if self.search_user.is_some() != is_set(&self.search_password) {
            let remedy = "set both SEARCH_USER and SEARCH_PASSWORD, or neither";
            found.refuse("SEARCH_PASSWORD", "only a user name or only a password is set", remedy);
        }
        if let Some(file) = &self.search_ca_file {
            let problem = match std::fs::read_to_string(file) {
                Ok(text) if text.contains("-----BEGIN CERTIFICATE-----") => None,
                Ok(_) => Some("there is no certificate".to_owned()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(problem) = problem {
                let what = format!("{}: {problem}", file.display());
                found.refuse("SEARCH_CA_FILE", what, "write the path of a PEM file that this user may read");
            }
        }
    }
}
