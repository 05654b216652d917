//! Middleware around all routes: request log, API keys, security headers.

pub mod api_key;
pub mod loopback_only;
pub mod request_log;
pub mod security_headers;
