//! Backups of the whole portal: the database, the files and the signing keys, at one consistent point.
//! [Decision 0024](../../../../docs/decisions/0024-a-backup-copies-tables.md) explains the format.

pub mod create;
pub mod manifest;
pub mod prune;
pub mod restore;
pub mod store;
pub mod verify;
