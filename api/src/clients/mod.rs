//! Clients of external services, and file storage.

pub mod blob_store;
pub mod clip_store;
pub mod document_store;
pub mod google;
pub mod maildir;
pub mod payments;
pub mod phone_gateway;
pub mod send_error;
pub mod smtp;
pub mod ssrf_guard;
pub mod twilio;
