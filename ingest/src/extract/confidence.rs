//! The line between certain and doubtful.

/// A field with at least this confidence is certain, unless the operator sets another line. The
/// same line applies to whether a block is a notice. `ingest/ACCURACY.md` lists the error rates of
/// certain fields.
pub const CONFIDENCE_LINE: f64 = index::tender::CONFIDENCE_LINE;
