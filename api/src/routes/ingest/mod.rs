//! What the operator's `ingest` sends.

pub mod put_notice;
