//! Routes with which administrators manage messages of the contact form.

pub(crate) mod list;
pub(crate) mod update;
