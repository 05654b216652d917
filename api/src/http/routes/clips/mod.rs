//! Clips, the images of newspaper notices.

pub mod read;
