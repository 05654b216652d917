//! Settings of the buckets for files and for backups. They have the standard names of AWS.

use clap::Args;
use secrecy::SecretString;
use settings::{Findings, transport};

use super::is_set;

/// The standard variables that give credentials for a bucket in other ways than a setting. Without any, the
/// library asks the metadata service of the machine. On a machine without this service, it waits for
/// minutes.
const CREDENTIALS: [&str; 4] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];

/// What to do if a bucket has no access key.
pub const CREDENTIALS_REMEDY: &str = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
    AWS_INSTANCE_CREDENTIALS=true on a cloud machine that has a role for the bucket";

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
    /// Whether there are credentials for a bucket, or it needs none.
    #[must_use]
    pub fn has_credentials(&self) -> bool {
        let is_given = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        self.aws_instance_credentials
            || self.aws_access_key_id.is_some()
            || CREDENTIALS.into_iter().any(is_given)
            || std::env::var_os("AWS_SKIP_SIGNATURE").is_some_and(|skips| skips == "true")
    }

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
