//! Clients of external services, and the storage of files.

pub(crate) mod clip_image;
pub mod disk_space;
pub mod document_file;
pub(crate) mod document_inspection;
pub mod file_store;
pub(crate) mod google;
pub(crate) mod maildir;
pub(crate) mod page_picture;
pub mod payments;
pub(crate) mod phone_gateway;
pub(crate) mod restore_marker;
pub mod search_engine;
pub mod send_error;
pub(crate) mod smtp;
pub(crate) mod ssrf_guard;
pub mod trace_collector;
pub(crate) mod twilio;
