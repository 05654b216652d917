//! What providers of payments tell.

pub mod receive;
