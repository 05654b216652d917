//! The route of the market, which everyone may read.

pub(crate) mod read;
