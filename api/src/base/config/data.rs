//! Settings of the files outside the database.

use clap::Args;
use rustix::fs::{Access, access};
use settings::Findings;
use std::path::{Path, PathBuf};

/// File settings, for `api serve` and `api reindex`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Files")]
pub struct DataConfig {
    /// The folder for data outside the database: search index, clips, documents, newspaper pages, signing key, mail
    /// kept on disk
    #[arg(long, env = "DATA", default_value = ".data", value_name = "DIR")]
    pub data: PathBuf,
    /// The folder of the search index [default: `index` in the data folder]. Processes that share a data
    /// folder need an index each
    #[arg(long, env = "INDEX", value_name = "DIR")]
    pub index: Option<PathBuf>,
}

impl DataConfig {
    /// The folder of the search index.
    #[must_use]
    pub fn index(&self) -> PathBuf {
        self.index.clone().unwrap_or_else(|| self.data.join("index"))
    }

    /// The folder in which files for a bucket are received.
    #[must_use]
    pub fn incoming_files(&self) -> PathBuf {
        self.data.join("incoming-files")
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

    /// Checks whether the data folder exists or can be created, and whether it is writable. Changes
    /// nothing.
    pub fn check_folder(&self, found: &mut Findings) {
        let shown = self.data.display();
        let problem = match self.data.metadata() {
            Ok(metadata) if !metadata.is_dir() => Some("is not a folder"),
            Ok(_) => (!is_writable(&self.data)).then_some("is not writable"),
            Err(_) => match self
                .data
                .ancestors()
                .skip(1)
                .find(|folder| folder.exists() || folder.as_os_str().is_empty())
            {
                Some(folder) if !folder.as_os_str().is_empty() && !is_writable(folder) => {
                    Some("cannot be created")
                }
                _ => None,
            },
        };
        if let Some(problem) = problem {
            let remedy = "write a folder that this user may write to, such as DATA=/var/lib/serendib-tenders";
            found.refuse("DATA", format_args!("{shown} {problem}"), remedy);
        }
    }
}

/// Whether this process may write to a folder.
fn is_writable(folder: &Path) -> bool {
    folder.is_dir() && access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}
