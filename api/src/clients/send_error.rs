//! Errors of sending to a mail server, a gateway or a webhook.

/// Why a message was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The message was refused, and a retry can't succeed.
    #[error("refused for good: {0}")]
    Permanent(String),
    /// The message was not accepted, but a retry may succeed.
    #[error("failed for now: {0}")]
    Transient(String),
    /// The service accepts no message at all: it is unreachable, out of order or closing down, or
    /// it refuses our login.
    #[error("service unavailable: {0}")]
    Unavailable(String),
}
