//! Several notices may describe one tender. [`decide()`] relates a new notice to the known tenders,
//! [`compose()`] merges the notices of a tender, and [`gather()`] does both for many notices. The
//! functions are pure; callers store the results.

mod compose;
mod correct;
mod decide;
mod gather;
mod readings;

pub use compose::{OWNER, PORTAL, Role, TenderNotice, compose, is_taken_down, merge_print};
pub use correct::{correct, corrections};
pub use decide::{Candidate, Decision, Doubt, decide, reference_key};
pub use gather::{TenderGroup, gather};
