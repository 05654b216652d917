//! [`ModelFailure`] tells why a model did not read a notice. A failure never carries text from the
//! server, which may contain the key or text that an attacker wants in the log.

use strum::{Display, IntoStaticStr};

/// Why the model did not read a notice. The values of the rules are used instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, IntoStaticStr)]
pub enum ModelFailure {
    /// The model declined to answer.
    #[strum(serialize = "refused")]
    Refused,
    /// The answer reached the token limit.
    #[strum(serialize = "cut off")]
    CutOff,
    /// The answer is not JSON.
    #[strum(serialize = "no JSON")]
    NoJson,
    /// The answer violates the schema or a limit.
    #[strum(serialize = "off the schema")]
    OffSchema,
    /// The answer is too large.
    #[strum(serialize = "too large")]
    TooLarge,
    /// The response is not a chat completion.
    #[strum(serialize = "no answer of a model")]
    UnexpectedResponse,
    /// The server stays busy (429).
    #[strum(serialize = "busy")]
    Busy,
    /// The server keeps failing (5xx).
    #[strum(serialize = "server failed")]
    ServerFailed,
    /// The request timed out.
    #[strum(serialize = "timed out")]
    TimedOut,
    /// The server cannot be reached.
    #[strum(serialize = "unreachable")]
    Unreachable,
    /// The server refuses the key (401, 403).
    #[strum(serialize = "key refused")]
    KeyRefused,
    /// The model or the address does not exist (404).
    #[strum(serialize = "not found")]
    NotFound,
    /// The server refuses the request.
    #[strum(serialize = "request refused")]
    RequestRefused,
    /// The request might exceed the remaining budget.
    #[strum(serialize = "over the budget")]
    OverBudget,
    /// Requests were stopped after earlier failures.
    #[strum(serialize = "not asked any more")]
    Stopped,
}

impl ModelFailure {
    /// A short label for the report.
    #[must_use]
    pub fn label(self) -> &'static str {
        self.into()
    }

    /// Whether every other notice would fail in the same way.
    pub(super) const fn is_final(self) -> bool {
        matches!(self, Self::KeyRefused | Self::NotFound)
    }

    /// Whether the server caused the failure, not the notice. Several consecutive server failures
    /// stop all requests.
    pub(super) const fn is_server_failure(self) -> bool {
        matches!(
            self,
            Self::UnexpectedResponse
                | Self::Busy
                | Self::ServerFailed
                | Self::TimedOut
                | Self::Unreachable
                | Self::RequestRefused
        )
    }

    /// Whether the server may charge for the request although it reported no usage.
    pub(super) const fn may_cost(self) -> bool {
        matches!(self, Self::TimedOut | Self::TooLarge | Self::UnexpectedResponse)
    }

    /// What the operator can do.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Self::KeyRefused => "the server of the model refuses the key; check OPENAI_API_KEY",
            Self::NotFound => {
                "the server does not know this model or address; check OPENAI_MODEL and OPENAI_BASE_URL"
            }
            Self::UnexpectedResponse | Self::RequestRefused => {
                "the server does not accept these requests; check that OPENAI_BASE_URL serves chat completions and \
                 that the model accepts images and JSON schemas"
            }
            Self::Busy => "the server of the model stays busy; try a smaller --model-jobs, or try later",
            _ => "the server of the model fails or cannot be reached; check that it runs, then run again",
        }
    }
}

impl std::error::Error for ModelFailure {}
