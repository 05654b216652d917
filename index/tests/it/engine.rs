//! The engine under test: the embedded one. The crate `opensearch-engine` runs the same tests.

use crate::support::{Engine, EngineGuard};
use index::IndexStore;
use std::sync::Arc;

/// A new engine with an empty index, and what must live as long.
pub(crate) fn new_engine() -> (EngineGuard, Engine) {
    let directory = tempfile::tempdir().unwrap();
    let store = IndexStore::open_or_create(directory.path()).unwrap();
    (Box::new(directory), Arc::new(store))
}

/// The folder of the fixtures.
pub(crate) const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures");
