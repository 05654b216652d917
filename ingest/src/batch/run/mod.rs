pub(crate) mod catch_up;
pub(crate) mod dry_run;
pub(crate) mod engine;
pub(crate) mod extractor;
pub(crate) mod read_page;
pub(crate) mod report;
pub(crate) mod watch;
