//! The manifest of a backup. It is written last, so a backup without a manifest is incomplete.

use crate::storage::table_copy::{CopiedTable, SequenceValue};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The version of the format of backups.
pub const FORMAT: u32 = 1;

/// What a backup contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The version of the format.
    pub format: u32,
    /// The id of the backup. Ids sort by time.
    pub id: String,
    /// The moment of the database's snapshot.
    pub created_at: Timestamp,
    /// The version of the program.
    pub version: String,
    /// The applied migrations of the database.
    pub migrations: Vec<i64>,
    /// The last position of the change log.
    pub position: i64,
    /// The tables.
    pub tables: Vec<TableContent>,
    /// The sequences.
    pub sequences: Vec<SequenceValue>,
    /// The object with the list of files, one JSON object in each line.
    pub files: Part,
    /// The total size of the files in bytes.
    pub file_bytes: u64,
    /// Files that rows refer to and that were missing or damaged when the backup was made.
    pub missing_files: Vec<String>,
    /// The object with the signing keys. `None`: the keys are a setting of the server.
    pub signing_key: Option<Part>,
}

impl Manifest {
    /// The schema of the database: the number of the last migration.
    #[must_use]
    pub fn schema(&self) -> i64 {
        self.migrations.iter().copied().max().unwrap_or_default()
    }

    /// The number of rows in all tables.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }
}

/// The rows of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableContent {
    /// The table.
    #[serde(flatten)]
    pub table: CopiedTable,
    /// The number of its rows.
    pub rows: u64,
    /// The compressed rows, in order.
    pub parts: Vec<Part>,
}

/// An object of the backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Its name below the folder of the backup.
    pub name: String,
    /// The SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// The number of entries: rows, files or keys.
    pub entries: u64,
}

/// A file in the list of files. All backups in one place share the files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its path below the data folder.
    pub path: String,
    /// The SHA-256 of its content, in hex.
    pub hash: String,
    /// Its size in bytes.
    pub size: u64,
}
