//! Settings of the buckets for files and for backups. They have the standard names of AWS.

use clap::Args;
use secrecy::SecretString;
use settings::{Findings, transport};

use super::is_set;

/// The endpoint and the keys of an S3-compatible service, for files and for backups.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Buckets")]
pub struct S3Config {
    /// The id of the access key
    #[arg(long, env = "AWS_ACCESS_KEY_ID", value_name = "ID")]
    pub aws_access_key_id: Option<String>,
    /// The secret of the access key
    #[arg(long, env = "AWS_SECRET_ACCESS_KEY", hide_env_values = true, value_name = "SECRET")]
    pub aws_secret_access_key: Option<SecretString>,
    /// The region of the buckets
    #[arg(long, env = "AWS_REGION", value_name = "REGION")]
    pub aws_region: Option<String>,
    /// The URL of an S3-compatible service [default: that of AWS]
    #[arg(long, env = "AWS_ENDPOINT", value_name = "URL")]
    pub aws_endpoint: Option<String>,
    /// Without an access key, get one from the metadata service of the cloud machine, which has a role
    /// for the buckets
    #[arg(long, env = "AWS_INSTANCE_CREDENTIALS")]
    pub aws_instance_credentials: bool,
}

impl S3Config {
    /// Checks the endpoint and the keys.
    pub fn check(&self, found: &mut Findings) {
        if let Some(url) = &self.aws_endpoint
            && found.check_url("AWS_ENDPOINT", url, &["https", "http"], "https://s3.example.lk")
            && transport::is_insecure(url)
        {
            found.warn("AWS_ENDPOINT", "files and backups are sent without TLS; use an https:// URL");
        }
        if self.aws_access_key_id.is_some() != is_set(&self.aws_secret_access_key) {
            let remedy = "set both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither";
            found.refuse("AWS_SECRET_ACCESS_KEY", "only one half of the access key is set", remedy);
        }
    }
}
