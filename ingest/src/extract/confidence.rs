//! The confidence threshold, which separates certain from doubtful fields.

/// A field with at least this confidence is certain, unless the operator sets another threshold
/// with `--confidence-line`. The threshold also decides whether a block is certainly a notice.
/// `ingest/ACCURACY.md` lists the error rates of certain fields.
pub const CONFIDENCE_THRESHOLD: f64 = tender_model::tender::CONFIDENCE_THRESHOLD;
