//! What all requests and jobs of one process share.

pub mod progress;
