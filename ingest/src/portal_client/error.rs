//! [`PublishError`]: why a notice was not published.

/// Why a notice was not published.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// The address is invalid.
    #[error("`{address}` is not the address of a portal; write it as http://host:port")]
    Address {
        /// The given address.
        address: String,
    },
    /// The portal does not accept the token.
    #[error(
        "the portal {url} refuses the token ({status}: {message}); create a new one with `api admin token create NAME` and give it with --token-file or INGEST_TOKEN"
    )]
    Token {
        /// The portal.
        url: String,
        /// The HTTP status.
        status: u16,
        /// The message of the portal, which names a missing scope.
        message: String,
    },
    /// The portal refuses this notice, or another request.
    #[error("the portal refuses this ({status}): {message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The message of the portal.
        message: String,
    },
    /// The portal cannot be reached, is busy or fails, even after retries.
    #[error(
        "the portal {url} does not answer as expected ({reason}); check that it runs and is reachable, then try again: nothing is done twice"
    )]
    Unavailable {
        /// The portal.
        url: String,
        /// The last failure.
        reason: String,
    },
    /// The answer does not come from a portal.
    #[error("the server at {url} is not a portal ({reason}); check the address")]
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

    /// Whether the state of the portal does not permit the request: for a lease, that it was lost.
    #[must_use]
    pub const fn is_conflict(&self) -> bool {
        matches!(self, Self::Refused { status: 409, .. })
    }

    /// Whether a later attempt may succeed. The portal may be down, or it failed to process this
    /// notice, or another service answers at its address.
    #[must_use]
    pub const fn is_temporary(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::NotAPortal { .. })
    }
}
