//! Clients of external services, and the storage of files.

pub(crate) mod blob_store;
pub(crate) mod clip_store;
pub mod disk_space;
pub(crate) mod document_inspection;
pub mod document_store;
pub(crate) mod google;
pub(crate) mod maildir;
pub(crate) mod page_store;
pub mod payments;
pub(crate) mod phone_gateway;
pub(crate) mod restore_marker;
pub mod send_error;
pub(crate) mod smtp;
pub(crate) mod ssrf_guard;
pub(crate) mod stored_file;
pub mod trace_collector;
pub(crate) mod twilio;
