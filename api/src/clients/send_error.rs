//! Why a message could not be handed over to a mail server, a gateway or a webhook.

/// Why one message did not leave.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// It was refused for good, or nobody ever would take it.
    #[error("refused for good: {0}")]
    Permanent(String),
    /// Another try may do better.
    #[error("failed for now: {0}")]
    Transient(String),
    /// Nobody is there who would take any message: none answers, it is closing down, or it does not let us in.
    #[error("nobody there: {0}")]
    Unavailable(String),
}
