//! The commands of `ingest` and their arguments.

use std::{
    fmt::Display,
    io::{self, Write},
};

pub(crate) mod awards;
mod edit;
pub(crate) mod evaluate;
pub(crate) mod learn;
mod portal_review;
mod read_args;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod settings;
pub(crate) mod show;
pub(crate) mod text;
pub(crate) mod truth;
pub(crate) mod watch;
pub(crate) mod work;

/// Prints a line to standard output. A closed pipe is ignored.
pub(crate) fn print_line(text: impl Display) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// The requested number of cores, or all.
pub(crate) fn cores(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
