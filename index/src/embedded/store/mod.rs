//! The index on disk: one directory per generation, readers, the single writer, and rebuilds.

mod current_file;
mod generation;
mod generation_dir;
mod index_store;
mod integrity;
mod locking_directory;
mod writer;

pub use index_store::IndexStore;
pub use writer::{StoreRebuild, StoreWriter};
