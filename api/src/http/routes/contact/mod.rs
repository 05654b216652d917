//! The contact form.

pub(crate) mod create;
