//! The line between certain and doubtful.

/// A field read with at least this confidence is shown as certain, unless the operator draws another line; so is a block that is a
/// notice with at least this confidence. `ingest/README.md` has the shares of what is shown as certain and is wrong, field by field.
pub const CONFIDENCE_LINE: f64 = index::tender::CONFIDENCE_LINE;
