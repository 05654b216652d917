//! Routes of the bodies that invite bids, which everyone may read.

pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod tenders;
