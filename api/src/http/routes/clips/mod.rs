//! Clips, the images of newspaper notices.

pub(crate) mod read;
