//! One tender, several notices: whether a new notice is a tender of its own, another source of one there is, or a
//! corrigendum of one ([`decide`]), what a tender says once its notices are put together ([`compose`]), and both for many notices at
//! once ([`gather`]). Pure functions: what is stored is the business of whoever publishes.

mod compose;
mod correct;
mod decide;
mod gather;

pub use compose::{OWNER, Part, Role, compose, join};
pub use correct::{correct, corrections};
pub use decide::{Candidate, Decision, Doubt, decide, reference_key};
pub use gather::{Gathered, gather};

use crate::{tender::Tender, vocabulary::Day};

/// A field read less surely than this counts as not known: another reading may replace it.
const DOUBTFUL: f64 = 0.6;

/// The day a notice was printed, where it says so.
fn printed_day(notice: &Tender) -> Option<Day> {
    let issue = notice.sources.first().and_then(|source| source.date);
    issue.or_else(|| notice.dates.published.map(|moment| moment.day()))
}

/// Whether a field was read, but in doubt.
fn is_doubtful(tender: &Tender, path: &str) -> bool {
    tender.confidence.get(path).is_some_and(|confidence| *confidence < DOUBTFUL)
}
