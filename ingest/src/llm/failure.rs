//! [`ModelFailure`]: why a model's reading of a notice is not had. It never carries a word of the server's: those may hold the key,
//! or whatever a stranger wants to be logged.

use strum::{Display, IntoStaticStr};

/// Why the embedded rules' reading of a notice stands alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, IntoStaticStr)]
pub enum ModelFailure {
    /// The model declined to answer.
    #[strum(serialize = "refused")]
    Refused,
    /// The answer reached its bound of tokens.
    #[strum(serialize = "cut off")]
    CutOff,
    /// The answer is no JSON.
    #[strum(serialize = "no JSON")]
    NoJson,
    /// The answer is JSON of another form than was asked for, or out of bounds.
    #[strum(serialize = "off the schema")]
    OffSchema,
    /// The answer has too many bytes.
    #[strum(serialize = "too large")]
    TooLarge,
    /// What answers speaks another protocol.
    #[strum(serialize = "no answer of a model")]
    Foreign,
    /// The server stayed busy (429).
    #[strum(serialize = "busy")]
    Busy,
    /// The server kept failing (5xx).
    #[strum(serialize = "server failed")]
    ServerFailed,
    /// No answer in time.
    #[strum(serialize = "timed out")]
    TimedOut,
    /// No connection.
    #[strum(serialize = "unreachable")]
    Unreachable,
    /// The key is not accepted (401, 403).
    #[strum(serialize = "key refused")]
    KeyRefused,
    /// There is no such model or address (404).
    #[strum(serialize = "not found")]
    NotFound,
    /// The request is not accepted.
    #[strum(serialize = "request refused")]
    RequestRefused,
    /// Asking might cost more than is left of the budget.
    #[strum(serialize = "over the budget")]
    OverBudget,
    /// Asking was given up after earlier failures.
    #[strum(serialize = "not asked any more")]
    GivenUp,
}

impl ModelFailure {
    /// In few words, for counting.
    #[must_use]
    pub fn words(self) -> &'static str {
        self.into()
    }

    /// Whether every other notice would fail in the same way.
    pub(super) const fn is_final(self) -> bool {
        matches!(self, Self::KeyRefused | Self::NotFound)
    }

    /// Whether it is the server's state rather than this notice's answer; several of these in a row end the asking.
    pub(super) const fn is_of_the_server(self) -> bool {
        matches!(
            self,
            Self::Foreign
                | Self::Busy
                | Self::ServerFailed
                | Self::TimedOut
                | Self::Unreachable
                | Self::RequestRefused
        )
    }

    /// Whether the server may have worked, and asks to be paid, though no account came back.
    pub(super) const fn may_cost(self) -> bool {
        matches!(self, Self::TimedOut | Self::TooLarge | Self::Foreign)
    }

    /// What to do about it.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Self::KeyRefused => "the model's server refuses the key; check OPENAI_API_KEY",
            Self::NotFound => {
                "the model's server knows no such model or address; check OPENAI_MODEL and OPENAI_BASE_URL"
            }
            Self::Foreign | Self::RequestRefused => {
                "the model's server does not take these requests; check that OPENAI_BASE_URL serves chat completions and \
                 that the model reads pictures and answers by a JSON schema"
            }
            Self::Busy => "the model's server stays busy; try a smaller --model-jobs, or later",
            _ => "the model's server fails or cannot be reached; see that it runs, then run again",
        }
    }
}

impl std::error::Error for ModelFailure {}
