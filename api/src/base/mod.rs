//! Building blocks that know nothing of tenders.

pub mod rate_limit;
