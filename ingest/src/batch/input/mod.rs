pub(crate) mod discovery;
pub(crate) mod duplicates;
pub(crate) mod page_source;
