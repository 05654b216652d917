//! Why publishing fails, and what the operator can do.

/// Why a notice was not published.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// No address.
    #[error("`{address}` is no address of a portal; write it as http://host:port")]
    Address {
        /// What was given.
        address: String,
    },
    /// The operator's token is not accepted.
    #[error(
        "the portal {url} refuses the token ({status}); make a new one with `api admin token create` and give it with --token-file or INGEST_TOKEN"
    )]
    Token {
        /// The portal.
        url: String,
        /// Its answer.
        status: u16,
    },
    /// The notice itself is refused.
    #[error("the portal refuses the notice ({status}): {message}")]
    Refused {
        /// Its answer.
        status: u16,
        /// Its words.
        message: String,
    },
    /// It could not be reached, or kept failing.
    #[error(
        "the portal {url} does not take notices ({reason}); see that it runs and is reachable, then publish again: nothing is sent twice"
    )]
    Unavailable {
        /// The portal.
        url: String,
        /// What happened last.
        reason: String,
    },
    /// The answer is none of ours.
    #[error("what answers at {url} is no portal ({reason}); check the address given to --publish")]
    NotAPortal {
        /// The address.
        url: String,
        /// What is wrong with the answer.
        reason: String,
    },
}

impl PublishError {
    /// Whether every other notice would fail in the same way.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Token { .. } | Self::Address { .. })
    }

    /// Whether it may be over later: the portal is away, or something stands in its place, or it alone cannot cope with this notice.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::NotAPortal { .. })
    }
}
