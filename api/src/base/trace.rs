//! Spans for traces. Only spans of [`TARGET`] are exported, and the log contains none of them. Their
//! fields are visible to everybody who reads the traces, so they contain no personal data: no addresses, no
//! ids of users, no paths, no search texts.

/// The target of the exported spans.
pub const TARGET: &str = "trace";

/// Creates a span that is exported if traces are on.
macro_rules! trace_span {
    ($($part:tt)*) => {
        tracing::info_span!(target: $crate::base::trace::TARGET, $($part)*)
    };
}
pub(crate) use trace_span;
