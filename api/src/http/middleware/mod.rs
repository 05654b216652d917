//! Middleware: clients, rate limits, responses kept for guests, request log, metrics, traces, API keys,
//! security headers, and the checks of the host.

pub(crate) mod api_key;
pub(crate) mod client;
pub(crate) mod guest_cache;
pub(crate) mod known_host;
pub(crate) mod loopback_only;
pub(crate) mod rate_limit;
pub(crate) mod request_log;
pub(crate) mod request_metrics;
pub(crate) mod request_trace;
pub(crate) mod security_headers;
