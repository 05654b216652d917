//! Settings of the place of the files.

use super::{CREDENTIALS_REMEDY, S3Config};
use clap::Args;
use settings::Findings;
use std::{fmt, str::FromStr};

/// Where the clips, documents and newspaper pages are.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Files")]
pub struct FilesConfig {
    /// Where the clips, documents and newspaper pages are: `data` for the data folder, or
    /// s3://BUCKET/PREFIX. Several servers of one portal need a bucket, or a data folder that all share
    #[arg(long, env = "FILES", default_value = "data", value_name = "PLACE")]
    pub files: FilePlace,
    /// The earlier value of FILES, while `api files move` moves the files from there
    #[arg(long, env = "FILES_MOVED_FROM", value_name = "PLACE")]
    pub files_moved_from: Option<FilePlace>,
    /// The bucket.
    #[command(flatten)]
    pub s3: S3Config,
}

/// A place of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilePlace {
    /// The data folder.
    DataFolder,
    /// A bucket, as `BUCKET/PREFIX`.
    Bucket(String),
}

impl FromStr for FilePlace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bucket = text.strip_prefix("s3://").map(|bucket| bucket.trim_end_matches('/'));
        match bucket {
            Some(bucket) if !bucket.is_empty() && !bucket.starts_with('/') => {
                Ok(Self::Bucket(bucket.to_owned()))
            }
            None if text == "data" => Ok(Self::DataFolder),
            _ => Err("write data, or s3://BUCKET/PREFIX".to_owned()),
        }
    }
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DataFolder => f.write_str("data"),
            Self::Bucket(bucket) => write!(f, "s3://{bucket}"),
        }
    }
}

impl FilesConfig {
    /// Checks the places and the access key.
    pub fn check(&self, found: &mut Findings) {
        self.s3.check(found);
        let places = [("FILES", Some(&self.files)), ("FILES_MOVED_FROM", self.files_moved_from.as_ref())];
        let in_bucket = places.into_iter().find(|(_, place)| matches!(place, Some(FilePlace::Bucket(_))));
        if let Some((setting, _)) = in_bucket
            && !self.s3.has_credentials()
            && self.s3.aws_secret_access_key.is_none()
        {
            let what = format!("is missing, and {setting} is a bucket");
            found.refuse("AWS_ACCESS_KEY_ID", what, CREDENTIALS_REMEDY);
        }
        if self.files_moved_from.as_ref() == Some(&self.files) {
            let what = "is the same place as FILES";
            found.refuse("FILES_MOVED_FROM", what, "write the earlier value of FILES, or omit the setting");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_parsed_as_it_is_shown() {
        for text in ["data", "s3://bucket", "s3://bucket/portal/files"] {
            assert_eq!(text.parse::<FilePlace>().unwrap().to_string(), text);
        }
        assert_eq!("s3://bucket/".parse(), Ok(FilePlace::Bucket("bucket".to_owned())));
        for rubbish in ["", "Data", "s3://", "s3:///x", "/srv/files", "gs://bucket"] {
            assert!(rubbish.parse::<FilePlace>().is_err(), "{rubbish}");
        }
    }
}
