//! What the checks read.

use crate::{
    base::{
        clock::Clock,
        config::{DataConfig, SearchConfig},
        signing_key::SigningKey,
    },
    clients::file_store::FileStore,
};
use sqlx::PgPool;
use std::time::Duration;

/// What is checked.
#[derive(Debug, Clone, Copy)]
pub struct CheckTarget<'a> {
    /// The database.
    pub db: &'a PgPool,
    /// The data folder.
    pub data: &'a DataConfig,
    /// The place of the search index.
    pub search: &'a SearchConfig,
    /// The clips, documents and newspaper pages.
    pub files: &'a FileStore,
    /// The signing keys. `None`: there are none.
    pub keys: Option<&'a SigningKey>,
    /// The clock.
    pub clock: &'a Clock,
    /// How long a job that is behind may take to move. `None`: the default. Tests set a shorter time.
    pub patience: Option<Duration>,
}
