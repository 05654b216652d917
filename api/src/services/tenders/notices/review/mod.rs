//! The review of notices: reviewers claim the notices of the queue ([`claims`]) and decide them
//! ([`decisions`]).

pub(crate) mod claims;
pub(crate) mod decisions;
