//! Settings of the files outside the database.

use clap::Args;
use std::path::PathBuf;

/// File settings, for `api serve` and `api reindex`.
#[derive(Debug, Clone, Args)]
pub struct DataConfig {
    /// The folder for data outside the database: search index, clips, documents, newspaper pages, signing key, mail
    /// kept on disk
    #[arg(long, env = "DATA", default_value = ".data", value_name = "DIR")]
    pub data: PathBuf,
}

impl DataConfig {
    /// The folder of the search index.
    #[must_use]
    pub fn index(&self) -> PathBuf {
        self.data.join("index")
    }

    /// The folder of clips.
    #[must_use]
    pub fn clips(&self) -> PathBuf {
        self.data.join("clips")
    }

    /// The folder of documents.
    #[must_use]
    pub fn documents(&self) -> PathBuf {
        self.data.join("documents")
    }

    /// The folder of newspaper files and of the pictures of their pages.
    #[must_use]
    pub fn newspaper_pages(&self) -> PathBuf {
        self.data.join("newspaper-pages")
    }

    /// The file of the signing keys.
    #[must_use]
    pub fn signing_key(&self) -> PathBuf {
        self.data.join("signing.key")
    }

    /// The maildir of `--mail-to-disk` and `--demo`.
    #[must_use]
    pub fn mail(&self) -> PathBuf {
        self.data.join("mail")
    }
}
