//! What the operator's `ingest` sends.

mod notice_file;
pub mod put_notice;
