//! Newspaper notices: a notice becomes a new tender, another source or a correction of an existing
//! tender, or a case for review. `tender_model::deduplication` contains the rules.
//!
//! - [`publish()`] takes the notices that `ingest` sends.
//! - [`review`] applies, undoes and lists the decisions of reviewers.
//! - [`batches`] withdraws batches of notices, and undoes withdrawals.
//! - [`page_boxes`] applies what people decide about rectangles of newspaper pages.
//! - `learn` stores what a decision teaches about the readers.
//! - `relation` finds the tender that a notice belongs to.
//! - `store` stores a notice, its tenders and the changes in one transaction.

pub(crate) mod batches;
mod learn;
pub(crate) mod page_boxes;
mod publish;
mod relation;
pub(crate) mod review;
mod split;
mod store;

pub(crate) use publish::{SentNotice, publish};
