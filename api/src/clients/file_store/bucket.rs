//! Opens buckets of S3-compatible services, for the portal's files and for backups.

use crate::base::config::{CREDENTIALS_REMEDY, S3Config};
use anyhow::{Context, ensure};
use object_store::{
    ClientConfigKey, ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    prefix::PrefixStore,
};
use secrecy::ExposeSecret;
use std::{sync::Arc, time::Duration};

/// How long requests to a bucket are repeated while it does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// For minutes: nobody waits for the result.
    Long,
    /// For seconds: a reader waits for the result.
    Short,
}

/// Opens `BUCKET/PREFIX`. The settings take precedence over further standard variables `AWS_…`.
///
/// # Errors
/// Fails if the name of the bucket or its access key is missing, or if a setting is malformed.
pub fn open_bucket(place: &str, s3: &S3Config, patience: Patience) -> anyhow::Result<Arc<dyn ObjectStore>> {
    let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
    ensure!(!bucket.is_empty(), "the name of the bucket is missing; write s3://BUCKET/PREFIX");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let is_plain = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]
        .into_iter()
        .map(variable)
        .chain(s3.aws_endpoint.clone())
        .any(|url| url.starts_with("http://"));
    let mut builder = AmazonS3Builder::from_env();
    let secret = s3.aws_secret_access_key.as_ref().map(|secret| secret.expose_secret().to_owned());
    for (key, value) in [
        (AmazonS3ConfigKey::AccessKeyId, s3.aws_access_key_id.clone()),
        (AmazonS3ConfigKey::SecretAccessKey, secret),
        (AmazonS3ConfigKey::Region, s3.aws_region.clone()),
        (AmazonS3ConfigKey::Endpoint, s3.aws_endpoint.clone()),
    ] {
        if let Some(value) = value {
            builder = builder.with_config(key, value);
        }
    }
    ensure!(s3.has_credentials(), "no access key is set for the bucket; {CREDENTIALS_REMEDY}");
    if patience == Patience::Short {
        let retry =
            RetryConfig { max_retries: 3, retry_timeout: Duration::from_secs(10), ..RetryConfig::default() };
        builder = builder.with_retry(retry);
        // A slow reader may take long for a large file. The bucket must only go on sending.
        for (key, value) in [
            (ClientConfigKey::ConnectTimeout, "5s"),
            (ClientConfigKey::ReadTimeout, "15s"),
            (ClientConfigKey::Timeout, "1h"),
        ] {
            builder = builder.with_config(AmazonS3ConfigKey::Client(key), value);
        }
    }
    let bucket = builder
        .with_bucket_name(bucket)
        .with_allow_http(is_plain)
        // Not all compatible services can delete several objects with one request.
        .with_disable_bulk_delete(true)
        .build()
        .context("the settings of the bucket; set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT")?;
    let prefix = prefix.trim_matches('/');
    Ok(if prefix.is_empty() { Arc::new(bucket) } else { Arc::new(PrefixStore::new(bucket, prefix)) })
}
