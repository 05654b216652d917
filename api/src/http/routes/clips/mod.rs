//! Clips: the image of a newspaper notice.

pub mod read;
