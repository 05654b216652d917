//! Checks of a running portal: whether the database, the files, the index and the deliveries agree.
//! The checks change nothing. What a running server may be about to change is looked at again before it
//! is reported.

mod deliveries;
mod files;
mod index;
mod keys;
mod log;
pub mod problem;
pub mod run;
pub mod target;
