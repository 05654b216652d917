pub(crate) mod decision;
pub(crate) mod failures;
pub(crate) mod lock;
pub(crate) mod output_paths;
pub(crate) mod page_writer;
pub(crate) mod preserved_reviews;
pub(crate) mod store;
