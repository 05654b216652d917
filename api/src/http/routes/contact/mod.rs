//! The contact form.

pub mod create;
